//! Whether the file that we write to is still the one under its name.
//!
//! An open file that was removed, replaced or moved away takes writes as before, and all of them are gone when it is closed: a
//! match would play to its end and lose every game. So the file's identity is looked at with every commit, and when
//! it is gone, all that it holds is written to a new file while the old one is still open.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::lock::beside;

/// A file as the system knows it, whatever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    #[cfg(unix)]
    file: (u64, u64),
}

impl Identity {
    /// Of the file that now has this name.
    pub(crate) fn of(path: &Path) -> Option<Identity> {
        let found = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            Some(Identity {
                file: (found.dev(), found.ino()),
            })
        }
        // Elsewhere a file cannot be removed while it is open.
        #[cfg(not(unix))]
        found.is_file().then_some(Identity {})
    }
}

/// Writes all that a connection holds to a new file, beside the lost one where that is possible; in the place of the one that was
/// written before, if one was.
pub(crate) fn rescue(connection: &Connection, lost: &Path, before: Option<&Path>) -> Option<PathBuf> {
    let name = lost.file_name()?;
    let folders = [
        lost.parent().map(Path::to_owned),
        std::env::current_dir().ok(),
        Some(std::env::temp_dir()),
    ];
    folders.into_iter().flatten().find_map(|folder| {
        let free = (1..1000)
            .map(|number| beside(&folder.join(name), &format!("-rescued-{number}")))
            .find(|path| !path.exists())?;
        let text = free.to_str()?;
        connection.execute("VACUUM INTO ?1", [text]).ok()?;
        match before {
            Some(before) if std::fs::rename(&free, before).is_ok() => Some(before.to_owned()),
            _ => Some(free),
        }
    })
}
