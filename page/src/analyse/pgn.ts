/** The tree as PGN, with comments, glyphs, scores and variations. */
import { START, turnOf } from '../board/squares';
import type { Grade } from './mistakes';
import type { Node } from './tree';

export type Tags = readonly (readonly [string, string])[];

const ROSTER = ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'];
const WIDTH = 80;
/** Numeric annotation glyphs of the PGN standard. */
const GLYPH: Record<Grade, number> = { mistake: 2, blunder: 4, inaccuracy: 6 };

export function pgnOf(root: Node, startFen: string, tags: Tags, comment?: string | null): string {
  const known = new Map(tags);
  const result = known.get('Result') ?? '*';
  const rest = tags.filter(([name]) => !ROSTER.includes(name) && name !== 'FEN' && name !== 'SetUp');
  const start: Tags = startFen === START ? [] : [['SetUp', '1'], ['FEN', startFen]];
  const head = [...ROSTER.map((name) => [name, name === 'Result' ? result : (known.get(name) ?? '?')] as const), ...start, ...rest];
  const text = head.map(([name, value]) => `[${name} "${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"]`).join('\n');
  const words = [...said(comment), ...line(root, startFen), result];
  return `${text}\n\n${wrapped(words)}\n`;
}

/** A comment; braces would end it. */
function said(comment: string | null | undefined): string[] {
  return comment ? [`{ ${comment.replaceAll('{', '(').replaceAll('}', ')')} }`] : [];
}

function scored(target: Node): string | undefined {
  const score = target.move?.score;
  if (!score) return undefined;
  return `[%eval ${'mate' in score ? `#${score.mate}` : (score.cp / 100).toFixed(2)}]`;
}

function written(target: Node, fenBefore: string, isNumbered: boolean): string[] {
  const { move } = target;
  if (move === undefined) return [];
  const isWhite = turnOf(fenBefore) === 'white';
  const number = fenBefore.split(' ')[5] ?? '1';
  const before = isWhite ? [`${number}.`] : isNumbered ? [`${number}...`] : [];
  const isNew = move.mistake !== undefined && move.comment !== move.mistake.reason;
  const comment = [scored(target), move.comment, isNew ? move.mistake?.reason : undefined].filter((part) => part).join(' ');
  const nags = [...(move.nags ?? [])];
  if (move.mistake !== undefined && !nags.some((nag) => nag <= 6)) nags.push(GLYPH[move.mistake.grade]);
  return [...before, move.san, ...nags.map((nag) => `$${nag}`), ...said(comment)];
}

const hasComment = (words: readonly string[]): boolean => words.some((word) => word.startsWith('{'));

/** The moves below a node: the first one, then its alternatives in brackets, then what follows. */
function line(from: Node, fen: string, isFirst = true): string[] {
  const words: string[] = [];
  let [now, before, isNumbered] = [from, fen, isFirst];
  for (let [main, ...others] = now.children; main !== undefined; [main, ...others] = now.children) {
    const own = written(main, before, isNumbered);
    words.push(...own);
    for (const other of others) {
      const first = written(other, before, true);
      words.push('(', ...first, ...line(other, other.move?.fen ?? before, hasComment(first)), ')');
    }
    isNumbered = others.length > 0 || hasComment(own);
    before = main.move?.fen ?? before;
    now = main;
  }
  return words;
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  let now = '';
  for (const word of words.flatMap((text) => (text.startsWith('{') ? text.split(' ') : [text]))) {
    const isTight = now === '' || now.endsWith('(') || word === ')';
    if (now.length + word.length + 1 > WIDTH && now !== '' && word !== ')') {
      lines.push(now);
      now = word;
    } else now += isTight ? word : ` ${word}`;
  }
  return [...lines, now].join('\n');
}
