/** Games and positions analysed. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';

import { launch, withPage } from './browser';
import { Laboratory } from './laboratory';
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
    // What is tried stands beside the game, which stays as it is.
    const variation = page.getByTestId('variation');
    await variation.getByText('Bc4').waitFor();
    await waitForMove(page, 5, 'd4');
    await waitForMove(page, 13, 'Qb3');
    await page.getByRole('button', { name: 'Back to the game' }).click();
    await page.locator('[data-ply="4"][aria-current=step]').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('[data-ply="5"][aria-current=step]').waitFor();
    await page.keyboard.press('ArrowDown');
    await variation.locator('[aria-current=step]').waitFor();
    await page.getByRole('button', { name: 'Delete from here' }).click();
    await variation.waitFor({ state: 'detached' });
    await waitForMove(page, 13, 'Qb3');
  });
});

const ANNOTATED = `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "A"]
[Black "B"]
[Result "*"]

{ before it all } 1. e4 e5 (1... c5 { sharper } 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 $1 Nc6 { usual } 3. Bb5
*
`;

test('a PGN comes out as it went in, with its comments and variations', async () => {
  await withPage(browser, `${server.url}/#/analyse`, {}, async (page) => {
    await page.getByLabel('PGN or FEN').fill(ANNOTATED);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await waitForMove(page, 5, 'Bb5');
    await page.getByTestId('variation').getByText('sharper').first().waitFor();
    assert.equal(await page.getByTestId('variation').count(), 2);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PGN' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    assert.equal(text.replaceAll(/\s+/g, ' ').trim(), ANNOTATED.replaceAll(/\s+/g, ' ').trim());
  });
});

test('a blunder is marked with its reason', async () => {
  await withPage(browser, `${server.url}/#/analyse`, {}, async (page) => {
    await page.getByLabel('PGN or FEN').fill('1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await waitForMove(page, 5, 'Qxe5#');
    await page.getByRole('button', { name: 'Evaluate game' }).click();
    const mistakes = page.getByTestId('mistakes').locator('p');
    await mistakes.filter({ hasText: /^Black .*1 blunder/ }).waitFor();
    assert.equal(await mistakes.filter({ hasText: /^White .*blunder/ }).count(), 0);
    await page.locator('[data-ply="4"] .san:text-is("Ke7??")').waitFor();
    await page.getByText(/became #\d.* was better/).waitFor();
  });
});

test('the reason of a mistake is scrolled into sight with its move', async () => {
  const moves = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? 'Nf3 Nf6' : 'Ng1 Ng8'));
  const before = moves.map((pair, index) => `${index + 1}. ${pair}`).join(' ');
  const reason = 'a long word about this move '.repeat(8).trim();
  await withPage(browser, `${server.url}/#/analyse`, {}, async (page) => {
    await page.getByLabel('PGN or FEN').fill(`${before} 25. e4 { ${reason} } e5 26. d4 d5 27. c4 c5 28. b4 b5 29. a4 a5 *`);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await waitForMove(page, 49, 'e4');
    await page.locator('[data-ply="30"]').click();
    for (let ply = 30; ply < 49; ply += 1) await page.keyboard.press('ArrowRight');
    await page.locator('[data-ply="49"][aria-current=step]').waitFor();
    const [list, note] = await Promise.all([page.getByRole('group', { name: 'Moves' }).boundingBox(), page.getByText(reason).boundingBox()]);
    assert(list !== null && note !== null);
    assert(note.y + note.height <= list.y + list.height + 1, `${JSON.stringify(note)} is not in ${JSON.stringify(list)}`);
  });
});

test('a player thinks without a limit until it is stopped, and a second one gives its opinion', async () => {
  await withPage(browser, `${server.url}/#/analyse`, {}, async (page) => {
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    await page.getByTestId('why').waitFor();
    // At once, while the question without a limit is still to be asked: it must not be asked any more.
    await page.getByText('no time limit').first().click();
    await stop.click();
    await page.waitForTimeout(500);
    await page.waitForFunction(() => [...document.querySelectorAll('button')].some((button) => button.textContent === 'Stop' && button.disabled));
    await page.getByTestId('why').waitFor();
    await page.getByText('no time limit').first().click();
    await page.getByRole('button', { name: 'Ask a second player' }).click();
    await page.getByRole('heading', { name: 'Second opinion' }).waitFor();
    await page.getByTestId('why').nth(1).waitFor();
    await page.getByText('alpha-beta on bitboard').first().waitFor();
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

test('the tablebase says what an ending and each of its moves are worth', async () => {
  const fen = encodeURIComponent('4k3/8/4K3/4P3/8/8/8/8 w - - 0 1');
  await withPage(browser, `${server.url}/#/analyse?fen=${fen}`, {}, async (page) => {
    const panel = page.getByRole('region', { name: 'Tablebase' });
    await panel.getByText('White wins with best play').waitFor();
    await panel.getByRole('button', { name: /draws/ }).first().waitFor();
    // The best move stands first; a click plays it, and then it is the other side that loses.
    const best = panel.getByRole('button').first();
    const text = await best.textContent();
    assert.match(text ?? '', /wins/);
    await best.click();
    await waitForMove(page, 1, /K\w+/.exec(text ?? '')?.[0] ?? '');
    await panel.getByText('Black loses with best play').waitFor();
  });
  // A win that takes too long is none: nothing calls it one. (The distances of Syzygy's tables, which need not be here.)
  const slow = '8/8/8/3k4/8/8/3BN3/3K4 w - - 90 80';
  await withPage(browser, 'about:blank', {}, async (page) => {
    await page.route(/\/positions$/, async (route) => {
      const answer = await route.fetch();
      const moves = [['d2f4', 'Bf4', 'win', 9], ['d1c2', 'Kc2', 'win', 57], ['d2a5', 'Ba5', 'draw', 0]].map(([uci, san, value, dtz]) => ({ uci, san, value, dtz }));
      await route.fulfill({ response: answer, json: { ...(await answer.json()), tablebase: { value: 'win', dtz: 9, moves } } });
    });
    await page.goto(`${server.url}/#/analyse?fen=${encodeURIComponent(slow)}`);
    const panel = page.getByRole('region', { name: 'Tablebase' });
    await panel.getByRole('button', { name: /Bf4 wins 9 plies/ }).waitFor();
    await panel.getByRole('button', { name: /Kc2 50-move draw 57 plies/ }).waitFor();
    await panel.getByRole('button', { name: /Ba5 draws/ }).waitFor();
    assert.equal(await panel.getByTestId('tablebase-result').getByText('50-move').count(), 0);
    await page.unroute(/\/positions$/);
    await page.route(/\/positions$/, async (route) => {
      const answer = await route.fetch();
      const moves = [{ uci: 'd1c2', san: 'Kc2', value: 'win', dtz: 57 }];
      await route.fulfill({ response: answer, json: { ...(await answer.json()), tablebase: { value: 'win', dtz: 56, moves } } });
    });
    await page.reload();
    await panel.getByText('White wins with best play, but the 50-move rule makes it a draw').waitFor();
    await panel.getByText('DTZ 57 plies').waitFor();
  });
  // Positions that no tablebase holds have no such panel.
  await withPage(browser, `${server.url}/#/analyse`, {}, async (page) => {
    await page.getByText('Make a move, or open a game').waitFor();
    assert.equal(await page.getByRole('region', { name: 'Tablebase' }).count(), 0);
  });
});

test('the explorer counts the moves of the opened games, and of a run', async () => {
  const laboratory = new Laboratory();
  laboratory.contest('chance');
  const runs = await TestServer.start([laboratory.folder]);
  await withPage(browser, `${runs.url}/#/analyse`, {}, async (page) => {
    const games = [['e4 e5', '1-0'], ['e4 c5', '0-1'], ['e4 c5', '1/2-1/2'], ['d4 d5', '1-0']];
    const pgn = games.map(([moves, result]) => `[Result "${result}"]\n\n1. ${moves} ${result}\n`).join('\n');
    await page.getByLabel('PGN or FEN').fill(pgn);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('4 games').waitFor();
    await page.keyboard.press('Home');
    await page.getByText('Explorer', { exact: true }).click();
    const rows = page.locator('.explorer tbody tr');
    await page.getByRole('row', { name: /e4 3 75 % Results: White 33 %, draw 33 %, Black 33 %/ }).waitFor();
    assert.equal(await rows.count(), 2);
    // A click plays the move; the next table is that of the position after it.
    await page.getByRole('button', { name: 'e4', exact: true }).first().click();
    await page.getByRole('row', { name: /c5 2 67 %/ }).waitFor();
    // The games of a match, counted by the server.
    await page.getByLabel('Games of').selectOption({ label: 'chance (24)' });
    await page.keyboard.press('Home');
    await page.locator('.explorer tbody tr').first().waitFor();
    const counted = await rows.locator('.number').allTextContents();
    const total = counted.map((text) => Number(text.trim().split(' ')[0])).reduce((sum, games) => sum + games, 0);
    assert.equal(total, 24);
  });
  await runs.stop();
  laboratory.remove();
});
