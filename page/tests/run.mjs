/**
 * Runs the tests of the page in a real browser against a real server: `npm test [NAME...]`.
 *
 * The tests are TypeScript; Vite makes modules of them that Node runs. VIDMAR_BINARY names the binary (default: that of
 * the test profile), VIDMAR_CHROMIUM the browser (default: Debian's headless chromium).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'vite';

const here = import.meta.dirname;
const output = join(here, '..', 'test-output');
const binary = resolve(process.env.VIDMAR_BINARY ?? join(here, '../../target/debug/vidmar'));
if (!existsSync(binary)) {
  console.error(`there is no ${binary}: build it, or name another one in VIDMAR_BINARY`);
  process.exit(2);
}
// A test without a browser would wait for its server's end, which nobody asks for.
const browser = process.env.VIDMAR_CHROMIUM ?? '/usr/bin/chromium-headless-shell';
if (!existsSync(browser)) {
  console.error(`there is no ${browser}: install chromium-headless-shell, or name another browser in VIDMAR_CHROMIUM`);
  process.exit(2);
}

const [mode, ...wanted] = process.argv[2] === '--screenshots' ? ['screenshots'] : ['test', ...process.argv.slice(2)];
const isWanted = (name) => wanted.length === 0 || wanted.some((word) => name.includes(word));
const names = readdirSync(here).filter((name) => name.endsWith(`.${mode}.ts`) && isWanted(name));
if (names.length === 0) {
  console.error(`no test is called ${wanted.join(' or ')}`);
  process.exit(2);
}

rmSync(output, { recursive: true, force: true });
await build({
  configFile: false,
  root: here,
  logLevel: 'error',
  build: {
    ssr: true,
    outDir: join(output, 'modules'),
    target: 'node20',
    rollupOptions: {
      input: Object.fromEntries(names.map((name) => [name.replace(/\.ts$/, ''), join(here, name)])),
      output: { entryFileNames: '[name].mjs' },
    },
  },
});

/** Runs some of them, two files at a time; whether all passed. */
function run(some) {
  if (some.length === 0) return true;
  const files = some.map((name) => join(output, 'modules', name.replace(/\.ts$/, '.mjs')));
  const result = spawnSync(process.execPath, ['--test', '--test-concurrency=2', '--test-reporter=spec', ...files], {
    stdio: 'inherit',
    env: { ...process.env, VIDMAR_BINARY: binary, VIDMAR_TEST_OUTPUT: output },
  });
  return result.status === 0;
}

// What measures time has the machine to itself.
const isTimed = (name) => name.startsWith('first_visit');
const passed = [run(names.filter(isTimed)), run(names.filter((name) => !isTimed(name)))];
process.exit(passed.every(Boolean) ? 0 : 1);
