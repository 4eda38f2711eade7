/**
 * Writes the book as a folder of HTML: `npm run --silent book -- SOURCE TARGET`, which `cargo xtask book` does.
 *
 * SOURCE is a folder like `docs/`, with a SUMMARY.md; TARGET is made anew. Pages are made by the same code as those of Help.
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import process from 'node:process';
import { runnerImport } from 'vite';

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined) {
  console.error('expected SOURCE TARGET');
  process.exit(2);
}
const here = import.meta.dirname;
const { module } = await runnerImport(join(here, '../src/help/markdown.ts'), { configFile: false, logLevel: 'error' });
const { contents, render } = module;

const STYLES = ['../src/styles/tokens.css', '../src/styles/base.css', '../src/help/article.css', 'book.css'];
const parts = contents(readFileSync(join(source, 'SUMMARY.md'), 'utf8'));
const pages = parts.flatMap((part) => part.pages);

rmSync(target, { recursive: true, force: true });
cpSync(source, target, { recursive: true, filter: (path) => !path.endsWith('.md') });
for (const style of STYLES) copyFileSync(join(here, style), join(target, posix.basename(style)));
for (const [at, { path, title }] of pages.entries()) {
  const name = at === 0 ? 'index.html' : html(path);
  const file = join(target, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, whole(path, name, title));
}
console.log(`${pages.length} pages`);

function html(path) {
  return path === pages[0].path ? 'index.html' : path.replace(/\.md$/, '.html');
}

function whole(path, name, title) {
  const to = (other) => posix.relative(posix.dirname(name), other);
  const links = { page: (page, place) => `${to(html(page))}${place === '' ? '' : `#${place}`}`, file: to };
  const { html: text } = render(readFileSync(join(source, path), 'utf8'), path, links);
  const item = (page) => `<a href="${links.page(page.path, '')}"${page.path === path ? ' aria-current="page"' : ''}>${page.title}</a>`;
  const list = parts.map((part) => `${part.title === '' ? '' : `<h2>${part.title}</h2>`}${part.pages.map(item).join('\n')}`).join('\n');
  const styles = STYLES.map((style) => `<link rel="stylesheet" href="${to(posix.basename(style))}">`).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Vidmar</title>
${styles}
<body class="book">
<nav class="contents" aria-label="Contents of the book">
${list}
</nav>
<main class="article">
${text}
</main>
</body>
</html>
`;
}
