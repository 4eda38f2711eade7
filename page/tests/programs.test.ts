/** Programs that stand in the files of a run, which may be anybody's: shown, asked for, and not started before somebody agrees. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';

import type { RunList } from '../src/generated/api';
import { seriousFindings } from './axe';
import { launch, withPage } from './browser';
import { Laboratory } from './laboratory';
import { TestServer, binary } from './server';

const LONG_MS = 120_000;

let laboratory: Laboratory;
let server: TestServer;
let browser: Browser;
let program: string;
let witness: string;

async function until(holds: () => boolean, complaint: string): Promise<void> {
  const begun = Date.now();
  while (!holds()) {
    assert(Date.now() - begun < LONG_MS, complaint);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Begins something that starts the program, and interrupts it once it has. */
async function interrupted(words: readonly string[]): Promise<void> {
  const child = spawn(binary, words, { cwd: laboratory.folder, stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until(() => existsSync(join(laboratory.folder, 'playing')), `${words.join(' ')} does not begin`);
  child.kill('SIGINT');
  assert.equal(await ended, 130);
  for (const trace of ['playing', 'witness']) rmSync(join(laboratory.folder, trace), { force: true });
}

before(async () => {
  laboratory = new Laboratory();
  [program, witness] = [join(laboratory.folder, 'program'), join(laboratory.folder, 'witness')];
  const playing = join(laboratory.folder, 'playing');
  // It leaves a trace when it is started, and another one when it is to move.
  const text = `#!/bin/sh\ntouch '${witness}'\nwhile read -r line; do case $line in go*) touch '${playing}';; esac; echo "$line"; done | '${binary}' uci\n`;
  writeFileSync(program, text);
  chmodSync(program, 0o755);
  const players = ['-engine', `cmd=${program}`, 'name=Stranger', '-engine', 'player=random', 'name=Anna', '-each', 'depth=1'];
  await interrupted(['match', ...players, '-rounds', '500', '-wait', '200', '-maxmoves', '40', '--store', 'found.db']);
  const opponents = `objective.opponents=["uci:cmd=${program},depth=1"]`;
  await interrupted(['tune', 'run', 'no-knowledge', '--quiet', '--out', 'tuned', ...['kind=opponents', opponents, 'games=100', 'depth=1'].flatMap((set) => ['--set', set])]);
  server = await TestServer.start([laboratory.folder]);
  browser = await launch();
});

after(async () => {
  const { runs } = await server.ask<RunList>('GET', '/runs');
  for (const run of runs.filter(({ state }) => state === 'running' || state === 'waiting')) await server.ask('POST', `/runs/${run.id}/stop`);
  await browser.close();
  await server.stop();
  laboratory.remove();
});

async function idOf(kind: string): Promise<string> {
  const { runs } = await server.ask<RunList>('GET', '/runs');
  const found = runs.find((run) => run.kind === kind);
  assert(found !== undefined, `there is no ${kind}`);
  return found.id;
}

async function waitForState(page: Page, state: string): Promise<void> {
  await page.getByTestId('state').filter({ hasText: state }).waitFor({ timeout: LONG_MS });
}

for (const kind of ['match', 'tuning']) {
  test(`a ${kind} that names a program goes on only if somebody agrees`, { timeout: LONG_MS }, async () => {
    await withPage(browser, `${server.url}/#/runs/${await idOf(kind)}`, { bypassCSP: true }, async (page) => {
      await waitForState(page, 'paused');
      const dialog = page.getByRole('dialog', { name: 'Start these programs?' });
      const ask = async (): Promise<void> => {
        await page.getByRole('button', { name: 'Resume' }).click();
        await dialog.waitFor();
      };
      await ask();
      const shown = await dialog.getByTestId('programs').locator('li').allTextContents();
      assert.equal(shown.length, 1);
      assert(shown[0]?.startsWith(`uci:cmd=${program}`), shown[0]);
      assert.deepEqual(await seriousFindings(page), []);
      // Whoever only presses Enter, or wants to be rid of it, has not agreed.
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await ask();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await ask();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await waitForState(page, 'paused');
      assert(!existsSync(witness), 'the program was started before anybody agreed');
      await ask();
      await dialog.getByRole('button', { name: 'Start them and resume' }).click();
      await waitForState(page, 'running');
      await until(() => existsSync(witness), 'the program is not started');
      await page.getByRole('button', { name: 'Pause' }).click();
      await waitForState(page, 'paused');
      rmSync(witness);
    });
  });
}

test('a program that the server was started with is not asked for', { timeout: LONG_MS }, async () => {
  const knowing = await TestServer.start([laboratory.folder, '--engine', `Stranger=${program}`]);
  try {
    await withPage(browser, `${knowing.url}/#/runs/${await idOf('match')}`, {}, async (page) => {
      await waitForState(page, 'paused');
      await page.getByRole('button', { name: 'Resume' }).click();
      await waitForState(page, 'running');
      await page.getByRole('button', { name: 'Pause' }).click();
      await waitForState(page, 'paused');
    });
  } finally {
    await knowing.stop();
  }
});
