/**
 * Which moves of an evaluated game were mistakes, and why.
 *
 * A move is judged by what it costs of the mover's winning chances, in points from -1 to 1, with the bounds that lichess uses:
 * 0.1 an inaccuracy, 0.2 a mistake, 0.3 a blunder.
 */
import { scoreText, whiteShare } from '../game/score';
import type { MoveText, WhiteScore } from '../generated/api';

export type Grade = 'inaccuracy' | 'mistake' | 'blunder';

export interface Mistake {
  grade: Grade;
  /** What was better, and what it cost. */
  reason: string;
}

const BOUNDS: readonly (readonly [number, Grade])[] = [
  [0.3, 'blunder'],
  [0.2, 'mistake'],
  [0.1, 'inaccuracy'],
];

export const SIGNS: Record<Grade, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };

const chances = (score: WhiteScore): number => 2 * whiteShare(score) - 1;

export function mistakeOf(
  isWhite: boolean,
  san: string,
  before: WhiteScore | null | undefined,
  after: WhiteScore | null | undefined,
  best: readonly MoveText[] | undefined,
): Mistake | undefined {
  if (!before || !after) return undefined;
  const lost = (chances(before) - chances(after)) * (isWhite ? 1 : -1);
  const grade = BOUNDS.find(([bound]) => lost >= bound)?.[1];
  if (grade === undefined) return undefined;
  const better = best?.[0] === undefined || best[0].san === san ? '' : ` ${best[0].san} was better${best.length > 1 ? `, then ${best.slice(1, 5).map((move) => move.san).join(' ')}` : ''}.`;
  return { grade, reason: `${before === after ? '' : `${scoreText(before)} became ${scoreText(after)}.`}${better}` };
}
