//! Position keys: the exclusive or of one random word for each thing that is so in the position.
//!
//! The words are those of the PolyGlot book format, so that a board's key *is* its book key. The
//! en-passant file counts while a pawn stands beside the one that passed it, legal capture or not,
//! as the format says.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::Piece;
use crate::polyglot_numbers::NUMBERS;
use crate::square::{File, Square};

/// A 64-bit key of a position, or of a part of one.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u64);

impl Key {
    /// The key of a piece on a square.
    #[inline(always)]
    pub fn piece(piece: Piece, square: Square) -> Key {
        let kind = 2 * piece.role as usize + usize::from(piece.color == Color::White);
        Key(NUMBERS[64 * kind + square.index()])
    }

    /// The key of the rights to castle with these rooks, their kings standing on these squares.
    #[inline]
    pub fn castling(rooks: Bitboard, kings: Bitboard) -> Key {
        let mut key = Key::default();
        for rook in rooks {
            let rank = rook.rank();
            let long = kings & rank.into() > Bitboard::of(rook);
            let right = 2 * usize::from(rank != crate::Rank::First) + usize::from(long);
            key ^= Key(NUMBERS[768 + right]);
        }
        key
    }

    /// The key of an en-passant file.
    #[inline(always)]
    pub fn en_passant(file: File) -> Key {
        Key(NUMBERS[772 + file.index()])
    }

    /// The key of the side to move.
    #[inline(always)]
    pub fn turn(color: Color) -> Key {
        match color {
            Color::White => Key::WHITE_TO_MOVE,
            Color::Black => Key(0),
        }
    }

    /// What a change of the side to move changes.
    pub const WHITE_TO_MOVE: Key = Key(NUMBERS[780]);
}

impl BitXor for Key {
    type Output = Key;

    #[inline(always)]
    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
