//! Experiments in a folder: what is missing of them is done, step by step; stopped or killed, the same command goes on.

use std::path::{Path, PathBuf};
use std::time::Instant;

use vidmar_engine::Control;

use crate::data::{Data, Missing};
use crate::error::ReproduceError;
use crate::experiment::Experiment;
use crate::files;
use crate::plan::{Asked, Plan};
use crate::step::{Step, StepNote};
use crate::work::{Elsewhere, Resources, Unit};

/// An experiment with its plan.
pub struct Chosen {
    /// Which.
    pub experiment: &'static Experiment,
    /// How much of it.
    pub plan: Plan,
    /// What is to be done.
    pub steps: Vec<Step>,
    /// Where.
    pub folder: PathBuf,
}

/// Experiments in a folder.
pub struct Campaign {
    /// Which, in order.
    pub chosen: Vec<Chosen>,
    data: Data,
}

/// Experiments with what they need and is not here.
pub type Lacking = Vec<(&'static Experiment, Vec<Missing>)>;

/// How far a campaign is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Steps finished.
    pub steps_done: usize,
    /// All steps.
    pub steps: usize,
    /// Games played.
    pub games_done: u64,
    /// All games.
    pub games: u64,
    /// Searches made.
    pub searches_done: u64,
    /// All searches.
    pub searches: u64,
    /// Processor seconds of what is done, by the rates of the tables.
    pub cost_done: f64,
    /// Of everything.
    pub cost: f64,
}

/// What an observer is told.
pub enum Event<'a> {
    /// A step begins, or goes on.
    Begins {
        /// The experiment.
        experiment: &'static Experiment,
        /// The step.
        step: &'a Step,
        /// Why it is done here, where games are played elsewhere and it is not.
        stays_here: Option<&'static str>,
    },
    /// Something was done.
    Progress(Progress),
    /// A step is finished.
    Finished {
        /// The experiment.
        experiment: &'static Experiment,
        /// The step.
        step: &'a Step,
        /// What it took, in sessions that came to their end.
        note: StepNote,
        /// How far the whole is.
        progress: Progress,
    },
}

/// Why a campaign is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// There is nothing left to do.
    Finished,
    /// Somebody asked; everything that was finished is saved.
    Stopped,
}

impl Chosen {
    /// What an experiment needs and is not here.
    pub fn missing(&self, data: &Data) -> Vec<Missing> {
        let mut missing: Vec<Missing> = Vec::new();
        for needed in self.steps.iter().flat_map(|step| step.work.missing(data)) {
            if !missing.contains(&needed) {
                missing.push(needed);
            }
        }
        missing
    }

    /// How far it is.
    pub fn progress(&self) -> Result<Progress, ReproduceError> {
        let mut progress = Progress::default();
        for step in &self.steps {
            let folder = self.folder.join(&step.id);
            let is_finished = StepNote::read(&folder)?.is_some_and(|note| note.finished);
            let done = if is_finished {
                step.work.units()
            } else {
                step.work.done(&folder)?.min(step.work.units())
            };
            progress.count(step, done, is_finished);
        }
        Ok(progress)
    }
}

impl Progress {
    fn count(&mut self, step: &Step, done: u64, is_finished: bool) {
        self.steps += 1;
        self.steps_done += usize::from(is_finished);
        let units = step.work.units();
        let (all, so_far) = match step.work.unit() {
            Unit::Games => (&mut self.games, &mut self.games_done),
            Unit::Searches => (&mut self.searches, &mut self.searches_done),
        };
        *all += units;
        *so_far += done.min(units);
        self.cost += step.cost();
        self.cost_done += done.min(units) as f64 * step.seconds_each;
    }

    fn add(&mut self, other: &Progress) {
        self.steps += other.steps;
        self.steps_done += other.steps_done;
        self.games += other.games;
        self.games_done += other.games_done;
        self.searches += other.searches;
        self.searches_done += other.searches_done;
        self.cost += other.cost;
        self.cost_done += other.cost_done;
    }

    /// The same with so many more units of a step.
    fn with(mut self, step: &Step, more: u64) -> Progress {
        match step.work.unit() {
            Unit::Games => self.games_done += more,
            Unit::Searches => self.searches_done += more,
        }
        self.cost_done += more as f64 * step.seconds_each;
        self
    }
}

impl Campaign {
    /// Experiments in a folder, as it was begun there or as it is asked for. Nothing is written.
    pub fn open(
        out: &Path,
        experiments: &[&'static Experiment],
        asked: &Asked,
        data: Data,
    ) -> Result<Campaign, ReproduceError> {
        let chosen = experiments.iter().map(|&experiment| {
            let folder = out.join(experiment.name);
            let plan = Plan::of(&folder, asked, experiment.seeds)?;
            Ok(Chosen {
                experiment,
                steps: (experiment.steps)(&plan),
                plan,
                folder,
            })
        });
        Ok(Campaign {
            chosen: chosen.collect::<Result<_, ReproduceError>>()?,
            data,
        })
    }

    /// Takes out the steps that lack something, and says what is lacking, experiment by experiment. An experiment of which nothing is
    /// left is an error where it was asked for by itself.
    pub fn without_missing(mut self) -> Result<(Campaign, Lacking), ReproduceError> {
        let mut without = Vec::new();
        let is_alone = self.chosen.len() == 1;
        for chosen in &mut self.chosen {
            let missing = chosen.missing(&self.data);
            if missing.is_empty() {
                continue;
            }
            let data = &self.data;
            chosen.steps.retain(|step| step.work.missing(data).is_empty());
            if chosen.steps.is_empty() && is_alone {
                return Err(ReproduceError::Missing {
                    experiment: chosen.experiment.name,
                    missing,
                });
            }
            without.push((chosen.experiment, missing));
        }
        self.chosen.retain(|chosen| !chosen.steps.is_empty());
        Ok((self, without))
    }

    /// How far it is.
    pub fn progress(&self) -> Result<Progress, ReproduceError> {
        let mut progress = Progress::default();
        for chosen in &self.chosen {
            progress.add(&chosen.progress()?);
        }
        Ok(progress)
    }

    /// Does what is missing: in so many threads of this machine, and games elsewhere where that is asked for.
    pub fn run(
        &self,
        threads: usize,
        elsewhere: Option<&Elsewhere>,
        control: &Control,
        observe: &mut (dyn FnMut(&Event<'_>) + Send),
    ) -> Result<Ended, ReproduceError> {
        for chosen in &self.chosen {
            chosen.plan.write(&chosen.folder)?;
        }
        let mut progress = self.progress()?;
        observe(&Event::Progress(progress));
        for chosen in &self.chosen {
            for step in &chosen.steps {
                let folder = chosen.folder.join(&step.id);
                let before = StepNote::read(&folder)?;
                if before.is_some_and(|note| note.finished) {
                    continue;
                }
                let resources = Resources {
                    threads,
                    elsewhere,
                    control,
                    data: &self.data,
                };
                let experiment = chosen.experiment;
                let stays_here = elsewhere.and_then(|_| step.work.stays_here());
                observe(&Event::Begins {
                    experiment,
                    step,
                    stays_here,
                });
                let note = advance(step, &folder, before, &resources, &mut |more| {
                    observe(&Event::Progress(progress.with(step, more)));
                })?;
                progress = self.progress()?;
                if !note.finished {
                    return Ok(Ended::Stopped);
                }
                observe(&Event::Finished {
                    experiment,
                    step,
                    note,
                    progress,
                });
            }
        }
        Ok(Ended::Finished)
    }
}

/// Goes on with a step; `tell` hears how many units more there are than when it began.
fn advance(
    step: &Step,
    folder: &Path,
    before: Option<StepNote>,
    resources: &Resources<'_>,
    tell: &mut (dyn FnMut(u64) + Send),
) -> Result<StepNote, ReproduceError> {
    files::make_folder(folder)?;
    let (begun, cpu) = (Instant::now(), vidmar_cpu::total_time());
    let known = step.work.done(folder)?;
    let units = step.work.units();
    let mut more = |done: u64| tell(done.min(units).saturating_sub(known));
    let finished = step
        .work
        .carry_out(folder, resources, &mut more)
        .map_err(|reason| ReproduceError::Step {
            step: folder.display().to_string(),
            reason,
        })?;
    let (seconds, cpu_seconds) = before.map_or((0.0, 0.0), |note| (note.seconds, note.cpu_seconds));
    let note = StepNote {
        units: step.work.done(folder)?,
        seconds: seconds + begun.elapsed().as_secs_f64(),
        cpu_seconds: cpu_seconds + vidmar_cpu::total_time().saturating_sub(cpu).as_secs_f64(),
        finished,
    };
    note.write(folder)?;
    Ok(note)
}
