// The types of Vidmar's API, written from those of the server: change them there (crates/web), then run
// VIDMAR_WRITE_TYPES=1 cargo test -p vidmar-web types

export type ErrorBody = { 
/**
 * What went wrong.
 */
error: ErrorDetail, };

export type ErrorDetail = { 
/**
 * A word for programs; it does not change.
 */
code: string, 
/**
 * A sentence for people.
 */
message: string, 
/**
 * The part of the body that is wrong, such as `start.fen`.
 */
field?: string, };

export type About = { 
/**
 * Always `vidmar`.
 */
name: string, 
/**
 * Of the binary.
 */
version: string, 
/**
 * Of the API.
 */
api: number, 
/**
 * The external engines that may be seated.
 */
engines: Array<string>, 
/**
 * The case bases that may be used.
 */
cases: Array<string>, 
/**
 * The directories in which runs are looked for.
 */
directories: Array<string>, 
/**
 * Whether games outlive the server.
 */
keeps_games: boolean, };

export type PlayerKind = { 
/**
 * The word that a seat names it by.
 */
kind: string, 
/**
 * What people call it.
 */
label: string, 
/**
 * One line about it.
 */
help: string, 
/**
 * What can be chosen about it.
 */
options: Array<SeatOption>, 
/**
 * What the server would have to be started with; absent where nothing is missing.
 */
missing?: string, };

export type SeatOption = { 
/**
 * The name that a seat uses.
 */
name: string, 
/**
 * What people call it.
 */
label: string, 
/**
 * One line about it.
 */
help: string, 
/**
 * What its values are.
 */
type: OptionKind, 
/**
 * The values of a combo.
 */
values?: Array<string>, 
/**
 * The least of an integer.
 */
min?: number, 
/**
 * The most of an integer.
 */
max?: number, 
/**
 * What holds if nothing is chosen; null where that is nothing, or what another option says.
 */
default?: OptionSetting | null, 
/**
 * What holds if nothing is chosen and there is no default, in words.
 */
unset?: string, };

export type OptionKind = "combo" | "integer" | "text" | "switch";

export type OptionSetting = boolean | number | string;

export type Seat = { 
/**
 * The word of a kind.
 */
kind: string, 
/**
 * What the player is called, if not by its kind.
 */
name?: string, 
/**
 * What was chosen; the rest is as listed.
 */
options?: { [key in string]: OptionSetting }, };

export type Color = "white" | "black";

export type Score = { "cp": number } | { "mate": number };

export type WhiteScore = Score;

export type Bound = "exact" | "lower" | "upper";

export type MoveText = { 
/**
 * For programs.
 */
uci: string, 
/**
 * For people.
 */
san: string, };

export type PositionRequest = { 
/**
 * Where it begins; the usual start position if absent.
 */
fen?: string, 
/**
 * Moves from there, in UCI notation.
 */
moves?: Array<string>, };

export type PositionInfo = { 
/**
 * The position.
 */
fen: string, 
/**
 * The moves that led to it.
 */
moves: Array<MoveText>, 
/**
 * Every legal move.
 */
legal: Array<MoveText>, 
/**
 * Who is to move.
 */
turn: Color, 
/**
 * Whether the king of that side is attacked.
 */
check: boolean, 
/**
 * The last named position on the way.
 */
opening?: string, 
/**
 * Why the game is over here, if it is.
 */
over?: string, 
/**
 * The score of the full evaluation, without search, from White's point of view.
 */
static_cp: number, 
/**
 * What tablebases say of it, where there is one.
 */
tablebase?: TablebaseInfo, };

export type TablebaseInfo = { 
/**
 * `win`, `draw` or `loss`, without the 50-move rule.
 */
value: string, 
/**
 * Plies to the next capture or pawn move that keeps the result; beyond ±100 the 50-move rule makes a draw of it. Only with
 * Syzygy's distances.
 */
dtz?: number, 
/**
 * Every legal move, the best first.
 */
moves: Array<TablebaseMove>, };

export type TablebaseMove = { 
/**
 * `win`, `draw` or `loss`, without the 50-move rule.
 */
value: string, 
/**
 * Plies from here, this move included.
 */
dtz?: number, 
/**
 * For programs.
 */
uci: string, 
/**
 * For people.
 */
san: string, };

export type Game = { 
/**
 * Its name in the API.
 */
id: string, 
/**
 * Grows with every change; a move must name the one that it was made for.
 */
version: number, 
/**
 * Who has White.
 */
white: GamePlayer, 
/**
 * Who has Black.
 */
black: GamePlayer, 
/**
 * Where it began.
 */
start_fen: string, 
/**
 * Plies that were there before the players took over.
 */
given: number, 
/**
 * Every ply.
 */
plies: Array<Ply>, 
/**
 * Where it stands.
 */
fen: string, 
/**
 * What the side to move may play; nothing when the game is over.
 */
legal: Array<MoveText>, 
/**
 * Who is to move.
 */
turn: Color, 
/**
 * Whether the king of that side is attacked.
 */
check: boolean, 
/**
 * How it stands.
 */
status: GameStatus, 
/**
 * The clock, if it is played with one.
 */
clock?: ClockSetting, 
/**
 * What the clocks show at the moment of sending.
 */
clocks?: Clocks, 
/**
 * The last named position on the way.
 */
opening?: string, 
/**
 * A side that has offered a draw.
 */
draw_offer?: Color, 
/**
 * A draw that the side to move may claim, in words.
 */
claimable?: string, 
/**
 * Something that happened and is not a move: a declined offer, a player that failed.
 */
note?: string, 
/**
 * The seed of everything random in it.
 */
seed: number, };

export type GamePlayer = { 
/**
 * What the player is called.
 */
name: string, 
/**
 * The word of its kind.
 */
kind: string, 
/**
 * What it was asked for with.
 */
seat: Seat, };

export type Ply = { 
/**
 * The move for programs.
 */
uci: string, 
/**
 * The move for people.
 */
san: string, 
/**
 * The position after it.
 */
fen: string, 
/**
 * Whether it gives check.
 */
check: boolean, 
/**
 * What the mover's clock showed after it.
 */
clock_ms?: number, 
/**
 * Time that it took; absent for plies that were there before.
 */
spent_ms?: number, 
/**
 * What its player thought of it.
 */
score?: WhiteScore, 
/**
 * Whether `why/PLY` (counted from 1) has something to say.
 */
why: boolean, };

export type GameState = "playing" | "paused" | "over";

export type GameStatus = { 
/**
 * Whether it goes on.
 */
state: GameState, 
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string, 
/**
 * Why it ended, in words.
 */
reason?: string, };

export type ClockSetting = { 
/**
 * At the start.
 */
base_ms: number, 
/**
 * A move.
 */
increment_ms: number, };

export type Clocks = { 
/**
 * What White has left.
 */
white_ms: number, 
/**
 * What Black has left.
 */
black_ms: number, 
/**
 * Whose clock runs, if one does: each side's first move is free.
 */
running?: Color, };

export type GameSummary = { 
/**
 * Its name in the API.
 */
id: string, 
/**
 * Who has White.
 */
white: string, 
/**
 * Who has Black.
 */
black: string, 
/**
 * How many plies it has.
 */
plies: number, 
/**
 * Where it stands.
 */
fen: string, 
/**
 * How it stands.
 */
status: GameStatus, 
/**
 * When it last changed, in milliseconds since 1970.
 */
changed_ms: number, };

export type ThinkingInfo = { 
/**
 * The number of the ply that is thought about, from 1.
 */
ply: number, 
/**
 * Who thinks.
 */
side: Color, 
/**
 * Plies.
 */
depth: number, 
/**
 * Positions visited.
 */
nodes: number, 
/**
 * Positions a second.
 */
nps: number, 
/**
 * Time since the start.
 */
time_ms: number, 
/**
 * From White's point of view; absent for a player that has no score.
 */
score?: WhiteScore, 
/**
 * The line.
 */
pv: Array<MoveText>, };

export type NewGame = { 
/**
 * Who has White.
 */
white: Seat, 
/**
 * Who has Black.
 */
black: Seat, 
/**
 * Where it begins; in the usual start position if absent.
 */
start?: StartRequest, 
/**
 * The clock; none if absent.
 */
clock?: ClockSetting, 
/**
 * The seed of everything random in it; some if absent.
 */
seed?: number, };

export type StartRequest = { 
/**
 * The start position.
 */
fen?: string, 
/**
 * Moves from there, in UCI notation.
 */
moves?: Array<string>, 
/**
 * A game; its first one counts.
 */
pgn?: string, 
/**
 * How many of its plies count; all if absent.
 */
ply?: number, };

export type MoveRequest = { 
/**
 * In UCI notation.
 */
uci: string, 
/**
 * The version of the game that it is made for.
 */
version: number, };

export type ActionRequest = { 
/**
 * The version of the game that it is meant for; any if absent.
 */
version?: number, 
/**
 * Whose action it is; needed only where people sit on both sides.
 */
side?: Color, };

export type DrawAction = "offer" | "accept" | "decline" | "claim";

export type DrawRequest = { 
/**
 * What is done; an offer if absent.
 */
action?: DrawAction, 
/**
 * The version of the game that it is meant for; any if absent.
 */
version?: number, 
/**
 * Whose action it is; needed only where people sit on both sides.
 */
side?: Color, };

export type Why = { 
/**
 * What the player is called.
 */
player: string, 
/**
 * Which of the parts below is there; `plain` for none.
 */
kind: WhyKind, 
/**
 * The position that was thought about.
 */
fen: string, 
/**
 * The move, unless the player is still thinking or gives up.
 */
move?: MoveText, 
/**
 * The reason in one line.
 */
headline: string, 
/**
 * The reason at length, as the player tells it; may be empty.
 */
text: string, 
/**
 * What to draw on the board.
 */
arrows: Array<Arrow>, 
/**
 * Of engines and searches.
 */
engine?: EngineWhy, 
/**
 * Of the case-based player.
 */
cases?: CasesWhy, 
/**
 * Of the player of evolved moves.
 */
evolved?: EvolvedWhy, };

export type WhyKind = "engine" | "cases" | "evolved" | "plain";

export type Arrow = { 
/**
 * The square where it begins.
 */
from: string, 
/**
 * The square where it ends.
 */
to: string, 
/**
 * What it means.
 */
brush: Brush, 
/**
 * A word beside it.
 */
label?: string, };

export type Brush = "best" | "answer" | "other";

export type EngineWhy = { 
/**
 * Plies of the deepest iteration.
 */
depth: number, 
/**
 * The longest line looked at.
 */
seldepth: number, 
/**
 * Positions visited.
 */
nodes: number, 
/**
 * Positions a second.
 */
nps: number, 
/**
 * Time used.
 */
time_ms: number, 
/**
 * Of the best line.
 */
score?: WhiteScore, 
/**
 * What that score means, as chances of White and Black.
 */
chances?: Chances, 
/**
 * Principal lines, the best first.
 */
lines: Array<WhyLine>, 
/**
 * The position that the terms evaluate: the one after a move that was chosen, or else the one that is analysed.
 */
evaluated_fen?: string, 
/**
 * Its hand-crafted evaluation term by term, also where a net has decided; empty if the player uses neither.
 */
terms: Array<EvalTerm>, 
/**
 * The sum of their totals.
 */
terms_cp?: number, 
/**
 * Its evaluation piece by piece, if the player uses a net.
 */
pieces?: Array<EvalPiece>, 
/**
 * Its static evaluation from White's point of view: that of the terms, or a net's score.
 */
static_cp?: number, };

export type Chances = { white: number, draw: number, black: number, };

export type WhyLine = { 
/**
 * From White's point of view.
 */
score: WhiteScore, 
/**
 * Whether the score is only a bound, for the side to move.
 */
bound: Bound, 
/**
 * Plies.
 */
depth: number, 
/**
 * The moves.
 */
moves: Array<MoveText>, };

export type EvalTerm = { 
/**
 * Its name.
 */
name: string, 
/**
 * What White gets.
 */
white: number, 
/**
 * What Black gets.
 */
black: number, 
/**
 * White's minus Black's.
 */
total: number, };

export type EvalPiece = { 
/**
 * Where it stands.
 */
square: string, 
/**
 * The letter of a FEN.
 */
piece: string, 
/**
 * Hundredths of a pawn that White's score would lose without it.
 */
total: number, };

export type CasesWhy = { 
/**
 * Whose games the cases are of.
 */
expert: string, 
/**
 * Cases of the colour to move.
 */
known: number, 
/**
 * What it goes by: a case, one of the other colour turned round, chance, or a search among what the cases suggest.
 */
basis: 'case' | 'other-color' | 'chance' | 'search', 
/**
 * The nearest cases, the nearest first; the one that was followed is marked.
 */
cases: Array<CaseShown>, };

export type CaseShown = { 
/**
 * How alike the boards are, from 0 to 1.
 */
similarity: number, 
/**
 * The game that it is from, in words.
 */
source: string, 
/**
 * The year of that game.
 */
year?: number, 
/**
 * The board there; absent for what the player has learned itself.
 */
fen?: string, 
/**
 * The move there.
 */
move: MoveText, 
/**
 * The legal move that was made of it.
 */
adapted: MoveText, 
/**
 * How similar the two moves are, from 0 to 1.
 */
move_similarity: number, 
/**
 * How the move there became the move here, in words.
 */
adaptation: string, 
/**
 * Whether this case was followed.
 */
followed: boolean, };

export type EvolvedWhy = { 
/**
 * The best line of each first move, the fittest first.
 */
lines: Array<EvolvedLine>, 
/**
 * Positions judged.
 */
nodes: number, };

export type EvolvedLine = { 
/**
 * The line.
 */
moves: Array<MoveText>, 
/**
 * The worth of the position after each of its moves, for the side to move.
 */
worths: Array<number>, 
/**
 * Its fitness; absent if there was no time for a line.
 */
fitness?: number, 
/**
 * Generations.
 */
generations: number, 
/**
 * Whether it is the one that was played.
 */
chosen: boolean, 
/**
 * How it came about, for the best few.
 */
history: Array<EvolvedSample>, };

export type EvolvedSample = { 
/**
 * The generation; 0 is the founders'.
 */
generation: number, 
/**
 * The fitness of the best line.
 */
fitness: number, 
/**
 * The mean share of genes in which the other lines differ from the best, from 0 to 1.
 */
diversity: number, };

export type AnalysisRequest = { 
/**
 * Where the game begins; the usual start position if absent.
 */
fen?: string, 
/**
 * Moves from there, in UCI notation.
 */
moves?: Array<string>, 
/**
 * Whose analysis.
 */
seat: Seat, 
/**
 * How long it may think; 10 seconds if neither this nor the seat says anything.
 */
limit?: AnalysisLimit, 
/**
 * How many lines; the seat's if absent.
 */
multipv?: number, };

export type AnalysisLimit = { 
/**
 * Plies.
 */
depth?: number, 
/**
 * Positions.
 */
nodes?: number, 
/**
 * Milliseconds.
 */
movetime?: number, 
/**
 * None at all: until it is stopped, or until nobody has listened for a while. A limit of the seat still holds.
 */
infinite?: boolean, };

export type AnalysisId = { 
/**
 * For `/analyses/ID/events`.
 */
id: string, };

export type AnalysisUpdate = { 
/**
 * What the player thinks; absent before it has said anything.
 */
why?: Why, 
/**
 * Whether that is its last word.
 */
done: boolean, 
/**
 * Why there is nothing more to come, if something went wrong.
 */
error?: string, };

export type PgnAnswer = { 
/**
 * The games that could be read.
 */
games: Array<PgnGame>, 
/**
 * What could not, in words with its line.
 */
problems: Array<PgnProblem>, };

export type PgnGame = { 
/**
 * The tags, in their order.
 */
tags: Array<[string, string]>, 
/**
 * Where it begins.
 */
start_fen: string, 
/**
 * What is said before the first move.
 */
comment?: string, 
/**
 * The moves of its main line.
 */
plies: Array<PgnPly>, 
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string, 
/**
 * The last named position on the way.
 */
opening?: string, };

export type PgnPly = { 
/**
 * For programs; `0000` for a null move.
 */
uci: string, 
/**
 * For people.
 */
san: string, 
/**
 * The position after it.
 */
fen: string, 
/**
 * Whether it gives check.
 */
check: boolean, 
/**
 * What is said of it.
 */
comment?: string, 
/**
 * Numeric annotation glyphs.
 */
nags?: Array<number>, 
/**
 * The mover's clock.
 */
clock_ms?: number, 
/**
 * The score that is written there.
 */
score?: WhiteScore, 
/**
 * What might have been played instead; what is said before such a line is said of its first move.
 */
variations?: Array<Array<PgnPly>>, };

export type PgnProblem = { 
/**
 * The number of the line, from 1.
 */
line: number, 
/**
 * What is wrong.
 */
message: string, };

export type Run = { 
/**
 * By which the page asks for it.
 */
id: string, 
/**
 * What it is called.
 */
name: string, 
/**
 * The directory that the server was started with, by name.
 */
directory: string, 
/**
 * Whether it came with the program.
 */
is_example: boolean, 
/**
 * Which kind of run.
 */
kind: RunKind, 
/**
 * Where it stands.
 */
state: RunState, 
/**
 * What a tuning run is about.
 */
phase: RunPhase | null, 
/**
 * Grows whenever anything has changed.
 */
version: number, 
/**
 * How much is done, 0 to 1.
 */
progress: number, 
/**
 * Games of the tuning or of the match.
 */
games: number, 
/**
 * Games planned, where games are counted.
 */
planned_games: number | null, 
/**
 * Games of a tuning run's validation.
 */
validation_games: number, 
/**
 * The last whole generation.
 */
generation: number | null, 
/**
 * Generations planned, where generations are counted.
 */
generations: number | null, 
/**
 * Games a second.
 */
rate: number | null, 
/**
 * Seconds until the tuning or the match is done.
 */
eta_s: number | null, 
/**
 * Seconds of work so far.
 */
seconds: number | null, 
/**
 * When it began, in seconds since 1970.
 */
begun: number, 
/**
 * Misbehaviours of players.
 */
faults: number, 
/**
 * What it is, in some words: the method, or the players.
 */
about: string, 
/**
 * What came of it so far, in a sentence: what the validation of a tuning run or the games of a match prove.
 */
result: string | null, 
/**
 * What is wrong with it.
 */
problem: string | null, 
/**
 * Elo with its interval, where something was played that can prove anything.
 */
elo: RunElo | null, 
/**
 * What people say about it.
 */
notes: RunNotes, };

export type RunElo = { 
/**
 * None where every game was won or lost.
 */
elo: number | null, 
/**
 * The lower end of its 95 % interval; none where it has none.
 */
low: number | null, 
/**
 * The upper end.
 */
high: number | null, 
/**
 * What is proven.
 */
verdict: Verdict, };

export type RunNotes = { 
/**
 * Anything.
 */
text: string, 
/**
 * Short words, by which runs are found.
 */
tags: Array<string>, };

export type RunKind = "tuning" | "match";

export type RunState = "running" | "paused" | "waiting" | "failed" | "crashed" | "finished" | "unreadable";

export type RunPhase = "tuning" | "validation" | "done";

export type RunList = { runs: Array<Run>, 
/**
 * Directories, by name, in which a run can begin.
 */
directories: Array<string>, presets: Array<RunPreset>, };

export type RunDetail = { run: Run, 
/**
 * How it is played, as far as it was told.
 */
settings: Array<RunSetting>, contest: MatchView | null, 
/**
 * Whether the server knows of a NATS server, and its workers can be asked for.
 */
has_fleet: boolean, };

export type RunSetting = { name: string, value: string, };

export type Convergence = { 
/**
 * What a score is: `points per game`, `Elo` or `value`.
 */
unit: string, generation: Array<number>, games: Array<number>, 
/**
 * Of the population; none for methods that move one point and score nothing.
 */
best: Array<number | null>, upper: Array<number | null>, median: Array<number | null>, mean: Array<number | null>, lower: Array<number | null>, worst: Array<number | null>, 
/**
 * The highest score of a result vector until then.
 */
champion: Array<number | null>, 
/**
 * What the best of the generation has scored in all games of the run.
 */
best_again: Array<number | null>, best_again_games: Array<number | null>, 
/**
 * The rating of the best of the generation from all games of the run, and the ends of its 95 % interval; nothing where
 * no games are played, or where the method has no best of a generation.
 */
elo: Array<number | null>, elo_low: Array<number | null>, elo_high: Array<number | null>, 
/**
 * What has 0 Elo there: the vector that the run began with if it has played, else the mean of all that played.
 */
elo_zero: 'start' | 'mean', 
/**
 * The distance of the quartiles, mean over the parameters, in shares of the intervals.
 */
spread: Array<number>, 
/**
 * The distance of the middle from the start, in the same way.
 */
moved: Array<number>, };

export type ParameterCourses = { generation: Array<number>, parameters: Array<ParameterCourse>, };

export type ParameterCourse = { name: string, min: number, max: number, start: number, frozen: boolean, lowest: Array<number>, lower: Array<number>, median: Array<number>, mean: Array<number>, upper: Array<number>, highest: Array<number>, };

export type RunVectors = { 
/**
 * What a score is: `points per game`, `Elo` or `value`.
 */
unit: string, 
/**
 * The names of the values.
 */
parameters: Array<string>, 
/**
 * How many there are altogether.
 */
total: number, rows: Array<VectorRow>, };

export type VectorRow = { 
/**
 * Its index among the players of the run, if it has played.
 */
player: number | null, 
/**
 * What the method goes by.
 */
score: number | null, 
/**
 * How many games or values that rests on.
 */
score_games: number, 
/**
 * Its rating from all games of the run.
 */
elo: number | null, 
/**
 * Half the width of the 95 % interval.
 */
error: number | null, 
/**
 * The lower end of that interval; none where it has none.
 */
low: number | null, 
/**
 * The upper end.
 */
high: number | null, 
/**
 * All its games.
 */
games: number, 
/**
 * Its points in them.
 */
points: number, 
/**
 * Its components, in the order of the parameters.
 */
values: Array<number>, };

export type Verification = { 
/**
 * The names of the values.
 */
parameters: Array<string>, 
/**
 * The ends of their intervals.
 */
min: Array<number>, max: Array<number>, 
/**
 * Where everything began: the start of the run, or of the first one of a chain.
 */
start: Array<number>, 
/**
 * The result vectors, and what they are compared with.
 */
vectors: Array<ResultVectorRow>, 
/**
 * The matches of the validation.
 */
validations: Array<ValidationRow>, 
/**
 * What they prove of the recommended vector, in a sentence.
 */
statement: string | null, 
/**
 * Games planned for each of them.
 */
games_each: number, };

export type ResultVectorRow = { 
/**
 * `efficiency`, `rating`, `value`, `centroid`; `initial` and `start` for what they are compared with.
 */
vector: string, 
/**
 * Whether it is the one that the run recommends.
 */
recommended: boolean, 
/**
 * Games or values that its score rests on.
 */
games: number, 
/**
 * What the method goes by.
 */
score: number | null, 
/**
 * Its components, in the order of the parameters.
 */
values: Array<number>, };

export type ValidationRow = { 
/**
 * The vector: `centroid`, `rating`, ….
 */
vector: string, 
/**
 * Whether it is the one that the run recommends.
 */
recommended: boolean, 
/**
 * What it played: `initial`, `start` or `origin`.
 */
against: string, 
/**
 * Plies of every move; none where plies are no limit.
 */
depth: number | null, 
/**
 * How much deeper than in tuning: plies, or doublings of nodes and time.
 */
deeper: number, 
/**
 * What a move may take: `depth 5`, `600 nodes`, `8+0.08`.
 */
limit: string, 
/**
 * Games with a result.
 */
games: number, 
/**
 * Of which won.
 */
wins: number, 
/**
 * Drawn.
 */
draws: number, 
/**
 * Lost.
 */
losses: number, 
/**
 * Elo over the opponent; none where all games were won or lost.
 */
elo: number | null, 
/**
 * Half the width of the 95 % interval.
 */
error: number | null, 
/**
 * The lower end of that interval; none where it has none.
 */
low: number | null, 
/**
 * The upper end.
 */
high: number | null, 
/**
 * The log-likelihood ratio of the sequential test, where one decides.
 */
llr: number | null, 
/**
 * `H0` or `H1`, once that test has decided.
 */
decision: string | null, 
/**
 * What the interval proves, or the test where there is one.
 */
verdict: Verdict, };

export type Verdict = "gain proven" | "loss proven" | "nothing proven" | "not played";

export type Importance = { 
/**
 * Games between different vectors that were looked at.
 */
games: number, 
/**
 * Every free parameter, the one that is worth most first.
 */
parameters: Array<ParameterRow>, 
/**
 * What to make of it, in sentences.
 */
statements: Array<string>, 
/**
 * What the errors of the values are.
 */
uncertainty: string | null, };

export type ParameterRow = { 
/**
 * Its name.
 */
parameter: string, 
/**
 * Where tuning started.
 */
before: number, 
/**
 * What is recommended.
 */
after: number, 
/**
 * Half the width of a 95 % interval around that; what it says depends on the method.
 */
error: number | null, 
/**
 * The smallest value allowed.
 */
min: number, 
/**
 * The largest.
 */
max: number, 
/**
 * Whether it ended at one of the two.
 */
at_bound: boolean, 
/**
 * The smallest value that played.
 */
tried_min: number | null, 
/**
 * The largest.
 */
tried_max: number | null, 
/**
 * From the worst to the best of the values that played, in Elo.
 */
elo: number | null, 
/**
 * Half the width of its 95 % interval, whatever the two values are.
 */
elo_error: number | null, 
/**
 * What the way from before to after is worth, in Elo.
 */
gain: number | null, 
/**
 * Half the width of its 95 % interval.
 */
gain_error: number | null, 
/**
 * Whether it matters; none where the run has no games between different vectors.
 */
effect: Effect | null, };

export type Effect = "matters" | "does not matter" | "unknown";

export type MatchView = { terminations: Array<TerminationRow>, 
/**
 * Of the first of two players, after some games.
 */
course: Array<MatchPoint>, 
/**
 * Games with a result that count.
 */
games: number, 
/**
 * Games without one.
 */
unscored: number, 
/**
 * In the order in which they entered.
 */
players: Array<PlayerRow>, 
/**
 * Indices of the players in the order of points a game.
 */
ranking: Array<number>, 
/**
 * `against[a][b]`: the games of `a` with `b`, as `a` sees them: wins, draws, losses.
 */
against: Array<Array<[number, number, number]>>, 
/**
 * Whether two games with one opening are one observation.
 */
paired: boolean, 
/**
 * What the games of the first of two players prove, in a sentence; none where a sequential test says it.
 */
statement: string | null, 
/**
 * The sequential test, where there is one.
 */
sprt: SprtRow | null, };

export type PlayerRow = { 
/**
 * What it is called.
 */
name: string, 
/**
 * Games won.
 */
wins: number, 
/**
 * Drawn.
 */
draws: number, 
/**
 * Lost.
 */
losses: number, 
/**
 * A draw is half of one.
 */
points: number, 
/**
 * Against its field; none where all games were won or lost.
 */
elo: number | null, 
/**
 * Half the width of the 95 % interval.
 */
error: number | null, 
/**
 * The lower end of that interval; none where it has none.
 */
low: number | null, 
/**
 * The upper end.
 */
high: number | null, 
/**
 * Elo in units of the noise of a game; none from a handful of games.
 */
normalised_elo: number | null, 
/**
 * Half the width of its 95 % interval.
 */
normalised_error: number | null, 
/**
 * The chance that it is stronger at all; none from a handful of games.
 */
los: number | null, 
/**
 * Draws of all its games; none without games.
 */
draw_ratio: number | null, 
/**
 * Its pairs with 0, ½, 1, 1½ and 2 points, where games come in pairs.
 */
pentanomial: [number, number, number, number, number] | null, 
/**
 * Its games with White: wins, draws, losses.
 */
white: [number, number, number], 
/**
 * Its misbehaviours: crashes, silences, illegal moves, fallen flags.
 */
faults: number, 
/**
 * The same by kind: `crash`, `hang`, `illegal-move`, `time-loss`, ….
 */
fault_kinds: { [key in string]: number }, };

export type SprtRow = { 
/**
 * The lower hypothesis.
 */
elo0: number, 
/**
 * The upper one.
 */
elo1: number, 
/**
 * The chance of accepting the upper one by mistake.
 */
alpha: number, 
/**
 * The chance of accepting the lower one by mistake.
 */
beta: number, 
/**
 * What the hypotheses are about: `normalised`, `logistic` or `bayesian`.
 */
model: string, 
/**
 * The log-likelihood ratio.
 */
llr: number, 
/**
 * At or below this the lower hypothesis is accepted.
 */
lower: number, 
/**
 * At or above this the upper one is.
 */
upper: number, 
/**
 * `H0` or `H1`, once it is decided.
 */
decision: string | null, };

export type TerminationRow = { 
/**
 * The termination.
 */
termination: string, 
/**
 * Games that ended so.
 */
games: number, };

export type MatchPoint = { 
/**
 * Games counted.
 */
games: number, 
/**
 * Of the first player against the second.
 */
elo: number | null, 
/**
 * Half the width of the 95 % interval.
 */
error: number | null, 
/**
 * The lower end of that interval; none where it has none.
 */
low: number | null, 
/**
 * The upper end.
 */
high: number | null, 
/**
 * The log-likelihood ratio of the test.
 */
llr: number | null, };

export type RunPart = "tuning" | "validation";

export type RunGames = { 
/**
 * By number, the lowest first.
 */
games: Array<GameRow>, 
/**
 * How many games there are that pass the filter.
 */
total: number, };

export type GameRow = { 
/**
 * Its number in the run.
 */
number: number, 
/**
 * The round of a match, the generation of a tuning run.
 */
round: number, 
/**
 * Who had White.
 */
white: string, 
/**
 * Who had Black.
 */
black: string, 
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string, 
/**
 * Why it ended.
 */
termination: string, 
/**
 * The name of its opening.
 */
opening: string, 
/**
 * Half-moves, those of the opening included.
 */
plies: number, 
/**
 * How many of them the opening gave.
 */
given: number, 
/**
 * What its clocks were multiplied by, where a machine of another speed played it.
 */
clock_scale: number | null, };

export type Replay = { 
/**
 * The start as FEN.
 */
start: string, moves: Array<ReplayPly>, 
/**
 * What cannot be read of it.
 */
problem: string | null, pgn: string, 
/**
 * Its number in the run.
 */
number: number, 
/**
 * The round of a match, the generation of a tuning run.
 */
round: number, 
/**
 * Who had White.
 */
white: string, 
/**
 * Who had Black.
 */
black: string, 
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string, 
/**
 * Why it ended.
 */
termination: string, 
/**
 * The name of its opening.
 */
opening: string, 
/**
 * Half-moves, those of the opening included.
 */
plies: number, 
/**
 * How many of them the opening gave.
 */
given: number, 
/**
 * What its clocks were multiplied by, where a machine of another speed played it.
 */
clock_scale: number | null, };

export type ReplayPly = { uci: string, san: string, fen: string, check: boolean, 
/**
 * What its player thought of it, from White's point of view.
 */
score: WhiteScore | null, depth: number | null, nodes: number | null, seconds: number | null, };

export type RunFaults = { 
/**
 * The first thousand.
 */
faults: Array<RunFault>, total: number, };

export type RunFault = { part: RunPart, 
/**
 * The number of the game.
 */
game: number, 
/**
 * Which attempt at the game, from 0.
 */
attempt: number, 
/**
 * Whose it was.
 */
player: string, 
/**
 * `crash`, `hang`, `illegal-move`, ….
 */
kind: string, 
/**
 * What was seen, in words.
 */
detail: string, };

export type Reproduction = { name: string, 
/**
 * The work that it is from.
 */
source: string, what: string, seeds: number, scale: number, steps: number, games: number, searches: number, 
/**
 * Processor hours on this machine, at this scale.
 */
cpu_hours: number, 
/**
 * `not begun`, `finished`, or how far it is.
 */
state: string, 
/**
 * What does not come with the program and is not here: such steps are left out.
 */
missing: Array<string>, };

export type NewReproduction = { 
/**
 * One of the directories that the server was started with; the first if nothing is said.
 */
directory?: string, 
/**
 * The experiment; none lists them, with what they would cost.
 */
name?: string, 
/**
 * What generations, games, rounds and positions are multiplied by; for what was begun, as it was begun.
 */
scale?: number, 
/**
 * Independent runs; as published if nothing is said.
 */
seeds?: number, };

export type Explorer = { 
/**
 * The moves, the most frequent first.
 */
moves: Array<ExplorerMove>, 
/**
 * Games that were counted, of the whole run.
 */
games: number, 
/**
 * Plies of each that were.
 */
plies: number, 
/**
 * Whether rare moves are missing because there are too many.
 */
is_cut: boolean, };

export type ExplorerMove = { games: number, 
/**
 * Won by White.
 */
white: number, draws: number, 
/**
 * Won by Black.
 */
black: number, 
/**
 * For programs.
 */
uci: string, 
/**
 * For people.
 */
san: string, };

export type ExplorerRequest = { 
/**
 * Where it begins; the usual start position if absent.
 */
fen?: string, 
/**
 * Moves from there, in UCI notation.
 */
moves?: Array<string>, 
/**
 * The games of tuning or of the validation.
 */
part?: RunPart, };

export type RunFile = { name: string, 
/**
 * What is in it.
 */
about: string, };

export type ComparedRun = { run: Run, convergence: Convergence | null, verification: Verification | null, contest: MatchView | null, };

export type NewRun = { 
/**
 * One of the directories that the server was started with; the first if nothing is said.
 */
directory?: string, preset: string, 
/**
 * The run's directory will have this name.
 */
name: string, 
/**
 * From 0 to 2^64 - 1. A text where it is above 2^53: numbers of a page end there.
 */
seed?: number | string, 
/**
 * Multiplies generations and games of the validation.
 */
scale?: number, };

export type NewMatch = { 
/**
 * One of the directories that the server was started with; the first if nothing is said.
 */
directory?: string, 
/**
 * The match's file will have this name.
 */
name: string, first: Seat, second: Seat, 
/**
 * Pairs of games: each opening is played twice, with colours exchanged.
 */
rounds: number, limit: MatchLimit, 
/**
 * A sequential test of these two hypotheses, in Elo, that may end the match early.
 */
sprt?: [number, number], 
/**
 * From 0 to 2^64 - 1. A text where it is above 2^53: numbers of a page end there.
 */
seed?: number | string, };

export type MatchLimit = { "clock": ClockSetting } | { "move-time": number } | { "nodes": number } | { "depth": number };

export type ResumeRequest = { 
/**
 * The programs of `GET /runs/ID/programs`, as they were shown to somebody who agreed to their being started.
 */
programs?: Array<string>, };

export type RunPreset = { name: string, about: string, };

export type RunPrograms = { programs: Array<string>, };

export type RunWorkers = { 
/**
 * The NATS server.
 */
address: string, 
/**
 * What the run is called there.
 */
run: string, 
/**
 * Who coordinates it; none if it is not being played there.
 */
coordinator: string | null, 
/**
 * Tasks that are issued and not answered.
 */
open: number, 
/**
 * Answers taken since the coordinator began.
 */
games: number, 
/**
 * Answers that were dropped.
 */
dropped: number, workers: Array<RunWorker>, };

export type RunWorker = { name: string, cores: number, 
/**
 * Games at once.
 */
threads: number, 
/**
 * `playing`, `paused`, `draining` or `gone`.
 */
state: 'playing' | 'paused' | 'draining' | 'gone', 
/**
 * Games of it that were taken.
 */
games: number, games_per_second: number, 
/**
 * Seconds since it was heard of; none if this coordinator never was.
 */
last_seen: number | null, 
/**
 * Spot checks that it has passed.
 */
checks: number, 
/**
 * Whether the coordinator believes it no more.
 */
is_shut_out: boolean, 
/**
 * Why it does not play for the run, or is not believed.
 */
refused: Array<string>, };

export type WorkerOrder = { worker: string, order: WorkerCommand, };

export type WorkerCommand = "drain" | "pause" | "resume" | "shut-out" | "let-in";
