//! How long to think: the limits of the UCI command `go`, as every player gets them.

use std::time::{Duration, Instant};

use vidmar_chess::{ByColor, Move};

/// A side's clock.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left; nothing if the flag has fallen.
    pub remaining: Duration,
    /// What every move adds.
    pub increment: Duration,
}

/// When thinking ends: at whichever limit is reached first.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The clocks, where they are known.
    pub clocks: ByColor<Option<Clock>>,
    /// Moves until the clocks get more time.
    pub moves_to_go: Option<u32>,
    /// Plies of the deepest iteration.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// A mate in that many moves is enough.
    pub mate: Option<u32>,
    /// The answer is wanted only when [`Control::stop`](crate::Control::stop) asks for it.
    pub infinite: bool,
    /// The opponent is to move in truth: the clock counts from
    /// [`Control::ponder_hit`](crate::Control::ponder_hit) on, and before it no answer is wanted.
    pub ponder: bool,
    /// The moves to consider; all if empty.
    pub search_moves: Vec<Move>,
    /// Time that passes between a decision and its arrival at the opponent's clock.
    pub overhead: Duration,
    /// When the time began to run.
    pub started: Instant,
}

impl Limits {
    /// What passes unnoticed on a busy machine between a decision and the opponent's clock.
    pub const DEFAULT_OVERHEAD: Duration = Duration::from_millis(30);

    /// No limits but `stop`, from now on.
    pub fn none() -> Limits {
        Limits {
            clocks: ByColor::default(),
            moves_to_go: None,
            depth: None,
            nodes: None,
            move_time: None,
            mate: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
            overhead: Limits::DEFAULT_OVERHEAD,
            started: Instant::now(),
        }
    }

    /// A fixed depth.
    pub fn depth(plies: u32) -> Limits {
        Limits {
            depth: Some(plies),
            ..Limits::none()
        }
    }

    /// A fixed number of positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::none()
        }
    }

    /// A fixed time, none of which is kept back.
    pub fn time(time: Duration) -> Limits {
        Limits {
            move_time: Some(time),
            overhead: Duration::ZERO,
            ..Limits::none()
        }
    }

    /// Whether anything but `stop` ends the thinking.
    pub fn are_finite(&self) -> bool {
        !self.infinite
            && (self.depth.is_some()
                || self.nodes.is_some()
                || self.move_time.is_some()
                || self.mate.is_some()
                || vidmar_chess::Color::ALL
                    .iter()
                    .any(|&side| self.clocks[side].is_some()))
    }
}
