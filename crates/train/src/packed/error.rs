//! Why a file of packed games cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file of packed games cannot be read or written.
#[derive(Debug, Error)]
pub enum PackedError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// The file is none of ours.
    #[error("{}: not a file of packed games", .0.display())]
    Magic(PathBuf),
    /// The file is of another version.
    #[error("{}: version {version} of packed games: expected {}", path.display(), super::VERSION)]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The beginning of the file is damaged.
    #[error("{}: the description at its beginning is damaged", .0.display())]
    Description(PathBuf),
    /// The file holds games of other settings.
    #[error("{}: holds games of other settings: {found}\nexpected {expected}", path.display())]
    OtherDescription {
        /// The file.
        path: PathBuf,
        /// What it holds.
        found: String,
        /// What was to be written.
        expected: String,
    },
    /// A part of the file is damaged.
    #[error("{}: damaged at byte {offset}: {flaw}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the chunk begins.
        offset: u64,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// Somebody else writes to it.
    #[error("{}: another process writes to it", .0.display())]
    InUse(PathBuf),
    /// A game that is too long to be packed.
    #[error("a game of {0} bytes: expected at most {MOST}", MOST = super::LARGEST_CHUNK - super::FULL_CHUNK)]
    TooLong(usize),
}

/// What is wrong with a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    /// Its bytes are not those that were written.
    #[error("its checksum is wrong")]
    Checksum,
    /// It ends in the middle of a game.
    #[error("it ends in the middle of a game")]
    Short,
    /// It goes on after its games.
    #[error("it goes on after its last game")]
    Long,
    /// A number that is none.
    #[error("a number is too large")]
    Number,
    /// Flags that nobody sets.
    #[error("flags {0:#x} are unknown")]
    Flags(u8),
    /// A start that is no position.
    #[error("a start position cannot be read")]
    Start,
    /// A move beyond the legal ones.
    #[error("move {index} of {moves}")]
    Move {
        /// Its index.
        index: u8,
        /// How many legal moves there are.
        moves: usize,
    },
}

impl PackedError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> PackedError + '_ {
        |error| PackedError::Io {
            path: path.to_owned(),
            error,
        }
    }
}
