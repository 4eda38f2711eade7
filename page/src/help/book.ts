/** The pages of the book: files that come with the page, and the reference of the commands, which the program writes. */
import { contents, type Part } from './markdown';

/** The page that the running program writes. */
const REFERENCE = 'reference/commands.md';

const known = new Map<string, Promise<string>>();

async function read(address: string, path: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(response.status === 404 ? `the book has no page '${path}'` : `${path}: ${response.statusText}`);
  return response.text();
}

/** A page, as it was written. */
export function pageOfBook(path: string): Promise<string> {
  const before = known.get(path);
  if (before !== undefined) return before;
  const text = read(path === REFERENCE ? '/api/v1/reference' : `/help/${path}`, path);
  known.set(path, text);
  // What failed is asked for again.
  text.catch(() => known.delete(path));
  return text;
}

export async function contentsOfBook(): Promise<Part[]> {
  return contents(await pageOfBook('SUMMARY.md'));
}

/** The title of a page: its first heading. */
export function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Help';
}

/** All pages of the contents. */
export async function allPages(parts: readonly Part[]): Promise<{ path: string; title: string; text: string }[]> {
  const pages = parts.flatMap((part) => part.pages);
  return Promise.all(pages.map(async ({ path, title }) => ({ path, title, text: await pageOfBook(path) })));
}
