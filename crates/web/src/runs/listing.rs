//! Runs of folders as a list, without a server: what `vidmar runs` prints is what the page shows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use vidmar_store::RunId;

use super::library::{Entry, Kind, Library};
use super::overview::Run;
use crate::config::NamedDirectory;

/// A run and where it is.
#[derive(Clone, Debug, Serialize)]
pub struct ListedRun {
    /// The directory of a tuning run, the store of a match.
    pub path: PathBuf,
    /// Which one of the store, where that holds several matches.
    pub number: Option<RunId>,
    /// Where it stands.
    #[serde(flatten)]
    pub run: Run,
}

/// The tuning runs and matches in some directories, the youngest first.
pub fn list_runs(directories: &[PathBuf]) -> Vec<ListedRun> {
    let named = |path: &PathBuf| NamedDirectory {
        name: path.display().to_string(),
        path: path.clone(),
        is_example: false,
    };
    let library = Library::new(&directories.iter().map(named).collect::<Vec<_>>());
    let runs = library.overviews();
    let in_store = |path: &Path| runs.iter().filter(|(entry, _)| entry.store() == path).count();
    let listed = |(entry, run): &(Arc<Entry>, Run)| {
        let (path, number) = match &entry.kind {
            Kind::Tuning(tuning) => (&tuning.directory, None),
            Kind::Match(contest) => (
                &contest.store,
                (in_store(&contest.store) > 1).then_some(contest.run),
            ),
        };
        ListedRun {
            path: path.clone(),
            number,
            run: run.clone(),
        }
    };
    runs.iter().map(listed).collect()
}
