//! A move as a case remembers it: from, to, and what a pawn becomes.
//!
//! Castling is the king's own step and en passant the step to the skipped square: a move here is what a hand does.

use std::fmt;

use vidmar_chess::{File, Move, Promotion, Square};

use crate::board::Shift;

/// From, to, promotion.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct CaseMove {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that it reaches; for a castling king its own.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Promotion>,
}

impl From<Move> for CaseMove {
    fn from(m: Move) -> CaseMove {
        let (from, mut to) = (m.from(), m.to());
        if m.is_castling() {
            let file = if to.file() > from.file() { File::G } else { File::C };
            to = Square::at(file, from.rank());
        }
        CaseMove {
            from,
            to,
            promotion: m.promotion(),
        }
    }
}

impl CaseMove {
    /// The move on the board turned upside down.
    pub fn mirrored(self) -> CaseMove {
        CaseMove {
            from: self.from.flip_vertical(),
            to: self.to.flip_vertical(),
            ..self
        }
    }

    /// The move on a board that was shifted; at the edge it stays on the board.
    pub fn shifted(self, shift: Shift) -> CaseMove {
        CaseMove {
            from: shift.clamped(self.from),
            to: shift.clamped(self.to),
            ..self
        }
    }
}

/// In UCI notation.
impl fmt::Display for CaseMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(promotion) => write!(f, "{}", promotion.role().char()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::Position;

    #[test]
    fn a_move_is_what_a_hand_does() {
        let text = |fen: &str, m: &str| {
            let position: Position = fen.parse().unwrap();
            CaseMove::from(position.parse_san(m).unwrap()).to_string()
        };
        let castles = "r3k2r/8/8/8/8/8/8/R3K2R";
        assert_eq!(text(&format!("{castles} w KQkq - 0 1"), "O-O"), "e1g1");
        assert_eq!(text(&format!("{castles} b KQkq - 0 1"), "O-O-O"), "e8c8");
        assert_eq!(text("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6"), "e5d6");
        assert_eq!(text("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=N"), "e7e8n");
    }
}
