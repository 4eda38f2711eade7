//! A run from its configuration to its end: tune, validate, run the gauntlet, go on with the next stage.
//!
//! The same steps serve the command line, the page and a comparison of methods. A pipeline has options that change no result,
//! a token by which it is cancelled, and an [`Observer`] that is told of everything; it ends with a typed [`StopReason`].
//! All of it can be cancelled or killed at any moment and [resumed](Pipeline::resume): every step does what is missing of it.

mod change;
mod vectors;

use std::path::{Path, PathBuf};

use vidmar_engine::Control;

pub use change::{Changes, SpaceChange};
pub use vectors::{RESULT, recommended_list, write_vectors};

use vidmar_rows::{GauntletRow, ValidationRow};

use crate::config::{Config, Gauntlet};
use crate::gauntlet::run_gauntlet;
use crate::resources::Resources;
use crate::run::{self, CONFIG_FILE, ChangedEngines, Run, RunError, known_engines, read_config};
use crate::status::View;
use crate::verify::verify;

/// Which stages are validated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validate {
    /// None: no validation match and no gauntlet.
    Nothing,
    /// The last one, by a validation match alone.
    LastStage,
    /// Each as its configuration says.
    EveryStage,
}

/// How a run is carried out.
#[derive(Clone)]
pub struct Options {
    /// What it works with.
    pub resources: Resources,
    /// What is validated.
    pub validate: Validate,
    /// Whether it goes on with engines that are not what they were. Nothing else here changes a result.
    pub changed_engines: ChangedEngines,
}

/// Why a pipeline stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// There is nothing left to do.
    Finished,
    /// Somebody asked; everything that was finished is saved.
    Cancelled {
        /// The directory of the stage that is to be resumed.
        directory: PathBuf,
    },
}

/// What an observer is told.
pub enum Event<'a> {
    /// A stage begins, or goes on.
    Stage(&'a Run),
    /// Something of its tuning.
    Tuning(&'a run::Event<'a>),
    /// A game of the validation match is over.
    Validation {
        /// Games until now.
        done: u64,
        /// Games altogether.
        total: u64,
    },
    /// A game of the gauntlet is over.
    Gauntlet {
        /// Games until now.
        done: u64,
        /// Games altogether.
        total: u64,
    },
    /// A stage is complete, and its vectors are written.
    Complete {
        /// The run as it is now.
        view: &'a View,
        /// Names and files of the vectors.
        files: &'a [(String, PathBuf)],
    },
}

/// Whoever wants to know how a pipeline goes on.
pub trait Observer {
    /// Something has happened.
    fn event(&mut self, event: &Event<'_>);
}

impl<F: FnMut(&Event<'_>)> Observer for F {
    fn event(&mut self, event: &Event<'_>) {
        self(event);
    }
}

/// Carries out runs.
pub struct Pipeline<'a> {
    /// How.
    pub options: Options,
    /// Stops it.
    pub cancel: &'a Control,
    /// Is told of everything.
    pub observer: &'a mut dyn Observer,
}

/// Either a step is done, or it was cancelled.
enum Step<T> {
    Done(T),
    Cancelled,
}

impl<T> From<Option<T>> for Step<T> {
    fn from(done: Option<T>) -> Step<T> {
        done.map_or(Step::Cancelled, Step::Done)
    }
}

impl Pipeline<'_> {
    /// Makes a run directory, which must not be one yet, and goes through all stages.
    pub fn begin(&mut self, directory: &Path, config: &Config) -> Result<StopReason, RunError> {
        self.stages(Run::create(directory, config)?)
    }

    /// Goes on with a run, perhaps with another budget or other intervals.
    pub fn resume(&mut self, directory: &Path, changes: &Changes) -> Result<StopReason, RunError> {
        let mut run = self.open(directory)?;
        if self.options.validate == Validate::EveryStage && run.config().gauntlet.each > 0 {
            run.settle_references(self.options.changed_engines)?;
        }
        if let Some(budget) = changes.budget {
            run.rebudget(budget)?;
        }
        if !changes.space.is_empty() {
            let centre = run.optimizer().report().centroid;
            let changed = |space: &_| SpaceChange::apply_all(&changes.space, space, &centre);
            if run.respace(changed, &self.options.resources, self.cancel)? == run::Stop::Interrupted {
                return Ok(cancelled(directory));
            }
        }
        self.stages(run)
    }

    /// Validates what a finished run came to, then runs a gauntlet where one is given: what is known of the validation, and
    /// why it stopped.
    pub fn validate(
        &mut self,
        directory: &Path,
        gauntlet: Option<Gauntlet>,
    ) -> Result<(Vec<ValidationRow>, StopReason), RunError> {
        let Step::Done(found) = self.validation(directory)? else {
            return Ok((Vec::new(), cancelled(directory)));
        };
        if let Some(gauntlet) = gauntlet {
            let mut run = self.open(directory)?;
            run.set_gauntlet(gauntlet);
            if let Step::Cancelled = self.gauntlet(run)? {
                return Ok((found, cancelled(directory)));
            }
        }
        self.complete(directory)?;
        Ok((found, StopReason::Finished))
    }

    fn stages(&mut self, first: Run) -> Result<StopReason, RunError> {
        let mut next = Some(first);
        while let Some(run) = next {
            let directory = run.directory().to_owned();
            if let Step::Cancelled = self.stage(run)? {
                return Ok(cancelled(&directory));
            }
            self.complete(&directory)?;
            next = self.following(&directory)?;
        }
        Ok(StopReason::Finished)
    }

    fn stage(&mut self, mut run: Run) -> Result<Step<()>, RunError> {
        let directory = run.directory().to_owned();
        self.observer.event(&Event::Stage(&run));
        let observer = &mut *self.observer;
        let stop = run.advance(&self.options.resources, self.cancel, &mut |event| {
            observer.event(&Event::Tuning(event));
        })?;
        if stop == run::Stop::Interrupted {
            return Ok(Step::Cancelled);
        }
        let config = run.config();
        let (is_last, is_validated) = (config.then.is_empty(), config.verify.pairs > 0);
        let has_gauntlet = config.gauntlet.each > 0;
        let (validates, runs_gauntlet) = match self.options.validate {
            Validate::Nothing => (false, false),
            Validate::LastStage => (is_last, false),
            Validate::EveryStage => (is_validated, has_gauntlet),
        };
        // Each step opens the run again, and so looks at its engines again: tuning may have taken days.
        drop(run);
        if validates && let Step::Cancelled = self.validation(&directory)? {
            return Ok(Step::Cancelled);
        }
        if runs_gauntlet {
            return Ok(match self.gauntlet(self.open(&directory)?)? {
                Step::Done(_) => Step::Done(()),
                Step::Cancelled => Step::Cancelled,
            });
        }
        Ok(Step::Done(()))
    }

    fn open(&self, directory: &Path) -> Result<Run, RunError> {
        Run::open_with(directory, self.options.changed_engines)
    }

    fn validation(&mut self, directory: &Path) -> Result<Step<Vec<ValidationRow>>, RunError> {
        let run = self.open(directory)?;
        let observer = &mut *self.observer;
        let found = verify(run, &self.options.resources, self.cancel, &mut |done, total| {
            observer.event(&Event::Validation { done, total });
        })?;
        Ok(found.into())
    }

    fn gauntlet(&mut self, run: Run) -> Result<Step<Vec<GauntletRow>>, RunError> {
        let Options {
            resources,
            changed_engines,
            ..
        } = self.options.clone();
        let observer = &mut *self.observer;
        let found = run_gauntlet(
            run,
            &resources,
            changed_engines,
            self.cancel,
            &mut |done, total| {
                observer.event(&Event::Gauntlet { done, total });
            },
        )?;
        Ok(found.into())
    }

    fn complete(&mut self, directory: &Path) -> Result<(), RunError> {
        let view = View::open(directory)?;
        let files = write_vectors(&view, directory)?;
        self.observer.event(&Event::Complete {
            view: &view,
            files: &files,
        });
        Ok(())
    }

    /// The run that follows this one, begun or gone on with; it starts where this one's recommended vector is.
    fn following(&self, directory: &Path) -> Result<Option<Run>, RunError> {
        let config = read_config(directory)?;
        // Both are found again from wherever the run is resumed.
        let whole = std::path::absolute(directory).map_err(|error| RunError::Io {
            path: directory.to_owned(),
            reason: error.to_string(),
        })?;
        let start = whole.join("recommended.txt");
        let start = start.to_str().ok_or_else(|| RunError::Io {
            path: start.clone(),
            reason: "the name is not text".into(),
        })?;
        let Some((name, next)) = config.next(start, &whole)? else {
            return Ok(None);
        };
        let stage = directory.join(name);
        Ok(Some(if stage.join(CONFIG_FILE).exists() {
            self.open(&stage)?
        } else {
            let before = View::open(directory)?;
            let engines = known_engines(&before.store, before.run)?;
            Run::create_after(&engines, &stage, &next, self.options.changed_engines)?
        }))
    }
}

fn cancelled(directory: &Path) -> StopReason {
    StopReason::Cancelled {
        directory: directory.to_owned(),
    }
}
