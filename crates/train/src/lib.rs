//! Neural evaluations from our own games: self-play packed into files, and the training that reads them.
//!
//! | module | holds |
//! | --- | --- |
//! | [`packed`] | the file format of games |
//! | [`self_play`] | playing them through the one runner |
//! | `filter`, `dataset`, `sample` | which of their positions are learnt from, in which order, in which form |
//! | `nearby` | what an earlier evaluation teaches before them |
//! | [`export`](mod@export) | the positions in one flat file, for trainers on graphics cards |
//! | `kernel`, `model` | the arithmetic, and the net that it changes |
//! | `settings`, `training`, `checkpoint` | the whole of it, from the first step to the last, killed and resumed or not |

mod checkpoint;
mod dataset;
pub mod export;
mod filter;
mod kernel;
mod model;
mod nearby;
pub mod packed;
mod sample;
pub mod self_play;
mod settings;
mod training;

pub use checkpoint::{CheckpointError, CheckpointFile};
pub use dataset::{Counts, Dataset, DatasetError};
pub use filter::Filter;
pub use nearby::Teacher;
pub use settings::{SettingsError, TrainSettings};
pub use training::{Beginning, EpochRow, TrainError, TrainEvent, TrainProgress, Trained, train};
