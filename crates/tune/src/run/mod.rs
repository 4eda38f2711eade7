//! A run: a directory with a configuration and a store, and a loop that survives anything.
//!
//! One turn of the loop is a round: the optimiser proposes, the jobs are done on as many threads as there are, every
//! game is committed, the optimiser is told, and its new state is committed with the last games. A run that was killed
//! goes on from the last state: the optimiser proposes the same round again, the games of it that are in the store are
//! told from there, the others are played. Since a game is a function of its description, the end is the same to the
//! last bit, whatever happened on the way and however many threads there were.

mod answer;
mod error;
mod generation;
mod journal;
mod outcome;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use vidmar_arena::Rules;
use vidmar_engine::Control;
use vidmar_optim::{Optimizer, Setup, Space};

pub(crate) use answer::stored_result;
pub use error::RunError;
pub use generation::Generation;
pub(crate) use journal::{Journal, generations, generations_from, last_generation, seconds, state, told};
pub(crate) use outcome::rated;
pub use outcome::{Handed, Outcome};

use crate::config::Config;
use crate::desk::Contestant;
use crate::objective::Judge;
use crate::openings::Book;
use crate::parameters::{SpinOption, Tunables};

/// The files of a run directory.
pub const CONFIG_FILE: &str = "config.toml";
/// The store of a run directory.
pub const STORE_FILE: &str = "games.db";

/// The states of a run or a proof in its store. One that was killed stays `running`: whoever looks in knows by the
/// store's lock that it is not.
pub(crate) const RUNNING: &str = "running";
pub(crate) const PAUSED: &str = "paused";
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

/// What an onlooker is told.
#[derive(Debug)]
pub enum Event<'a> {
    /// A job of the open round is done.
    Job {
        /// Jobs of whole rounds before, and of this one.
        done: u64,
        /// Faults since `advance` began.
        faults: u64,
    },
    /// A generation is complete and saved.
    Generation {
        /// What it came to.
        generation: &'a Generation,
        /// Seconds of work until now, over all sittings.
        seconds: f64,
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
    judge: Option<Judge>,
    rules: Rules,
    journal: Journal,
    /// Seconds of earlier sittings.
    seconds: f64,
    faults: u64,
}

impl Run {
    /// Makes a run directory; it must not be one yet.
    pub fn create(directory: &Path, config: &Config) -> Result<Run, RunError> {
        let file = directory.join(CONFIG_FILE);
        if file.exists() {
            return Err(RunError::Exists {
                directory: directory.to_owned(),
            });
        }
        // Everything that can be wrong is found before anything is written.
        let parts = Parts::of(config)?;
        let io = |error: std::io::Error| RunError::Io {
            path: directory.to_owned(),
            reason: error.to_string(),
        };
        std::fs::create_dir_all(directory).map_err(io)?;
        write_whole(&file, &config.to_toml())?;
        Run::with(directory, config.clone(), parts)
    }

    /// Opens a run directory to go on with it.
    pub fn open(directory: &Path) -> Result<Run, RunError> {
        let config = read_config(directory)?;
        let parts = Parts::of(&config)?;
        Run::with(directory, config, parts)
    }

    fn with(directory: &Path, config: Config, parts: Parts) -> Result<Run, RunError> {
        let journal = Journal::open(&directory.join(STORE_FILE), "tune", &config.to_toml())?;
        let optimizer = match journal.state()? {
            Some(saved) => saved,
            None => Optimizer::new(parts.setup, config.optimizer.clone())?,
        };
        // The space may have been changed between two sittings.
        let tunables = parts.tunables.with_space(optimizer.setup().space.clone());
        Ok(Run {
            directory: directory.to_owned(),
            seconds: journal.seconds()?,
            config,
            tunables,
            optimizer,
            book: parts.book,
            judge: parts.judge,
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

    /// Goes on until the budget is used up or `control` says stop.
    pub fn advance(
        &mut self,
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Stop, RunError> {
        let started = Instant::now();
        let before = self.seconds;
        self.faults = 0;
        if !self.optimizer.is_finished() {
            self.journal.set_state(RUNNING)?;
        }
        loop {
            self.seconds = before + started.elapsed().as_secs_f64();
            if self.optimizer.is_finished() {
                self.journal.set_state(TUNED)?;
                return Ok(Stop::Finished);
            }
            if control.is_stopped() || !self.turn(threads, control, observe, before, started)? {
                self.journal.set_state(PAUSED)?;
                return Ok(Stop::Interrupted);
            }
        }
    }

    /// One round; false if it was stopped.
    fn turn(
        &mut self,
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
        before: f64,
        started: Instant,
    ) -> Result<bool, RunError> {
        let earlier = self.optimizer.generation();
        let is_first = self.optimizer.jobs() == 0;
        let batch = self.optimizer.propose().clone();
        let Some(answers) = self.answers(&batch, threads, control, observe)? else {
            return Ok(false);
        };
        for (job, answer) in answers.into_iter().enumerate() {
            self.optimizer.tell(batch.round, job, answer)?;
        }
        let now = self.optimizer.generation();
        let generation = (is_first || now > earlier).then(|| Generation::of(&self.optimizer));
        let seconds = before + started.elapsed().as_secs_f64();
        self.journal
            .complete(&self.optimizer, generation.as_ref(), seconds)?;
        if let Some(generation) = &generation {
            observe(&Event::Generation {
                generation,
                seconds,
                faults: self.faults,
            });
        }
        Ok(true)
    }

    /// Goes on in a space with other intervals or frozen parameters. A round that was begun is finished first.
    pub fn respace(
        &mut self,
        change: impl FnOnce(&Space) -> Result<Space, RunError>,
        threads: usize,
        control: &Control,
    ) -> Result<Stop, RunError> {
        let begun = !self.journal.known_from(self.numbers_before()).is_empty();
        if begun && !self.turn(threads, control, &mut |_| {}, self.seconds, Instant::now())? {
            self.journal.set_state(PAUSED)?;
            return Ok(Stop::Interrupted);
        }
        let space = change(&self.optimizer.setup().space)?;
        self.optimizer.respace(space.clone())?;
        self.tunables = self.tunables.clone().with_space(space);
        self.journal.complete(&self.optimizer, None, self.seconds)?;
        Ok(Stop::Finished)
    }

    fn contestant(&self, vector: &[f64]) -> Contestant {
        Contestant::new(self.tunables.candidate(vector), &self.config.engine)
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
    judge: Option<Judge>,
    rules: Rules,
    setup: Setup,
}

impl Parts {
    fn of(config: &Config) -> Result<Parts, RunError> {
        error::check(config)?;
        let spins = spin_options(config)?;
        let tunables = Tunables::new(&config.parameters, &spins)?;
        let start = tunables.candidate(tunables.space().start());
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
            judge: Judge::new(config, &start)?,
            rules: crate::desk::rules(&config.rules)?,
            tunables,
            setup,
        })
    }
}

/// What the external engine offers.
fn spin_options(config: &Config) -> Result<Vec<SpinOption>, RunError> {
    if config.engine.command.is_empty() {
        return Ok(Vec::new());
    }
    crate::desk::spin_options(&config.engine).map_err(|fault| RunError::Engine {
        command: config.engine.command.clone(),
        fault,
    })
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
    Ok(Config::read(
        None,
        Some((&file.display().to_string(), &text)),
        &[],
    )?)
}

/// Writes a file beside its place and moves it there when it is complete.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), RunError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let attempt = || -> std::io::Result<()> {
        let mut file = std::fs::File::create(&part)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&part, path)
    };
    attempt().map_err(|error| RunError::Io {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}
