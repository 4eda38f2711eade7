//! One writing process at a time.
//!
//! SQLite lets writers take turns, which is right for banks and wrong here: two processes that go on with the same match
//! would play every game twice. The lock is held on a small file beside the store (`FILE-lock`), because closing any
//! handle of the store itself would drop SQLite's own locks on it. The system releases it when the process ends,
//! however it ends; the small file may stay behind and means nothing.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// Held as long as this lives.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    pub(crate) fn take(store: &Path) -> Result<Lock, StoreError> {
        let mut name = store.as_os_str().to_owned();
        name.push("-lock");
        let path = PathBuf::from(name);
        let failed = |reason: std::io::Error| StoreError::Open {
            path: store.to_owned(),
            reason: reason.to_string(),
        };
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse {
                path: store.to_owned(),
            }),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}
