//! External engines by name and content.
//!
//! A task never carries a command: a stranger's command must not run on anybody's machine. The run says which program it means
//! (its name, the SHA-256 of its file, the arguments that it is started with), and a worker plays such a task only if its
//! owner has offered that very program, or accepts what runs bring along (`--accept-binaries`) and has found its content to be that. What else a task may say about a player is what cannot touch files: numbers, switches and words.

mod offered;
mod wire;

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::protocol::{Class, LARGEST_BINARY, shortened};
pub use offered::{Offered, OfferedEngine};
pub use wire::to_wire;

/// Which program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineRef {
    /// What it is called: its file's name, unless somebody called it otherwise.
    pub name: String,
    /// The SHA-256 of its file.
    pub sha256: String,
    /// What it is started with, to be compared: a worker starts it as its owner said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub arguments: String,
}

impl fmt::Display for EngineRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digest = self.sha256.get(..12).unwrap_or(&self.sha256);
        write!(f, "{} (SHA-256 {}…)", shortened(&self.name), shortened(digest))
    }
}

/// Why a player cannot play elsewhere, or a task not here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    /// A file of this machine.
    #[error("{player}: {key}={value} is a file, and files stay on their machine")]
    File {
        /// The player.
        player: String,
        /// The setting.
        key: String,
        /// Its value.
        value: String,
    },
    /// Something that only the owner of a machine says.
    #[error(
        "{player}: {key} is for the owner of each worker to say (--engine NAME=COMMAND), not for the run"
    )]
    Owners {
        /// The player.
        player: String,
        /// The setting.
        key: String,
    },
    /// A task brings a command along.
    #[error("the task carries a command ({0}), and no command of a stranger is run here")]
    Command(String),
    /// The program's file is not there.
    #[error("the program {0} is not there")]
    NoProgram(String),
    /// The program's file cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// Which.
        path: String,
        /// Why.
        reason: String,
    },
    /// Nobody offered it.
    #[error("the engine {0} is not offered here (--engine NAME=COMMAND)")]
    NotOffered(String),
    /// Another program has that name here.
    #[error("{wanted} is wanted, and {offered} is offered")]
    OtherContent {
        /// By the run.
        wanted: String,
        /// By the worker.
        offered: String,
    },
    /// It is started otherwise here.
    #[error("{name} is started with '{offered}' here, and with '{wanted}' by the run")]
    OtherArguments {
        /// The engine.
        name: String,
        /// By the worker.
        offered: String,
        /// By the run.
        wanted: String,
    },
    /// An option that could touch files.
    #[error(
        "{player}: the option {name}={value} could name a file; it is not sent to workers, nor taken from runs"
    )]
    Option {
        /// The player.
        player: String,
        /// The option.
        name: String,
        /// Its value.
        value: String,
    },
    /// More than is brought along.
    #[error("{player}: its program has {bytes} bytes, and {LARGEST_BINARY} are the most that a run offers")]
    TooLarge {
        /// The player.
        player: String,
        /// Its size.
        bytes: u64,
    },
    /// More than a worker gives away.
    #[error("{player}: {key}={value} is more than a worker gives to one player ({most})")]
    TooMuch {
        /// The player.
        player: String,
        /// The setting.
        key: String,
        /// Its value.
        value: i64,
        /// The most.
        most: i64,
    },
    /// `--engine` makes no sense.
    #[error(
        "'{0}': expected NAME=COMMAND, such as stockfish=/usr/games/stockfish or gnu='gnuchess --uci'; NAME=xboard:COMMAND for another protocol"
    )]
    Offer(String),
    /// Tablebases by a path.
    #[error("tablebases of a folder ({0}) decide no games on workers: they have the built-in ones")]
    Tablebases(String),
}

/// The class of tasks that need these engines.
pub fn class_of<'e>(engines: impl Iterator<Item = &'e EngineRef>) -> Class {
    let mut engines: Vec<EngineRef> = engines.cloned().collect();
    engines.sort();
    engines.dedup();
    let name = if engines.is_empty() {
        "plain".to_owned()
    } else {
        let mut hash = Sha256::new();
        for EngineRef {
            name,
            sha256,
            arguments,
        } in &engines
        {
            hash.update(format!("{name}\n{sha256}\n{arguments}\n"));
        }
        let digest = format!("{:x}", hash.finalize());
        format!("with-{}", &digest[..12])
    };
    Class { name, engines }
}

#[cfg(test)]
mod tests;
