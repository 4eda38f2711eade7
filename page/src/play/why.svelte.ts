/** The reasons of the last move that has any, for the ply that is looked at. */
import { get, messageOf } from '../api';
import type { Game, Why } from '../generated/api';

export class Reasons {
  why = $state.raw<Why | undefined>();
  /** The ply it is about, from 1. */
  ply = $state<number | undefined>();
  problem = $state<string | undefined>();

  private readonly known = new Map<string, Why>();
  private wanted = '';

  /** Looks up the newest reasons up to a ply. */
  async show(game: Game, ply: number): Promise<void> {
    let number = ply;
    while (number > 0 && game.plies[number - 1]?.why !== true) number -= 1;
    const move = game.plies[number - 1];
    const key = move === undefined ? '' : `${number} ${move.uci} ${move.fen}`;
    if (key === this.wanted) return;
    this.wanted = key;
    this.problem = undefined;
    if (move === undefined) {
      this.why = undefined;
      this.ply = undefined;
      return;
    }
    try {
      const found = this.known.get(key) ?? (await get<Why>(`/games/${encodeURIComponent(game.id)}/why/${number}`));
      this.known.set(key, found);
      if (this.wanted !== key) return;
      this.why = found;
      this.ply = number;
    } catch (error) {
      if (this.wanted !== key) return;
      this.wanted = '';
      this.problem = messageOf(error);
    }
  }
}
