//! Files that are written whole or not at all.
//!
//! The contents go to a temporary name in the same folder, are synced to the disk, and the file is renamed. Whatever
//! happens in between, a reader finds the old file or the new one. A failure leaves nothing behind; a process that was
//! killed leaves a file that ends in `.part`.

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

/// Removes what killed processes have left in a folder that nobody else is writing to.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == UNFINISHED) {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// The extension of a file in the making.
const UNFINISHED: &str = "part";

/// A file beside the one that it will replace.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let suffix = format!(".{UNFINISHED}");
    let mut builder = tempfile::Builder::new();
    builder.suffix(&suffix);
    #[cfg(unix)]
    {
        // Temporary files are private; this one becomes a file like any other (the mask still applies).
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
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
    fn what_killed_processes_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        let (left, _) = (
            temporary(&path).expect("made").keep().expect("kept"),
            write(&path, "a"),
        );
        assert_eq!(left.1.extension().expect("an extension"), UNFINISHED);
        remove_unfinished(folder.path()).expect("removed");
        assert!(path.exists() && !left.1.exists());
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
