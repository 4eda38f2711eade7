//! Why a run cannot begin or go on. Whatever was committed before stays.

use std::path::{Component, Path, PathBuf};

use thiserror::Error;
use vidmar_optim::{RespaceError, SetupError, SpaceError, TellError};
use vidmar_players::Fault;
use vidmar_store::StoreError;

use crate::config::{Config, ConfigError, Source};
use crate::objective::{Answers, PositionsError};
use crate::openings::BookError;
use crate::parameters::ParametersError;

/// Why a run cannot begin or go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Its parameters make no space.
    #[error(transparent)]
    Parameters(#[from] ParametersError),
    /// Its openings cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// Its positions cannot be used.
    #[error(transparent)]
    Positions(#[from] PositionsError),
    /// Its tablebases cannot be used.
    #[error(transparent)]
    Tablebases(#[from] crate::tablebases::TablebasesError),
    /// Games could not be played: a defect of this program.
    #[error("{0}")]
    Games(String),
    /// The optimiser cannot work with its settings.
    #[error("optimizer.{0}")]
    Setup(#[from] SetupError),
    /// A changed space is none.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A changed space does not fit.
    #[error(transparent)]
    Respace(#[from] RespaceError),
    /// A setting makes no sense.
    #[error("{setting} = {value}: expected {expected}")]
    Setting {
        /// Which.
        setting: &'static str,
        /// Its value.
        value: String,
        /// What it should have been.
        expected: &'static str,
    },
    /// A budget that cannot be changed any more.
    #[error("{method} plans its steps over the whole budget: begin a new run from this one's vector instead (tune run --start {}/recommended.txt)", directory.display())]
    PlansAhead {
        /// The method.
        method: &'static str,
        /// The run.
        directory: PathBuf,
    },
    /// An opponent that cannot be understood or started.
    #[error("objective.opponents: '{spec}': {reason}")]
    Opponent {
        /// Its specification.
        spec: String,
        /// What is wrong.
        reason: String,
    },
    /// A reference of the gauntlet that cannot play.
    #[error(
        "gauntlet.references: '{spec}': {reason} (is the program there, and its folder in PATH? \
         On Debian games live in /usr/games; other references can be named)"
    )]
    ReferenceEngine {
        /// Its specification.
        spec: String,
        /// What is wrong.
        reason: String,
    },
    /// The player that is tuned cannot be made.
    #[error("engine.player: '{spec}': {reason}")]
    Player {
        /// Its specification.
        spec: String,
        /// What is wrong.
        reason: String,
    },
    /// The external engine does not work.
    #[error("engine.command {command:?}: {fault}")]
    Engine {
        /// The program.
        command: String,
        /// What it did.
        fault: Fault,
    },
    /// The directory is taken.
    #[error("{} holds a run already: go on with it by `vidmar tune resume {}`", directory.display(), directory.display())]
    Exists {
        /// The directory.
        directory: PathBuf,
    },
    /// The configuration beside a store is not the one of its run.
    #[error(
        "{} is not the configuration of this run any more:\n  {}\nundo the change; what may change of a run is an option of `vidmar tune resume` (--generations, \
         --games, --freeze, --thaw, --widen), and anything else is a new run: `vidmar tune run --config FILE --out DIR`",
        file.display(),
        super::identity::listed(differences)
    )]
    Edited {
        /// The file.
        file: PathBuf,
        /// What it says otherwise.
        differences: Vec<super::Difference>,
    },
    /// Engines or files are not what they were.
    #[error(
        "the engines or files of {} are not those that it began with:\n  {}\n\
         `vidmar tune resume {} --accept-changed-engines` (or `tune verify`) goes on with them all the same",
        directory.display(), changes.join("\n  "), directory.display()
    )]
    ChangedEngines {
        /// The run.
        directory: PathBuf,
        /// What is different, engine by engine.
        changes: Vec<String>,
    },
    /// A run without its games.
    #[error("{} is missing: without it there is nothing to go on with", path.display())]
    NoStore {
        /// The store.
        path: PathBuf,
    },
    /// The directory is taken by another run.
    #[error("{} holds a run with other settings: use another --out", directory.display())]
    OtherSettings {
        /// The directory.
        directory: PathBuf,
    },
    /// The directory is none of a run.
    #[error("{} holds no run: it has no {}", directory.display(), super::CONFIG_FILE)]
    NotARun {
        /// The directory.
        directory: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A state that does not fit this program.
    #[error("{what} cannot be used: {reason}")]
    State {
        /// Which.
        what: &'static str,
        /// Why.
        reason: String,
    },
    /// A list of games, most of which have no result.
    #[error(
        "{void} of {total} games have no result, and nothing can be learned from the rest: the last fault was {fault}; \
         resumed, the run plays them again"
    )]
    MostlyVoid {
        /// Games without a result.
        void: u64,
        /// Games of the list.
        total: u64,
        /// What went wrong last.
        fault: String,
    },
    /// A vector none of whose games could be finished.
    #[error(
        "not one game of job {job} in round {round} could be finished: the last fault was {fault}; resumed, the run plays them again"
    )]
    NoEvidence {
        /// The round.
        round: u64,
        /// The job.
        job: usize,
        /// What went wrong last.
        fault: String,
    },
    /// The optimiser refuses an answer.
    #[error(transparent)]
    Tell(#[from] TellError),
}

impl RunError {
    /// A setting that makes no sense unless something holds.
    pub(crate) fn unless(
        holds: bool,
        setting: &'static str,
        value: impl std::fmt::Display,
        expected: &'static str,
    ) -> Result<(), RunError> {
        if holds {
            return Ok(());
        }
        Err(RunError::Setting {
            setting,
            value: value.to_string(),
            expected,
        })
    }
}

/// What the types of a configuration do not say, of the runs that follow as well.
pub(super) fn check(config: &Config) -> Result<(), RunError> {
    check_stages(config)?;
    check_one(config)?;
    match config.next(&config.parameters.start, Path::new(""))? {
        Some((_, next)) => check(&next),
        None => Ok(()),
    }
}

/// A stage is a directory inside that of the one before, and nowhere else.
pub(super) fn check_stages(config: &Config) -> Result<(), RunError> {
    for stage in &config.then {
        let mut parts = Path::new(&stage.name).components();
        let is_plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(name)), None) if name == stage.name.as_str());
        RunError::unless(is_plain, "then.name", &stage.name, "the plain name of a folder")?;
    }
    Ok(())
}

fn check_one(config: &Config) -> Result<(), RunError> {
    let (engine, budget) = (&config.engine, config.budget);
    let is_clocked = engine.tc.is_some_and(|tc| tc.base.is_some());
    RunError::unless(
        is_clocked || engine.tc.is_none(),
        "engine.tc",
        "inf",
        "a clock, or none at all",
    )?;
    let is_repeatable = engine.depth > 0 || engine.nodes > 0;
    RunError::unless(
        is_repeatable || engine.move_time > 0 || is_clocked,
        "engine.depth",
        0,
        "a limit: depth, nodes, move_time or tc",
    )?;
    let needs_same_answers = config.objective.kind().answers() == Answers::ExactValues;
    RunError::unless(
        !needs_same_answers || (is_repeatable && config.is_repeatable()),
        "objective.kind",
        config.objective.kind().name(),
        "an objective of games, where move_time or tc is the limit: its values would differ from time to time",
    )?;
    RunError::unless(
        budget.generations > 0 || budget.total_games > 0,
        "budget.generations",
        0,
        "generations, or total_games above 0",
    )?;
    let lag = config.optimizer.lag();
    RunError::unless(
        lag == 0 || config.objective.games_per_job() > 0,
        "optimizer.lag",
        lag,
        "0 where no games are played: nothing is late",
    )?;
    config.objective.check()?;
    crate::players::check(config)?;
    let is_external = matches!(config.parameters.source, Source::List | Source::Options);
    RunError::unless(
        !is_external || !engine.command.is_empty(),
        "engine.command",
        "\"\"",
        "the program whose options are tuned",
    )?;
    RunError::unless(
        is_external || engine.command.is_empty(),
        "parameters.source",
        format!("{:?}", config.parameters.source).to_lowercase(),
        "list or options, for an external engine",
    )
}
