/**
 * Pages of the book as HTML: what *Help* shows and what `cargo xtask book` writes come from here.
 *
 * Pages are our own and come with the program, so their HTML is trusted. A heading has an id made of its words, and so has
 * every word of the glossary; links between pages are made by whoever shows them.
 */
import { Marked, type Tokens } from 'marked';

/** Where links lead. */
export interface Links {
  /** Another page, such as `tutorials/tune.md`, and a place in it, which may be empty. */
  page: (path: string, place: string) => string;
  /** Any other file of the book: a picture, a script. */
  file: (path: string) => string;
}

export interface Heading {
  depth: number;
  text: string;
  id: string;
}

export interface Rendered {
  html: string;
  headings: Heading[];
}

/** A part of the table of contents. */
export interface Part {
  title: string;
  pages: { title: string; path: string }[];
}

/** The page whose words can be linked to. */
const GLOSSARY = 'glossary.md';

/** Words as a part of an address. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]*>|&[a-z]+;/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** A relative path as one from the top of the book. */
export function resolve(from: string, target: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}

function isElsewhere(href: string): boolean {
  return /^[a-z]+:/i.test(href);
}

/** The address of a link on a page. */
function address(href: string, path: string, links: Links): string {
  if (isElsewhere(href)) return href;
  const [file = '', place = ''] = href.split('#', 2);
  if (file === '') return links.page(path, place);
  const target = resolve(path, file);
  return target.endsWith('.md') ? links.page(target, place) : links.file(target);
}

/** A page as HTML. */
export function render(markdown: string, path: string, links: Links): Rendered {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const free = (name: string): string => {
    const times = taken.get(name) ?? 0;
    taken.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  };
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading(this: { parser: { parseInline: (tokens: Tokens.Generic[]) => string } }, { tokens, depth, text }: Tokens.Heading): string {
        const plain = text.replace(/`|\*|\[([^\]]*)\]\([^)]*\)/g, '$1');
        const id = free(slug(plain));
        headings.push({ depth, text: plain, id });
        return `<h${depth} id="${escape(id)}" tabindex="-1">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link(this: { parser: { parseInline: (tokens: Tokens.Generic[]) => string } }, { href, tokens }: Tokens.Link): string {
        const rel = isElsewhere(href) ? ' rel="noreferrer"' : '';
        return `<a href="${escape(address(href, path, links))}"${rel}>${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }: Tokens.Image): string {
        return `<img src="${escape(address(href, path, links))}" alt="${escape(text)}" loading="lazy" />`;
      },
      table(this: { parser: { parseInline: (tokens: Tokens.Generic[]) => string } }, { header, rows }: Tokens.Table): string {
        const cell = (kind: 'th' | 'td', { tokens, align }: Tokens.TableCell, more = ''): string =>
          `<${kind}${align === null ? '' : ` class="${align}"`}${more}>${this.parser.parseInline(tokens)}</${kind}>`;
        const anchor = (text: string): string => ` id="${escape(free(slug(text)))}" tabindex="-1"`;
        const body = rows.map((row) => row.map((each, at) => cell('td', each, path === GLOSSARY && at === 0 ? anchor(each.text) : '')).join(''));
        const head = header.map((each) => (each.text === '' ? '<td></td>' : cell('th', each, ' scope="col"'))).join('');
        return `<div class="wide" role="region" aria-label="Table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.map((row) => `<tr>${row}</tr>`).join('')}</tbody></table></div>\n`;
      },
      code({ text, lang }: Tokens.Code): string {
        return `<pre${lang === 'sh' ? ' class="sh"' : ''} tabindex="0"><code>${escape(text)}</code></pre>\n`;
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
}

/** The table of contents out of `SUMMARY.md`: headings, and links below them. */
export function contents(summary: string): Part[] {
  const parts: Part[] = [];
  for (const line of summary.split('\n')) {
    const heading = /^# (.+)$/.exec(line)?.[1];
    const [, title, path] = /^\s*(?:- )?\[([^\]]+)\]\(([^)]+)\)\s*$/.exec(line) ?? [];
    if (heading !== undefined) parts.push({ title: heading === 'Summary' ? '' : heading, pages: [] });
    if (title !== undefined && path !== undefined) parts.at(-1)?.pages.push({ title, path });
  }
  return parts.filter(({ pages }) => pages.length > 0);
}
