/** Squares and what stands on them, as far as a page needs it: rules are the server's business. */
import type { Color, Key, Role } from '@lichess-org/chessground/types';

export type { Color, Key, Role };

export interface Piece {
  color: Color;
  role: Role;
}

export interface Arrow {
  from: string;
  to: string;
  brush?: string;
  label?: string | null;
}

const FILES = 'abcdefgh';
const ROLES: Record<string, Role> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** The square in a column and row counted from a1, both from 0; nothing beyond the edge. */
export function squareAt(file: number, rank: number): Key | undefined {
  const letter = FILES[file];
  return letter === undefined || rank < 0 || rank > 7 ? undefined : (`${letter}${rank + 1}` as Key);
}

export function fileOf(square: Key): number {
  return FILES.indexOf(square[0] ?? '');
}

export function rankOf(square: Key): number {
  return Number(square[1]) - 1;
}

/** All squares, row by row, as they are seen from one side. */
export function rowsSeenBy(side: Color): Key[][] {
  const order = [0, 1, 2, 3, 4, 5, 6, 7];
  const ranks = side === 'white' ? [...order].reverse() : order;
  const files = side === 'white' ? order : [...order].reverse();
  return ranks.map((rank) => files.flatMap((file) => squareAt(file, rank) ?? []));
}

/** What stands where. */
export function piecesOf(fen: string): Map<Key, Piece> {
  const pieces = new Map<Key, Piece>();
  const rows = (fen.split(' ')[0] ?? '').split('/');
  for (const [row, text] of rows.entries()) {
    let file = 0;
    for (const letter of text) {
      const role = ROLES[letter.toLowerCase()];
      const square = squareAt(file, 7 - row);
      if (role === undefined) file += Number(letter) || 0;
      else {
        if (square !== undefined) pieces.set(square, { role, color: letter === letter.toLowerCase() ? 'black' : 'white' });
        file += 1;
      }
    }
  }
  return pieces;
}

export function turnOf(fen: string): Color {
  return fen.split(' ')[1] === 'b' ? 'black' : 'white';
}

export function other(color: Color): Color {
  return color === 'white' ? 'black' : 'white';
}

/** The squares that a move in UCI notation goes from and to. */
export function squaresOf(uci: string): [Key, Key] {
  return [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
}

/** Where the pieces can go, from legal moves in UCI notation. */
export function destinationsOf(moves: readonly string[]): Map<Key, Key[]> {
  const destinations = new Map<Key, Key[]>();
  for (const uci of moves) {
    const [from, to] = squaresOf(uci);
    const known = destinations.get(from);
    if (known === undefined) destinations.set(from, [to]);
    else if (!known.includes(to)) known.push(to);
  }
  return destinations;
}

/** `Nf3` with the piece as a word, for ears: "knight f3". */
export function spokenSan(san: string): string {
  if (san.startsWith('O-O-O')) return `castles queenside${ending(san)}`;
  if (san.startsWith('O-O')) return `castles kingside${ending(san)}`;
  const role = ROLES[(san[0] ?? '').toLowerCase()];
  const isPiece = role !== undefined && san[0] === san[0]?.toUpperCase();
  const promoted = /=([NBRQ])/.exec(san)?.[1];
  const squares = san.slice(isPiece ? 1 : 0).replace(/=[NBRQ]/, '').replace(/[+#]$/, '').replace('x', ' takes ');
  const promotion = promoted === undefined ? '' : `, promotes to ${ROLES[promoted.toLowerCase()] ?? promoted}`;
  return `${isPiece ? `${role} ` : ''}${squares.trim()}${promotion}${ending(san)}`;
}

function ending(san: string): string {
  if (san.endsWith('#')) return ', checkmate';
  return san.endsWith('+') ? ', check' : '';
}

/** The whole position in words, for a board that is a picture. */
export function spokenPosition(fen: string): string {
  const pieces = [...piecesOf(fen)];
  const of = (color: Color): string =>
    pieces
      .filter(([, piece]) => piece.color === color)
      .map(([square, piece]) => `${piece.role} ${square}`)
      .join(', ');
  return `White: ${of('white')}. Black: ${of('black')}. ${turnOf(fen) === 'white' ? 'White' : 'Black'} to move.`;
}
