//! The description of one game.

use std::time::Duration;

use vidmar_chess::{ByColor, Move, Position};

/// Where a game begins.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The position before the opening moves.
    pub start: Position,
    /// Moves that are played before the players take over.
    pub moves: Vec<Move>,
    /// A name, for tables and PGN tags; may be empty.
    pub name: String,
}

/// What a side may use for its moves: whichever of the limits is set.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Time at the start.
    pub base: Option<Duration>,
    /// What every move adds.
    pub increment: Duration,
    /// Moves until `base` is added again.
    pub moves: Option<u32>,
    /// Time for every move.
    pub move_time: Option<Duration>,
    /// Plies for every move.
    pub depth: Option<u32>,
    /// Positions for every move.
    pub nodes: Option<u64>,
    /// How far the flag may be overstepped before it falls.
    pub margin: Duration,
}

/// One game to be played. Which players `white` and `black` are is the match's affair: they are places in its list.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its place in the schedule, from 0.
    pub number: u64,
    /// The players' places in the list of players.
    pub players: ByColor<usize>,
    /// Where it begins.
    pub opening: Opening,
    /// What each side may use.
    pub control: ByColor<TimeControl>,
    /// The seed of everything random in it.
    pub seed: u64,
}
