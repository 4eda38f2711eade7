/** Games of people: by mouse and by keyboard, with everything that a board has to do. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';

import type { Game, Seat } from '../src/generated/api';
import { launch, withPage } from './browser';
import { TestServer } from './server';
import { click, contentOf, drag, spoken, type, waitForContent, waitForMove, waitForNotice } from './table';

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

const PERSON: Seat = { kind: 'person' };

async function inGame(body: object, run: (page: Page, game: Game) => Promise<void>): Promise<void> {
  const game = await server.ask<Game>('POST', '/games', { white: PERSON, black: PERSON, ...body });
  await withPage(browser, `${server.url}/#/play/${game.id}`, {}, async (page) => {
    await page.locator('[data-square=e2]').waitFor();
    await run(page, game);
  });
}

test('a whole game by drag, to its result, its log and its PGN', async () => {
  await inGame({}, async (page) => {
    const moves = [
      ['e2', 'e4', 'e4'],
      ['e7', 'e5', 'e5'],
      ['d1', 'h5', 'Qh5'],
      ['b8', 'c6', 'Nc6'],
      ['f1', 'c4', 'Bc4'],
      ['g8', 'f6', 'Nf6'],
      ['h5', 'f7', 'Qxf7#'],
    ] as const;
    for (const [index, [from, to, san]] of moves.entries()) {
      await drag(page, from, to);
      await waitForMove(page, index + 1, san);
    }
    await page.getByRole('dialog').getByText('1-0').waitFor();
    await page.getByRole('button', { name: 'Look at the game' }).click();
    await page.getByTestId('over').getByText('1-0').waitFor();
    await page.getByRole('button', { name: 'Log' }).click();
    const log = (await page.getByTestId('log').textContent()) ?? '';
    assert.match(log, /White queen h5 takes pawn on f7, checkmate/);
    assert.match(log, /Black knight g8 to f6/);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('dialog textarea')?.value.includes('Qxf7#'));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PGN' }).click();
    const pgn = await readFile(await (await download).path(), 'utf8');
    assert.match(pgn, /1\. e4 e5 2\. Qh5 Nc6 3\. Bc4 Nf6 4\. Qxf7# 1-0/);
  });
});

test('a whole game by keyboard alone, read out move by move', async () => {
  await withPage(browser, `${server.url}/#/play`, {}, async (page) => {
    await page.getByRole('button', { name: 'Custom game' }).focus();
    await page.keyboard.press('Enter');
    for (const side of ['White', 'Black']) {
      await page.getByLabel(`${side}: who plays`).focus();
      await page.keyboard.type('Person');
    }
    await page.getByRole('button', { name: 'Start the game' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-square=e2]').waitFor();

    // Arrow keys and Enter on the board ...
    await page.locator('[data-square=e2]').focus();
    for (const key of ['ArrowRight', 'Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await waitForMove(page, 1, 'f3');
    assert.equal(await spoken(page), 'White: f3');
    await page.locator('[data-square=f3]').focus();
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter', 'ArrowDown', 'ArrowDown', 'Enter']) {
      await page.keyboard.press(key);
    }
    await waitForMove(page, 2, 'e5');
    // ... and moves as text, in UCI and SAN.
    await type(page, 'g2g4');
    await waitForMove(page, 3, 'g4');
    await type(page, 'Qh4');
    await waitForMove(page, 4, 'Qh4#');
    await page.getByRole('dialog').getByText('0-1').waitFor();
    assert.match(await spoken(page), /0-1/);
    await page.keyboard.press('Escape');

    // The list of moves by keyboard: back to the start and forward again.
    await page.locator('[data-ply="4"]').focus();
    await page.keyboard.press('Home');
    await waitForContent(page, 'f2', 'white pawn');
    await page.keyboard.press('ArrowRight');
    await waitForContent(page, 'f3', 'white pawn');
    assert.equal(await spoken(page), 'f3');
  });
});

test('clicks move too, and dots show where to', async () => {
  await inGame({}, async (page) => {
    const { x, y, width } = (await page.locator('[data-square=g1]').boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await page.mouse.click(x + width / 2, y + width / 2);
    await page.locator('square.move-dest').first().waitFor();
    assert.equal(await page.locator('square.move-dest').count(), 2);
    await page.keyboard.press('Escape');
    await click(page, 'g1', 'f3');
    await waitForMove(page, 1, 'Nf3');
    assert.equal(await page.locator('square.last-move').count(), 2);
  });
});

test('a pawn becomes what is chosen, or nothing if that is called off', async () => {
  await inGame({ start: { fen: '8/4P2k/8/8/8/8/6K1/8 w - - 0 1' } }, async (page) => {
    await drag(page, 'e7', 'e8');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('cg-board piece.pawn.white').waitFor();
    await waitForContent(page, 'e7', 'white pawn');
    await drag(page, 'e7', 'e8');
    await page.getByRole('button', { name: 'Knight' }).click();
    await waitForMove(page, 1, 'e8=N');
    await waitForContent(page, 'e8', 'white knight');
  });
});

test('an illegal move springs back and is said to be illegal', async () => {
  await inGame({}, async (page, game) => {
    await drag(page, 'e2', 'e5');
    await waitForNotice(page, 'e2 to e5 is not legal here');
    assert.match(await contentOf(page, 'e2'), /white pawn/);
    assert.equal(await page.locator('[data-ply]').count(), 0);
    await click(page, 'g1', 'g4');
    await waitForNotice(page, 'g1 to g4 is not legal here');
    await type(page, 'Ke3');
    await waitForNotice(page, 'Ke3 is not legal here');
    assert.equal((await server.ask<Game>('GET', `/games/${game.id}`)).plies.length, 0);
    await drag(page, 'e2', 'e4');
    await waitForMove(page, 1, 'e4');
  });
});

test('take back, flip, check, play from here', async () => {
  await inGame({}, async (page) => {
    for (const [ply, move] of ['e4', 'f6', 'd4', 'g5'].entries()) {
      await type(page, move);
      await waitForMove(page, ply + 1, move);
    }
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.locator('[data-ply="4"]').waitFor({ state: 'detached' });
    await waitForContent(page, 'g7', 'black pawn');
    await type(page, 'g5');
    await waitForMove(page, 4, 'g5');
    const above = async (): Promise<boolean> => {
      const [a1, a8] = [await page.locator('[data-square=a1]').boundingBox(), await page.locator('[data-square=a8]').boundingBox()];
      return (a1?.y ?? 0) < (a8?.y ?? 0);
    };
    assert.equal(await above(), false);
    await page.getByRole('button', { name: 'Flip' }).click();
    assert.equal(await above(), true);
    await drag(page, 'd1', 'h5');
    await page.getByRole('dialog').getByText('1-0').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('square.check').count(), 1);
    await page.locator('body').press('f');
    assert.equal(await above(), false);

    await page.locator('[data-ply="2"]').click();
    await page.getByRole('button', { name: 'Play from here' }).click();
    for (const side of ['White', 'Black']) await page.getByLabel(`${side}: who plays`).selectOption('person');
    await page.getByRole('button', { name: 'Start the game' }).click();
    await page.locator('[data-ply]').first().waitFor({ state: 'detached' });
    await waitForContent(page, 'f6', 'black pawn');
    await waitForContent(page, 'e4', 'white pawn');
  });
});

test('a game is begun in the lobby: whom, which colour, which clock; and gone on with later', async () => {
  await withPage(browser, `${server.url}/#/play`, {}, async (page) => {
    const group = page.getByRole('group', { name: 'Opponent' });
    await group.getByText('Laboratory search', { exact: true }).waitFor();
    // Who cannot be played says what is missing.
    await page.getByText(/More opponents:.*case-based expert/).click();
    await page.getByText('vidmar web --cases NAME=FILE').waitFor();
    await group.getByText('Engine', { exact: true }).click();
    const level = page.getByLabel('Strength (Elo)');
    await level.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.getByText('1050, beginner').waitFor();
    await page.keyboard.press('End');
    await page.getByText('full strength', { exact: true }).waitFor();
    await group.getByText('Random', { exact: true }).click();
    await page.getByRole('button', { name: 'Black', exact: true }).click();
    await page.getByRole('button', { name: '3 + 2', exact: true }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await waitForMove(page, 1);
    const id = page.url().split('/').at(-1) ?? '';
    const game = await server.ask<Game>('GET', `/games/${id}`);
    assert.deepEqual([game.white.kind, game.black.kind, game.black.name], ['random', 'person', 'You']);
    assert((game.clocks?.white_ms ?? 0) > 100_000, JSON.stringify(game.clocks));
    // The same choices, and the game, are there again.
    await page.goto(`${server.url}/#/play`);
    await page.getByRole('heading', { name: 'Go on with a game' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Black', exact: true }).getAttribute('aria-pressed'), 'true');
    await page.locator(`a[href="#/play/${id}"]`).click();
    await waitForMove(page, 1);
  });
});

test('nothing is given away unless somebody wants hints', async () => {
  await inGame({ black: { kind: 'engine', options: { nodes: 2000 } } }, async (page) => {
    await type(page, 'e4');
    await waitForMove(page, 2);
    await page.getByTestId('why').waitFor();
    const [bar, arrows] = [page.getByRole('meter', { name: 'Score' }), page.locator('.cg-shapes g[cgHash]')];
    assert.deepEqual([await bar.count(), await arrows.count(), await page.locator('.moves .score').count()], [0, 0, 0]);
    await page.getByRole('button', { name: 'Hints' }).click();
    await bar.waitFor();
    await arrows.first().waitFor({ state: 'attached' });
    await page.reload();
    await bar.waitFor();
    await page.getByRole('button', { name: 'Hints' }).click();
    await bar.waitFor({ state: 'detached' });
  });
});

for (const width of [390, 1280]) {
  test(`a message covers no button at ${width} pixels`, async () => {
    await inGame({}, async (page) => {
      await page.setViewportSize({ width, height: 844 });
      await type(page, 'Ke4');
      const notice = page.locator('.notices p').first();
      await notice.waitFor();
      const covered = await notice.evaluate((element) => {
        const own = element.getBoundingClientRect();
        const all = [...document.querySelectorAll('button, a, input')].filter((other) => (other as HTMLElement).checkVisibility());
        const over = all.filter((other) => {
          const box = other.getBoundingClientRect();
          return box.width > 1 && box.left < own.right && own.left < box.right && box.top < own.bottom && own.top < box.bottom;
        });
        return over.map((other) => other.outerHTML.slice(0, 80));
      });
      assert.deepEqual(covered, []);
    });
  });
}

test('a pasted FEN begins a game, a bad one is refused with a reason', async () => {
  await withPage(browser, `${server.url}/#/play`, { expected: /400|422/ }, async (page) => {
    await page.getByRole('button', { name: 'Custom game' }).click();
    for (const side of ['White', 'Black']) await page.getByLabel(`${side}: who plays`).selectOption('person');
    await page.getByLabel('From a FEN or PGN').check();
    const field = page.getByLabel('FEN or PGN to start from');
    await field.fill('8/8/8/8/8/8/8/8 w - - 0 1');
    await page.getByRole('button', { name: 'Start the game' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await field.fill('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
    await page.getByRole('button', { name: 'Start the game' }).click();
    await page.locator('[data-square=e2]').waitFor();
    assert.equal(await page.locator('cg-board piece').count(), 3);
    await drag(page, 'e2', 'e4');
    await waitForMove(page, 1, 'e4');
  });
});

test('a move given early is made when its turn comes', async () => {
  const body = { black: { kind: 'engine', options: { movetime: 4000, threads: 1 } } };
  await inGame(body, async (page) => {
    await drag(page, 'e2', 'e4');
    await waitForMove(page, 1, 'e4');
    await drag(page, 'g1', 'f3');
    await page.locator('square.current-premove').first().waitFor();
    await waitForMove(page, 3, 'Nf3');
  });
});

test('clocks run, resigning asks twice, a draw needs two', async () => {
  await inGame({ clock: { base_ms: 60_000, increment_ms: 1000 } }, async (page) => {
    // The first move of each side is free.
    for (const [ply, move] of ['e4', 'e5'].entries()) {
      await type(page, move);
      await waitForMove(page, ply + 1, move);
    }
    const clock = page.getByTestId('player-white').getByRole('timer');
    const first = await clock.textContent();
    await page.waitForFunction(
      (text) => document.querySelector('[data-testid=player-white] [role=timer]')?.textContent !== text,
      first,
    );
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Really resign?' }).click();
    await page.getByRole('dialog').getByText('0-1').waitFor();
  });
  await inGame({}, async (page) => {
    await page.getByRole('button', { name: 'Offer draw' }).click();
    await page.getByRole('button', { name: 'Accept draw' }).click();
    await page.getByRole('dialog').getByText('1/2-1/2').waitFor();
  });
});

test('a paused game goes on where it was, by mouse too', async () => {
  const game = await server.ask<Game>('POST', '/games', { white: PERSON, black: PERSON });
  await server.ask('POST', `/games/${game.id}/pause`, {});
  await withPage(browser, `${server.url}/#/play/${game.id}`, {}, async (page) => {
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await drag(page, 'e2', 'e4');
    assert.equal(await page.locator('[data-ply]').count(), 0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' });
    await drag(page, 'e2', 'e4');
    await waitForMove(page, 1, 'e4');
  });
});

test('two players are watched live, paused and continued', async () => {
  const body = { white: { kind: 'engine', options: { movetime: 400 } }, black: { kind: 'engine', options: { movetime: 400 } } };
  await inGame(body, async (page, game) => {
    await page.getByTestId('thinking').getByText(/depth \d+/).waitFor();
    await waitForMove(page, 2);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    const { plies } = await server.ask<Game>('GET', `/games/${game.id}`);
    await page.waitForTimeout(900);
    assert.equal((await server.ask<Game>('GET', `/games/${game.id}`)).plies.length, plies.length);
    await page.getByRole('button', { name: 'Continue' }).click();
    await waitForMove(page, plies.length + 2);
    await server.ask('DELETE', `/games/${game.id}`);
  });
});
