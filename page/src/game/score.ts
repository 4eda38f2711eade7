/** Scores as people read them. */
import type { WhiteScore } from '../generated/api';

/** `+0.35`, `−1.20`, `#4`, `−#2`. */
export function scoreText(score: WhiteScore | null | undefined): string {
  if (score === null || score === undefined) return '';
  if ('mate' in score) return score.mate <= 0 ? `−#${-score.mate}` : `#${score.mate}`;
  const pawns = (Math.abs(score.cp) / 100).toFixed(2);
  return pawns === '0.00' ? pawns : `${score.cp < 0 ? '−' : '+'}${pawns}`;
}

/** Who is better, in words. The bounds are those at which engines' users say so. */
export function scoreWords(score: WhiteScore): string {
  if ('mate' in score) return score.mate <= 0 ? 'Black mates' : 'White mates';
  const side = score.cp > 0 ? 'White' : 'Black';
  const size = Math.abs(score.cp);
  if (size < 30) return 'equal';
  if (size < 80) return `${side} is slightly better`;
  return size < 250 ? `${side} is better` : `${side} is winning`;
}

/**
 * The part of the bar that is White's, from 0 to 1. The slope is the one by which lichess turns centipawns into winning
 * chances (0.00368208 a centipawn), fitted there to games of people.
 */
export function whiteShare(score: WhiteScore | null | undefined): number {
  if (score === null || score === undefined) return 0.5;
  if ('mate' in score) return score.mate <= 0 ? 0 : 1;
  return 1 / (1 + Math.exp(-0.00368208 * score.cp));
}
