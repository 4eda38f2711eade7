//! How far a run is, from a glance at its store: cheap enough to be asked every second while it goes on.

use serde::Serialize;
use vidmar_optim::Budget;
use vidmar_store::{RunId, Store};

use crate::config::Config;
use crate::run::{
    FAILED, Generation, RUNNING, RunError, TUNED, VERIFIED, ended, failure, last_generation, taken,
};
use crate::verify;

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// A process is at it.
    Running,
    /// It was stopped and can go on.
    Paused,
    /// An error of its own stopped it; it can go on.
    Failed,
    /// Its process ended without a word; it can go on.
    Crashed,
    /// There is nothing left to do.
    Finished,
}

/// What a run is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The optimiser has work.
    Tuning,
    /// The result is being validated.
    Validation,
    /// Neither.
    Done,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// Whether it goes on.
    pub standing: Standing,
    /// With what.
    pub phase: Phase,
    /// The last whole generation; none before the first.
    pub generation: Option<u64>,
    /// Games of the tuning.
    pub games: u64,
    /// Games of the validation, the last one if there were several.
    pub validation_games: u64,
    /// Faults of engines.
    pub faults: u64,
    /// Seconds of work until the last whole generation.
    pub seconds: f64,
    /// How much of the tuning is done, 0 to 1.
    pub share: f64,
    /// The error that stopped it, where one did.
    pub failure: Option<String>,
    /// When the run began, in seconds since 1970.
    pub begun: i64,
}

impl Progress {
    /// From a store; `is_written` tells whether a process has it open for writing.
    pub fn of(store: &Store, config: &Config, is_written: bool) -> Result<Option<Progress>, RunError> {
        let runs = store.runs()?;
        let Some(tuning) = runs.iter().find(|run| run.kind == "tune") else {
            return Ok(None);
        };
        let validation = runs.iter().rfind(|run| run.kind == verify::KIND);
        let last = last_generation(store, tuning.id)?;
        let games = store.games_count(tuning.id)?;
        let share = share(config, last.as_ref(), games);
        // A method that has found what it sought, or a rule that ended the run, leaves some of the budget.
        let is_tuned = share >= 1.0 || tuning.state == TUNED || ended(store, tuning.id)?.is_some();
        let phase = match (is_tuned, validation.map(|validation| validation.state.as_str())) {
            (false, _) => Phase::Tuning,
            (true, Some(VERIFIED)) => Phase::Done,
            (true, Some(_)) => Phase::Validation,
            (true, None) if is_written && config.verify.pairs > 0 => Phase::Validation,
            (true, None) => Phase::Done,
        };
        let state = if phase == Phase::Validation {
            validation.map_or(TUNED, |validation| validation.state.as_str())
        } else {
            tuning.state.as_str()
        };
        let faults = |run: RunId| store.faults_count(run);
        let standing = match state {
            _ if is_written => Standing::Running,
            _ if phase == Phase::Done => Standing::Finished,
            FAILED => Standing::Failed,
            RUNNING => Standing::Crashed,
            _ => Standing::Paused,
        };
        let at_work = validation
            .filter(|_| phase == Phase::Validation)
            .unwrap_or(tuning);
        Ok(Some(Progress {
            standing,
            phase,
            generation: last.as_ref().map(|generation| generation.generation),
            games,
            validation_games: validation.map_or(Ok(0), |validation| store.games_count(validation.id))?,
            faults: faults(tuning.id)? + validation.map_or(Ok(0), |validation| faults(validation.id))?,
            seconds: taken(store, tuning.id)?.seconds,
            share: if is_tuned { 1.0 } else { share },
            failure: match standing {
                Standing::Failed => failure(store, at_work.id)?,
                _ => None,
            },
            begun: tuning.begun,
        }))
    }

    /// Seconds of work that the rest of the tuning will take if it goes on as it went; none before anything is known.
    pub fn seconds_left(&self) -> Option<f64> {
        let known = self.share > 0.0 && self.seconds > 0.0;
        known.then(|| self.seconds * (1.0 - self.share) / self.share)
    }
}

/// Whole generations, and of the open one the games that are there.
fn share(config: &Config, last: Option<&Generation>, games: u64) -> f64 {
    let each = f64::from(config.objective.games_per_job().max(1));
    let Some(last) = last else { return 0.0 };
    let share = match config.optimizer_budget() {
        Budget::Jobs(planned) => last.games as f64 / planned.max(1) as f64,
        Budget::Generations(planned) => {
            let usual = last.games as f64 * each / (last.generation + 1) as f64;
            let begun = (games as f64 - last.games as f64 * each) / usual.max(1.0);
            let whole = last.generation as f64 / planned.max(1) as f64;
            // An open generation is never the last step to the end.
            if whole < 1.0 {
                whole + begun.clamp(0.0, 0.99) / planned.max(1) as f64
            } else {
                whole
            }
        }
    };
    share.min(1.0)
}
