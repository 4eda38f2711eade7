//! Training a net from packed games.
//!
//! Before the games an evaluation that is there already may be learnt, of positions near theirs ([`TrainSettings::distil`]). What is then learnt of a position is λ · σ(score / 400) + (1 − λ) · result; the loss is the square of what σ(output) differs from it. The steps
//! are those of `AdamW`. Training that was stopped or killed goes on from its last [`Checkpoint`] with the same batches, and
//! ends with the same net; the number of threads changes nothing either.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use vidmar_engine::Control;
use vidmar_net::{Network, NetworkError};

use crate::checkpoint::{Checkpoint, CheckpointError, CheckpointFile};
use crate::dataset::{Dataset, DatasetError};
use crate::model::{Model, Pace, Target};
use crate::nearby::Teacher;
use crate::settings::{SettingsError, TrainSettings};

/// What an epoch came to.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochRow {
    /// Whether the teacher's scores were learnt, and not the games.
    pub distilled: bool,
    /// Its number among those of its kind, from 1.
    pub epoch: u64,
    /// Positions that it learnt from.
    pub positions: u64,
    /// The mean loss of these, each before it was learnt from.
    pub training_loss: f64,
    /// The mean loss, as of games, of the positions that are never learnt from.
    pub validation_loss: f64,
    /// The rate at the end.
    pub rate: f32,
}

/// How far it is.
#[derive(Copy, Clone, Debug)]
pub struct TrainProgress {
    /// Whether the teacher's scores are being learnt, and not the games.
    pub distilled: bool,
    /// The epoch among those of its kind, from 1.
    pub epoch: u64,
    /// Steps that were taken.
    pub steps: u64,
    /// All steps.
    pub of: u64,
    /// The mean loss of this epoch so far.
    pub loss: f64,
}

/// What happens.
#[derive(Copy, Clone, Debug)]
pub enum TrainEvent<'a> {
    /// A step was taken.
    Step(TrainProgress),
    /// An epoch is over.
    Epoch(&'a EpochRow),
}

/// A trained net.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The net in whole numbers.
    pub network: Network,
    /// The mean validation loss with its weights.
    pub rounded_loss: f64,
    /// Every epoch.
    pub epochs: Vec<EpochRow>,
}

/// Why there is no net.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The games cannot be read.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The settings make no sense.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The net to begin with is another one.
    #[error("the net to begin with is {0}: expected the shape that the settings say")]
    Shape(String),
    /// The weights make no net.
    #[error("the trained weights are no net: {0}")]
    Network(#[from] NetworkError),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// It does not learn.
    #[error("the loss is {loss} after {steps} steps: expected a lower rate than {rate}")]
    Diverged {
        /// The loss.
        loss: f64,
        /// Steps until then.
        steps: u64,
        /// The rate that was asked for.
        rate: f32,
    },
}

/// A checkpoint is written at least so often.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_mins(1);

/// What training begins with besides the games.
#[derive(Debug)]
pub struct Beginning {
    /// Whose weights are the first ones, of the shape that the settings say; random ones without.
    pub network: Option<Arc<Network>>,
    /// Who teaches before the games.
    pub teacher: Teacher,
}

impl Default for Beginning {
    fn default() -> Beginning {
        Beginning {
            network: None,
            teacher: Teacher::hand_crafted(),
        }
    }
}

impl Beginning {
    /// What tells it from another.
    fn sums(&self) -> [Option<u32>; 2] {
        [
            self.network.as_ref().map(|network| network.sum()),
            self.teacher.sum(),
        ]
    }

    /// The net to begin with.
    fn model(&self, settings: &TrainSettings) -> Result<Model, TrainError> {
        let TrainSettings {
            hidden,
            buckets,
            seed,
            ..
        } = *settings;
        let Some(network) = &self.network else {
            return Ok(Model::new(settings.kings()?, hidden, buckets, seed));
        };
        if settings.clone().shaped_like(network) != *settings {
            return Err(TrainError::Shape(network.to_string()));
        }
        Ok(Model::from_network(network))
    }
}

/// Trains in so many threads until all epochs are over; none if `control` said stop before. Goes on from the checkpoint, if there is one.
pub fn train(
    dataset: &Dataset,
    settings: &TrainSettings,
    beginning: &Beginning,
    file: &CheckpointFile,
    threads: usize,
    control: &Control,
    observe: &mut (dyn FnMut(&TrainEvent<'_>) + Send),
) -> Result<Option<Trained>, TrainError> {
    settings.check()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| {
        let mut training = Training::begin(dataset, settings, beginning, file)?;
        while training.at.epoch < settings.distil + settings.epochs {
            if !training.epoch(control, observe)? {
                training.save()?;
                return Ok(None);
            }
            training.save()?;
        }
        let rounded_loss = training.validate(training.model.rounded())?;
        Ok(Some(Trained {
            network: training.model.network()?,
            rounded_loss,
            epochs: training.at.epochs,
        }))
    })
}

struct Training<'a> {
    dataset: &'a Dataset,
    settings: &'a TrainSettings,
    file: &'a CheckpointFile,
    teacher: &'a Teacher,
    model: Model,
    at: Checkpoint,
    /// Steps of an epoch.
    steps: u64,
    saved: Instant,
}

impl<'a> Training<'a> {
    fn begin(
        dataset: &'a Dataset,
        settings: &'a TrainSettings,
        beginning: &'a Beginning,
        file: &'a CheckpointFile,
    ) -> Result<Training<'a>, TrainError> {
        let mut model = beginning.model(settings)?;
        let new = Checkpoint {
            settings: settings.clone(),
            beginning: beginning.sums(),
            counts: dataset.counts(),
            epoch: 0,
            batches: 0,
            loss: 0.0,
            epochs: Vec::new(),
        };
        let at = file.read(&new, &mut model)?.unwrap_or(new);
        Ok(Training {
            steps: dataset.counts().training.div_ceil(settings.batch as u64),
            dataset,
            settings,
            file,
            teacher: &beginning.teacher,
            model,
            at,
            saved: Instant::now(),
        })
    }

    /// What is learnt of games.
    fn target(&self) -> Target {
        Target {
            lambda: self.settings.lambda,
        }
    }

    /// The rate of the next step: each of the two parts begins with the whole rate and ends with little.
    fn rate(&self) -> f32 {
        let first = self.steps * self.settings.distil;
        match self.model.steps.checked_sub(first) {
            Some(step) => self.settings.rate_at(step, self.steps * self.settings.epochs),
            None => self.settings.rate_at(self.model.steps, first),
        }
    }

    /// Learns from what is left of an epoch; false if it was stopped.
    fn epoch(
        &mut self,
        control: &Control,
        observe: &mut (dyn FnMut(&TrainEvent<'_>) + Send),
    ) -> Result<bool, TrainError> {
        let TrainSettings {
            distil,
            batch,
            mirror,
            decay,
            ..
        } = *self.settings;
        let distilled = self.at.epoch < distil;
        let (target, number) = if distilled {
            (Target { lambda: 1.0 }, self.at.epoch + 1)
        } else {
            (self.target(), self.at.epoch + 1 - distil)
        };
        let teacher = distilled.then_some(self.teacher);
        let mut batches = self.dataset.epoch(self.at.epoch, batch, mirror, teacher);
        for _ in 0..self.at.batches {
            batches.next()?;
        }
        let mut positions = self.at.batches * batch as u64;
        let mut rate = self.rate();
        while let Some(batch) = batches.next()? {
            if control.is_stopped() {
                return Ok(false);
            }
            rate = self.rate();
            self.at.loss += self.model.learn(&batch, target, Pace { rate, decay });
            self.at.batches += 1;
            positions += batch.len() as u64;
            let loss = self.at.loss / positions as f64;
            if !loss.is_finite() {
                return Err(TrainError::Diverged {
                    loss,
                    steps: self.model.steps,
                    rate: self.settings.rate,
                });
            }
            observe(&TrainEvent::Step(TrainProgress {
                distilled,
                epoch: number,
                steps: self.model.steps,
                of: self.steps * (distil + self.settings.epochs),
                loss,
            }));
            if self.saved.elapsed() > BETWEEN_CHECKPOINTS {
                self.save()?;
            }
        }
        let row = EpochRow {
            distilled,
            epoch: number,
            positions,
            training_loss: self.at.loss / positions as f64,
            validation_loss: self.validate(self.model.clone())?,
            rate,
        };
        self.at.epochs.push(row);
        (self.at.epoch, self.at.batches, self.at.loss) = (self.at.epoch + 1, 0, 0.0);
        observe(&TrainEvent::Epoch(&row));
        Ok(true)
    }

    /// The mean loss of a net on the positions that are never learnt from.
    fn validate(&self, mut model: Model) -> Result<f64, TrainError> {
        let mut batches = self.dataset.validation(self.settings.batch);
        let (mut loss, mut positions) = (0.0, 0);
        while let Some(batch) = batches.next()? {
            loss += model.loss(&batch, self.target());
            positions += batch.len();
        }
        Ok(loss / positions as f64)
    }

    fn save(&mut self) -> Result<(), TrainError> {
        self.file.write(&self.at, &self.model)?;
        self.saved = Instant::now();
        Ok(())
    }
}
