//! Where training stands, in a file: it can be killed at any time.
//!
//! | part | bytes, little-endian |
//! | --- | --- |
//! | magic | `VIDMARCP` |
//! | version | u32, 1 |
//! | length of the description | u32 |
//! | description | JSON of [`Checkpoint`] |
//! | steps | u64 |
//! | weights and their two moments | f32, slice by slice; then the biases of the output with theirs |
//! | CRC-32 of all bytes before | u32 |

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::dataset::Counts;
use crate::model::Model;
use crate::settings::TrainSettings;
use crate::training::EpochRow;

/// Where training stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    pub(crate) settings: TrainSettings,
    /// The net that it began with, and the teacher before the games, by their sums.
    #[serde(default)]
    pub(crate) beginning: [Option<u32>; 2],
    /// Of the games.
    pub(crate) counts: Counts,
    /// Epochs that are over.
    pub(crate) epoch: u64,
    /// Batches of the present one that were learnt from, and the sum of their losses.
    pub(crate) batches: u64,
    pub(crate) loss: f64,
    pub(crate) epochs: Vec<EpochRow>,
}

/// Where checkpoints are kept.
#[derive(Clone, Debug)]
pub struct CheckpointFile(PathBuf);

/// Why a checkpoint cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// It is damaged, or none of ours.
    #[error("{}: not a checkpoint, or a damaged one; remove it to begin anew", .0.display())]
    Damaged(PathBuf),
    /// It is of another training.
    #[error("{}: a checkpoint of other {what}; remove it to begin anew", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What is different.
        what: &'static str,
    },
}

const MAGIC: &[u8; 8] = b"VIDMARCP";
const VERSION: u32 = 1;

impl CheckpointFile {
    /// In this file.
    pub fn new(path: PathBuf) -> CheckpointFile {
        CheckpointFile(path)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Removes it, if it is there: the net is finished.
    pub fn remove(&self) -> Result<(), CheckpointError> {
        match std::fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.io(error)),
            _ => Ok(()),
        }
    }

    fn io(&self, error: io::Error) -> CheckpointError {
        CheckpointError::Io {
            path: self.0.clone(),
            error,
        }
    }

    pub(crate) fn write(&self, at: &Checkpoint, model: &Model) -> Result<(), CheckpointError> {
        let description = serde_json::to_vec(at).expect("plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((description.len() as u32).to_le_bytes());
        bytes.extend(description);
        bytes.extend(model.steps.to_le_bytes());
        for number in model.numbers() {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        vidmar_files::write(&self.0, bytes).map_err(|error| self.io(error))
    }

    /// Where training stood, and the model as it was; none if there is no file. It must have begun as `new` does.
    pub(crate) fn read(
        &self,
        new: &Checkpoint,
        model: &mut Model,
    ) -> Result<Option<Checkpoint>, CheckpointError> {
        let bytes = match std::fs::read(&self.0) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.io(error)),
        };
        let (at, steps, numbers) = parts(&bytes).ok_or_else(|| CheckpointError::Damaged(self.0.clone()))?;
        let other = |what| CheckpointError::Other {
            path: self.0.clone(),
            what,
        };
        if at.settings != new.settings {
            return Err(other("settings"));
        }
        if at.beginning != new.beginning {
            return Err(other("first weights, or of another teacher"));
        }
        if at.counts != new.counts {
            return Err(other("games"));
        }
        let (words, rest) = numbers.as_chunks::<4>();
        let expected = model.numbers().count();
        if words.len() != expected || !rest.is_empty() {
            return Err(CheckpointError::Damaged(self.0.clone()));
        }
        for (number, &word) in model.numbers_mut().zip(words) {
            *number = f32::from_le_bytes(word);
        }
        model.steps = steps;
        Ok(Some(at))
    }
}

/// Description, steps, and the bytes of the numbers.
fn parts(bytes: &[u8]) -> Option<(Checkpoint, u64, &[u8])> {
    let (contents, &checksum) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(contents) != u32::from_le_bytes(checksum) {
        return None;
    }
    let (version, rest) = contents.strip_prefix(MAGIC)?.split_first_chunk::<4>()?;
    if u32::from_le_bytes(*version) != VERSION {
        return None;
    }
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (description, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let (steps, numbers) = rest.split_first_chunk::<8>()?;
    let at = serde_json::from_slice(description).ok()?;
    Some((at, u64::from_le_bytes(*steps), numbers))
}
