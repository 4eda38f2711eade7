/** Games and positions analysed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';

import { launch, withPage } from './browser';
import { TestServer } from './server';
import { drag, type, waitForContent, waitForMove } from './table';

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

const PGN = `[Event "Paris"]
[White "Amateur"]
[Black "Master"]
[Date "1858.??.??"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 { a pin } 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 1-0
`;

test('a pasted PGN is walked through, evaluated and left for an idea of one’s own', async () => {
  await withPage(browser, `${server.url}/#/analyse`, {}, async (page) => {
    await page.getByLabel('PGN or FEN').fill(PGN);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('heading', { name: /Amateur – Master/ }).waitFor();
    await waitForMove(page, 13, 'Qb3');
    await page.getByText('a pin').waitFor();
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight');
    await waitForContent(page, 'd4', 'white pawn');
    await page.keyboard.press('End');
    await waitForContent(page, 'b3', 'white queen');

    await page.getByRole('button', { name: 'Evaluate game' }).click();
    await page.getByRole('img', { name: /Scores of 13 positions/ }).waitFor();

    // The legal moves come from the server.
    await Promise.all([page.waitForResponse(/\/positions$/), page.locator('[data-ply="4"]').click()]);
    await waitForContent(page, 'd4', 'empty');
    await drag(page, 'f1', 'c4');
    await waitForMove(page, 5, 'Bc4');
    assert.equal(await page.locator('[data-ply="6"]').count(), 0);
    await page.getByRole('button', { name: 'Back to the game' }).click();
    await waitForMove(page, 13, 'Qb3');
  });
});

test('where the game is over nobody is asked', async () => {
  await withPage(browser, `${server.url}/#/analyse`, {}, async (page) => {
    await page.getByLabel('PGN or FEN').fill('1. f3 e5 2. g4 Qh4# 0-1');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await waitForMove(page, 4, 'Qh4#');
    await page.keyboard.press('End');
    await page.getByText(/The game is over here/).waitFor();
    await page.getByRole('button', { name: 'Evaluate game' }).click();
    await page.getByRole('img', { name: /Scores of 4 positions; here −#0/ }).waitFor();
  });
});

test('a dropped file is opened, and what is wrong in it is named with its line', async () => {
  await withPage(browser, `${server.url}/#/analyse`, {}, async (page) => {
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'games.pgn', { type: 'application/x-chess-pgn' }));
      return transfer;
    }, `${PGN}\n${PGN}\n[White "A"]\n[Black "B"]\n\n1. e4 Ke4 *\n`);
    await page.dispatchEvent('main', 'drop', { dataTransfer: data });
    await page.getByText('2 games').waitFor();
    await page.getByText('1 problem in the text').click();
    await page.getByText(/line 20: .*Ke4/).waitFor();
  });
});

test('several lines of the engine, and any other player’s analysis', async () => {
  await withPage(browser, `${server.url}/#/analyse`, {}, async (page) => {
    await type(page, 'e4');
    await waitForMove(page, 1, 'e4');
    const why = page.getByTestId('why');
    await why.locator('button', { hasText: '1…' }).nth(2).waitFor();
    await page.locator('.engine-analysis summary').first().click();
    await page.getByLabel('Who is asked: who plays').selectOption('evolve');
    await page.getByLabel('Generations').fill('10');
    await page.locator('[data-testid=why][data-kind=evolved]').waitFor();
    await page.getByLabel('Who is asked: who plays').selectOption('random');
    await page.locator('[data-testid=why][data-kind=plain]').waitFor();
  });
});
