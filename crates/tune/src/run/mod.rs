//! A run: a directory with a configuration and a store, and a loop that survives anything.
//!
//! One turn of the loop is a round: the optimiser proposes, the jobs are done on as many threads as there are, every
//! game is committed, the optimiser is told, and its new state is committed with the last games. Where it may be told late, the
//! games of the next rounds are played meanwhile (`rounds`). A run that was killed
//! goes on from the last state: the optimiser proposes the same rounds again, the games of them that are in the store are
//! told from there, the others are played. Since a game is a function of its description, the end is the same to the
//! last bit, whatever happened on the way and however many threads there were.

mod context;
mod engines;
mod error;
mod generation;
mod identity;
mod journal;
mod results;
mod rounds;
mod session;
mod stop_rules;
mod stopwatch;

use std::path::{Path, PathBuf};

use vidmar_arena::Rules;
use vidmar_optim::{Optimizer, Setup};
use vidmar_players::{Fault, PlayerSpec};
use vidmar_store::{Store, StoreError};

pub use context::Context;
pub use engines::ChangedEngines;
pub(crate) use engines::Identities;
pub use error::RunError;
pub use generation::Generation;
pub use identity::Difference;
pub(crate) use journal::{
    Journal, ended, engines as known_engines, failure, generations, generations_from, last_generation,
    origin, state, taken, told, tried,
};
pub use results::{ResultVector, ResultVectors};
pub(crate) use results::{START, rated};
pub use stop_rules::Ended;
pub use stopwatch::Taken;

use crate::config::{Budget, Config, Gauntlet};
use crate::gauntlet;
use crate::objective::Objective;
use crate::objective::texel::Tried;
use crate::openings::Book;
use crate::parameters::Tunables;
use crate::players::player_of;
use crate::spin_options;

/// The files of a run directory.
pub const CONFIG_FILE: &str = "config.toml";
/// The store of a run directory.
pub const STORE_FILE: &str = "games.db";

/// What a tuning run is called in its store.
const KIND: &str = "tune";

/// The states of a run or a validation in its store. One that was killed stays `running`: whoever looks in knows by the
/// store's lock that it is not.
pub(crate) const RUNNING: &str = "running";
pub(crate) const PAUSED: &str = "paused";
/// An error of its own ended it; which, is in the checkpoint of the same name.
pub(crate) const FAILED: &str = "failed";
pub(crate) const TUNED: &str = "tuned";
pub(crate) const VERIFIED: &str = "verified";

/// How `advance` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The budget is used up.
    Finished,
    /// Somebody asked; everything that was finished is saved.
    Interrupted,
}

/// What an observer is told.
#[derive(Debug)]
pub enum Event<'a> {
    /// A job of the open round is done.
    Job {
        /// Jobs of whole rounds before, and of this one.
        done: u64,
        /// Faults since `advance` began.
        faults: u64,
    },
    /// A game that positions are taken from is over.
    Preparing {
        /// Games until now.
        done: u64,
        /// Games altogether.
        total: u64,
    },
    /// Labels and a prior were tried.
    Tried {
        /// Which, and what they came to.
        tried: &'a Tried,
        /// How many are tried altogether.
        total: usize,
    },
    /// A generation is complete and saved.
    Generation {
        /// What it came to.
        generation: &'a Generation,
        /// The work until now, over all sessions.
        taken: Taken,
        /// Faults since `advance` began.
        faults: u64,
    },
}

/// A run that can be advanced.
pub struct Run {
    directory: PathBuf,
    config: Config,
    tunables: Tunables,
    optimizer: Optimizer,
    book: Book,
    objective: Box<dyn Objective>,
    rules: Rules,
    journal: Journal,
    /// The work of earlier sessions.
    taken: Taken,
    faults: u64,
    /// Why it ended before its budget was used up.
    ended: Option<Ended>,
}

impl Run {
    /// Whether a run can begin with it: what [`Run::create`] would refuse is refused.
    pub fn check(config: &Config) -> Result<(), RunError> {
        let config = config.anchored();
        Parts::of(&config)?;
        check_references(&config).map(drop)
    }

    /// Makes a run directory; it must not be one yet.
    pub fn create(directory: &Path, config: &Config) -> Result<Run, RunError> {
        Run::create_after(&Identities::new(), directory, config, ChangedEngines::Refused)
    }

    /// The same, of a run that follows one that had these engines.
    pub(crate) fn create_after(
        before: &Identities,
        directory: &Path,
        config: &Config,
        changed: ChangedEngines,
    ) -> Result<Run, RunError> {
        let file = directory.join(CONFIG_FILE);
        if file.exists() {
            return Err(RunError::Exists {
                directory: directory.to_owned(),
            });
        }
        let config = config.anchored();
        // Everything that can be wrong is found before anything is written.
        let mut parts = Parts::of(&config)?;
        parts.engines.extend(check_references(&config)?);
        if changed == ChangedEngines::Refused {
            engines::compare(directory, before, &parts.engines)?;
        }
        let io = |error: std::io::Error| RunError::Io {
            path: directory.to_owned(),
            reason: error.to_string(),
        };
        std::fs::create_dir_all(directory).map_err(io)?;
        // The lock first: of two that begin at once, one writes nothing.
        let store = Store::open(&directory.join(STORE_FILE))?;
        if file.exists() || find(&store)?.is_some() {
            return Err(RunError::Exists {
                directory: directory.to_owned(),
            });
        }
        let kept = config.as_kept_in(directory).to_toml();
        write_whole(&file, &kept)?;
        let journal = Journal::begin(store, KIND, &kept)?;
        Run::with(directory, config, parts, journal, changed)
    }

    /// Opens a run directory to go on with it. Its configuration must be the one in the store, and its engines those that it
    /// began with.
    pub fn open(directory: &Path) -> Result<Run, RunError> {
        Run::open_with(directory, ChangedEngines::Refused)
    }

    /// The same, perhaps with other engines.
    pub fn open_with(directory: &Path, changed: ChangedEngines) -> Result<Run, RunError> {
        let mut config = read_config(directory)?;
        let path = directory.join(STORE_FILE);
        if !path.exists() {
            return Err(RunError::NoStore { path });
        }
        let store = Store::open(&path)?;
        let journal = match find(&store)? {
            Some(run) => {
                config = identity::settle(directory, &store, &run, config)?;
                Journal::of(store, run.id)?
            }
            // It was killed after the file was written and before the run was begun.
            None => Journal::begin(store, KIND, &config.as_kept_in(directory).to_toml())?,
        };
        let parts = Parts::of(&config)?;
        Run::with(directory, config, parts, journal, changed)
    }

    fn with(
        directory: &Path,
        config: Config,
        parts: Parts,
        mut journal: Journal,
        changed: ChangedEngines,
    ) -> Result<Run, RunError> {
        engines::settle(directory, &mut journal, &parts.engines, changed)?;
        if let Some(origin) = &parts.origin {
            journal.note_origin(origin)?;
        }
        let optimizer = match journal.state()? {
            Some(saved) => saved,
            None => Optimizer::new(parts.setup, config.optimizer.clone())?,
        };
        // The space may have been changed between two sessions.
        let tunables = parts.tunables.with_space(optimizer.setup().space.clone());
        Ok(Run {
            directory: directory.to_owned(),
            taken: taken(journal.store(), journal.run())?,
            ended: ended(journal.store(), journal.run())?,
            config,
            tunables,
            optimizer,
            book: parts.book,
            objective: parts.objective,
            rules: parts.rules,
            journal,
            faults: 0,
        })
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Has another gauntlet than the configuration says; nothing of what was played depends on it.
    pub fn set_gauntlet(&mut self, gauntlet: Gauntlet) {
        self.config.gauntlet = gauntlet;
    }

    /// Starts every reference of the gauntlet once, and compares it with what it was.
    pub(crate) fn settle_references(&mut self, changed: ChangedEngines) -> Result<(), RunError> {
        let now = gauntlet::check_references(&self.config.gauntlet)?;
        engines::settle(&self.directory, &mut self.journal, &now, changed)
    }

    /// What is tuned.
    pub fn tunables(&self) -> &Tunables {
        &self.tunables
    }

    /// The optimiser as it is now.
    pub fn optimizer(&self) -> &Optimizer {
        &self.optimizer
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Lets go of the store.
    pub(crate) fn close(self) -> Closed {
        Closed {
            directory: self.directory,
            config: self.config,
            tunables: self.tunables,
            book: self.book,
            rules: self.rules,
        }
    }

    /// Has another budget from now on: the same run as if it had been begun with it.
    pub fn rebudget(&mut self, budget: Budget) -> Result<(), RunError> {
        let mut config = self.config.clone();
        config.budget = budget;
        error::check(&config)?;
        if !self.optimizer.rebudget(config.optimizer_budget()) {
            return Err(RunError::PlansAhead {
                method: self.config.method().name(),
                directory: self.directory.clone(),
            });
        }
        if !self.optimizer.is_finished() {
            self.journal.set_state(PAUSED)?;
        }
        // The store first; until the file says the same, the store knows what the file said.
        let [before, after] =
            [&self.config, &config].map(|config| config.as_kept_in(&self.directory).to_toml());
        self.journal.reconfigure(&after, &before);
        self.journal.complete(&self.optimizer, None, self.taken)?;
        write_whole(&self.directory.join(CONFIG_FILE), &after)?;
        self.journal.reconfigured()?;
        self.journal.forget_end()?;
        self.ended = None;
        self.config = config;
        Ok(())
    }
}

/// What is left of a run that has let go of its store.
pub(crate) struct Closed {
    pub(crate) directory: PathBuf,
    pub(crate) config: Config,
    pub(crate) tunables: Tunables,
    pub(crate) book: Book,
    pub(crate) rules: Rules,
}

/// What a configuration describes.
struct Parts {
    tunables: Tunables,
    book: Book,
    objective: Box<dyn Objective>,
    rules: Rules,
    setup: Setup,
    origin: Option<Vec<f64>>,
    /// What is tuned, who it plays in tuning, and the files that it reads.
    engines: Identities,
}

impl Parts {
    fn of(config: &Config) -> Result<Parts, RunError> {
        error::check(config)?;
        let tuned = engines::tuned(config)?;
        let spins = spin_options::read(&tuned.1.options);
        let tunables = Tunables::new(&config.parameters, &spins)?;
        check_engine(config, &tunables)?;
        let mut engines = engines::opponents(config)?;
        engines.extend([tuned]);
        engines.extend(engines::files(config));
        let setup = Setup {
            space: tunables.space().clone(),
            evidence: config.evidence(),
            budget: config.optimizer_budget(),
            seed: config.seed,
            repair: config.repair,
        };
        // Settings that the method cannot work with are found here.
        Optimizer::new(setup.clone(), config.optimizer.clone())?;
        Ok(Parts {
            book: Book::new(&config.openings, config.seed)?,
            objective: config.objective.build(config, &tunables)?,
            rules: crate::players::rules(&config.rules)?,
            origin: crate::parameters::origin(&config.parameters, &spins)?,
            tunables,
            setup,
            engines,
        })
    }
}

fn engine_fault(config: &Config, fault: Fault) -> RunError {
    RunError::Engine {
        command: config.engine.command.clone(),
        fault,
    }
}

/// Makes the player once as it will play: what does not go together is refused now. An external engine is started.
fn check_engine(config: &Config, tunables: &Tunables) -> Result<(), RunError> {
    let start = tunables.candidate(tunables.space().start());
    if config.engine.command.is_empty() {
        let checked = player_of(start, &config.engine).check();
        return checked.map_err(|error| RunError::Player {
            spec: config.engine.player.clone(),
            reason: error.to_string(),
        });
    }
    let started = player_of(start, &config.engine).player();
    started.map(drop).map_err(|fault| engine_fault(config, fault))
}

/// The references of every gauntlet, those of later stages too; what those of this one are.
fn check_references(config: &Config) -> Result<Identities, RunError> {
    let own = match config.gauntlet.each {
        0 => Identities::new(),
        _ => gauntlet::check_references(&config.gauntlet)?,
    };
    if let Some((_, next)) = config.next(&config.parameters.start, Path::new(""))? {
        check_references(&next)?;
    }
    Ok(own)
}

/// The programs that whoever goes on with a run may start: those of its configuration, and of the stages that were begun, whose
/// directories have configurations of their own.
pub fn programs(directory: &Path) -> Result<Vec<PlayerSpec>, RunError> {
    let (mut directory, mut programs) = (directory.to_owned(), Vec::new());
    let mut left = usize::MAX;
    loop {
        let config = read_config(&directory)?;
        error::check_stages(&config)?;
        for program in config.programs() {
            if !programs.contains(&program) {
                programs.push(program);
            }
        }
        // Each stage has one less to come: a directory that was tampered with is no endless one.
        let Some(stage) = config.then.first().filter(|_| config.then.len() < left) else {
            return Ok(programs);
        };
        left = config.then.len();
        directory.push(&stage.name);
        if !directory.join(CONFIG_FILE).exists() {
            return Ok(programs);
        }
    }
}

/// The tuning run of a store.
fn find(store: &Store) -> Result<Option<vidmar_store::Run>, StoreError> {
    Ok(store.runs()?.into_iter().find(|run| run.kind == KIND))
}

/// The configuration of a run directory.
pub fn read_config(directory: &Path) -> Result<Config, RunError> {
    let file = directory.join(CONFIG_FILE);
    let text = std::fs::read_to_string(&file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => RunError::NotARun {
            directory: directory.to_owned(),
        },
        _ => RunError::Io {
            path: file.clone(),
            reason: error.to_string(),
        },
    })?;
    parse_config(&file, &text)
}

/// A configuration as a file of a run directory has it.
fn parse_config(file: &Path, text: &str) -> Result<Config, RunError> {
    Ok(Config::kept(file, text)?)
}

/// Writes a file, whole or not at all.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), RunError> {
    vidmar_files::write(path, text).map_err(|error| RunError::Io {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests;
