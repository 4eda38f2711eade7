//! Files that are written whole or not at all.
//!
//! The contents go to a temporary name in the same folder, are synced to the disk, and the file is renamed. Whatever
//! happens in between, a reader finds the old file or the new one. A failure leaves nothing behind; a process that was
//! killed leaves `.NAME.….part`, which whoever writes the file next removes. One that somebody is writing is locked and stays.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes a file with these contents, in place of one that is there.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    write_with(path, |file| file.write_all(contents.as_ref()))
}

/// The same for contents that are made piece by piece. If `fill` fails, nothing has changed.
pub fn write_with<E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut writer = BufWriter::new(temporary(path)?);
    fill(&mut writer)?;
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The end of the name of a file in the making.
const UNFINISHED: &str = ".part";

/// A file beside the one that it will replace, locked for as long as it is written.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let prefix = prefix(path);
    // What cannot be removed does no harm.
    let _ = remove_unfinished(folder, &prefix);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(UNFINISHED);
    #[cfg(unix)]
    {
        // Temporary files are private; this one becomes a file like any other (the mask still applies).
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        // Where there are no locks, nothing is removed either.
        let _ = file.as_file().lock();
        // Somebody else may have come before the lock.
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// How the names of files begin that are to become this one.
fn prefix(path: &Path) -> OsString {
    // Names have 255 bytes at the most.
    let name = path.file_name().filter(|name| name.len() <= 200);
    let mut prefix = OsString::from(".");
    prefix.push(name.unwrap_or_default());
    prefix.push(".");
    prefix
}

/// Removes what killed processes have left of a file.
fn remove_unfinished(folder: &Path, prefix: &OsStr) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if !(name.starts_with(prefix.as_encoded_bytes()) && name.ends_with(UNFINISHED.as_bytes())) {
            continue;
        }
        if !entry.file_type()?.is_file() {
            continue;
        }
        // Whoever is writing one holds its lock; whoever has just made one waits until this one is closed.
        let file = File::open(entry.path())?;
        if file.try_lock().is_ok() {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> usize {
        std::fs::read_dir(folder).expect("a folder").count()
    }

    #[test]
    fn the_new_file_takes_the_place_of_the_old_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        write(&path, "one").expect("written");
        write(&path, b"two").expect("written");
        assert_eq!(std::fs::read(&path).expect("there"), b"two");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        write(&path, "old").expect("written");
        let failed = write_with(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.expect_err("it fails").to_string(), "no more");
        assert_eq!(std::fs::read(&path).expect("there"), b"old");
        assert_eq!(entries(folder.path()), 1);
        assert!(write(&folder.path().join("nowhere/a.txt"), "").is_err());
    }

    #[test]
    fn the_next_writer_removes_what_a_killed_one_left_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        let (killed, left) = temporary(&path).expect("made").keep().expect("kept");
        drop(killed);
        let at_work = temporary(&path).expect("made");
        let others = ["a.txt.1.part", ".b.txt.1.part", ".a.txt.1.tmp"].map(|name| folder.path().join(name));
        for other in &others {
            std::fs::write(other, "").expect("written");
        }
        write(&path, "a").expect("written");
        assert!(!left.exists());
        assert!(at_work.path().exists() && others.iter().all(|other| other.exists()));
        at_work.persist(&path).expect("still there");
        let long = folder.path().join("a".repeat(255));
        write(&long, "a").expect("as long as names may be");
        assert_eq!(std::fs::read(&path).expect("there"), b"");
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_it_as_any_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let mode = |path: &Path| path.metadata().expect("there").permissions().mode();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write(&ours, "").expect("written");
        std::fs::write(&plain, "").expect("written");
        assert_eq!(mode(&ours), mode(&plain));
    }
}
