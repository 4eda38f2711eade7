/** Who may see the page: whoever opens the address that was printed, and nobody else. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';

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

test('the printed address opens the page, which forgets the token and stays open', async () => {
  await withPage(browser, server.printed, { isStranger: true }, async (page) => {
    await page.getByRole('button', { name: 'Custom game' }).waitFor();
    assert(!page.url().includes('token'), page.url());
    await page.reload();
    await page.getByRole('button', { name: 'Custom game' }).waitFor();
    assert.equal(await page.evaluate(() => document.cookie), '', 'no script can read the cookie');
  });
});

test('without the token there is no page and no answer', async () => {
  await withPage(browser, `${server.url}/`, { isStranger: true, expected: /401/ }, async (page) => {
    await page.getByText('only those who have its token').waitFor();
    const status = await page.evaluate(async () => (await fetch('/api/v1/about')).status);
    assert.equal(status, 401);
  });
});
