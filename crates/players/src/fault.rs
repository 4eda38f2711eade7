//! What can go wrong with a player: never a result of its own accord.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use vidmar_text::{named_enum, serde_by_name};

named_enum! {
    /// The kinds of misbehaviour, by the names that stores and tables use.
    #[derive(PartialOrd, Ord)]
    pub enum FaultKind: "kind of fault";
    Start, "start", "the program could not be started, or did not say what it is in time";
    Crash, "crash", "the process ended, or its pipes closed";
    Hang, "hang", "no answer long after the time for it was over";
    IllegalMove, "illegal-move", "a move that the rules forbid, or no move at all";
    Garbage, "garbage", "output that is not text of the protocol where an answer was due";
    Flood, "flood", "more output than a reader can be asked to take";
    NotReady, "not-ready", "no `readyok` (or `pong`) in time";
    TimeLoss, "time-loss", "the flag fell";
}
serde_by_name!(FaultKind);

/// One misbehaviour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
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
