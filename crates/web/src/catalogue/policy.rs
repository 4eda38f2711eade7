//! What a player of the page may use of this machine, where that is less than what the player itself takes: many play at once,
//! and a number that the page sends must be one that it can write.

use std::thread::available_parallelism;
use std::time::Duration;

use vidmar_engine::settings::{Kind, Setting};

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
