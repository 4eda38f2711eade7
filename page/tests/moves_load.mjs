/**
 * How long a move takes while much else goes on: `node page/tests/moves_load.mjs BINARY [SECONDS] [FOLDER]`.
 *
 * Twenty games against the engine are played at a time, a move every three seconds each. Meanwhile a tuning run that has
 * 40,000 games goes on in a process of its own, and two tabs of a real browser follow it. FOLDER keeps that run for the next
 * time; making it takes minutes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { at, launch, serve } from './measured.mjs';

const [binary, seconds = '120', kept] = process.argv.slice(2);
if (binary === undefined) throw new Error('node page/tests/moves_load.mjs BINARY [SECONDS] [FOLDER]');
const GAMES = 20;
const PAUSE_MS = 3000;
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'vidmar-load-')) : resolve(kept);
const runs = join(folder, 'runs');
mkdirSync(runs, { recursive: true });
const run = join(runs, 'long');

/** 13 to 14 games a generation at depth 1: a generation is too short to be seen, the run is long. */
const SETTINGS = ['games=4', 'population=5', 'generations=100000', 'depth=1', 'hash=1', 'openings.source=built-in', 'pairs=10', 'deeper=[0]', 'max_moves=40'];
const told = (words) => {
  const done = spawnSync(binary, words, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${words.join(' ')}: ${done.stderr}`);
  return JSON.parse(done.stdout);
};
if (!existsSync(run)) {
  console.log('making a run of 40,000 games …');
  const sets = SETTINGS.flatMap((setting) => ['--set', setting]);
  const child = spawn(binary, ['tune', 'run', 'no-knowledge', '--quiet', '--out', run, ...sets], { stdio: 'ignore' });
  const ended = new Promise((done) => { child.once('exit', done); });
  const games = () => (existsSync(join(run, 'games.db')) ? (told(['tune', 'status', run, '--json']).games ?? 0) : 0);
  while (games() < 40_000 && child.exitCode === null) await new Promise((done) => { setTimeout(done, 2000); });
  child.kill('SIGINT');
  await ended;
}

const server = await serve(binary, folder, ['--no-examples', runs]);
const tuner = spawn('nice', ['-n', '10', binary, 'tune', 'resume', run, '--accept-changed-engines', '--threads', '1', '--quiet'], { stdio: 'ignore' });
const browser = await launch();
try {
  const find = async () => (await server.ask('GET', '/runs')).runs.find(({ name }) => name === 'long');
  const { id, games: before } = await find();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies([server.cookie]);
  for (const tab of ['convergence', 'parameters']) {
    const page = await context.newPage();
    await page.goto(`${server.url}/#/runs/${id}?tab=${tab}`);
    await page.locator('canvas').first().waitFor();
  }
  const begin = async () => (await server.ask('POST', '/games', { white: { kind: 'person' }, black: { kind: 'engine', options: { movetime: 100 } } })).id;
  const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });
  const times = [];
  const refused = [];
  const end = performance.now() + 1000 * Number(seconds);
  async function play(place) {
    await pause((PAUSE_MS / GAMES) * place);
    let game = await begin();
    while (performance.now() < end) {
      const now = await server.ask('GET', `/games/${game}`);
      if (now.status.state === 'over') game = await begin();
      else if (now.turn === 'white' && now.legal.length > 0) {
        const { uci } = now.legal[Math.floor(Math.random() * now.legal.length)];
        const begun = performance.now();
        try {
          await server.ask('POST', `/games/${game}/moves`, { uci, version: now.version });
          times.push(performance.now() - begun);
        } catch (error) {
          refused.push(error);
        }
        await pause(PAUSE_MS);
      } else await pause(200);
    }
  }
  await Promise.all(Array.from({ length: GAMES }, (_, place) => play(place)));
  times.sort((a, b) => a - b);
  const after = (await find()).games;
  if (after <= before) throw new Error(`the run does not go on: vidmar tune resume ${run}`);
  console.log(`${GAMES} games at a time, a run of ${before} games that goes on (${after} now) in two tabs; load ${loadavg()[0].toFixed(1)}`);
  console.log('moves  refused  median    p99  longest (ms)');
  console.log([String(times.length).padEnd(6), String(refused.length).padEnd(8), at(times, 0.5).toFixed(1).padStart(6), at(times, 0.99).toFixed(1).padStart(6), at(times, 1).toFixed(1).padStart(13)].join(' '));
  if (refused.length > 0) console.log(String(refused[0]));
} finally {
  await browser.close();
  tuner.kill('SIGINT');
  server.stop();
}
