//! A tuning run, as far as it is kept in memory: its way, and what takes long to work out.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use vidmar_optim::{Budget, Optimizer, Space};
use vidmar_rows::{ValidationRow, validation_statement};
use vidmar_store::{RunId, Store};
use vidmar_tune::config::Config;
use vidmar_tune::progress::Progress;
use vidmar_tune::ratings::{RatedPlayer, rated_players};
use vidmar_tune::run::{RunError, read_config};
use vidmar_tune::status::{optimizer, tuning_run};
use vidmar_tune::time_series::TimeSeries;
use vidmar_tune::verify::validations;

use super::importance::Importance;
use super::library::lock;
use super::overview::Run;
use super::result::RunElo;
use super::stamp::{Slow, Stamp};
use super::verification::Verification;

/// A run directory and what is known of it.
pub(super) struct Tuning {
    pub(super) directory: PathBuf,
    pub(super) store: PathBuf,
    config: OnceLock<Config>,
    time_series: Mutex<Followed>,
    optimizer: Slow<Option<Optimizer>>,
    ratings: Slow<Vec<RatedPlayer>>,
    pub(super) verification: Slow<Verification>,
    pub(super) importance: Slow<Importance>,
    validations: Slow<Vec<ValidationRow>>,
}

#[derive(Default)]
struct Followed {
    stamp: Option<Stamp>,
    time_series: TimeSeries,
}

impl Tuning {
    pub(super) fn new(directory: PathBuf, store: PathBuf) -> Tuning {
        Tuning {
            directory,
            store,
            config: OnceLock::new(),
            time_series: Mutex::default(),
            optimizer: Slow::default(),
            ratings: Slow::default(),
            verification: Slow::default(),
            importance: Slow::default(),
            validations: Slow::default(),
        }
    }

    /// Its configuration; it is written once, when the run begins.
    pub(super) fn config(&self) -> Result<&Config, RunError> {
        if self.config.get().is_none() {
            let config = read_config(&self.directory)?;
            // Somebody else may have been quicker, with the same.
            let _ = self.config.set(config);
        }
        Ok(self.config.get().expect("it is set above"))
    }

    /// Reads from its store.
    pub(super) fn read<T>(&self, read: impl Fn(&Store, RunId) -> Result<T, RunError>) -> Result<T, RunError> {
        Store::read(&self.store, |store| {
            let run = tuning_run(&store)?.ok_or_else(|| not_a_run(&self.directory))?;
            read(&store, run)
        })
    }

    pub(super) fn fill(&self, run: &mut Run, stamp: &Stamp) -> Result<(), RunError> {
        let config = self.config()?;
        run.about = format!(
            "{} over {}",
            config.method().name(),
            config.objective.kind().label()
        );
        let is_written = stamp.writer.is_some();
        let progress = Store::read(&self.store, |store| Progress::of(&store, config, is_written))?;
        let progress = progress.ok_or_else(|| not_a_run(&self.directory))?;
        run.take(&progress);
        match config.optimizer_budget() {
            Budget::Generations(planned) => run.generations = Some(planned),
            Budget::Jobs(planned) => run.planned_games = Some(planned),
        }
        if run.validation_games > 0 {
            let read = || self.read(|store, _| validations(store, config));
            let validations = self.validations.get(stamp.clone(), read)?;
            run.result = Some(validation_statement(&validations));
            run.elo = RunElo::of_validation(&validations);
        }
        Ok(())
    }

    /// The optimiser; not the newest one while the run goes on.
    pub(super) fn optimizer(&self) -> Result<Arc<Option<Optimizer>>, RunError> {
        self.optimizer
            .get(Stamp::of(&self.store), || self.read(optimizer))
    }

    /// Ratings of all that played, by index; not the newest ones while the run goes on.
    pub(super) fn ratings(&self) -> Result<Arc<Vec<RatedPlayer>>, RunError> {
        self.ratings.get(Stamp::of(&self.store), || {
            self.read(|store, run| Ok(rated_players(store, run)?))
        })
    }

    /// Looks at its way so far.
    pub(super) fn follow<T>(&self, look: impl FnOnce(&TimeSeries) -> T) -> Result<T, RunError> {
        let mut followed = lock(&self.time_series);
        let stamp = Stamp::of(&self.store);
        if followed.stamp.as_ref() != Some(&stamp) {
            // What failed half-way must not be built upon.
            let time_series = Mutex::new(std::mem::take(&mut followed.time_series));
            followed.stamp = None;
            self.read(|store, run| lock(&time_series).update(store, run))?;
            followed.time_series = time_series.into_inner().unwrap_or_default();
            followed.stamp = Some(stamp);
        }
        Ok(look(&followed.time_series))
    }

    /// Lets go of what takes room.
    pub(super) fn forget(&self) {
        *lock(&self.time_series) = Followed::default();
        self.optimizer.forget();
        self.ratings.forget();
        self.verification.forget();
        self.importance.forget();
    }
}

/// What is searched, once there is a state.
pub(super) fn space(optimizer: Option<&Optimizer>) -> Option<&Space> {
    optimizer.map(|optimizer| &optimizer.setup().space)
}

fn not_a_run(directory: &Path) -> RunError {
    RunError::NotARun {
        directory: directory.to_owned(),
    }
}
