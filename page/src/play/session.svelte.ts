/**
 * A game on the server, as this page follows it.
 *
 * The server has the game; here is the newest snapshot of it, which ply is looked at, and what is told of every new move.
 * Whatever somebody does is a request, and the answer comes with the events: two pages of the same game show the same.
 */
import { ApiError, get, listen, messageOf, post, type Connection } from '../api';
import { spokenSan, type Color } from '../board/squares';
import { play } from '../game/sounds';
import { sideName } from '../game/words';
import type { Game, Ply, ThinkingInfo } from '../generated/api';
import { notify, say } from '../ui/notices.svelte';

interface GameEvents {
  game: Game;
  thinking: ThinkingInfo;
}

export class GameSession {
  game = $state.raw<Game | undefined>();
  thinking = $state.raw<ThinkingInfo | undefined>();
  connection = $state<Connection>('connecting');
  /** When the snapshot came, by this page's clock: running clocks count from here. */
  receivedAt = $state(0);
  /** How many plies were made in the position that is looked at. */
  ply = $state(0);
  /** Whether a request is on its way. */
  busy = $state(false);
  /** Why there is no such game. */
  missing = $state<string | undefined>();

  private readonly stop: () => void;

  constructor(
    readonly id: string,
    private readonly onOver: () => void,
  ) {
    this.stop = listen<GameEvents>(
      `/games/${encodeURIComponent(id)}/events`,
      { game: (game) => this.take(game), thinking: (thinking) => this.takeThinking(thinking) },
      {
        // Somebody may be waiting for the answer to a move, in another tab.
        background: true,
        onConnection: (state) => {
          this.connection = state;
          if (state === 'lost') void this.look();
        },
      },
    );
  }

  close(): void {
    this.stop();
  }

  /** Whether the newest position is the one that is looked at. */
  get isLive(): boolean {
    return this.game !== undefined && this.ply === this.game.plies.length;
  }

  /** The position that is looked at. */
  get fen(): string | undefined {
    return this.ply === 0 ? this.game?.start_fen : this.game?.plies[this.ply - 1]?.fen;
  }

  /** The move that led to it. */
  get last(): Ply | undefined {
    return this.game?.plies[this.ply - 1];
  }

  /** The sides that people at this page play. */
  get people(): Color[] {
    const { game } = this;
    if (game === undefined) return [];
    return (['white', 'black'] as const).filter((side) => game[side].kind === 'person');
  }

  select(ply: number): void {
    const plies = this.game?.plies.length ?? 0;
    this.ply = Math.max(0, Math.min(plies, ply));
    const move = this.last;
    say(move === undefined ? 'Start of the game' : spokenSan(move.san));
  }

  private take(game: Game): void {
    const before = this.game;
    if (before !== undefined && game.version < before.version) return;
    const wasLive = before === undefined || this.isLive;
    this.game = game;
    this.receivedAt = performance.now();
    this.missing = undefined;
    if (this.thinking !== undefined && this.thinking.ply !== game.plies.length + 1) this.thinking = undefined;
    if (wasLive || this.ply > game.plies.length) this.ply = game.plies.length;
    if (before !== undefined) this.tell(before, game);
  }

  private takeThinking(thinking: ThinkingInfo): void {
    if (thinking.ply !== (this.game?.plies.length ?? 0) + 1) return;
    this.thinking = thinking;
  }

  /** Sounds and words for what is new. */
  private tell(before: Game, game: Game): void {
    const isOver = game.status.state === 'over' && before.status.state !== 'over';
    if (game.plies.length > before.plies.length) {
      const move = game.plies.at(-1);
      const side = game.turn === 'white' ? 'black' : 'white';
      if (move !== undefined) {
        say(`${sideName(side)}: ${spokenSan(move.san)}`);
        play(game.check ? 'check' : move.san.includes('x') ? 'capture' : 'move');
      }
    } else if (game.plies.length < before.plies.length) {
      say('Moves taken back');
    }
    if (isOver) {
      play('end');
      say(`${game.status.result ?? ''} ${game.status.reason ?? ''}`);
      this.onOver();
    }
  }

  /** After a lost connection: whether the game is still there at all. */
  private async look(): Promise<void> {
    try {
      this.take(await get<Game>(`/games/${encodeURIComponent(this.id)}`));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.missing = error.message;
    }
  }

  move(uci: string): Promise<boolean> {
    return this.ask('moves', { uci, version: this.game?.version });
  }

  /** Asks for something; whether it was granted. A refusal is shown. */
  async ask(what: string, body: object = {}): Promise<boolean> {
    this.busy = true;
    try {
      this.take(await post<Game>(`/games/${encodeURIComponent(this.id)}/${what}`, body));
      return true;
    } catch (error) {
      notify(messageOf(error), 'bad');
      return false;
    } finally {
      this.busy = false;
    }
  }
}
