//! What one game came to.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use vidmar_chess::{Color, Move, MoveDetail, MoveRecord, Outcome, Termination};
use vidmar_players::Fault;

/// What went wrong in a game, with whom, and in which attempt to play it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFault {
    /// Whose fault it was.
    pub side: Color,
    /// How often the game had been begun before.
    pub attempt: u32,
    /// What was seen.
    pub fault: Fault,
}

/// What one game came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Who won; none where a fault ended it, unless the [`FaultPolicy`](crate::FaultPolicy) gives it a result.
    pub outcome: Option<Outcome>,
    /// Why it ended.
    pub termination: Termination,
    /// The players' moves, after those of the opening.
    pub moves: Vec<MoveRecord>,
    /// The principal variation of every one of them, the move first, where the task asks for them; else none at all.
    pub pvs: Vec<Vec<Move>>,
    /// What else was said of every one of them, where there are variations.
    pub details: Vec<MoveDetail>,
    /// What went wrong, in all attempts.
    pub faults: Vec<GameFault>,
    /// The side whose player could not be started, or not again after a fault.
    pub unavailable: Option<Color>,
    /// What its clocks were multiplied by, in thousandths, where a machine of another speed played it.
    pub clock_scale: Option<u32>,
}

/// What clocks may be multiplied by, in thousandths: a twentieth to twentyfold.
pub const CLOCK_SCALES: RangeInclusive<u32> = 50..=20_000;

impl GameRecord {
    /// The side whose fault ended the game.
    pub fn ended_by_fault(&self) -> Option<Color> {
        match self.termination {
            Termination::Fault(side) | Termination::TimeForfeit(side) => Some(side),
            _ => None,
        }
    }

    /// Whether two playings of one task came to the same: everything but the times, and what faults say in words.
    pub fn is_same_game(&self, other: &GameRecord) -> bool {
        let ply = |ply: &MoveRecord| (ply.m, ply.info.score, ply.info.depth, ply.info.nodes);
        let fault = |fault: &GameFault| (fault.side, fault.attempt, fault.fault.kind);
        (self.outcome, self.termination, self.unavailable)
            == (other.outcome, other.termination, other.unavailable)
            && self.moves.iter().map(ply).eq(other.moves.iter().map(ply))
            && self.faults.iter().map(fault).eq(other.faults.iter().map(fault))
    }

    /// A game that was given up before its end: no answer to anything.
    pub fn stopped() -> GameRecord {
        GameRecord {
            outcome: None,
            termination: Termination::Stopped,
            moves: Vec::new(),
            pvs: Vec::new(),
            details: Vec::new(),
            faults: Vec::new(),
            unavailable: None,
            clock_scale: None,
        }
    }

    /// A game that did not begin because the player of a side is not to be had.
    pub(crate) fn unavailable(side: Color, fault: Fault) -> GameRecord {
        GameRecord {
            outcome: None,
            termination: Termination::Fault(side),
            moves: Vec::new(),
            pvs: Vec::new(),
            details: Vec::new(),
            faults: vec![GameFault {
                side,
                attempt: 0,
                fault,
            }],
            unavailable: Some(side),
            clock_scale: None,
        }
    }
}
