//! What came of tasks: a version, the contents, and a digest of both, so that half an answer or a damaged one is none.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use vidmar_arena::GameRecord;

use super::{
    Build, MOST_ENTRIES, ProtocolError, RunKey, TaskId, VERSION, WorkerName, check_size, check_version,
};

/// Bytes of the digest.
const DIGEST: usize = 8;

/// Several answers of one worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The run.
    pub run: RunKey,
    /// Who answers.
    pub worker: WorkerName,
    /// The program that it is.
    pub build: Build,
    /// Task by task.
    pub entries: Vec<Entry>,
}

/// What became of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Entry {
    /// It was played.
    Played(Box<PlayedEntry>),
    /// It was not begun, or not played to its end: somebody else should.
    Returned(TaskId),
    /// It cannot be played here.
    Failed {
        /// Which.
        task: TaskId,
        /// Why.
        reason: String,
    },
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedEntry {
    /// Which.
    pub task: TaskId,
    /// How long it took, in seconds.
    pub seconds: f32,
    /// What came of it.
    pub record: GameRecord,
}

impl Entry {
    /// Which task it is about.
    pub fn task(&self) -> TaskId {
        match self {
            Entry::Played(played) => played.task,
            Entry::Returned(task) | Entry::Failed { task, .. } => *task,
        }
    }
}

impl Answer {
    /// As it is sent.
    pub fn encode(&self) -> bytes::Bytes {
        let mut bytes = VERSION.to_le_bytes().to_vec();
        // Everything in it has a size and a name: it can always be written.
        bytes = postcard::to_extend(self, bytes).unwrap_or_default();
        let digest = Sha256::digest(&bytes);
        bytes.extend_from_slice(&digest[..DIGEST]);
        bytes.into()
    }

    /// As it is read.
    pub fn decode(bytes: &[u8]) -> Result<Answer, ProtocolError> {
        check_size(bytes)?;
        let cut = || ProtocolError::Malformed("half an answer".to_owned());
        let (contents, digest) = bytes.split_last_chunk::<DIGEST>().ok_or_else(cut)?;
        if Sha256::digest(contents)[..DIGEST] != digest[..] {
            return Err(ProtocolError::Digest);
        }
        let (version, contents) = contents.split_first_chunk::<2>().ok_or_else(cut)?;
        check_version(u16::from_le_bytes(*version))?;
        let answer: Answer =
            postcard::from_bytes(contents).map_err(|error| ProtocolError::malformed(&error))?;
        if answer.entries.len() > MOST_ENTRIES {
            return Err(ProtocolError::Malformed(format!(
                "{} entries",
                answer.entries.len()
            )));
        }
        Ok(answer)
    }
}
