/** Arrows as the server names them, as shapes that chessground draws. */
import type { DrawBrush, DrawBrushes, DrawShape } from '@lichess-org/chessground/draw';

import type { Arrow, Key } from './squares';

function brush(key: string, color: string, opacity = 0.85, lineWidth = 9): DrawBrush {
  return { key, color, opacity, lineWidth };
}

/** Of the server's three meanings and of drawings by hand: middle tones that stand out from both board colours, in the light and in the dark. */
export const BRUSHES: DrawBrushes = {
  best: brush('best', '#1f5f4d'),
  answer: brush('answer', '#2f5597'),
  other: brush('other', '#4d5357', 0.6, 7),
  green: brush('green', '#1f5f4d'),
  blue: brush('blue', '#2f5597'),
  red: brush('red', '#a3302a'),
  yellow: brush('yellow', '#b67a10'),
};

/** What can be read in a circle of a third of a square. */
const LONGEST_LABEL = 4;

/** A score without what there is no room for: `0.3` of `+0.26`. */
function shortened(label: string): string {
  const isScore = /^[+−-]?\d+\.\d\d$/.test(label);
  return isScore ? Number(label.replace('−', '-')).toFixed(1).replace(/^-(0\.0)$/, '$1').replace('-', '−') : label;
}

const ONE_SQUARE = /^[a-h][1-8]$/;

function labelOf(label: string | null | undefined): Pick<DrawShape, 'label'> {
  const text = shortened(label ?? '');
  return text === '' || text.length > LONGEST_LABEL ? {} : { label: { text } };
}

/** The shapes; an arrow from a square to itself is a circle, and one with a brush that nobody knows is an `other`. */
export function shapesOf(arrows: readonly Arrow[], withLabels = false): DrawShape[] {
  return arrows
    .filter(({ from, to }) => ONE_SQUARE.test(from) && ONE_SQUARE.test(to))
    .map(({ from, to, brush: name, label }) => ({
      orig: from as Key,
      ...(from === to ? {} : { dest: to as Key }),
      brush: name !== undefined && name in BRUSHES ? name : 'other',
      ...labelOf(withLabels ? label : undefined),
    }));
}
