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
        for _ in 0..ATTEMPTS {
            match file.try_lock() {
                Ok(()) => {
                    let number = format!("{}\n", std::process::id());
                    file.set_len(0).map_err(failed)?;
                    file.write_all(number.as_bytes()).map_err(failed)?;
                    return Ok(Lock { _file: file });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Err(StoreError::InUse {
            path: store.to_owned(),
            process: holder(store).filter(|&process| process != 0),
        })
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
