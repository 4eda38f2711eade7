//! Win, draw or loss.

use std::fmt;
use std::ops::Neg;

use vidmar_chess::{Color, Outcome};

/// What a position is worth to the side to move if both play well, without the 50-move rule.
///
/// The order is that of preference: `Loss < Draw < Win`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// All values, the worst first.
    pub const ALL: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];

    /// The word for it: `loss`, `draw` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        }
    }

    /// Who wins, where `turn` is to move.
    pub const fn outcome(self, turn: Color) -> Outcome {
        match self {
            Wdl::Loss => Outcome::win(turn.opponent()),
            Wdl::Draw => Outcome::Draw,
            Wdl::Win => Outcome::win(turn),
        }
    }

    /// -1, 0 or 1.
    pub const fn signum(self) -> i32 {
        self as i32 - 1
    }
}

impl Neg for Wdl {
    type Output = Wdl;

    /// The same for the other side.
    #[inline]
    fn neg(self) -> Wdl {
        Wdl::ALL[2 - self as usize]
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
