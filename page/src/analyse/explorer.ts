/** What was played from a position in the games of an opened PGN. */
import type { ExplorerMove, PgnGame } from '../generated/api';

/** A position without its move counters: what is reached by different moves is one. */
export function placeOf(fen: string): string {
  return fen.split(' ').slice(0, 4).join(' ');
}

export type PgnIndex = ReadonlyMap<string, readonly ExplorerMove[]>;

/** Counts the moves of all games, position by position. */
export function indexOf(games: readonly PgnGame[]): PgnIndex {
  const index = new Map<string, Map<string, ExplorerMove>>();
  for (const { start_fen, plies, result } of games) {
    let fen = start_fen;
    for (const ply of plies) {
      const place = placeOf(fen);
      const moves = index.get(place) ?? new Map<string, ExplorerMove>();
      index.set(place, moves);
      const move = moves.get(ply.uci) ?? { uci: ply.uci, san: ply.san, games: 0, white: 0, draws: 0, black: 0 };
      moves.set(ply.uci, move);
      move.games += 1;
      if (result === '1-0') move.white += 1;
      else if (result === '0-1') move.black += 1;
      else if (result === '1/2-1/2') move.draws += 1;
      fen = ply.fen;
    }
  }
  const sorted = new Map<string, readonly ExplorerMove[]>();
  for (const [place, moves] of index) sorted.set(place, [...moves.values()].sort((a, b) => b.games - a.games));
  return sorted;
}
