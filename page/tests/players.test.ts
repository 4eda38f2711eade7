/** A game against each kind of player, and what it says about its move. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';

import type { Game } from '../src/generated/api';
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

/** What it expects of you is not shown unless it is asked for. */
async function seeLines(why: Locator): Promise<void> {
  assert.equal(await why.getByRole('heading', { name: 'Lines' }).isVisible(), false);
  await why.getByText('Score and lines').click();
  await why.getByRole('heading', { name: 'Lines' }).waitFor();
  await why.locator('button', { hasText: '1…' }).first().waitFor();
}

const KINDS: readonly Kind[] = [
  {
    kind: 'engine',
    options: { 'Time limit (seconds)': '0.2' },
    why: 'engine',
    see: async (why, page) => {
      await seeLines(why);
      await why.getByText(/depth \d+/).first().waitFor();
      await why.getByRole('rowheader').first().waitFor();
      await why.locator('button', { hasText: '1…' }).first().click();
      await page.locator('.cg-shapes g[cgHash]').first().waitFor({ state: 'attached' });
    },
  },
  { kind: 'search', options: { 'Depth limit (plies)': '3' }, why: 'engine', see: seeLines },
  {
    kind: 'cbr',
    options: {},
    why: 'cases',
    see: async (why) => {
      await why.getByText(/% alike/).first().waitFor();
      await why.getByRole('img').first().waitFor();
      await why.getByText(/1918|1921/).first().waitFor();
      await why.getByText(/there\. (It is legal here too|It is not legal here)/).first().waitFor();
    },
  },
  {
    kind: 'evolve',
    options: { 'Length of a line': '4', Generations: '20' },
    why: 'evolved',
    see: async (why) => {
      await why.getByText('Best line of every first move').waitFor();
      await why.locator('canvas').first().waitFor();
    },
  },
  { kind: 'random', options: {}, why: 'plain', see: async () => undefined },
  { kind: 'uci', options: { 'Time limit (seconds)': '0.2' }, why: 'engine', see: seeLines },
];

for (const { kind, options, why, see } of KINDS) {
  test(`a game against ${kind}, which says why`, async () => {
    await withPage(browser, `${server.url}/#/play`, {}, async (page) => {
      await page.getByRole('button', { name: 'Custom game' }).click();
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

interface Evaluation {
  white_score: number;
  shares: readonly { name: string; total: number }[];
}

/** What the command line says of a position. */
function evaluate(fen: string): Evaluation {
  const { status, stdout, stderr } = spawnSync(binary, ['eval', '--json', '--fen', fen], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Evaluation;
}

const centipawns = (text: string): number => Math.round(Number(text.replace('−', '-').replace('+', '')) * 100);

test('after a capture the terms are those of the position after it', async () => {
  const body = {
    white: { kind: 'engine', options: { nodes: 5000 } },
    black: { kind: 'person' },
    start: { fen: '7k/7p/8/3q4/8/8/3R4/K2R4 w - - 0 1' },
  };
  const { id } = await server.ask<Game>('POST', '/games', body);
  await withPage(browser, `${server.url}/#/play/${id}`, {}, async (page) => {
    await waitForMove(page, 1, 'Rxd5');
    const terms = page.getByTestId('terms');
    await page.getByRole('heading', { name: 'The position after Rxd5, term by term' }).waitFor();
    await page.getByText('In pawns; + is good for White.').waitFor();
    const { plies } = await server.ask<Game>('GET', `/games/${id}`);
    const { white_score: score, shares } = evaluate(plies[0]?.fen ?? '');
    const rows = await terms.locator('tbody tr').evaluateAll((all) =>
      all.map((row) => [row.querySelector('th')?.textContent ?? '', row.querySelector('td')?.textContent ?? ''] as const),
    );
    const seen = Object.fromEntries(rows.map(([name, total]) => [name, centipawns(total)]));
    const expected = Object.fromEntries(shares.filter(({ total }) => total !== 0).map(({ name, total }) => [name, total]));
    assert.deepEqual(seen, expected);
    assert.equal(Object.values(seen).reduce((sum, total) => sum + total, 0), score);
    assert.equal(centipawns((await terms.locator('tfoot td').first().textContent()) ?? ''), score);
    assert(score > 500, `White is two rooks up, not ${score} hundredths of a pawn`);
  });
});
