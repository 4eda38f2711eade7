/** How much a first visit loads, and how much work it is until the page can be used. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';

import { launch, withPage, workOf } from './browser';
import { TestServer } from './server';

const MOST_BYTES = 300_000;
/** Processor time of the page itself; how long it takes on the wall depends on what else the machine is doing, and is told. */
const MOST_WORK_MS = 1000;

let server: TestServer;
let browser: Browser;

before(async () => {
  server = await TestServer.start();
  browser = await launch();
});

after(async () => {
  await browser.close();
  await server.stop();
});

test('a first visit loads little and is little work', async (t) => {
  const times: number[] = [];
  const works: number[] = [];
  let bytes = 0;
  for (let visit = 0; visit < 5; visit += 1) {
    await withPage(browser, 'about:blank', {}, async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      const worked = await workOf(session);
      bytes = 0;
      session.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength; });
      const start = performance.now();
      await page.goto(`${server.url}/#/play`);
      await page.getByRole('button', { name: 'Custom game' }).click();
      await page.getByRole('button', { name: 'Start the game' }).waitFor();
      times.push(performance.now() - start);
      works.push(await worked());
      await page.waitForLoadState('networkidle');
    });
  }
  const shown = (all: readonly number[]): string => all.map((ms) => ms.toFixed(0)).join(', ');
  t.diagnostic(`${bytes} bytes over the wire; a dialog is open after ${shown(times)} ms, of which work ${shown(works)} ms`);
  assert(bytes > 10_000, 'nothing was counted');
  assert(bytes < MOST_BYTES, `${bytes} bytes`);
  assert(Math.min(...works) > 1, `no work was counted: ${shown(works)} ms`);
  assert(Math.min(...works) < MOST_WORK_MS, `${shown(works)} ms`);
});
