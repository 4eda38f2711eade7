/** Reloaded pages, a server that is killed and comes back, two pages of one game. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';

import type { Game } from '../src/generated/api';
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

async function newGame(black: object = { kind: 'person' }): Promise<Game> {
  return server.ask<Game>('POST', '/games', { white: { kind: 'person' }, black });
}

test('a page that is reloaded in the middle shows the same game', async () => {
  const game = await newGame({ kind: 'engine', options: { nodes: 2000 } });
  await withPage(browser, `${server.url}/#/play/${game.id}`, {}, async (page) => {
    await page.locator('[data-square=e2]').waitFor();
    await drag(page, 'e2', 'e4');
    await waitForMove(page, 2);
    const reply = await page.locator('[data-ply="2"] .san').textContent();
    await page.reload();
    await waitForMove(page, 2, reply ?? '');
    await page.getByTestId('why').waitFor();
    await type(page, 'Nf3');
    await waitForMove(page, 4);
  });
});

test('a server that is killed and started again has the game, and the page finds it by itself', async () => {
  const game = await newGame();
  const lost = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING/;
  await withPage(browser, `${server.url}/#/play/${game.id}`, { expected: lost }, async (page) => {
    await page.locator('[data-square=e2]').waitFor();
    await drag(page, 'e2', 'e4');
    await waitForMove(page, 1, 'e4');
    await server.kill();
    await page.getByText('Connection lost').waitFor();
    await type(page, 'e5');
    await page.getByText('the server does not answer').waitFor();
    await waitForContent(page, 'e7', 'black pawn');
    await server.restart();
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    await type(page, 'c5');
    await waitForMove(page, 2, 'c5');
    assert.equal((await server.ask<Game>('GET', `/games/${game.id}`)).plies.length, 2);
  });
});

test('two tabs of a game show the same, and an old one cannot overwrite a new move', async () => {
  const game = await newGame();
  const address = `${server.url}/#/play/${game.id}`;
  await withPage(browser, address, {}, async (first) => {
    await first.locator('[data-square=e2]').waitFor();
    const second = await first.context().newPage();
    await second.goto(address);
    await second.locator('[data-square=e2]').waitFor();
    await drag(second, 'e2', 'e4');
    await waitForMove(first, 1, 'e4');
    await drag(first, 'e7', 'e5');
    await waitForMove(second, 2, 'e5');
    await second.getByRole('button', { name: 'Take back' }).click();
    await first.locator('[data-ply="2"]').waitFor({ state: 'detached' });
    await waitForContent(first, 'e7', 'black pawn');
  });
});
