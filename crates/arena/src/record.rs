//! What one game came to.

use std::time::Duration;

use vidmar_chess::{Color, Move, Outcome, Score, Termination};
use vidmar_players::Fault;

/// One move of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// What its player thought of it, for itself.
    pub score: Option<Score>,
    /// Plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

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
    pub plies: Vec<Ply>,
    /// What went wrong, and with whom.
    pub faults: Vec<(Color, Fault)>,
}
