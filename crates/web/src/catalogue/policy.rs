//! What a player of the page may use of this machine, where that is less than what the player itself takes: many play at once,
//! and a number that the page sends must be one that it can write.

use std::thread::available_parallelism;
use std::time::Duration;

use vidmar_engine::settings::{Kind, Setting, Value};
use vidmar_players::PlayerSpec;

/// The longest thought for a move.
pub(crate) const LONGEST_THOUGHT: Duration = Duration::from_mins(1);
/// The largest whole number that every page writes exactly: 2^53 - 1.
const LARGEST_INTEGER: i64 = (1 << 53) - 1;

/// The most that the page allows for a setting, by key; nothing is said of the others.
fn cap(key: &str) -> i64 {
    match key {
        "threads" => available_parallelism().map_or(1, |number| number.get() as i64),
        "hash" | "table-mib" => 256,
        "nodes" => 1_000_000_000,
        "movetime" => LONGEST_THOUGHT.as_millis() as i64,
        "multipv" => 5,
        "k" | "chromosomes" => 100,
        "generations" => 100_000,
        _ => LARGEST_INTEGER,
    }
}

/// What a player takes besides its tables and files: histories, a stack. A program is counted with what engines usually
/// take.
const PLAYER_MIB: u64 = 4;
const PROGRAM_MIB: u64 = 64;

/// The settings that are sizes of tables, in MiB.
const TABLES: [&str; 2] = ["hash", "table-mib"];

/// The setting in which a player names another that it is made of.
const THEN: &str = "then";

/// What a player will take of the machine's memory, in MiB: its tables, the files that it reads, and itself.
pub(super) fn memory_mib(spec: &PlayerSpec) -> u64 {
    let player = spec.player_type();
    if player.is_program() {
        return PROGRAM_MIB;
    }
    let taken = player
        .all_settings()
        .map(|row| match (&row.kind, spec.value(&row.key)) {
            (Kind::Integer { .. }, Some(Value::Integer(mib))) if TABLES.contains(&&*row.key) => {
                mib.unsigned_abs()
            }
            (Kind::Path, Some(Value::Text(file))) => {
                let bytes = std::fs::metadata(file).map_or(0, |data| data.len());
                bytes.div_ceil(1 << 20)
            }
            (_, Some(Value::Text(other))) if row.key == THEN => {
                let other: Option<PlayerSpec> = other.parse().ok();
                other.map_or(0, |other| memory_mib(&other))
            }
            _ => 0,
        });
    taken.fold(PLAYER_MIB, u64::saturating_add)
}

/// The setting as the page offers it, and the player's own limit where that is larger.
pub(super) fn capped(setting: &Setting) -> (Setting, Option<i64>) {
    let mut capped = setting.clone();
    let mut beyond = None;
    if let Kind::Integer { min, max, .. } = &mut capped.kind {
        let most = cap(&setting.key).max(*min);
        if most < *max {
            beyond = Some(*max);
            *max = most;
        }
    }
    (capped, beyond)
}
