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
