/** The types of the API. Until the server's own are generated, what the contract says. */
export type Side = 'white' | 'black';

export type OptionSetting = boolean | number | string;

export interface SeatOption {
  name: string;
  label: string;
  help: string;
  type: 'combo' | 'integer' | 'text' | 'switch';
  values?: string[];
  min?: number;
  max?: number;
  default?: OptionSetting | null;
}

export interface PlayerKind {
  kind: string;
  label: string;
  help: string;
  options: SeatOption[];
  missing?: string;
}

export interface Seat {
  kind: string;
  name?: string;
  options?: Record<string, OptionSetting>;
}

/** From White's point of view. */
export interface Score {
  cp?: number;
  mate?: number;
}

export interface Ply {
  uci: string;
  san: string;
  /** The position after it. */
  fen: string;
  check: boolean;
  clock_ms?: number;
  spent_ms?: number;
  score?: Score;
  /** Whether `why/PLY` (PLY counts from 1) has something to say. */
  why: boolean;
}

export interface LegalMove {
  uci: string;
  san: string;
}

export interface GamePlayer {
  name: string;
  kind: string;
  seat: Seat;
}

export interface GameStatus {
  state: 'playing' | 'paused' | 'over';
  /** `1-0`, `0-1`, `1/2-1/2` or `*`. */
  result: string;
  /** "White mates", "draw by threefold repetition", ... */
  reason?: string;
}

export interface Clocks {
  white_ms: number;
  black_ms: number;
  /** Whose clock runs, if one does. */
  running?: Side;
}

export interface Game {
  id: string;
  version: number;
  white: GamePlayer;
  black: GamePlayer;
  start_fen: string;
  /** Whether the side to move is in check at the start. */
  plies: Ply[];
  legal: LegalMove[];
  turn: Side;
  check: boolean;
  status: GameStatus;
  clock?: { base_ms: number; increment_ms: number };
  clocks?: Clocks;
  opening?: string;
  /** A side that has offered a draw. */
  draw_offer?: Side;
  /** A draw the side to move may claim: "threefold repetition", "fifty moves". */
  claimable?: string;
  /** Something that happened and is not a move. */
  note?: string;
}

export interface GameSummary {
  id: string;
  white: string;
  black: string;
  plies: number;
  fen: string;
  status: GameStatus;
  /** Milliseconds since 1970. */
  changed_ms: number;
}

export interface Thinking {
  /** The number of the ply that is being thought about, from 1. */
  ply: number;
  side: Side;
  depth?: number;
  nodes?: number;
  nps?: number;
  time_ms?: number;
  score?: Score;
  pv: LegalMove[];
}

export interface Arrow {
  from: string;
  to: string;
  brush: 'best' | 'answer' | 'other';
  label?: string;
}

export interface WhyLine {
  score: Score;
  /** `exact`, or `lower` or `upper` where the score is only a bound for the side to move. */
  bound: string;
  depth: number;
  moves: LegalMove[];
}

export interface Chances {
  white: number;
  draw: number;
  black: number;
}

/** One row of the evaluation, in centipawns; totals are White's minus Black's, tapered. */
export interface EvalTerm {
  name: string;
  white: number;
  black: number;
  total: number;
}

export interface EngineWhy {
  depth: number;
  seldepth: number;
  nodes: number;
  nps: number;
  time_ms: number;
  score?: Score;
  chances?: Chances;
  lines: WhyLine[];
  terms: EvalTerm[];
  /** The sum of the terms from White's point of view. */
  static_cp?: number;
}

export interface CaseShown {
  similarity: number;
  source: string;
  year?: number;
  fen?: string;
  move: LegalMove;
  adapted: LegalMove;
  /** How similar the two moves are, from 0 to 1. */
  move_similarity: number;
  adaptation: string;
  followed: boolean;
}

export interface CasesWhy {
  expert: string;
  known: number;
  basis: string;
  cases: CaseShown[];
}

export interface EvolvedSample {
  generation: number;
  fitness: number;
  diversity: number;
}

export interface EvolvedLine {
  moves: LegalMove[];
  worths: number[];
  fitness?: number;
  generations: number;
  chosen: boolean;
  history: EvolvedSample[];
}

export interface EvolvedWhy {
  lines: EvolvedLine[];
  nodes: number;
}

export interface Why {
  player: string;
  kind: 'engine' | 'cases' | 'evolved' | 'plain';
  fen: string;
  move?: LegalMove;
  headline: string;
  text: string;
  arrows: Arrow[];
  engine?: EngineWhy;
  cases?: CasesWhy;
  evolved?: EvolvedWhy;
}

export interface PgnPly {
  uci: string;
  san: string;
  fen: string;
  check: boolean;
  comment?: string;
  nags?: number[];
  clock_ms?: number;
  score?: Score;
}

export interface PgnGame {
  tags: [string, string][];
  start_fen: string;
  plies: PgnPly[];
  result: string;
  opening?: string;
}

export interface PgnAnswer {
  games: PgnGame[];
  problems: { line: number; message: string }[];
}

/** A position with what can be done in it. */
export interface PositionInfo {
  fen: string;
  moves: LegalMove[];
  legal: LegalMove[];
  turn: Side;
  check: boolean;
  opening?: string;
  /** Why the game is over here, if it is. */
  over?: string;
}

export interface OpinionUpdate {
  /** Absent before the player has said anything. */
  why?: Why;
  done: boolean;
  error?: string;
}

export interface OpinionRequest {
  fen?: string;
  moves?: string[];
  seat: Seat;
  limit?: { depth?: number; nodes?: number; movetime?: number };
  multipv?: number;
}

export interface PositionRequest {
  fen?: string;
  moves?: string[];
}
