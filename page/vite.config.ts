import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

import { book } from './book/plugin';

/** Where `vite dev` finds a running `vidmar web`. */
const server = process.env['VIDMAR_SERVER'] ?? 'http://127.0.0.1:8080';
/** What it wants to see, unless it was started with `--no-token`. */
const token = process.env['VIDMAR_TOKEN'];
const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };

/** Browsers that know `light-dark()`, nesting and `:has()`: everything since spring 2024. */
const browsers = ['chrome123', 'edge123', 'firefox121', 'safari17.5'];

export default defineConfig({
  plugins: [svelte(), book()],
  build: {
    target: browsers,
    cssTarget: browsers,
    // The server's content policy forbids inline scripts and styles, and every byte is embedded in the binary.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': { target: server, changeOrigin: true, headers: { origin: server, ...authorization } } } },
});
