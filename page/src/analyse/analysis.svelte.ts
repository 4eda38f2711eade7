/**
 * What is being analysed: a game with its variations, and a place in it.
 *
 * A move that is made on the board and is not there yet becomes a variation beside what is there; the game itself stays as it
 * is. What goes on from the end of a line belongs to that line.
 */
import { get, messageOf, post, postText } from '../api';
import { START } from '../board/squares';
import type { Game, MoveText, PgnAnswer, PgnGame, PgnPly, PositionInfo, PositionRequest, Replay, WhiteScore } from '../generated/api';
import { pgnOf, type Tags } from './pgn';
import { addLine, cutOff, isMain, lineThrough, node, pathTo, promote, type Move, type Node } from './tree';

/** As annotators write "and if it were the other side's turn". */
const NULL_MOVE = '0000';

interface Shown {
  title: string;
  startFen: string;
  plies: readonly (Move & { variations?: readonly (readonly PgnPly[])[] })[];
  tags?: Tags;
  comment?: string | null | undefined;
}

export class Analysis {
  title = $state('');
  startFen = $state(START);
  /** Where the tree begins; its nodes are plain objects, and `stamp` tells when any of them has changed. */
  root = $state.raw<Node>(node(undefined, undefined));
  current = $state.raw<Node>(this.root);
  stamp = $state(0);
  position = $state.raw<PositionInfo | undefined>();
  /** The games of a file, to choose from. */
  games = $state.raw<readonly PgnGame[]>([]);
  chosen = $state(0);
  problems = $state.raw<readonly { line: number; message: string }[]>([]);
  problem = $state<string | undefined>();
  tags = $state.raw<Tags>([]);
  /** What is said before the first move. */
  comment = $state<string | undefined>();

  /** The moves that are looked at: up to the place and on from it. */
  readonly nodes = $derived.by(() => {
    void this.stamp;
    return lineThrough(this.current);
  });
  readonly line = $derived(this.nodes.flatMap(({ move }) => (move === undefined ? [] : [move])));
  /** The game itself. */
  readonly main = $derived.by(() => {
    void this.stamp;
    return lineThrough(this.root);
  });
  readonly ply = $derived.by(() => {
    void this.stamp;
    return pathTo(this.current).length;
  });
  readonly isAside = $derived.by(() => {
    void this.stamp;
    return !isMain(this.current);
  });

  get fen(): string {
    return this.current.move?.fen ?? this.startFen;
  }

  get last(): Move | undefined {
    void this.stamp;
    return this.current.move;
  }

  /** The moves that led here, as UCI texts. */
  get path(): string[] {
    return pathTo(this.current).map(({ move }) => move?.uci ?? '');
  }

  /** The position before a move. */
  fenBefore(target: Node): string {
    return target.parent?.move?.fen ?? this.startFen;
  }

  /** Goes to a ply of the line that is looked at. */
  select(ply: number): void {
    const wanted = Math.max(0, Math.min(this.nodes.length, ply));
    this.current = wanted === 0 ? this.root : (this.nodes[wanted - 1] ?? this.current);
  }

  selectNode(target: Node): void {
    this.current = target;
  }

  /** Goes to the variation before or after the one that begins here. */
  selectSibling(by: 1 | -1): void {
    const siblings = this.current.parent?.children ?? [];
    this.current = siblings[siblings.indexOf(this.current) + by] ?? this.current;
  }

  backToGame(): void {
    let now = this.current;
    while (!isMain(now) && now.parent !== undefined) now = now.parent;
    this.current = now;
  }

  /** Makes the variation that is looked at more important. */
  promote(): void {
    promote(this.current);
    this.stamp += 1;
  }

  /** Deletes this move and all that follows it. */
  cut(): void {
    const { parent } = this.current;
    if (parent === undefined) return;
    cutOff(this.current);
    this.current = parent;
    this.stamp += 1;
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

  /** Makes a move on the board: one that is there already, or a new one. */
  async play(uci: string): Promise<void> {
    const from = this.current;
    const known = from.children.find(({ move }) => move?.uci === uci);
    if (known !== undefined) {
      this.current = known;
      return;
    }
    const san = this.position?.legal.find((move) => move.uci === uci)?.san ?? uci;
    const { moves = [], ...start } = this.way(this.fen, this.path);
    const found = await post<PositionInfo>('/positions', { ...start, moves: [...moves, uci] });
    if (this.current !== from) return;
    this.current = node(from, { uci, san, fen: found.fen, check: found.check });
    this.position = found;
    this.stamp += 1;
  }

  /** Adds a line that somebody showed, as a variation from here; goes to its first move. */
  async add(line: readonly MoveText[]): Promise<void> {
    const from = this.current;
    for (const { uci } of line) await this.play(uci);
    this.current = from;
  }

  /** Takes a position in FEN, or games in PGN. */
  async read(text: string): Promise<void> {
    this.problem = undefined;
    const trimmed = text.trim();
    try {
      if (trimmed.split('\n').length === 1 && trimmed.split(' ')[0]?.split('/').length === 8) {
        const found = await post<PositionInfo>('/positions', { fen: trimmed });
        this.show({ title: 'A position', startFen: found.fen, plies: [] });
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
    const { start_fen: startFen, plies, tags, comment } = game;
    this.show({ title: titleOf(game), startFen, plies, tags, comment });
  }

  /** A game that was played here. */
  async open(id: string): Promise<void> {
    try {
      const game = await get<Game>(`/games/${encodeURIComponent(id)}`);
      this.games = [];
      const tags: Tags = [['White', game.white.name], ['Black', game.black.name], ['Result', game.status.result ?? '*']];
      this.show({ title: `${game.white.name} – ${game.black.name}`, startFen: game.start_fen, plies: game.plies, tags });
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  /** A game of a run, at one of its plies. */
  async openReplay(run: string, part: string, number: string, ply: number): Promise<void> {
    try {
      const replay = await get<Replay>(`/runs/${encodeURIComponent(run)}/games/${encodeURIComponent(number)}?part=${encodeURIComponent(part)}`);
      await this.read(replay.pgn);
      this.select(ply);
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  clear(): void {
    this.games = [];
    this.problems = [];
    this.show({ title: '', startFen: START, plies: [] });
  }

  /** Notes something about a move. */
  note(target: Node, what: { score?: WhiteScore; mistake?: Move['mistake'] }): void {
    if (target.move === undefined) return;
    target.move = { ...target.move, ...what };
    this.stamp += 1;
  }

  /** All of it, to be taken away. */
  pgn(): string {
    return pgnOf(this.root, this.startFen, this.tags, this.comment);
  }

  private show({ title, startFen, plies, tags = [], comment }: Shown): void {
    this.title = title;
    this.startFen = startFen;
    this.tags = tags;
    this.comment = comment ?? undefined;
    this.root = node(undefined, undefined);
    addLine(this.root, plies);
    this.current = this.root;
    this.problem = undefined;
    this.stamp += 1;
  }
}

export function titleOf(game: PgnGame): string {
  const tag = (name: string): string => game.tags.find(([key]) => key === name)?.[1] ?? '?';
  const [event, date] = [tag('Event'), tag('Date').split('.')[0] ?? ''];
  const where = [event, date].filter((part) => part !== '?' && part !== '' && part !== '????').join(' ');
  const players = tag('White') === '?' && tag('Black') === '?' ? 'A game' : `${tag('White')} – ${tag('Black')}`;
  return `${players} ${game.result}${where === '' ? '' : `, ${where}`}`;
}
