//! The processor time of children that nobody has waited for yet, as Linux tells it in `/proc`.
//!
//! The system adds a child's time to its parent's when the parent waits for it. An engine that plays a hundred games is waited for
//! once, at the end: until then its time is in its own `stat`, with that of the children that it has waited for itself.

use std::fs;
use std::time::Duration;

/// The unit of times in `stat`: a hundredth of a second on every Linux that Rust knows.
const TICK: Duration = Duration::from_millis(10);

/// Whether the system tells of children: a kernel may be built without these lists.
pub(crate) fn are_told() -> bool {
    fs::read("/proc/thread-self/children").is_ok()
}

/// What children that go on, and theirs, have used until now.
pub(crate) fn live_children() -> Duration {
    descendants("self").iter().map(|process| used(process)).sum()
}

/// The children of a process, and theirs. One that ends meanwhile is left out.
fn descendants(process: &str) -> Vec<String> {
    let mut found = children(process);
    let mut next = 0;
    while let Some(process) = found.get(next) {
        let more = children(process);
        found.extend(more);
        next += 1;
    }
    found
}

/// Every thread has a list of the children that it has started.
fn children(process: &str) -> Vec<String> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    let lists = threads.flatten().filter_map(|thread| {
        let list = fs::read_to_string(thread.path().join("children")).ok()?;
        Some(list.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    });
    lists.flatten().collect()
}

/// What a process has used, and the children that it has waited for.
fn used(process: &str) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    TICK.saturating_mul(ticks(&stat).unwrap_or(0))
}

/// Fields 14 to 17: `utime`, `stime`, `cutime`, `cstime`. The second field, the name in parentheses, may hold anything.
fn ticks(stat: &str) -> Option<u32> {
    let (_, fields) = stat.rsplit_once(')')?;
    let times: Vec<u64> = fields
        .split_whitespace()
        .skip(11)
        .take(4)
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    u32::try_from(times.iter().sum::<u64>()).ok()
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn a_name_may_hold_anything() {
        let stat = "123 (an (engine) 9 9) S 1 2 3 0 -1 4194560 5 6 7 8 10 20 30 40 20 0 1 0 99";
        assert_eq!(ticks(stat), Some(100));
        assert_eq!(ticks(""), None);
        assert_eq!(ticks("1 (sh) S 1"), Some(0));
    }
}
