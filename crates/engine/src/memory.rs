//! How much memory there is, and how much of it games may take.
//!
//! An allocation that fails can be told; one that succeeds and is paid for later, when pages are touched, ends in the
//! machine's stopping some process. So whoever plays many games at once holds the sum of what they ask for against
//! [`budget_mib`] before anything is allocated.

/// Whether there is memory for so many MiB at this moment.
pub fn room_for(mebibytes: usize) -> Result<(), String> {
    let mut trial: Vec<u8> = Vec::new();
    let bytes = mebibytes.checked_mul(1 << 20);
    let has_room = bytes.is_some_and(|bytes| trial.try_reserve_exact(bytes).is_ok());
    has_room
        .then_some(())
        .ok_or_else(|| format!("there is no memory for {mebibytes} MiB"))
}

/// Where nobody says how much memory there is.
const UNKNOWN_MIB: u64 = 4096;

/// What all games of this process together may take, in MiB: half of what the machine, its container or the limit of this
/// process (`ulimit -v`) has.
pub fn budget_mib() -> u64 {
    let known = [machine_mib(), container_mib(), process_mib()];
    let least = known.into_iter().flatten().min().unwrap_or(UNKNOWN_MIB);
    (least / 2).max(1)
}

/// What `/proc/meminfo` says, in kibibytes: `MemTotal:       16384000 kB`.
fn machine_mib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim_end().parse().ok()?;
    Some(kibibytes >> 10)
}

/// What a control group allows; `max` is no limit.
fn container_mib() -> Option<u64> {
    let text = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?;
    let bytes: u64 = text.trim().parse().ok()?;
    Some(bytes >> 20)
}

#[cfg(unix)]
fn process_mib() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::As).current.map(|bytes| bytes >> 20)
}

#[cfg(not(unix))]
fn process_mib() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_is_refused() {
        assert_eq!(room_for(1), Ok(()));
        for mebibytes in [usize::MAX, usize::MAX >> 20, 1 << 40] {
            let expected = format!("there is no memory for {mebibytes} MiB");
            assert_eq!(room_for(mebibytes), Err(expected));
        }
    }

    #[test]
    fn the_budget_is_below_what_the_machine_has() {
        let budget = budget_mib();
        assert!(budget >= 1);
        if let Some(machine) = machine_mib() {
            assert!(budget <= machine / 2, "{budget} of {machine}");
        }
    }
}
