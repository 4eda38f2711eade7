//! Deleting a run: its directory, or the file of a match, with all its games.
//!
//! Only what the library found below the given directories can be named. A run that goes on or waits, a directory that holds
//! other runs or was itself given to the server, and a file with several matches are left alone, each with its reason. A
//! directory is renamed before it is emptied: whatever happens then, no half of a run is left that looks like a run.

use std::io;
use std::path::Path;

use axum::extract::{Path as Named, State};
use axum::http::StatusCode;

use super::library::{Entry, Kind, Library, lock};
use super::long;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// `DELETE /runs/{id}`
pub(super) async fn remove(State(server): State<Server>, Named(id): Named<String>) -> ApiResult<StatusCode> {
    long(server, move |library| {
        let entry = library.find(&id)?;
        let _turn = lock(&entry.control);
        library.queue.remove(&entry);
        if entry.goes_on() {
            let message = "this run goes on: stop it first";
            return Err(ApiError::conflict("running", message));
        }
        let removed = match &entry.kind {
            Kind::Tuning(tuning) => {
                check_alone(library, &entry, &tuning.directory)?;
                remove_directory(&tuning.directory)
            }
            Kind::Match(contest) => {
                check_only(library, &entry)?;
                remove_store(&contest.store).and_then(|()| remove_if_there(&entry.notes_file()))
            }
        };
        library.forget(&entry);
        removed
            .map_err(|error| ApiError::conflict("cannot-delete", entry.without_paths(&error.to_string())))?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// A directory that is more than this run is not deleted.
fn check_alone(library: &Library, entry: &Entry, directory: &Path) -> ApiResult<()> {
    if library.is_given(directory) {
        let message = "the server was started with this directory: delete it where it lies";
        return Err(ApiError::conflict("given-directory", message));
    }
    let others = library.list();
    let within = others
        .iter()
        .find(|other| other.id != entry.id && other.store().starts_with(directory));
    match within {
        Some(other) => {
            let message = format!(
                "'{}' lies in the directory of this run: delete it first",
                other.name
            );
            Err(ApiError::conflict("holds-others", message))
        }
        None => Ok(()),
    }
}

/// A file with several matches is not deleted for the sake of one.
fn check_only(library: &Library, entry: &Entry) -> ApiResult<()> {
    let all = library.list();
    let matches = all.iter().filter(|other| other.store() == entry.store()).count();
    if matches <= 1 {
        return Ok(());
    }
    let message = format!("the file of this match holds {matches} matches: delete the file where it lies");
    Err(ApiError::conflict("holds-others", message))
}

fn remove_directory(directory: &Path) -> io::Result<()> {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    // A name that begins with a point is passed over by the library.
    let aside = directory.with_file_name(format!(".deleted-{name}-{}", std::process::id()));
    std::fs::rename(directory, &aside)?;
    std::fs::remove_dir_all(aside)
}

/// The file, and what SQLite and the lock keep beside it.
fn remove_store(store: &Path) -> io::Result<()> {
    std::fs::remove_file(store)?;
    for ending in ["-wal", "-shm", "-lock"] {
        let mut name = store.as_os_str().to_owned();
        name.push(ending);
        remove_if_there(Path::new(&name))?;
    }
    Ok(())
}

fn remove_if_there(file: &Path) -> io::Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
