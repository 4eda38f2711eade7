//! What one game came to.

use std::time::Duration;

use vidmar_chess::{Color, Move, Outcome, Score};
use vidmar_players::Fault;

/// Who won.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Result {
    /// This side.
    Win(Color),
    /// Nobody.
    Draw,
}

/// Why a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// The rules of chess.
    Rules(Outcome),
    /// Both sides (or one, if asked) saw a decided game for long enough.
    Resign,
    /// Both sides saw a level game for long enough.
    Draw,
    /// The longest game allowed.
    MaxMoves,
    /// Tablebases.
    Tablebases,
    /// The flag of this side fell.
    Time(Color),
    /// This side misbehaved.
    Fault(Color),
    /// The match was stopped.
    Stopped,
}

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
    pub result: Option<Result>,
    /// Why it ended.
    pub termination: Termination,
    /// The players' moves, after those of the opening.
    pub plies: Vec<Ply>,
    /// What went wrong, and with whom.
    pub faults: Vec<(Color, Fault)>,
}
