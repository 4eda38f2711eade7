/** Looking for words in the book: the pages that have all of them, the ones with most of them in headings first. */
import { slug } from './markdown';

export interface Found {
  path: string;
  title: string;
  /** The heading below which they are first found together, as its id; empty at the top. */
  place: string;
  excerpt: string;
}

const MOST = 12;
const AROUND = 60;

interface Scored extends Found {
  score: number;
}

export function findWords(pages: readonly { path: string; title: string; text: string }[], words: string): Found[] {
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const found = pages.flatMap((page) => hit(page, wanted) ?? []);
  return found.sort((a, b) => b.score - a.score).slice(0, MOST);
}

function hit({ path, title, text }: { path: string; title: string; text: string }, wanted: readonly string[]): Scored | undefined {
  const lower = text.toLowerCase();
  if (!wanted.every((word) => lower.includes(word))) return undefined;
  const [first = ''] = wanted;
  // The first paragraph with all of them says more than one with the first alone.
  const paragraph = lower.split('\n').find((line) => wanted.every((word) => line.includes(word)));
  const at = paragraph === undefined ? lower.indexOf(first) : lower.indexOf(paragraph) + paragraph.indexOf(first);
  const heading = [...text.slice(0, at + first.length).matchAll(/^#{2,3} (.+)$/gm)].at(-1)?.[1];
  const inTitle = wanted.filter((word) => `${title} ${heading ?? ''}`.toLowerCase().includes(word)).length;
  const times = wanted.reduce((sum, word) => sum + Math.min(20, lower.split(word).length - 1), 0);
  const excerpt = text.slice(Math.max(0, at - AROUND), at + AROUND).replace(/[|#`*]+|\]\([^)]*\)|\[/g, ' ').replace(/\s+/g, ' ').trim();
  return { path, title, place: heading === undefined ? '' : slug(heading.replace(/`|\*/g, '')), excerpt: `… ${excerpt} …`, score: 100 * inTitle + times };
}
