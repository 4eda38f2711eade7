//! What is committed together.

use crate::rows::{Checkpoint, Fault, Game, Player, RunId};

/// Additions to a run that become durable in one transaction, all or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The run that they belong to.
    pub run: RunId,
    /// New players.
    pub players: Vec<Player>,
    /// New games. A number that the run has already is an error, and the whole batch is refused.
    pub games: Vec<Game>,
    /// New faults.
    pub faults: Vec<Fault>,
    /// New checkpoints; one of the same generation and name is replaced.
    pub checkpoints: Vec<Checkpoint>,
    /// Checkpoints of generations before this one are removed.
    pub forget_before: Option<u64>,
    /// Games without a result from this number on are removed, so that they can be played again; their faults stay.
    pub forget_void_from: Option<u64>,
    /// The run's new configuration.
    pub config: Option<String>,
    /// The run's new state.
    pub state: Option<String>,
}

impl Batch {
    /// An empty one for a run.
    pub fn new(run: RunId) -> Batch {
        Batch {
            run,
            ..Batch::default()
        }
    }
}
