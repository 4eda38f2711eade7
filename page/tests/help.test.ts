/** The book under Help: pages, the links between them, pictures, the search, the reference that the program writes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';

import { seriousFindings } from './axe';
import { launch, withPage } from './browser';
import { TestServer } from './server';

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

const heading = (page: Page, name: string) => page.getByTestId('article').getByRole('heading', { level: 1, name });

test('the menu leads to the book, its links from page to page, also to places in them', async () => {
  await withPage(browser, `${server.url}/#/play`, {}, async (page) => {
    await page.getByRole('link', { name: 'Help' }).click();
    await heading(page, 'Vidmar').waitFor();
    await page.getByTestId('article').getByRole('link', { name: 'Play, and ask why' }).click();
    await heading(page, 'Play, and ask why').waitFor();
    // A link out of a folder of the book.
    await page.getByTestId('article').locator('a[href="#/help/evolved"]').click();
    await heading(page, 'A player that evolves lines of moves').waitFor();
    await page.goto(`${server.url}/#/help/glossary?at=centroid`);
    assert.match((await page.locator('td#centroid.here').textContent()) ?? '', /centroid/);
  });
});

test('every word that a label explains is in the glossary', async () => {
  const words = Object.values(import.meta.glob<string>('../src/**/*.svelte', { query: '?raw', import: 'default', eager: true })).flatMap((text) => [...text.matchAll(/<Term word="([^"]+)"/g)].map(([, word = '']) => word));
  assert(words.length >= 6, `${words.length} words`);
  await withPage(browser, `${server.url}/#/help/glossary`, {}, async (page) => {
    await page.locator('td#elo').waitFor();
    for (const word of words) assert.equal(await page.locator(`td#${word}`).count(), 1, word);
  });
});

test('pictures are shown, commands are those of this program, words are found', async () => {
  await withPage(browser, `${server.url}/#/help/page-runs`, {}, async (page) => {
    const picture = page.getByTestId('article').locator('img').first();
    await picture.scrollIntoViewIfNeeded();
    await page.waitForFunction(() => (document.querySelector('article img') as HTMLImageElement | null)?.naturalWidth ?? 0);
    await page.goto(`${server.url}/#/help/reference/commands`);
    await page.getByRole('heading', { name: 'vidmar web', exact: true }).waitFor();
    await page.getByLabel('Search the book').fill('pentanomial pairs');
    const first = page.getByRole('list', { name: 'Found' }).getByRole('link').first();
    await first.click();
    await page.getByTestId('article').getByText('pentanomial').first().waitFor();
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious and nothing is too wide, ${colorScheme}`, async () => {
    await withPage(browser, `${server.url}/#/help/match`, { colorScheme, bypassCSP: true, viewport: { width: 390, height: 800 } }, async (page) => {
      await page.getByTestId('article').getByRole('heading', { level: 1 }).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert(beyond <= 0, `${beyond} pixels`);
    });
  });
}
