//! Training a net from packed games.
//!
//! What is learnt of a position is λ · σ(score / 400) + (1 − λ) · result; the loss is the square of what σ(output) differs from it. The steps
//! are those of `AdamW`. Training that was stopped or killed goes on from its last [`Checkpoint`] with the same batches, and
//! ends with the same net; the number of threads changes nothing either.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use vidmar_engine::Control;
use vidmar_net::{Network, NetworkError};

use crate::checkpoint::{Checkpoint, CheckpointError, CheckpointFile};
use crate::dataset::{Dataset, DatasetError};
use crate::model::{Model, Pace, Target};
use crate::settings::{SettingsError, TrainSettings};

/// What an epoch came to.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochRow {
    /// Its number, from 1.
    pub epoch: u64,
    /// Positions that it learnt from.
    pub positions: u64,
    /// The mean loss of these, each before it was learnt from.
    pub training_loss: f64,
    /// The mean loss of the positions that are never learnt from.
    pub validation_loss: f64,
    /// The rate at the end.
    pub rate: f32,
}

/// How far it is.
#[derive(Copy, Clone, Debug)]
pub struct TrainProgress {
    /// The epoch, from 1.
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

/// Trains in so many threads until all epochs are over; none if `control` said stop before. Goes on from the checkpoint, if there is one.
pub fn train(
    dataset: &Dataset,
    settings: &TrainSettings,
    file: &CheckpointFile,
    threads: usize,
    control: &Control,
    observe: &mut (dyn FnMut(&TrainEvent<'_>) + Send),
) -> Result<Option<Trained>, TrainError> {
    settings.check()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| {
        let mut training = Training::begin(dataset, settings, file)?;
        while training.at.epoch < settings.epochs {
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
        file: &'a CheckpointFile,
    ) -> Result<Training<'a>, TrainError> {
        let mut model = Model::new(settings.hidden, settings.buckets, settings.seed);
        let new = Checkpoint {
            settings: settings.clone(),
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
            model,
            at,
            saved: Instant::now(),
        })
    }

    fn target(&self) -> Target {
        Target {
            lambda: self.settings.lambda,
        }
    }

    /// Learns from what is left of an epoch; false if it was stopped.
    fn epoch(
        &mut self,
        control: &Control,
        observe: &mut (dyn FnMut(&TrainEvent<'_>) + Send),
    ) -> Result<bool, TrainError> {
        let mut batches = self
            .dataset
            .epoch(self.at.epoch, self.settings.batch, self.settings.mirror);
        for _ in 0..self.at.batches {
            batches.next()?;
        }
        let of = self.steps * self.settings.epochs;
        let mut positions = self.at.batches * self.settings.batch as u64;
        while let Some(batch) = batches.next()? {
            if control.is_stopped() {
                return Ok(false);
            }
            let rate = self.settings.rate_at(self.model.steps, of);
            let pace = Pace {
                rate,
                decay: self.settings.decay,
            };
            self.at.loss += self.model.learn(&batch, self.target(), pace);
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
                epoch: self.at.epoch + 1,
                steps: self.model.steps,
                of,
                loss,
            }));
            if self.saved.elapsed() > BETWEEN_CHECKPOINTS {
                self.save()?;
            }
        }
        let row = EpochRow {
            epoch: self.at.epoch + 1,
            positions,
            training_loss: self.at.loss / positions as f64,
            validation_loss: self.validate(self.model.clone())?,
            rate: self.settings.rate_at(self.model.steps.saturating_sub(1), of),
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
