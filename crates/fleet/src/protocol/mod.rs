//! What goes over the wire, and how much of it.
//!
//! | file | holds |
//! | --- | --- |
//! | `names` | runs, workers, subjects, streams |
//! | `identity` | a run's key, a task's identity |
//! | `tasks` | a batch of tasks: JSON, with what they share said once |
//! | `answers` | what came of tasks: binary, with a digest |
//! | `presence` | who a worker is, what a run is, orders: JSON |
//!
//! Whatever is read here was written by somebody else: it is refused with an error, never with a panic, and nothing is
//! allocated because a number in it says so.

mod answers;
mod identity;
mod names;
mod presence;
mod tasks;

use thiserror::Error;

pub use answers::{Answer, Entry, PlayedEntry};
pub use identity::{RunKey, TaskId};
pub(crate) use names::host;
pub use names::{RunName, Subjects, WorkerName, worker_of};
pub use presence::{
    Binary, Build, Class, Order, Presence, Refusal, RosterReply, RunCard, WorkerRow, WorkerState,
};
pub use tasks::{Batch, WirePlayer};

/// The version of all of this; what has another one is refused.
pub const VERSION: u16 = 2;

/// The largest message that is sent or read.
pub const LARGEST_MESSAGE: usize = 512 << 10;
/// The most tasks in a batch.
pub const MOST_TASKS: usize = 64;
/// The most entries in an answer.
pub const MOST_ENTRIES: usize = 1024;
/// The largest program that a run brings along, in bytes.
pub const LARGEST_BINARY: u64 = 256 << 20;
/// The longest text that is repeated to anybody.
pub const LONGEST_TEXT: usize = 300;

/// Why a message is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProtocolError {
    /// More than anybody sends.
    #[error("a message of {0} bytes, where {LARGEST_MESSAGE} are the most")]
    TooLarge(usize),
    /// It speaks another language.
    #[error("protocol {0}, where {VERSION} is expected")]
    Version(u16),
    /// It is damaged.
    #[error("the digest does not fit the contents")]
    Digest,
    /// It makes no sense.
    #[error("{0}")]
    Malformed(String),
    /// It belongs elsewhere.
    #[error("it belongs to another run")]
    OtherRun,
    /// It says that somebody else wrote it.
    #[error("it was sent by {sender} in the name of {name}")]
    OtherSender {
        /// Who sent it.
        sender: String,
        /// Who it says it is from.
        name: String,
    },
}

impl ProtocolError {
    fn malformed(error: &dyn std::fmt::Display) -> ProtocolError {
        ProtocolError::Malformed(shortened(&error.to_string()))
    }
}

/// A text of somebody else, as much of it as is shown.
pub fn shortened(text: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(LONGEST_TEXT).map(shown).collect()
}

fn check_size(bytes: &[u8]) -> Result<(), ProtocolError> {
    if bytes.len() > LARGEST_MESSAGE {
        return Err(ProtocolError::TooLarge(bytes.len()));
    }
    Ok(())
}

fn check_version(version: u16) -> Result<(), ProtocolError> {
    if version != VERSION {
        return Err(ProtocolError::Version(version));
    }
    Ok(())
}

/// Reads JSON of somebody else.
pub(crate) fn read_json<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, ProtocolError> {
    check_size(bytes)?;
    serde_json::from_slice(bytes).map_err(|error| ProtocolError::malformed(&error))
}

/// Writes JSON; what is written here always can be.
pub(crate) fn write_json(value: &impl serde::Serialize) -> bytes::Bytes {
    serde_json::to_vec(value).unwrap_or_default().into()
}

#[cfg(test)]
mod tests;
