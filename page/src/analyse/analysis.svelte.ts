/**
 * What is being analysed: a game, the line that is looked at, and a place in it.
 *
 * The line is the game's own until another move is made on the board; then it is the game up to there and what was tried,
 * until somebody goes back to the game.
 */
import { get, messageOf, post, postText } from '../api';
import { START } from '../board/squares';
import { pliesInPawns } from '../game/score';
import type { Game, PgnAnswer, PgnGame, PositionInfo, PositionRequest, WhiteScore } from '../generated/api';

/** As annotators write "and if it were the other side's turn". */
const NULL_MOVE = '0000';

export interface Move {
  uci: string;
  san: string;
  fen: string;
  check: boolean;
  comment?: string | null | undefined;
  nags?: readonly number[] | null | undefined;
  score?: WhiteScore | null | undefined;
}

export class Analysis {
  title = $state('');
  startFen = $state(START);
  /** The moves of the game. */
  main = $state.raw<readonly Move[]>([]);
  /** The moves that are looked at. */
  line = $state.raw<readonly Move[]>([]);
  ply = $state(0);
  position = $state.raw<PositionInfo | undefined>();
  /** The games of a file, to choose from. */
  games = $state.raw<readonly PgnGame[]>([]);
  chosen = $state(0);
  problems = $state.raw<readonly { line: number; message: string }[]>([]);
  problem = $state<string | undefined>();

  get fen(): string {
    return this.ply === 0 ? this.startFen : (this.line[this.ply - 1]?.fen ?? this.startFen);
  }

  get last(): Move | undefined {
    return this.line[this.ply - 1];
  }

  /** The moves that led here, as UCI texts. */
  get path(): string[] {
    return this.line.slice(0, this.ply).map((move) => move.uci);
  }

  get isAside(): boolean {
    return this.line !== this.main;
  }

  select(ply: number): void {
    this.ply = Math.max(0, Math.min(this.line.length, ply));
  }

  backToGame(): void {
    const same = this.line.findIndex((move, index) => move.uci !== this.main[index]?.uci);
    this.line = this.main;
    this.select(same < 0 ? this.ply : Math.min(this.ply, same));
  }

  /** Looks up what can be done in the position that is looked at. */
  async look(fen: string, path: readonly string[]): Promise<void> {
    try {
      const found = await post<PositionInfo>('/positions', this.way(fen, path));
      if (this.fen !== fen) return;
      this.position = found;
      this.problem = undefined;
    } catch (error) {
      if (this.fen === fen) this.problem = messageOf(error);
    }
  }

  /** The whole way to a position: names of openings and repetitions depend on it. Null moves are no part of a way. */
  private way(fen: string, path: readonly string[]): PositionRequest {
    return path.includes(NULL_MOVE) ? { fen } : { fen: this.startFen, moves: [...path] };
  }

  /** Makes a move on the board. */
  async play(uci: string): Promise<void> {
    const next = this.line[this.ply];
    if (next?.uci === uci) {
      this.select(this.ply + 1);
      return;
    }
    const san = this.position?.legal.find((move) => move.uci === uci)?.san ?? uci;
    const [fen, ply, line] = [this.fen, this.ply, this.line];
    const { moves = [], ...from } = this.way(fen, this.path);
    const found = await post<PositionInfo>('/positions', { ...from, moves: [...moves, uci] });
    if (this.fen !== fen || this.line !== line) return;
    const wasMain = !this.isAside && ply === this.main.length;
    this.line = [...line.slice(0, ply), { uci, san, fen: found.fen, check: found.check }];
    // What goes on from the end of the game belongs to it.
    if (wasMain) this.main = this.line;
    this.position = found;
    this.ply = ply + 1;
  }

  /** Takes a position in FEN, or games in PGN. */
  async read(text: string): Promise<void> {
    this.problem = undefined;
    const trimmed = text.trim();
    try {
      if (trimmed.split('\n').length === 1 && trimmed.split(' ')[0]?.split('/').length === 8) {
        const found = await post<PositionInfo>('/positions', { fen: trimmed });
        this.show({ title: 'A position', startFen: found.fen, moves: [] });
        this.games = [];
        this.problems = [];
      } else {
        const answer = await postText<PgnAnswer>('/pgn', text);
        this.games = answer.games;
        this.problems = answer.problems;
        if (answer.games.length === 0) this.problem = answer.problems[0]?.message ?? 'there is no game in this text';
        else this.choose(0);
      }
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  choose(index: number): void {
    const game = this.games[index];
    if (game === undefined) return;
    this.chosen = index;
    this.show({ title: titleOf(game), startFen: game.start_fen, moves: game.plies });
  }

  /** A game that was played here. */
  async open(id: string): Promise<void> {
    try {
      const game = await get<Game>(`/games/${encodeURIComponent(id)}`);
      this.games = [];
      this.show({ title: `${game.white.name} – ${game.black.name}`, startFen: game.start_fen, moves: pliesInPawns(game) });
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  clear(): void {
    this.games = [];
    this.problems = [];
    this.show({ title: '', startFen: START, moves: [] });
  }

  /** Notes a score of a position of the line. */
  note(ply: number, score: WhiteScore): void {
    const move = this.line[ply - 1];
    if (move === undefined) return;
    const wasMain = !this.isAside;
    this.line = this.line.map((other, index) => (index === ply - 1 ? { ...other, score } : other));
    if (wasMain) this.main = this.line;
  }

  private show(what: { title: string; startFen: string; moves: readonly Move[] }): void {
    this.title = what.title;
    this.startFen = what.startFen;
    this.main = what.moves;
    this.line = what.moves;
    this.ply = 0;
    this.problem = undefined;
  }
}

export function titleOf(game: PgnGame): string {
  const tag = (name: string): string => game.tags.find(([key]) => key === name)?.[1] ?? '?';
  const [event, date] = [tag('Event'), tag('Date').split('.')[0] ?? ''];
  const where = [event, date].filter((part) => part !== '?' && part !== '' && part !== '????').join(' ');
  return `${tag('White')} – ${tag('Black')} ${game.result}${where === '' ? '' : `, ${where}`}`;
}
