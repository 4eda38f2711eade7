//! A log of what is said to engines and what they say, line by line with the time, for whoever looks for a fault.
//!
//! Every line is with the system when it is written, so that a run that is killed leaves all of it. A file that has grown to its
//! limit is renamed to `FILE.1`, in the place of an older one, and begun again: the last lines are always there, and the two
//! together are never larger than twice the limit. A log that cannot be written any more ends; it never ends a game.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A log that several may write to.
#[derive(Clone)]
pub struct Log(Arc<Shared>);

struct Shared {
    path: PathBuf,
    limit: u64,
    /// None once writing has failed.
    file: Mutex<Option<Open>>,
}

struct Open {
    file: File,
    bytes: u64,
}

/// The log of one engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineLog {
    /// Where it is written.
    pub log: Log,
    /// What the engine is called there.
    pub name: String,
}

impl Log {
    /// Opens a file, behind what it holds or instead of it; it grows to so many bytes.
    pub fn open(path: &Path, appends: bool, limit: u64) -> io::Result<Log> {
        let mut options = OpenOptions::new();
        let file = if appends {
            options.append(true)
        } else {
            options.write(true).truncate(true)
        }
        .create(true)
        .open(path)?;
        let bytes = file.metadata()?.len();
        Ok(Log(Arc::new(Shared {
            path: path.to_owned(),
            limit,
            file: Mutex::new(Some(Open { file, bytes })),
        })))
    }

    /// Writes a line of now.
    pub fn note(&self, text: impl fmt::Display) {
        self.write(Duration::ZERO, text);
    }

    /// Writes a line of some time ago.
    fn write(&self, ago: Duration, text: impl fmt::Display) {
        let line = format!("[{}] {text}\n", clock(ago));
        let mut open = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        *open = open.take().and_then(|open| self.0.append(open, &line).ok());
    }
}

impl Shared {
    fn append(&self, mut open: Open, line: &str) -> io::Result<Open> {
        if open.bytes > 0 && open.bytes + line.len() as u64 > self.limit {
            let mut older = self.path.clone().into_os_string();
            older.push(".1");
            std::fs::rename(&self.path, older)?;
            open.file = File::create(&self.path)?;
            open.bytes = 0;
        }
        open.file.write_all(line.as_bytes())?;
        open.bytes += line.len() as u64;
        Ok(open)
    }
}

/// The time of day so long ago, UTC.
fn clock(ago: Duration) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let then = now.saturating_sub(ago);
    let seconds = then.as_secs() % 86_400;
    format!(
        "{:02}:{:02}:{:02}.{:06}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        then.subsec_micros()
    )
}

impl EngineLog {
    /// Lines that are sent to its process.
    pub(super) fn sent(&self, process: u32, text: &str) {
        for line in text.lines() {
            self.log
                .note(format_args!("<{process}> {} ---> {line}", self.name));
        }
    }

    /// A line that came from it at that time.
    pub(super) fn heard(&self, process: u32, at: Instant, line: &str) {
        let text = format_args!("<{process}> {} <--- {line}", self.name);
        self.log.write(at.elapsed(), text);
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Log").field(&self.0.path).finish()
    }
}

impl PartialEq for Log {
    fn eq(&self, other: &Log) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Log {}

#[cfg(test)]
mod tests {
    use super::*;

    /// All lines of a file, without their times.
    fn lines(path: &Path) -> Vec<String> {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| line[18..].to_owned()).collect()
    }

    #[test]
    fn a_log_has_an_end_and_its_last_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engines.log");
        std::fs::write(&path, "before\n").unwrap();
        let log = Log::open(&path, false, 200).unwrap();
        for number in 0..100 {
            log.note(format_args!("line {number:02}"));
            assert!(std::fs::metadata(&path).unwrap().len() <= 200);
        }
        let older = lines(&folder.path().join("engines.log.1"));
        let all: Vec<String> = older.into_iter().chain(lines(&path)).collect();
        let expected: Vec<String> = (100 - all.len()..100)
            .map(|number| format!("line {number:02}"))
            .collect();
        assert_eq!(all, expected);
        assert!(all.len() >= 8, "{all:?}");
    }

    #[test]
    fn a_log_is_appended_to_where_that_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.log");
        for appends in [true, true, false] {
            Log::open(&path, appends, 1000).unwrap().note("one");
        }
        assert_eq!(lines(&path), ["one"]);
        Log::open(&path, true, 1000).unwrap().note("two");
        assert_eq!(lines(&path), ["one", "two"]);
        assert!(Log::open(folder.path(), true, 1000).is_err());
    }
}
