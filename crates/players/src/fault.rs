//! What can go wrong with a player: never a result of its own accord.

use std::fmt;

use thiserror::Error;

/// The kinds of misbehaviour, each with the word that stores and tables use for it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// The program could not be started, or did not say what it is in time.
    Start,
    /// The process ended, or its pipes closed.
    Crash,
    /// No answer long after the time for it was over.
    Hang,
    /// A move that the rules forbid, or no move at all.
    IllegalMove,
    /// Output that is not text of the protocol where an answer was due.
    Garbage,
    /// More output than a reader can be asked to take.
    Flood,
    /// No `readyok` (or `pong`) in time.
    NotReady,
    /// The flag fell.
    TimeLoss,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 8] = [
        FaultKind::Start,
        FaultKind::Crash,
        FaultKind::Hang,
        FaultKind::IllegalMove,
        FaultKind::Garbage,
        FaultKind::Flood,
        FaultKind::NotReady,
        FaultKind::TimeLoss,
    ];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            FaultKind::Start => "start",
            FaultKind::Crash => "crash",
            FaultKind::Hang => "hang",
            FaultKind::IllegalMove => "illegal-move",
            FaultKind::Garbage => "garbage",
            FaultKind::Flood => "flood",
            FaultKind::NotReady => "not-ready",
            FaultKind::TimeLoss => "time-loss",
        }
    }

    /// The kind of that word.
    pub fn from_word(word: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One misbehaviour.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// What was seen, in words.
    pub detail: String,
}

impl Fault {
    /// A fault of a kind.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault {
            kind,
            detail: detail.into(),
        }
    }
}
