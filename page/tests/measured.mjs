/** What measurements share: a server of the binary that is named, and a browser. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import process from 'node:process';
import { chromium } from 'playwright-core';

const TOKEN = 'measured-measured-measured';

/** A server in a folder; `ask` is a request to it as a script makes it. */
export async function serve(binary, folder, words = []) {
  const child = spawn(binary, ['web', '--no-open', '--state', `${folder}/state`, ...words], {
    cwd: folder,
    env: { ...process.env, VIDMAR_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const url = new URL(printed.trim()).origin;
  const ask = async (method, path, body) => {
    const headers = { authorization: `Bearer ${TOKEN}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return { url, ask, cookie: { name: `vidmar_${new URL(url).port}`, value: TOKEN, url }, stop: () => child.kill('SIGINT') };
}

/** The browser of the tests. */
export function launch() {
  return chromium.launch({ executablePath: process.env.VIDMAR_CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox', '--disable-gpu'] });
}

/** With the files of a folder (`vite build --outDir`) instead of those in the binary. */
export async function servePage(context, dist) {
  const types = { js: 'text/javascript', css: 'text/css', html: 'text/html', svg: 'image/svg+xml' };
  const file = (path) => join(dist, path === '/' ? 'index.html' : path);
  await context.route(
    (url) => !url.pathname.startsWith('/api/') && existsSync(file(url.pathname)),
    (route) => {
      const path = file(new URL(route.request().url()).pathname);
      return route.fulfill({ body: readFileSync(path), contentType: types[path.split('.').at(-1)] ?? 'application/octet-stream' });
    },
  );
}

/** A share of sorted times. */
export function at(times, share) {
  return times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? NaN;
}
