//! Files of a step: JSON that is written whole, and lists that grow by a line.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ReproduceError;

pub(crate) fn failed(path: &Path, reason: io::Error) -> ReproduceError {
    ReproduceError::Io {
        path: path.to_owned(),
        reason,
    }
}

fn damaged(path: &Path, reason: &impl ToString) -> ReproduceError {
    ReproduceError::Damaged {
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}

pub(crate) fn make_folder(folder: &Path) -> Result<(), ReproduceError> {
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))
}

/// What a file holds; none where there is none.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ReproduceError> {
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| damaged(path, &error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, error)),
    }
}

pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), ReproduceError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| damaged(path, &error))?;
    vidmar_files::write(path, text + "\n").map_err(|error| failed(path, error))
}

/// A list that grows by a line, each on the disk before the next is worked on. A line that a kill has cut off is taken back.
pub(crate) struct Lines {
    file: File,
}

impl Lines {
    /// What the list holds.
    pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, ReproduceError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(path, error)),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines = whole.lines();
        lines
            .map(|line| serde_json::from_str(line).map_err(|error| damaged(path, &error)))
            .collect()
    }

    /// Opens it to go on.
    pub(crate) fn open(path: &Path) -> Result<Lines, ReproduceError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let open = || -> io::Result<File> {
            let mut file = options.open(path)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let whole = bytes
                .iter()
                .rposition(|&byte| byte == b'\n')
                .map_or(0, |end| end + 1);
            file.set_len(whole as u64)?;
            drop(file);
            OpenOptions::new().append(true).open(path)
        };
        Ok(Lines {
            file: open().map_err(|error| failed(path, error))?,
        })
    }

    /// Adds a line.
    pub(crate) fn add(&mut self, path: &Path, value: &impl Serialize) -> Result<(), ReproduceError> {
        let mut line = serde_json::to_vec(value).map_err(|error| damaged(path, &error))?;
        line.push(b'\n');
        self.file
            .write_all(&line)
            .and_then(|()| self.file.sync_data())
            .map_err(|error| failed(path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_off_is_taken_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list");
        std::fs::write(&path, "1\n2\n3").expect("written");
        assert_eq!(Lines::read::<u32>(&path).expect("two"), [1, 2]);
        Lines::open(&path).expect("opened").add(&path, &4).expect("added");
        assert_eq!(Lines::read::<u32>(&path).expect("three"), [1, 2, 4]);
    }
}
