/** The pictures of docs/page.md: `npm run screenshots`, which writes them into docs/images. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';

import type { Game, RunList, Seat } from '../src/generated/api';
import { launch, withPage } from './browser';
import { Laboratory } from './laboratory';
import { binary, caseBase, TestServer } from './server';
import { type, waitForMove } from './table';

const folder = join(process.cwd(), '..', 'docs', 'images');
const PERSON: Seat = { kind: 'person' };
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let server: TestServer;
let browser: Browser;
let cases: ReturnType<typeof caseBase>;
let laboratory: Laboratory;

before(async () => {
  mkdirSync(folder, { recursive: true });
  cases = caseBase();
  laboratory = new Laboratory();
  for (const [name, seed, history] of [['history', 1, 'on'], ['no-history', 1, 'off']] as const) {
    laboratory.tune(name, seed, ['generations=60', 'population=12', 'pairs=40', 'max_moves=100', `history=${history}`]);
  }
  laboratory.duel('duel');
  server = await TestServer.start([laboratory.folder, '--cases', `expert=${cases.file}`, '--engine', `other=${binary}`]);
  browser = await launch();
});

after(async () => {
  await browser.close();
  await server.stop();
  cases.remove();
  laboratory.remove();
});

/** Chromium writes WebP itself; playwright offers only PNG and JPEG. */
async function keep(page: Page, name: string, whole = false): Promise<void> {
  await page.mouse.move(1, 1);
  await page.waitForTimeout(500);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 72, captureBeyondViewport: whole });
  writeFileSync(join(folder, `page-${name}.webp`), Buffer.from(data, 'base64'));
  await page.screenshot({ path: join(process.env['VIDMAR_TEST_OUTPUT'] ?? '.', `page-${name}.png`) });
}

const OPENING = ['e4', 'Nf3', 'Bb5', 'O-O', 'd4'];

async function played(black: Seat, run: (page: Page) => Promise<void>, options: object = {}): Promise<void> {
  const game = await server.ask<Game>('POST', '/games', {
    white: { ...PERSON, name: 'You' },
    black,
    clock: { base_ms: 300_000, increment_ms: 3000 },
    seed: 1,
  });
  await withPage(browser, `${server.url}/#/play/${game.id}`, { viewport: WIDE, ...options }, async (page) => {
    await page.locator('[data-square=e2]').waitFor();
    let ply = 0;
    for (const move of OPENING) {
      const { legal } = await server.ask<Game>('GET', `/games/${game.id}`);
      if (!legal.some(({ san }) => san === move)) continue;
      await type(page, move);
      ply += 2;
      await waitForMove(page, ply);
    }
    await page.getByTestId('why').waitFor();
    await run(page);
  });
}

const ENGINE: Seat = { kind: 'engine', name: 'Vidmar', options: { movetime: 1500, multipv: 3 } };

test('a game with the engine, light, dark and on a phone', async () => {
  await played(ENGINE, async (page) => {
    await keep(page, 'game-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await keep(page, 'game-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(PHONE);
    await keep(page, 'game-phone');
    await page.emulateMedia({ colorScheme: 'dark' });
    await keep(page, 'game-phone-dark');
  });
});

for (const [name, seat] of [
  ['engine', ENGINE],
  ['cases', { kind: 'cbr' }],
  ['evolved', { kind: 'evolve', options: { generations: 200 } }],
] as const) {
  test(`the reasons of ${name}`, async () => {
    const colorScheme = name === 'cases' ? 'dark' : 'light';
    await played(
      seat,
      async (page) => {
        if (name === 'evolved') await page.locator('canvas').first().waitFor();
        await keep(page, `why-${name}`);
      },
      { viewport: { width: 1280, height: 860 }, colorScheme },
    );
  });
}

test('the lobby and the dialog', async () => {
  await withPage(browser, `${server.url}/#/play`, { viewport: WIDE }, async (page) => {
    await page.getByRole('heading', { name: 'Go on with a game' }).waitFor();
    await keep(page, 'lobby-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await keep(page, 'lobby-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Custom game' }).click();
    await page.getByLabel('White: who plays').selectOption('search');
    await page.getByLabel('Black: who plays').selectOption('evolve');
    await keep(page, 'new-game');
    await page.setViewportSize(PHONE);
    await keep(page, 'new-game-phone');
  });
});

const PGN = `[White "Morphy"]
[Black "Duke Karl and Count Isouard"]
[Event "Paris"]
[Date "1858.??.??"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
`;

test('a game analysed, light, dark and on a phone', async () => {
  await withPage(browser, `${server.url}/#/analyse`, { viewport: WIDE }, async (page) => {
    await page.getByLabel('PGN or FEN').fill(PGN);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await waitForMove(page, 33);
    await page.getByRole('button', { name: 'Evaluate game' }).click();
    await page.getByRole('button', { name: 'Evaluate game' }).waitFor({ timeout: 60_000 });
    await page.locator('[data-ply="18"]').click();
    await page.getByTestId('why').waitFor();
    await page.waitForTimeout(3000);
    await keep(page, 'analyse-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await keep(page, 'analyse-dark');
    await page.setViewportSize(PHONE);
    await keep(page, 'analyse-phone');
  });
});

test('runs, a match and a comparison, light, dark and on a phone', { timeout: 120_000 }, async () => {
  const { runs } = await server.ask<RunList>('GET', '/runs');
  const id = (name: string): string => runs.find((run) => run.name === name)?.id ?? '';
  const both = `${id('history')},${id('no-history')}`;
  for (const [name, hash, ready, media] of [
    ['runs-light', '#/runs', '[data-run]', {}],
    ['run-light', `#/runs/${id('history')}?tab=convergence`, '.uplot canvas', {}],
    ['run-dark', `#/runs/${id('history')}?tab=convergence`, '.uplot canvas', { colorScheme: 'dark' }],
    ['run-phone', `#/runs/${id('history')}?tab=convergence`, '.uplot canvas', { viewport: PHONE }],
    ['parameters-light', `#/runs/${id('history')}?tab=parameters`, '[data-testid=parameters] canvas', {}],
    ['result-light', `#/runs/${id('history')}`, '[data-testid=validation] tbody tr', {}],
    ['result-phone', `#/runs/${id('history')}`, '[data-testid=validation] tbody tr', { viewport: PHONE }],
    ['match-light', `#/runs/${id('duel')}`, '[data-testid=crosstable]', {}],
    ['match-phone-dark', `#/runs/${id('duel')}`, '[data-testid=crosstable]', { viewport: PHONE, colorScheme: 'dark' }],
    ['compare-dark', `#/compare?ids=${both}`, '[data-testid=compare-values] td', { colorScheme: 'dark' }],
  ] as const) {
    await withPage(browser, `${server.url}/${hash}`, { viewport: WIDE, ...media }, async (page) => {
      await page.locator(ready).first().waitFor();
      await keep(page, name);
    });
  }
});
