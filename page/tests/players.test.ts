/** A game against each kind of player, and what it says about its move. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';

import { launch, withPage } from './browser';
import { binary, caseBase, TestServer } from './server';
import { drag, waitForMove } from './table';

let server: TestServer;
let browser: Browser;
let cases: ReturnType<typeof caseBase>;

before(async () => {
  cases = caseBase();
  server = await TestServer.start(['--cases', `expert=${cases.file}`, '--engine', `other=${binary}`]);
  browser = await launch();
});

after(async () => {
  await browser.close();
  await server.stop();
  cases.remove();
});

interface Kind {
  kind: string;
  /** Options by the labels of the dialog. */
  options: Record<string, string>;
  /** The kind of its reasons. */
  why: string;
  see: (why: Locator, page: Page) => Promise<void>;
}

async function seeLines(why: Locator): Promise<void> {
  await why.getByRole('heading', { name: 'Lines' }).waitFor();
  await why.locator('button', { hasText: '1…' }).first().waitFor();
}

const KINDS: readonly Kind[] = [
  {
    kind: 'engine',
    options: { 'Time (ms)': '200' },
    why: 'engine',
    see: async (why, page) => {
      await seeLines(why);
      await why.getByText(/depth \d+/).first().waitFor();
      await why.getByRole('rowheader').first().waitFor();
      await why.locator('button', { hasText: '1…' }).first().click();
      await page.locator('.cg-shapes g[cgHash]').first().waitFor({ state: 'attached' });
    },
  },
  { kind: 'search', options: { Depth: '3' }, why: 'engine', see: seeLines },
  {
    kind: 'cbr',
    options: {},
    why: 'cases',
    see: async (why) => {
      await why.getByText(/% alike/).first().waitFor();
      await why.getByRole('img').first().waitFor();
      await why.getByText(/1918|1921/).first().waitFor();
    },
  },
  {
    kind: 'evolve',
    options: { Genes: '4', Generations: '20' },
    why: 'evolved',
    see: async (why) => {
      await why.getByText('Best line of every first move').waitFor();
      await why.locator('canvas').first().waitFor();
    },
  },
  { kind: 'random', options: {}, why: 'plain', see: async () => undefined },
  { kind: 'uci', options: { 'Time (ms)': '200' }, why: 'engine', see: seeLines },
];

for (const { kind, options, why, see } of KINDS) {
  test(`a game against ${kind}, which says why`, async () => {
    await withPage(browser, `${server.url}/#/play`, {}, async (page) => {
      await page.getByRole('button', { name: 'New game', exact: true }).click();
      await page.getByLabel('White: who plays').selectOption('person');
      await page.getByLabel('Black: who plays').selectOption(kind);
      const seat = page.getByRole('group', { name: 'Black' });
      for (const [label, value] of Object.entries(options)) await seat.getByLabel(label, { exact: true }).fill(value);
      await page.getByRole('button', { name: 'Start the game' }).click();
      await page.locator('[data-square=e2]').waitFor();
      await drag(page, 'e2', 'e4');
      await waitForMove(page, 2);
      const panel = page.getByTestId('why');
      await panel.waitFor();
      assert.equal(await panel.getAttribute('data-kind'), why);
      assert.notEqual(await panel.getByRole('heading').first().textContent(), '');
      await see(panel, page);
      // It goes on.
      await drag(page, 'g1', 'f3');
      await waitForMove(page, 4);
    });
  });
}
