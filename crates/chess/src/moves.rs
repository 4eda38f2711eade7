//! Moves as 16-bit words, and lists of them.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::piece::Promotion;
use crate::square::Square;

/// A move: where from, where to, and which of the four kinds.
///
/// Castling is the king taking its own rook, which names it without doubt in every variant of the
/// start position. The word has from in bits 0–5, to in 6–11, promotion in 12–13 and the kind in
/// 14–15; it is never 0, so that `Option<Move>` takes 16 bits as well. It is also the move's form in JSON: text would need
/// a position to be read.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Move(NonZeroU16);

/// The kinds of move that a board makes in different ways.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A piece goes to a square and takes what is there, if anything.
    Normal,
    /// A pawn reaches the last rank and becomes another piece.
    Promotion(Promotion),
    /// A pawn takes a pawn that has just passed it.
    EnPassant,
    /// The king castles with the rook on the square it "goes to".
    Castling,
}

// A plain move's word has a bit set whatever its squares, so making one needs no test for 0.
const PROMOTION: u16 = 0;
const NORMAL: u16 = 1 << 14;
const EN_PASSANT: u16 = 2 << 14;
const CASTLING: u16 = 3 << 14;

impl Move {
    /// A move of the given kind.
    ///
    /// # Panics
    /// If a pawn is to promote from a1 to a1, which is no move.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let kind = match kind {
            MoveKind::Normal => NORMAL,
            MoveKind::Promotion(promotion) => PROMOTION | (promotion as u16) << 12,
            MoveKind::EnPassant => EN_PASSANT,
            MoveKind::Castling => CASTLING,
        };
        match NonZeroU16::new(from as u16 | (to as u16) << 6 | kind) {
            Some(word) => Move(word),
            None => panic!("a move goes somewhere"),
        }
    }

    /// A plain move.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::new(from, to, MoveKind::Normal)
    }

    /// The square that the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.0.get() as u32)
    }

    /// The square that the piece reaches; for castling, the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new(self.0.get() as u32 >> 6)
    }

    /// The kind of the move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() & CASTLING {
            NORMAL => MoveKind::Normal,
            PROMOTION => MoveKind::Promotion(Promotion::ALL[(self.0.get() >> 12 & 3) as usize]),
            EN_PASSANT => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        }
    }

    /// What a promoting pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Promotion> {
        match self.kind() {
            MoveKind::Promotion(promotion) => Some(promotion),
            _ => None,
        }
    }

    /// Whether the move is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0.get() & CASTLING == CASTLING
    }

    /// Whether the move takes en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() & CASTLING == EN_PASSANT
    }

    /// The 16-bit word, never 0.
    #[inline]
    pub const fn word(self) -> u16 {
        self.0.get()
    }

    /// The move with this word. Any word but 0 is *a* move; whether it is legal only a position tells.
    #[inline]
    pub const fn from_word(word: u16) -> Option<Move> {
        match NonZeroU16::new(word) {
            Some(word) => Some(Move(word)),
            None => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.kind() {
            MoveKind::Normal => Ok(()),
            MoveKind::Promotion(promotion) => write!(f, "{}", promotion.role().char()),
            MoveKind::EnPassant => f.write_str(" e.p."),
            MoveKind::Castling => f.write_str(" castling"),
        }
    }
}

/// Room for every move of a position: no position that passes validation has more than 218.
pub type MoveList = ArrayVec<Move, 256>;

/// Which of the legal moves to generate. `Captures` and `Quiets` share no move and together are `All`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Generate {
    /// Every legal move.
    All,
    /// Moves that take something, en passant and capturing promotions among them.
    Captures,
    /// Every other legal move: castling and promotions by a plain step among them.
    Quiets,
}

impl Generate {
    /// Whether captures are asked for.
    #[inline]
    pub const fn captures(self) -> bool {
        !matches!(self, Generate::Quiets)
    }

    /// Whether moves to empty squares are asked for.
    #[inline]
    pub const fn quiets(self) -> bool {
        !matches!(self, Generate::Captures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_but_zero_is_a_move_and_tells_its_parts() {
        assert_eq!(Move::from_word(0), None);
        for word in 1..=u16::MAX {
            let m = Move::from_word(word).expect("not zero");
            let promotes = matches!(m.kind(), MoveKind::Promotion(_));
            if promotes || word & 0x3000 == 0 {
                assert_eq!(Move::new(m.from(), m.to(), m.kind()), m);
            }
        }
        assert_eq!(size_of::<Option<Move>>(), 2);
    }
}
