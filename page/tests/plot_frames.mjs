/**
 * Whether a plot of a hundred thousand points keeps up with the screen, and what a first visit loads:
 * `node page/tests/plot_frames.mjs BINARY [SECONDS]`.
 *
 * Seven lines of 100,000 points each are looked at in four ways. In every frame the page is told to do the next step, and
 * the time to the next frame is taken: 16.7 ms is sixty a second, which is also the most that a headless browser shows.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { at, launch, serve, servePage } from './measured.mjs';

const [binary, seconds = '5'] = process.argv.slice(2);
if (binary === undefined) throw new Error('node page/tests/plot_frames.mjs BINARY [SECONDS]');
const POINTS = 100_000;
const LATE_MS = 20;

function convergence() {
  const generation = Array.from({ length: POINTS }, (_, place) => place);
  const wave = (shift) => generation.map((place) => Number((0.5 + shift + 0.1 * Math.sin(place / 500) + 0.02 * Math.sin(place * 1.7)).toFixed(4)));
  const none = generation.map(() => null);
  return {
    unit: 'points per game', generation, games: generation.map((place) => 10 * place),
    best: wave(0.2), upper: wave(0.1), median: wave(0), mean: wave(0), lower: wave(-0.1), worst: wave(-0.2), champion: wave(0.25), best_again: wave(0.15),
    best_again_games: none, elo: none, elo_low: none, elo_high: none, elo_zero: 'mean', spread: wave(-0.3), moved: wave(-0.4),
  };
}

/** The keys of one round, a frame each; the mouse moves where there are none. */
const WAYS = {
  'all points, the mouse over them': [],
  'moved, a quarter in sight': [...Array(10).fill('ArrowRight'), ...Array(10).fill('ArrowLeft')],
  'zoomed in and out': ['+', '+', '+', '+', '-', '-', '-', '-'],
  'all points drawn anew': ['-'],
};

const folder = mkdtempSync(join(tmpdir(), 'vidmar-frames-'));
const server = await serve(binary, folder);
const browser = await launch();
try {
  const { runs } = await server.ask('GET', '/runs');
  const run = runs.find(({ kind }) => kind === 'tuning');
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([server.cookie]);

  const first = await context.newPage();
  const session = await context.newCDPSession(first);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', (event) => { bytes += event.encodedDataLength; });
  await first.goto(`${server.url}/`);
  await first.waitForLoadState('networkidle');
  console.log(`first visit, over the wire: ${(bytes / 1000).toFixed(1)} kB`);
  await first.close();

  const page = await context.newPage();
  const body = JSON.stringify(convergence());
  if (process.env.VIDMAR_DIST !== undefined) await servePage(context, process.env.VIDMAR_DIST);
  await page.route('**/convergence*', (route) => route.fulfill({ contentType: 'application/json', body }));
  await page.goto(`${server.url}/#/runs/${run.id}?tab=convergence`);
  const plot = page.getByTestId('scores').locator('.plot');
  await plot.locator('canvas').waitFor();
  await page.waitForTimeout(1000);
  console.log(`frames of a plot of ${POINTS} points, ${seconds} s each`);
  console.log('frames  a second  median    p99  longest (ms)  late');
  for (const [way, keys] of Object.entries(WAYS)) {
    const times = await plot.evaluate(async (element, { keys: round, milliseconds }) => {
      const press = (key) => element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      const over = element.querySelector('.u-over');
      const box = over.getBoundingClientRect();
      for (let times = 0; times < 20; times += 1) press('-');
      if (round[0]?.startsWith('Arrow')) for (let times = 0; times < 2; times += 1) press('+');
      const frame = () => new Promise(requestAnimationFrame);
      for (let wait = 0; wait < 30; wait += 1) await frame();
      const taken = [];
      let before = await frame();
      const end = before + milliseconds;
      for (let turn = 0; before < end; turn += 1) {
        if (round.length > 0) press(round[turn % round.length]);
        else over.dispatchEvent(new MouseEvent('mousemove', { clientX: box.x + ((turn * 7) % box.width), clientY: box.y + box.height / 2, bubbles: true }));
        const now = await frame();
        taken.push(now - before);
        before = now;
      }
      return taken;
    }, { keys, milliseconds: 1000 * Number(seconds) });
    const sorted = times.toSorted((a, b) => a - b);
    const whole = times.reduce((sum, time) => sum + time, 0);
    const row = [String(times.length).padEnd(7), ((1000 * times.length) / whole).toFixed(1).padStart(8), at(sorted, 0.5).toFixed(1).padStart(7), at(sorted, 0.99).toFixed(1).padStart(6), at(sorted, 1).toFixed(1).padStart(13)];
    console.log(row.join(' '), String(sorted.filter((time) => time > LATE_MS).length).padStart(5), ` ${way}`);
  }
} finally {
  await browser.close();
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}
