//! Sets of squares as 64-bit words.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::square::{File, Rank, Square};

/// A set of squares.
///
/// ```
/// use vidmar_chess::{Bitboard, Rank, Square};
/// let corner = Bitboard::from(Square::A1) | Square::H8.into();
/// assert_eq!(corner.len(), 2);
/// assert_eq!((corner & Rank::First.into()).into_iter().next(), Some(Square::A1));
/// ```
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All squares.
    pub const FULL: Bitboard = Bitboard(!0);
    /// The light squares.
    pub const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);
    /// The dark squares.
    pub const DARK: Bitboard = Bitboard(0xAA55_AA55_AA55_AA55);

    const NOT_A: u64 = !Bitboard::of_file(File::A).0;
    const NOT_H: u64 = !Bitboard::of_file(File::H).0;

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square as u32)
    }

    /// The squares of a file.
    #[inline]
    pub const fn of_file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file as u32)
    }

    /// The squares of a rank.
    #[inline]
    pub const fn of_rank(rank: Rank) -> Bitboard {
        Bitboard(0xFF << (8 * rank as u32))
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a square.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    #[inline]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 != 0
    }

    /// The set with the square in it.
    #[inline]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | Bitboard::of(square).0)
    }

    /// The set without the square.
    #[inline]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !Bitboard::of(square).0)
    }

    /// The lowest square, a1 being the lowest of all.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        // The count of a non-zero word is known to be below 64, so no mask is left in the machine code.
        match NonZeroU64::new(self.0) {
            Some(word) => Some(Square::new(word.trailing_zeros())),
            None => None,
        }
    }

    /// The highest square.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        match NonZeroU64::new(self.0) {
            Some(word) => Some(Square::new(63 - word.leading_zeros())),
            None => None,
        }
    }

    /// The only square of the set, if it has just one.
    #[inline]
    pub const fn single(self) -> Option<Square> {
        if self.several() { None } else { self.first() }
    }

    /// Every square moved one rank up.
    #[inline]
    pub const fn north(self) -> Bitboard {
        Bitboard(self.0 << 8)
    }

    /// Every square moved one rank down.
    #[inline]
    pub const fn south(self) -> Bitboard {
        Bitboard(self.0 >> 8)
    }

    /// Every square moved one file right; the h-file falls off.
    #[inline]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & Bitboard::NOT_H) << 1)
    }

    /// Every square moved one file left; the a-file falls off.
    #[inline]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & Bitboard::NOT_A) >> 1)
    }

    /// The set seen from the other side of the board.
    #[inline]
    pub const fn flip_vertical(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Bitboard {
        Bitboard::of(square)
    }
}

impl From<File> for Bitboard {
    #[inline]
    fn from(file: File) -> Bitboard {
        Bitboard::of_file(file)
    }
}

impl From<Rank> for Bitboard {
    #[inline]
    fn from(rank: Rank) -> Bitboard {
        Bitboard::of_rank(rank)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

macro_rules! set_operators {
    ($($trait:ident $method:ident, $assign_trait:ident $assign_method:ident, $op:tt;)*) => {$(
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    )*};
}

set_operators! {
    BitAnd bitand, BitAndAssign bitand_assign, &;
    BitOr bitor, BitOrAssign bitor_assign, |;
    BitXor bitxor, BitXorAssign bitxor_assign, ^;
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// The squares of a set from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        let all: Bitboard = Square::ALL.into_iter().collect();
        assert_eq!(all, Bitboard::FULL);
        assert_eq!(all.into_iter().len(), 64);
        assert_eq!(Bitboard::LIGHT | Bitboard::DARK, Bitboard::FULL);
        assert!(Bitboard::LIGHT.into_iter().all(Square::is_light));
        assert_eq!(Bitboard::EMPTY.first(), None);
        assert_eq!(Bitboard::EMPTY.single(), None);
        assert_eq!(Bitboard::of(Square::C3).single(), Some(Square::C3));
        assert_eq!(Bitboard::FULL.last(), Some(Square::H8));
    }

    #[test]
    fn shifts_fall_off_the_edges() {
        for square in Square::ALL {
            let set = Bitboard::of(square);
            let moved = |files, ranks| square.offset(files, ranks).into_iter().collect::<Bitboard>();
            assert_eq!(set.north(), moved(0, 1));
            assert_eq!(set.south(), moved(0, -1));
            assert_eq!(set.east(), moved(1, 0));
            assert_eq!(set.west(), moved(-1, 0));
        }
    }
}
