/** The first start, in an empty folder: examples to look at, and a case-based player to play. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';

import { seriousFindings } from './axe';
import { launch, withPage } from './browser';
import { TestServer } from './server';

let server: TestServer;
let browser: Browser;

before(async () => {
  server = await TestServer.startFirst();
  browser = await launch();
});

after(async () => {
  await browser.close();
  await server.stop();
});

test('a finished tuning run and a match are there, called examples, and can be hidden', async () => {
  await withPage(browser, `${server.url}/#/runs`, { bypassCSP: true }, async (page) => {
    const rows = page.locator('tr[data-run]');
    await rows.nth(1).waitFor();
    assert.equal(await rows.count(), 2);
    assert.equal(await rows.getByText('example', { exact: true }).count(), 2);
    await page.getByRole('link', { name: 'piece-values' }).click();
    await page.getByTestId('facts').waitFor();
    await page.getByText('gain proven').first().waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await page.goBack();
    await page.getByLabel('Examples (2)').uncheck();
    await page.getByText('There are no tuning runs').waitFor();
    // The browser remembers it.
    await page.reload();
    await page.getByText('There are no tuning runs').waitFor();
    await page.getByLabel('Examples (2)').check();
    await rows.nth(1).waitFor();
  });
});

test('the case-based player can be played', async () => {
  await withPage(browser, `${server.url}/#/play`, {}, async (page) => {
    await page.getByText('Case-based expert', { exact: true }).click();
    await page.getByRole('group', { name: /^Options of/ }).getByText("the engine's own games").first().waitFor({ state: 'attached' });
  });
});
