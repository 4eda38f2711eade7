//! What a family is given: the program, a folder, a seed, and when to end.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use vidmar_rng::Rng;

use super::fixtures;
use super::tally::Tally;

/// See the module.
pub(crate) struct Plan {
    pub(crate) binary: PathBuf,
    /// `vidmar generate arguments`.
    pub(crate) listing: Value,
    folder: PathBuf,
    seed: u64,
    jobs: usize,
    family: &'static str,
    until: Instant,
    rounds: u64,
    begun: AtomicU64,
}

impl Plan {
    /// Empties the folder and fills it with fixtures.
    pub(crate) fn new(binary: PathBuf, folder: PathBuf, seed: u64, jobs: Option<u16>) -> Result<Plan> {
        let listing = Command::new(&binary)
            .args(["generate", "arguments"])
            .output()
            .with_context(|| format!("cannot start {}", binary.display()))?;
        ensure!(
            listing.status.success(),
            "{} does not list its arguments",
            binary.display()
        );
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let processors = || thread::available_parallelism().map_or(1, NonZero::get);
        let plan = Plan {
            binary,
            listing: serde_json::from_slice(&listing.stdout)?,
            folder,
            seed,
            jobs: jobs.map_or_else(processors, usize::from),
            family: "",
            until: Instant::now(),
            rounds: 0,
            begun: AtomicU64::new(0),
        };
        fixtures::make(&plan)?;
        Ok(plan)
    }

    pub(crate) fn begin(&mut self, family: &'static str, until: Instant, rounds: Option<u64>) -> Result<()> {
        fs::create_dir_all(self.folder.join(family))?;
        (self.family, self.until, self.rounds) = (family, until, rounds.unwrap_or(u64::MAX));
        self.begun = AtomicU64::new(0);
        Ok(())
    }

    /// The files that trials begin with.
    pub(crate) fn fixtures(&self) -> PathBuf {
        self.folder.join("fixtures")
    }

    /// The folder of the family that is tried.
    pub(crate) fn family_folder(&self) -> PathBuf {
        self.folder.join(self.family)
    }

    /// A folder of this name, empty.
    pub(crate) fn empty(&self, name: &str) -> Result<PathBuf> {
        let folder = self.family_folder().join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// A folder of this name with a copy of the fixtures.
    pub(crate) fn fresh(&self, name: &str) -> Result<PathBuf> {
        let folder = self.empty(name)?;
        copy(&self.fixtures(), &folder)?;
        Ok(folder)
    }

    /// The random numbers of a trial of this family.
    pub(crate) fn rng(&self, trial: u64) -> Rng {
        let mut purpose = *b"........";
        for (to, from) in purpose.iter_mut().zip(self.family.bytes()) {
            *to = from;
        }
        Rng::new(self.seed, &purpose, trial, 0)
    }

    /// Whether there is time and leave for one more trial, which is taken.
    pub(crate) fn next(&self) -> bool {
        Instant::now() < self.until && self.begun.fetch_add(1, Ordering::SeqCst) < self.rounds
    }

    /// The program, as it is, in a folder.
    pub(crate) fn vidmar(&self, folder: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(words).current_dir(folder).env_remove("VIDMAR_TOKEN");
        command
    }

    /// Does something for every case, several at a time, in an order that the seed decides; whoever does it asks [`Plan::next`] before each trial.
    pub(crate) fn each<T: Sync>(
        &self,
        cases: &[T],
        one: impl Fn(&str, &T) -> Result<Tally> + Sync,
    ) -> Result<Tally> {
        let mut order: Vec<usize> = (0..cases.len()).collect();
        self.rng(0).shuffle(&mut order);
        let (next, all) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
        let work = |worker: usize| -> Result<()> {
            let name = format!("worker-{worker}");
            while let Some(&case) = order.get(next.fetch_add(1, Ordering::SeqCst)) {
                if Instant::now() >= self.until || self.begun.load(Ordering::SeqCst) >= self.rounds {
                    break;
                }
                let tally = one(&name, &cases[case])?;
                all.lock().expect("nobody panics").add(tally);
            }
            Ok(())
        };
        thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> = (0..self.jobs)
                .map(|worker| scope.spawn(move || work(worker)))
                .collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().expect("nobody panics"))
        })?;
        Ok(all.into_inner().expect("nobody panics"))
    }
}

/// Copies what is in a folder, with all below it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
