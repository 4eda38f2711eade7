//! What one game came to.

use vidmar_chess::{Color, MoveRecord, Outcome, Termination};
use vidmar_players::Fault;

/// What one game came to. `result` is none where a fault ended it that is not to be scored.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The job's number.
    pub number: u64,
    /// Who won.
    pub result: Option<Outcome>,
    /// Why it ended.
    pub termination: Termination,
    /// The players' moves, after those of the opening.
    pub plies: Vec<MoveRecord>,
    /// What went wrong, and with whom.
    pub faults: Vec<(Color, Fault)>,
}
