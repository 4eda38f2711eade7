//! One writing process at a time.
//!
//! SQLite lets writers take turns, which is right for banks and wrong here: two processes that go on with the same match
//! would play every game twice. The lock is held on a small file beside the store (`FILE-lock`), because closing any
//! handle of the store itself would drop SQLite's own locks on it. The system releases it when the process ends,
//! however it ends; the small file may stay behind and means nothing. While it is locked, it holds the number of the
//! process that locked it.
//!
//! Whoever wants to know whether somebody writes has to try the lock too, for an instant and shared; so who wants to
//! write asks a few times before it gives up.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::StoreError;

/// Onlookers hold the lock for microseconds.
const ATTEMPTS: u32 = 20;
/// Who takes it says who it is at once, as soon as a busy machine lets it; who never does is not ours.
const MOST_ATTEMPTS: u32 = 400;
const PAUSE: Duration = Duration::from_millis(5);

/// Held as long as this lives.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    pub(crate) fn take(store: &Path) -> Result<Lock, StoreError> {
        let failed = |reason: std::io::Error| StoreError::Open {
            path: store.to_owned(),
            reason: reason.to_string(),
        };
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(lock_file(store))
            .map_err(failed)?;
        for attempt in 1..=MOST_ATTEMPTS {
            match file.try_lock() {
                Ok(()) => {
                    let number = format!("{}\n", std::process::id());
                    file.set_len(0).map_err(failed)?;
                    file.write_all(number.as_bytes()).map_err(failed)?;
                    return Ok(Lock { _file: file });
                }
                Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => {}
                // None has let it go meanwhile, 0 has not said yet who it is.
                Err(TryLockError::WouldBlock) => match holder(store) {
                    None | Some(0) => {}
                    process => return Err(in_use(store, process)),
                },
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            std::thread::sleep(PAUSE);
        }
        Err(in_use(store, None))
    }
}

fn in_use(store: &Path, process: Option<u32>) -> StoreError {
    StoreError::InUse {
        path: store.to_owned(),
        process,
    }
}

/// The process that writes to a store at this moment, if there is one and it says who it is (0 if it does not).
pub(crate) fn holder(store: &Path) -> Option<u32> {
    let mut file = File::open(lock_file(store)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let read = file.read_to_string(&mut text);
            Some(read.ok().and_then(|_| text.trim().parse().ok()).unwrap_or(0))
        }
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

fn lock_file(store: &Path) -> PathBuf {
    beside(store, "-lock")
}

/// The file with that ending beside a store.
pub(crate) fn beside(store: &Path, ending: &str) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a busy machine there may be a while between taking the lock and saying who has it.
    #[test]
    fn who_comes_second_is_told_who_came_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("games.db");
        let mut first = File::create(lock_file(&store)).unwrap();
        first.try_lock().unwrap();
        let second = std::thread::scope(|scope| {
            let second = scope.spawn(|| Lock::take(&store));
            std::thread::sleep(3 * ATTEMPTS * PAUSE);
            first.write_all(b"4711\n").unwrap();
            second.join().unwrap()
        });
        assert!(
            matches!(
                second,
                Err(StoreError::InUse {
                    process: Some(4711),
                    ..
                })
            ),
            "{second:?}"
        );
        drop(first);
        assert!(Lock::take(&store).is_ok());
    }
}
