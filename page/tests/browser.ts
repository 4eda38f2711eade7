/** The browser, and pages in it that fail a test when anything is written to their console as an error. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type CDPSession, type Page } from 'playwright-core';

import { cookies } from './server';

const executablePath = process.env['VIDMAR_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell';
const output = process.env['VIDMAR_TEST_OUTPUT'] ?? 'test-output';

/** Everything that a fresh machine may lack or that would talk to the world is off; root has no sandbox. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** How long a page may take for anything, on a machine that is busy with other things. */
const PATIENCE_MS = 60_000;

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

export interface PageOptions extends BrowserContextOptions {
  /** A browser that has never been given a token. */
  isStranger?: boolean;
  /** Console errors that belong to the test, such as a lost connection while the server is away. */
  expected?: RegExp;
}

/**
 * With VIDMAR_DIST=FOLDER the files of that folder (vite build --outDir) are shown instead of those in the binary, so that a change of the page needs no new
 * binary; the server answers the rest.
 */
async function servePage(context: BrowserContext): Promise<void> {
  const dist = process.env['VIDMAR_DIST'];
  if (dist === undefined) return;
  await context.route(
    (url) => !url.pathname.startsWith('/api/') && existsSync(join(dist, url.pathname)),
    async (route) => {
      const { pathname } = new URL(route.request().url());
      const policy = pathname === '/' ? (await route.fetch()).headers()['content-security-policy'] : undefined;
      const name = pathname === '/' ? 'index.html' : pathname;
      const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', html: 'text/html', svg: 'image/svg+xml' };
      await route.fulfill({ body: readFileSync(join(dist, name)), headers: { ...(policy === undefined ? {} : { 'content-security-policy': policy }), 'content-type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream' } });
    },
  );
}

/** Runs something on a new page of an empty browser. A screenshot is kept if it fails. */
export async function withPage(
  browser: Browser,
  address: string,
  options: PageOptions,
  run: (page: Page) => Promise<void>,
): Promise<void> {
  const { expected, isStranger = false, ...contextOptions } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...contextOptions });
  if (!isStranger) await context.addCookies(cookies);
  await servePage(context);
  const errors: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && expected?.test(message.text()) !== true) errors.push(message.text());
  });
  context.on('weberror', (error) => errors.push(error.error().stack ?? error.error().message));
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  try {
    await page.goto(address);
    await run(page);
    assert.deepEqual(errors, [], 'the console has errors');
  } catch (error) {
    mkdirSync(output, { recursive: true });
    const name = `failed-${Date.now()}.png`;
    await page.screenshot({ path: join(output, name) }).catch(() => undefined);
    console.error(`screenshot: ${join(output, name)}; console: ${JSON.stringify(errors)}`);
    throw error;
  } finally {
    await context.close();
  }
}

/** From here on: the processor time of the page's main thread in milliseconds, whatever else the machine is doing. */
export async function workOf(session: CDPSession): Promise<() => Promise<number>> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const now = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
  };
  const begun = await now();
  return async () => (await now()) - begun;
}
