//! What the directories hold that the server was started with: tuning runs and matches, each with an id.
//!
//! Nothing is written down about them: the directories are looked through again when somebody asks, at most once a
//! second. An id is made of the name and of where the run lies below its directory, so it stays the same after a restart.
//! Links are not followed, and nothing above the given directories can be named.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use vidmar_store::{Run as StoredRun, RunId, Store, StoreError};
use vidmar_tune::run::{CONFIG_FILE, STORE_FILE};

use super::contest::Contest;
use super::explorer::Indices;
use super::overview::{Run, RunState, Seen};
use super::queue::Queue;
use super::reproduction::Reproducing;
use super::stamp::Stamp;
use super::tuning::Tuning;
use crate::config::NamedDirectory;
use crate::error::{ApiError, ApiResult};

/// How long a look at the directories is good for.
const FRESH: Duration = Duration::from_secs(1);
/// How deep below a given directory runs are looked for.
const DEEPEST: usize = 4;
/// The most files and folders that are looked at.
const MOST_LOOKED_AT: usize = 20_000;
/// The most runs whose way is kept in memory.
const MOST_KEPT: usize = 8;
/// Requests that read stores at a time: quick ones, and those that write out a whole run.
const QUICK: usize = 8;
const LONG: usize = 2;

/// A tuning run or a match.
pub(crate) struct Entry {
    pub(super) id: String,
    pub(super) name: String,
    /// The name of the given directory that it is in.
    pub(super) directory: String,
    /// Whether it came with the program.
    pub(super) is_example: bool,
    pub(super) kind: Kind,
    pub(super) seen: Mutex<Seen>,
    /// Held while it is being started or stopped.
    pub(super) control: Mutex<()>,
    /// Whether a process that this server started for it is alive, at work or about to be.
    pub(super) has_process: AtomicBool,
}

/// Which of the two.
pub(super) enum Kind {
    Tuning(Box<Tuning>),
    Match(Box<Contest>),
}

impl Entry {
    /// The file with its games.
    pub(super) fn store(&self) -> &Path {
        match &self.kind {
            Kind::Tuning(tuning) => &tuning.store,
            Kind::Match(contest) => &contest.store,
        }
    }

    /// Whether it goes on, or is about to.
    pub(super) fn goes_on(&self) -> bool {
        self.has_process.load(Ordering::Relaxed) || self.overview().state == RunState::Running
    }

    pub(super) fn stamp(&self) -> Stamp {
        Stamp::of(self.store())
    }

    /// An error about it as an answer; paths stay here.
    pub(super) fn unreadable(&self, error: &impl std::fmt::Display) -> ApiError {
        ApiError::conflict("unreadable-run", self.without_paths(&error.to_string()))
    }

    /// A message with the run's name in the place of the folder that it is in.
    pub(super) fn without_paths(&self, message: &str) -> String {
        let folder = self.store().parent().unwrap_or(Path::new(""));
        let mut text = message.to_owned();
        let absolute = std::path::absolute(folder).unwrap_or_default();
        for path in [absolute.as_path(), folder] {
            if let Some(path) = path.to_str().filter(|path| path.len() > 1) {
                text = text.replace(path, &self.name);
            }
        }
        text
    }

    /// The tuning run that it is.
    pub(super) fn tuning(&self) -> ApiResult<&Tuning> {
        match &self.kind {
            Kind::Tuning(tuning) => Ok(tuning),
            Kind::Match(_) => {
                let message = format!("'{}' is a match: it has nothing of the kind", self.name);
                Err(ApiError::not_found("not-a-tuning-run", message))
            }
        }
    }
}

/// All runs below the given directories.
pub(crate) struct Library {
    directories: Vec<NamedDirectory>,
    /// This program, to start runs with.
    pub(super) program: Option<PathBuf>,
    shelf: Mutex<Shelf>,
    kept: Mutex<VecDeque<Arc<Entry>>>,
    pub(super) queue: Queue,
    pub(super) indices: Indices,
    pub(super) reproducing: Reproducing,
    pub(super) quick: Arc<Semaphore>,
    pub(super) long: Arc<Semaphore>,
}

#[derive(Default)]
struct Shelf {
    entries: BTreeMap<String, Arc<Entry>>,
    /// The matches of every store, as long as it is unchanged.
    stores: HashMap<PathBuf, (Stamp, Vec<RunId>)>,
    looked: Option<Instant>,
}

impl Library {
    pub(crate) fn new(directories: &[NamedDirectory]) -> Library {
        Library {
            directories: directories.to_vec(),
            program: std::env::current_exe().ok(),
            shelf: Mutex::default(),
            kept: Mutex::default(),
            queue: Queue::default(),
            indices: Indices::default(),
            reproducing: Reproducing::default(),
            quick: Arc::new(Semaphore::new(QUICK)),
            long: Arc::new(Semaphore::new(LONG)),
        }
    }

    /// The given directories in which runs can begin; in one that is a run itself they cannot.
    pub(super) fn directories(&self) -> impl Iterator<Item = &NamedDirectory> {
        self.directories
            .iter()
            .filter(|directory| !directory.is_example && !is_tuning_run(&directory.path))
    }

    /// Whether a directory is one of those that the server was started with.
    pub(super) fn is_given(&self, path: &Path) -> bool {
        self.directories.iter().any(|directory| directory.path == path)
    }

    /// The server ends: nobody waits any more. The names of the runs that go on without it.
    pub(crate) fn close(&self) -> Vec<String> {
        self.queue.close();
        let runs = self.list().into_iter().filter(|entry| entry.goes_on());
        runs.map(|entry| entry.name.clone()).collect()
    }

    /// Everything there is, by name.
    pub(super) fn list(&self) -> Vec<Arc<Entry>> {
        let mut shelf = lock(&self.shelf);
        if shelf.looked.is_none_or(|looked| looked.elapsed() >= FRESH) {
            self.look(&mut shelf);
        }
        shelf.entries.values().cloned().collect()
    }

    /// The same with where each stands, the youngest first and examples last.
    pub(super) fn overviews(&self) -> Vec<(Arc<Entry>, Run)> {
        let entries = self.list().into_iter();
        let mut runs: Vec<(Arc<Entry>, Run)> = entries
            .map(|entry| {
                let run = entry.overview();
                (entry, run)
            })
            .collect();
        runs.sort_by(|(_, a), (_, b)| {
            let by_age = b.begun.cmp(&a.begun).then_with(|| a.name.cmp(&b.name));
            a.is_example.cmp(&b.is_example).then(by_age)
        });
        runs
    }

    /// The run with that id.
    pub(super) fn find(&self, id: &str) -> ApiResult<Arc<Entry>> {
        let known = lock(&self.shelf).entries.get(id).cloned();
        let found = known.or_else(|| self.list().into_iter().find(|entry| entry.id == id));
        found.ok_or_else(|| ApiError::not_found("no-such-run", format!("there is no run '{id}'")))
    }

    /// Looks again, whenever that was done last.
    pub(super) fn refresh(&self) {
        lock(&self.shelf).looked = None;
    }

    /// A run that is no more.
    pub(super) fn forget(&self, entry: &Entry) {
        lock(&self.kept).retain(|other| other.id != entry.id);
        lock(&self.shelf).entries.remove(&entry.id);
        self.refresh();
    }

    /// Notes that a run's way is in memory, and forgets that of the one that was looked at longest ago.
    pub(super) fn keep(&self, entry: &Arc<Entry>) {
        let mut kept = lock(&self.kept);
        kept.retain(|other| other.id != entry.id);
        kept.push_front(Arc::clone(entry));
        while kept.len() > MOST_KEPT {
            if let Some(entry) = kept.pop_back()
                && let Kind::Tuning(tuning) = &entry.kind
            {
                tuning.forget();
            }
        }
    }

    fn look(&self, shelf: &mut Shelf) {
        let mut found = BTreeMap::new();
        let mut left = MOST_LOOKED_AT;
        for directory in &self.directories {
            let mut search = Search {
                directory,
                shelf,
                found: &mut found,
                left: &mut left,
            };
            search.folder(&directory.path, 0, None);
        }
        shelf
            .stores
            .retain(|path, _| found.values().any(|entry| entry.store() == path));
        shelf.entries = found;
        shelf.looked = Some(Instant::now());
    }
}

/// A walk through a given directory.
struct Search<'a> {
    directory: &'a NamedDirectory,
    shelf: &'a mut Shelf,
    found: &'a mut BTreeMap<String, Arc<Entry>>,
    left: &'a mut usize,
}

impl Search<'_> {
    /// `of` is the tuning run that the folder lies in: a run that goes on from its result lies there, and is called after both.
    fn folder(&mut self, folder: &Path, depth: usize, of: Option<&str>) {
        let is_run = is_tuning_run(folder);
        let mut name = of.map(str::to_owned);
        if is_run {
            self.add(folder, of, None, || {
                Kind::Tuning(Box::new(Tuning::new(folder.to_owned(), folder.join(STORE_FILE))))
            });
            name = name_of(folder).map(|own| called(of, own));
        }
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            if *self.left == 0 {
                return;
            }
            *self.left -= 1;
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if is_hidden {
                continue;
            }
            if kind.is_dir() && depth < DEEPEST {
                self.folder(&path, depth + 1, name.as_deref());
            } else if kind.is_file() && !is_run && path.extension().is_some_and(|extension| extension == "db")
            {
                self.matches(&path);
            }
        }
    }

    fn matches(&mut self, store: &Path) {
        let stamp = Stamp::of(store);
        let runs = match self.shelf.stores.get(store) {
            Some((known, runs)) if *known == stamp => runs.clone(),
            _ => {
                let runs = matches_in(store).unwrap_or_default();
                self.shelf.stores.insert(store.to_owned(), (stamp, runs.clone()));
                runs
            }
        };
        let several = runs.len() > 1;
        for run in runs {
            self.add(store, None, several.then_some(run), || {
                Kind::Match(Box::new(Contest::new(store.to_owned(), run)))
            });
        }
    }

    /// Adds what lies there; a run that was known before stays the same one.
    fn add(&mut self, path: &Path, of: Option<&str>, run: Option<RunId>, kind: impl FnOnce() -> Kind) {
        let Some(name) = name_of(path) else { return };
        let below = path.strip_prefix(&self.directory.path).unwrap_or(path);
        let index = format!("{}\n{}", self.directory.name, below.display());
        let mut id = format!(
            "{}-{:06x}",
            plain(name),
            crc32fast::hash(index.as_bytes()) & 0xff_ffff
        );
        let mut shown = called(of, name);
        if let Some(run) = run {
            id = format!("{id}-{run}");
            shown = format!("{name} · {run}");
        }
        let known = self.shelf.entries.get(&id).cloned();
        let entry = known.unwrap_or_else(|| {
            Arc::new(Entry {
                id: id.clone(),
                name: shown,
                directory: self.directory.name.clone(),
                is_example: self.directory.is_example,
                kind: kind(),
                seen: Mutex::default(),
                control: Mutex::default(),
                has_process: AtomicBool::new(false),
            })
        });
        self.found.insert(id, entry);
    }
}

fn is_tuning_run(folder: &Path) -> bool {
    folder.join(CONFIG_FILE).is_file() && folder.join(STORE_FILE).is_file()
}

fn matches_in(store: &Path) -> Result<Vec<RunId>, StoreError> {
    let runs = Store::read(store, |store| store.runs())?;
    let is_match = |run: &StoredRun| run.kind == "match";
    Ok(runs
        .iter()
        .filter(|run| is_match(run))
        .map(|run| run.id)
        .collect())
}

/// What a run is called by where it lies: a folder by its name, a store without its ending.
fn name_of(path: &Path) -> Option<&str> {
    let name = if path.is_dir() {
        path.file_name()
    } else {
        path.file_stem()
    };
    name?.to_str()
}

/// The name of a run, behind that of the one that it goes on from.
fn called(of: Option<&str>, name: &str) -> String {
    of.map_or_else(|| name.to_owned(), |of| format!("{of}/{name}"))
}

/// A name as a part of an address.
fn plain(name: &str) -> String {
    let letter = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    name.chars().take(40).map(letter).collect()
}

/// A lock whose holder panicked holds data that is read again anyway.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
