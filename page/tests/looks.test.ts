/** Accessibility in light and dark, and screens from a small phone to a wide one. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';

import type { Game } from '../src/generated/api';
import { seriousFindings } from './axe';
import { launch, withPage } from './browser';
import { TestServer } from './server';
import { type, waitForMove } from './table';

let server: TestServer;
let browser: Browser;
let game: Game;

before(async () => {
  server = await TestServer.start();
  browser = await launch();
  game = await server.ask<Game>('POST', '/games', {
    white: { kind: 'engine', options: { nodes: 3000 } },
    black: { kind: 'evolve', options: { generations: 10, genes: 4 } },
  });
});

after(async () => {
  await browser.close();
  await server.stop();
});

interface Screen {
  name: string;
  hash: () => string;
  ready: (page: Page) => Promise<void>;
}

const SCREENS: readonly Screen[] = [
  { name: 'lobby', hash: () => '#/play', ready: async (page) => page.getByText('Play anyone, see why').waitFor() },
  { name: 'game', hash: () => `#/play/${game.id}`, ready: async (page) => waitForMove(page, 2) },
  {
    name: 'new game',
    hash: () => '#/play',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Custom game' }).click();
      await page.getByLabel('Black: who plays').selectOption('evolve');
      await page.getByRole('dialog').getByText('More options').first().click();
    },
  },
  {
    name: 'analyse',
    hash: () => `#/analyse/${game.id}`,
    ready: async (page) => {
      await waitForMove(page, 2);
      await page.getByTestId('why').waitFor();
    },
  },
  { name: 'runs', hash: () => '#/runs', ready: async (page) => page.getByRole('heading', { level: 1 }).waitFor() },
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const screen of SCREENS) {
    test(`axe finds nothing serious: ${screen.name}, ${colorScheme}`, async () => {
      await withPage(browser, `${server.url}/${screen.hash()}`, { colorScheme, bypassCSP: true }, async (page) => {
        await screen.ready(page);
        assert.deepEqual(await seriousFindings(page), []);
      });
    });
  }
}

for (const width of [320, 820, 1440]) {
  test(`nothing has to be scrolled sideways at ${width} pixels`, async () => {
    await withPage(browser, 'about:blank', { viewport: { width, height: 800 } }, async (page) => {
      for (const screen of SCREENS) {
        await page.goto('about:blank');
        await page.goto(`${server.url}/${screen.hash()}`);
        await screen.ready(page);
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert(beyond <= 0, `${screen.name} is ${beyond} pixels too wide`);
      }
    });
  });
}

for (const reducedMotion of ['reduce', 'no-preference'] as const) {
  test(`pieces stay on their squares when the window changes, motion: ${reducedMotion}`, async () => {
    await withPage(browser, `${server.url}/#/analyse`, { reducedMotion }, async (page) => {
      await page.locator('[data-square=h1]').waitFor();
      for (const width of [390, 1000, 1600]) {
        await page.setViewportSize({ width, height: 844 });
        // They may slide there; they must not stay elsewhere.
        await page.waitForFunction(() => {
          const cell = document.querySelector('[data-square=h1]')?.getBoundingClientRect();
          const pieces = [...document.querySelectorAll('.board cg-board piece')];
          const rook = pieces.find((piece) => (piece as Element & { cgKey?: string }).cgKey === 'h1')?.getBoundingClientRect();
          return Math.max(Math.abs((cell?.x ?? 0) - (rook?.x ?? 999)), Math.abs((cell?.y ?? 0) - (rook?.y ?? 999))) < 1;
        });
      }
    });
  });
}

test('the page of a game ends where its panels end, however long its reasons are', async () => {
  const seats = { white: { kind: 'person' }, black: { kind: 'engine', options: { nodes: 2000 } } };
  const { id } = await server.ask<Game>('POST', '/games', { ...seats, seed: 1 });
  await withPage(browser, `${server.url}/#/play/${id}`, { viewport: { width: 1440, height: 900 } }, async (page) => {
    await page.locator('[data-square=e2]').waitFor();
    await type(page, 'e4');
    await waitForMove(page, 2);
    const pieces = page.getByTestId('pieces');
    await pieces.waitFor();
    assert.equal(await pieces.locator('tbody tr').count(), 8);
    await page.getByRole('button', { name: /^All \d+ pieces$/ }).click();
    assert(await pieces.locator('tbody tr').count() > 20);
    const beyond = await page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
    assert(beyond <= 0, `${beyond} pixels of nothing below the game`);
  });
});
