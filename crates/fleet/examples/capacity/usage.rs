//! What processes and threads use, as Linux tells; zeros elsewhere.

use std::fs;
use std::path::Path;

/// Ticks of a second in `/proc`: the same on every Linux.
const TICKS: f64 = 100.0;

/// Of a process until now.
#[derive(Clone, Copy, Default)]
pub(crate) struct Usage {
    /// Bytes of memory that it holds.
    pub(crate) memory: u64,
    /// Seconds of processors.
    pub(crate) processor: f64,
}

impl Usage {
    pub(crate) fn of(process: u32) -> Usage {
        let folder = format!("/proc/{process}");
        let status = fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = resident.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        Usage {
            memory: kib.unwrap_or(0) << 10,
            processor: seconds(Path::new(&folder)),
        }
    }
}

/// Seconds of processors, from the `stat` of a process or a thread.
fn seconds(folder: &Path) -> f64 {
    let told = fs::read_to_string(folder.join("stat")).unwrap_or_default();
    // Behind the name, which may hold anything: the state is the third field, the times the 14th and 15th.
    let fields = told.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS
}

/// Seconds of processors of the threads of a coordinator: the one that commits, and the network's. A third one, which makes tasks and
/// looks at answers, ends with its list of games: what it used is the rest.
pub(crate) fn threads() -> [f64; 2] {
    let own = std::process::id().to_string();
    let mut sums = [0.0; 2];
    for entry in fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let name = fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        match name.trim() {
            _ if entry.file_name() == *own => sums[0] += seconds(&entry.path()),
            "nats" => sums[1] += seconds(&entry.path()),
            _ => {}
        }
    }
    sums
}
