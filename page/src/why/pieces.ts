/** What a neural net gives for each piece, as people want to read it: what is unusual here comes first. */
import type { EvalPiece } from '../generated/api';

export interface PieceRow extends EvalPiece {
  /** How much more than the others of its kind it is worth, from White's point of view. */
  extra: number;
}

const ROLES: Readonly<Record<string, string>> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen' };

const isWhite = (piece: string): boolean => piece === piece.toUpperCase();
const sign = (piece: string): number => (isWhite(piece) ? 1 : -1);

/** A pawn at the edge is of another kind than one in the centre. */
function kindOf({ piece, square }: EvalPiece): string {
  const role = piece.toLowerCase();
  return role === 'p' ? `p${Math.min(...['a', 'h'].map((edge) => Math.abs(square.charCodeAt(0) - edge.charCodeAt(0))))}` : role;
}

/** That a queen is worth nine pawns says nothing about a position; that it is worth more than the other queen does. */
export function unusualFirst(pieces: readonly EvalPiece[]): PieceRow[] {
  const usual = (row: EvalPiece): number => {
    const kind = pieces.filter((other) => kindOf(other) === kindOf(row));
    return kind.reduce((sum, { piece, total }) => sum + sign(piece) * total, 0) / kind.length;
  };
  return pieces
    .map((row) => ({ ...row, extra: Math.round(row.total - sign(row.piece) * usual(row)) }))
    .sort((a, b) => Math.abs(b.extra) - Math.abs(a.extra) || Math.abs(b.total) - Math.abs(a.total));
}

export function pieceWords({ piece, square }: EvalPiece): string {
  return `${isWhite(piece) ? 'white' : 'black'} ${ROLES[piece.toLowerCase()] ?? 'king'} ${square}`;
}
