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
 * What holds if nothing is chosen; null where that is "no limit".
 */
default?: OptionSetting | null, };

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

export type Run = { id: string, name: string, 
/**
 * The directory that the server was started with, by name.
 */
directory: string, kind: RunKind, state: RunState, 
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
games: number, planned_games: number | null, 
/**
 * Games of a tuning run's proof.
 */
proof_games: number, 
/**
 * The last whole generation.
 */
generation: number | null, generations: number | null, 
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
begun: number, faults: number, 
/**
 * What it is, in some words: the method, or the players.
 */
about: string, 
/**
 * What is wrong with it.
 */
problem: string | null, };

export type RunKind = "tuning" | "match";

export type RunState = "running" | "paused" | "crashed" | "finished" | "unreadable";

export type RunPhase = "tuning" | "proof" | "done";

export type RunList = { runs: Array<Run>, 
/**
 * Directories, by name, in which a run can begin.
 */
directories: Array<string>, presets: Array<RunPreset>, };

export type RunDetail = { run: Run, settings: Array<RunSetting>, contest: MatchTable | null, };

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
 * The highest score that was handed over until then.
 */
champion: Array<number | null>, 
/**
 * What the best of the generation has scored in all games of the run.
 */
best_again: Array<number | null>, best_again_games: Array<number | null>, 
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
total: number, rows: Array<RunVector>, };

export type RunVector = { 
/**
 * Its number among the players of the run, if it has played.
 */
player: number | null, 
/**
 * What the method goes by, and how many games or values that rests on.
 */
score: number | null, score_games: number, 
/**
 * Its rating from all games of the run, with half the 95 % interval.
 */
elo: number | null, error: number | null, 
/**
 * All its games and points.
 */
games: number, points: number, values: Array<number>, };

export type Verification = { 
/**
 * The names of the values.
 */
parameters: Array<string>, 
/**
 * Where tuning started.
 */
start: Array<number>, 
/**
 * The vectors that it hands over.
 */
handed: Array<HandedVector>, 
/**
 * The matches of the proof.
 */
proofs: Array<ProofMatch>, 
/**
 * Games planned for each of them.
 */
games_each: number, };

export type HandedVector = { 
/**
 * `efficiency`, `rating`, `value`, `centroid`; `initial` and `start` for what they are compared with.
 */
name: string, recommended: boolean, score: number | null, games: number, values: Array<number>, };

export type ProofMatch = { vector: string, recommended: boolean, against: string, depth: number, games: number, wins: number, draws: number, losses: number, elo: number | null, 
/**
 * Half the width of the 95 % interval.
 */
error: number | null, 
/**
 * `better`, `worse`, `no difference is proven` or `nothing is known`.
 */
verdict: string, };

export type MatchTable = { 
/**
 * In the order in which they entered.
 */
players: Array<MatchPlayer>, 
/**
 * Places in the order of points a game.
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
 * Games with a result that count.
 */
scored: number, 
/**
 * Games without one.
 */
unscored: number, sprt: MatchTest | null, terminations: Array<MatchTermination>, 
/**
 * Of the first of two players, after some games.
 */
course: Array<MatchMoment>, };

export type MatchPlayer = { name: string, wins: number, draws: number, losses: number, points: number, 
/**
 * Against its field; none where all games were won or lost.
 */
elo: number | null, 
/**
 * Half the width of the 95 % interval.
 */
error: number | null, normalised_elo: number | null, normalised_error: number | null, 
/**
 * The chance that it is stronger at all.
 */
los: number | null, 
/**
 * Its pairs with 0, ½, 1, 1½ and 2 points.
 */
pentanomial: [number, number, number, number, number] | null, 
/**
 * Its games with White: wins, draws, losses.
 */
white: [number, number, number], faults: number, };

export type MatchTest = { elo0: number, elo1: number, alpha: number, beta: number, model: string, llr: number, lower: number, upper: number, 
/**
 * `H0` or `H1`, once it is decided.
 */
decision: string | null, };

export type MatchTermination = { how: string, games: number, };

export type MatchMoment = { games: number, elo: number | null, error: number | null, llr: number | null, };

export type RunPart = "tuning" | "proof";

export type RunGames = { 
/**
 * By number, the lowest first.
 */
games: Array<RunGame>, 
/**
 * How many games there are that pass the filter.
 */
total: number, };

export type RunGame = { number: number, 
/**
 * The round of a match, the generation of a tuning run.
 */
round: number, white: string, black: string, result: string, termination: string, opening: string, plies: number, };

export type Replay = { number: number, round: number, white: string, black: string, result: string, termination: string, opening: string, 
/**
 * The start as FEN.
 */
start: string, 
/**
 * How many plies the opening gave.
 */
given: number, plies: Array<ReplayPly>, 
/**
 * What cannot be read of it.
 */
problem: string | null, pgn: string, };

export type ReplayPly = { uci: string, san: string, fen: string, check: boolean, 
/**
 * For White, in hundredths of a pawn.
 */
cp: number | null, 
/**
 * Mate in so many moves, negative if Black mates.
 */
mate: number | null, depth: number | null, nodes: number | null, seconds: number | null, };

export type RunFaults = { 
/**
 * The first thousand.
 */
faults: Array<RunFault>, total: number, };

export type RunFault = { part: RunPart, game: number, attempt: number, player: string, kind: string, detail: string, };

export type RunFile = { name: string, 
/**
 * What is in it.
 */
about: string, };

export type ComparedRun = { run: Run, convergence: Convergence | null, verification: Verification | null, contest: MatchTable | null, };

export type NewRun = { 
/**
 * One of the directories that the server was started with; the first if nothing is said.
 */
directory?: string, preset: string, 
/**
 * The run's directory will have this name.
 */
name: string, seed?: number, 
/**
 * Multiplies generations and games of the proof.
 */
scale?: number, };

export type RunPreset = { name: string, about: string, };
