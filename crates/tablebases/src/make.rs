//! Making a folder of tablebases, one ending after the other.
//!
//! A finished ending is a file; a run that is killed loses the ending in work and nothing else, and the next one goes
//! on from there. What is found is checked before it is believed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::ending::Ending;
use crate::generate::generate;
use crate::library::{EXTENSION, Library, OpenError, read};
use crate::tablebase::Tablebase;

/// What has become of an ending.
#[derive(Debug)]
pub enum Made {
    /// It is there and right: nothing was done.
    Found,
    /// It was made in that time.
    New(Duration),
    /// The file was damaged, as said, and has been made again in that time.
    Again(OpenError, Duration),
}

/// Why tablebases could not be made.
#[derive(Debug, Error)]
#[error("{}: {error}", path.display())]
pub struct MakeError {
    /// What was to be written.
    pub path: PathBuf,
    /// Why it could not be.
    pub error: io::Error,
}

/// The file of an ending in a folder.
pub fn file_of(folder: &Path, ending: Ending) -> PathBuf {
    folder.join(format!("{ending}.{EXTENSION}"))
}

/// The endings of up to that many pieces, in the order in which they are made.
pub fn endings(pieces: usize) -> impl Iterator<Item = Ending> {
    Ending::all()
        .iter()
        .copied()
        .filter(move |ending| ending.piece_count() <= pieces)
}

/// Makes the tablebases of all endings of up to `pieces` pieces and writes them into the folder, which is made if it is not there.
///
/// `tell` hears of each ending as it is done. When `stop` is set the result is `None`; all that is done stays.
pub fn make(
    folder: &Path,
    pieces: usize,
    stop: &AtomicBool,
    mut tell: impl FnMut(&Tablebase, Made),
) -> Result<Option<Library>, MakeError> {
    fs::create_dir_all(folder).map_err(|error| MakeError {
        path: folder.to_owned(),
        error,
    })?;
    let mut library = Library::empty();
    for ending in endings(pieces) {
        let path = file_of(folder, ending);
        let damage = match path.try_exists() {
            Ok(true) => match read(&path) {
                Ok(tablebase) => {
                    tell(&tablebase, Made::Found);
                    library.add(tablebase);
                    continue;
                }
                Err(error) => Some(error),
            },
            _ => None,
        };
        let begun = Instant::now();
        let Some(tablebase) = generate(ending, &library, stop) else {
            return Ok(None);
        };
        vidmar_files::write(&path, tablebase.to_bytes()).map_err(|error| MakeError { path, error })?;
        let time = begun.elapsed();
        tell(
            &tablebase,
            damage.map_or(Made::New(time), |damage| Made::Again(damage, time)),
        );
        library.add(tablebase);
    }
    Ok(Some(library))
}

/// Makes the tablebases of all endings of up to `pieces` pieces in memory only.
pub fn make_in_memory(pieces: usize) -> Library {
    let mut library = Library::empty();
    for ending in endings(pieces) {
        library.add(generate(ending, &library, &AtomicBool::new(false)).expect("nothing stops it"));
    }
    library
}
