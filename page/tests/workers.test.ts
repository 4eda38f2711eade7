/** The workers of a run on its page: seen, paused, shut out and let in again; with a real NATS server and a real worker. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';

import type { RunList } from '../src/generated/api';
import { seriousFindings } from './axe';
import { launch, withPage } from './browser';
import { Laboratory } from './laboratory';
import { TestServer, binary } from './server';

const LONG_MS = 120_000;
const PROGRAM = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin']
  .map((folder) => join(folder, 'nats-server'))
  .find((path) => existsSync(path));
const skip = PROGRAM === undefined && (process.env['VIDMAR_REQUIRE_ALL'] ?? '0') === '0' ? 'nats-server is not installed' : false;

let laboratory: Laboratory;
let server: TestServer;
let browser: Browser;
const others: ChildProcess[] = [];

async function until<T>(look: () => T | undefined | Promise<T | undefined>, complaint: string): Promise<T> {
  const begun = Date.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert(Date.now() - begun < LONG_MS, complaint);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A process that ends with this one, however this one ends: a shell kills it when its input does. */
function start(program: string, words: readonly string[]): void {
  const watcher = '"$@" >/dev/null 2>&1 & read -r _; kill -9 $! 2>/dev/null; wait $! 2>/dev/null';
  others.push(spawn('sh', ['-c', watcher, 'watcher', program, ...words], { cwd: laboratory.folder, stdio: ['pipe', 'ignore', 'ignore'] }));
}

/** Starts a NATS server; where it is. */
async function broker(): Promise<string> {
  const pid = join(laboratory.folder, 'nats.pid');
  start(PROGRAM ?? 'nats-server', ['-a', '127.0.0.1', '-p', '-1', '-js', '-sd', join(laboratory.folder, 'nats'), '-P', pid, '--ports_file_dir', laboratory.folder]);
  return until(() => {
    const told = existsSync(pid) ? join(laboratory.folder, `nats-server_${readFileSync(pid, 'utf8').trim()}.ports`) : pid;
    try {
      return (JSON.parse(readFileSync(told, 'utf8')) as { nats?: string[] }).nats?.[0];
    } catch {
      return undefined;
    }
  }, 'nats-server does not say where it is');
}

before(async () => {
  if (skip !== false) return;
  laboratory = new Laboratory();
  const url = await broker();
  start(binary, ['worker', url, '--threads', '1', '--name', 'lent']);
  const players = ['-engine', 'player=random:seed=1', 'name=Anna', '-engine', 'player=engine:nodes=50,hash=1', 'name=Boris'];
  start(binary, ['match', ...players, '-rounds', '100000', '--store', 'long.db', '-on', url]);
  server = await TestServer.start([laboratory.folder, '--on', url]);
  browser = await launch();
});

after(async () => {
  if (skip !== false) return;
  await browser.close();
  for (const child of others.reverse()) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    await ended;
  }
  await server.stop();
  laboratory.remove();
});

test('workers are seen and told what to do', { skip, timeout: LONG_MS }, async () => {
  const id = await until(async () => (await server.ask<RunList>('GET', '/runs')).runs[0]?.id, 'the match is not listed');
  await withPage(browser, `${server.url}/#/runs/${id}`, { bypassCSP: true }, async (page: Page) => {
    await page.getByRole('tab', { name: 'Workers' }).click();
    const row = page.getByTestId('workers').getByRole('row').filter({ hasText: 'lent' });
    const shows = (text: string | RegExp): Promise<void> => row.filter({ hasText: text }).waitFor({ timeout: LONG_MS });
    await shows('playing');
    assert.deepEqual(await seriousFindings(page), []);
    await page.screenshot({ path: join(process.env['VIDMAR_TEST_OUTPUT'] ?? '.', 'workers.png') });
    // What can be said next follows from what was followed.
    for (const [order, next] of [['Pause', 'Resume'], ['Resume', 'Pause'], ['Shut out', 'Let in'], ['Let in', 'Shut out']] as const) {
      await row.getByRole('button', { name: order }).click();
      await row.getByRole('button', { name: next }).waitFor({ timeout: LONG_MS });
    }
    await row.getByRole('button', { name: 'Drain' }).click();
    await shows(/draining|gone/);
  });
});
