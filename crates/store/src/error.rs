//! What can go wrong with a store, and what that means for the games in it.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// A store could not be opened, read or written. Whatever was committed before is still there in every case but
/// [`Damaged`](StoreError::Damaged).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StoreError {
    /// The file cannot be opened.
    #[error("cannot open {path}: {reason}", path = path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// There is such a file, but it is something else.
    #[error("{path} is not a store of games", path = path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// Written by a newer version of this program.
    #[error("{path} is a store of version {found}; this program reads and writes version {known}", path = path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// Another process writes to it.
    #[error("{path} is in use by {}", process.map_or("another process".to_owned(), |number| format!("process {number}")), path = path.display())]
    InUse {
        /// The file.
        path: PathBuf,
        /// The process, where it says who it is.
        process: Option<u32>,
    },
    /// The file was removed or replaced while it was being written to.
    #[error(
        "{path} was removed or replaced while it was being written to; {}",
        rescued.as_ref().map_or("what it held could not be saved".to_owned(), |new| format!("all that it held is in {}", new.display())),
        path = path.display()
    )]
    Gone {
        /// The file.
        path: PathBuf,
        /// Where all that it held is now.
        rescued: Option<PathBuf>,
    },
    /// Another program holds it locked for too long.
    #[error("{path} is locked by another program", path = path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// No room is left.
    #[error("no room is left for {path}; what was committed before is safe", path = path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The file may not be written.
    #[error("{path} may not be written to", path = path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The contents make no sense.
    #[error("{path} is damaged: {detail}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// A run that is not there.
    #[error("{path} has no run {run}", path = path.display())]
    NoSuchRun {
        /// The file.
        path: PathBuf,
        /// The number asked for.
        run: i64,
    },
    /// A number that is taken.
    #[error("run {run} has {what} already")]
    Taken {
        /// The run.
        run: i64,
        /// What is there: "game 7", "player 2".
        what: String,
    },
    /// A number beyond what the file can hold.
    #[error("{0} is too large for a store")]
    TooLarge(u64),
    /// The system failed to read or write.
    #[error("cannot read or write {path}: {detail}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The writing thread has ended.
    #[error("the store is closed")]
    Closed,
}

/// What an error of SQLite means for this file.
pub(crate) fn explain(path: &Path, error: &rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    let detail = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => StoreError::NotAStore { path },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked { path },
        Some(ErrorCode::DiskFull) => StoreError::Full { path },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::ReadOnly { path },
        // None: a column of the wrong type, a text that is none; not what this crate writes.
        Some(ErrorCode::DatabaseCorrupt) | None => StoreError::Damaged { path, detail },
        Some(ErrorCode::CannotOpen) => StoreError::Open { path, reason: detail },
        Some(_) => StoreError::Io { path, detail },
    }
}

/// Whether a row was refused because its key is taken.
pub(crate) fn is_taken(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}
