/** Games in words: what the running log, the live text and the result say. */
import { piecesOf, spokenSan, squaresOf, turnOf, type Color } from '../board/squares';

export function sideName(side: Color): string {
  return side === 'white' ? 'White' : 'Black';
}

/** "12." or "12…" for the move made in a position. */
export function moveNumber(fenBefore: string): string {
  const number = Number(fenBefore.split(' ')[5]) || 1;
  return `${number}${turnOf(fenBefore) === 'white' ? '.' : '…'}`;
}

/** "knight g1 to f3", "pawn e4 takes pawn on d5": who moved where and what was captured. */
export function movedWords(fenBefore: string, uci: string, san: string): string {
  const [from, to] = squaresOf(uci);
  if (san.startsWith('O-O')) return spokenSan(san);
  const pieces = piecesOf(fenBefore);
  const piece = pieces.get(from)?.role ?? 'piece';
  const captured = san.includes('x') ? (pieces.get(to)?.role ?? 'pawn') : undefined;
  const way = captured === undefined ? `${piece} ${from} to ${to}` : `${piece} ${from} takes ${captured} on ${to}`;
  const promoted = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' }[uci[4] ?? ''];
  const promotion = promoted === undefined ? '' : `, becomes a ${promoted}`;
  const ending = san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '';
  return way + promotion + ending;
}

/** The move of the list that somebody typed, in SAN or UCI notation, without fuss about signs and letters. */
export function typedMove<Move extends { uci: string; san: string }>(text: string, legal: readonly Move[]): Move | undefined {
  const plain = (san: string): string => san.replace(/[+#=!?x\-\s]/g, '').replaceAll('0', 'O');
  const wanted = plain(text.trim());
  if (wanted === '') return undefined;
  const exact = legal.find((move) => plain(move.san) === wanted || move.uci === wanted.toLowerCase());
  if (exact !== undefined) return exact;
  const loose = legal.filter((move) => plain(move.san).toLowerCase() === wanted.toLowerCase());
  return loose.length === 1 ? loose[0] : undefined;
}

/** `4:07`, `0:09.4`, `1:02:30`. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  const part = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours > 0) return `${hours}:${part(minutes)}:${part(rest)}`;
  const tenths = left < 10_000 ? `.${Math.floor((left % 1000) / 100)}` : '';
  return `${minutes}:${part(rest)}${tenths}`;
}

/** How long something took, in the unit that suits it: `350 µs`, `2.4 ms`, `3.52 s`, `5 min 09 s`, `2 h 05 min`, `3 d 04 h`. As the commands say it. */
export function durationText(seconds: number): string {
  if (seconds === 0) return '0 s';
  if (seconds < 0.9995e-3) return `${Math.max(1, Math.round(seconds * 1e6))} µs`;
  if (seconds < 9.95e-3) return `${(seconds * 1e3).toFixed(1)} ms`;
  if (seconds < 0.9995) return `${Math.round(seconds * 1e3)} ms`;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [days, hours, minutes] = [Math.floor(whole / 86_400), Math.floor(whole / 3600), Math.floor(whole / 60)];
  const two = (value: number): string => String(value).padStart(2, '0');
  if (hours === 0) return `${minutes} min ${two(whole % 60)} s`;
  return days < 2 ? `${hours} h ${two(minutes % 60)} min` : `${days} d ${two(hours % 24)} h`;
}

/** `1.2 M`, `340 k`, `87`. */
export function bigNumber(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} G`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  return value >= 10_000 ? `${Math.round(value / 1e3)} k` : String(Math.round(value));
}
