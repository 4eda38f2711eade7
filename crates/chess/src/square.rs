//! Squares, files and ranks.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::color::Color;

/// An enum of `$count` values numbered from 0, `$count` a power of two, that can be had from an
/// index without a table.
macro_rules! indexed_enum {
    ($(#[$doc:meta])* $name:ident[$count:literal] { $($variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }

        impl $name {
            /// Every value in order.
            pub const ALL: [$name; $count] = [$($name::$variant),*];

            /// The value with this index; higher bits are ignored.
            #[inline(always)]
            #[allow(unsafe_code)]
            pub const fn new(index: u32) -> $name {
                const { assert!($name::ALL.len() == $count && ($count as usize).is_power_of_two()) };
                // SAFETY: the enum is `repr(u8)` with exactly the values 0..$count, and the mask
                // leaves no other. The safe twin is `ALL[index & mask]`; a test holds them equal.
                unsafe { std::mem::transmute((index & ($count - 1)) as u8) }
            }

            /// The number of this value, from 0.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }
        }
    };
}

indexed_enum! {
    /// A file, a to h.
    File[8] { A, B, C, D, E, F, G, H }
}

indexed_enum! {
    /// A rank, 1 to 8, as White counts them.
    Rank[8] { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }
}

#[rustfmt::skip]
indexed_enum! {
    /// A square; a1 is 0, b1 is 1, h8 is 63.
    Square[64] {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

impl File {
    /// The letter, `a` to `h`.
    pub const fn char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Reads a letter `a` to `h`.
    pub const fn from_char(c: char) -> Option<File> {
        match c {
            'a'..='h' => Some(File::new(c as u32 - 'a' as u32)),
            _ => None,
        }
    }
}

impl Rank {
    /// The digit, `1` to `8`.
    pub const fn char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// Reads a digit `1` to `8`.
    pub const fn from_char(c: char) -> Option<Rank> {
        match c {
            '1'..='8' => Some(Rank::new(c as u32 - '1' as u32)),
            _ => None,
        }
    }

    /// The rank as the given side counts it: Black's second rank is White's seventh.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Rank {
        Rank::new(self as u32 ^ (7 * color as u32))
    }

    /// The rank where the side's pieces start.
    pub const fn back(color: Color) -> Rank {
        Rank::First.relative_to(color)
    }
}

impl Square {
    /// The square where a file and a rank cross.
    #[inline]
    pub const fn at(file: File, rank: Rank) -> Square {
        Square::new(rank as u32 * 8 + file as u32)
    }

    /// Its file.
    #[inline]
    pub const fn file(self) -> File {
        File::new(self as u32)
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::new(self as u32 >> 3)
    }

    /// The square seen from the other side of the board: a1 and a8 change places.
    #[inline]
    pub const fn flip_vertical(self) -> Square {
        Square::new(self as u32 ^ 0x38)
    }

    /// The square seen in a mirror beside the board: a1 and h1 change places.
    #[inline]
    pub const fn flip_horizontal(self) -> Square {
        Square::new(self as u32 ^ 7)
    }

    /// The square as the given side sees it: unchanged for White, flipped for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        Square::new(self as u32 ^ (0x38 * color as u32))
    }

    /// The square that many files to the right and ranks up, if it is on the board.
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Square> {
        let file = self.file() as i32 + files;
        let rank = self.rank() as i32 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square::new((rank * 8 + file) as u32))
    }

    /// The square `delta` indices further; the caller knows that it is on the board.
    #[inline]
    pub(crate) const fn step(self, delta: i32) -> Square {
        Square::new((self as i32 + delta) as u32)
    }

    /// Steps that a king needs from here to there.
    pub const fn distance(self, other: Square) -> u32 {
        let files = (self.file() as u32).abs_diff(other.file() as u32);
        let ranks = (self.rank() as u32).abs_diff(other.rank() as u32);
        if files > ranks { files } else { ranks }
    }

    /// Whether the square is a light one.
    pub const fn is_light(self) -> bool {
        (self.file() as u32 + self.rank() as u32) % 2 == 1
    }
}

macro_rules! text_of {
    ($($name:ident: $self:ident => $($part:expr),+;)*) => {$(
        impl fmt::Display for $name {
            fn fmt(&$self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(fmt::Write::write_char(f, $part)?;)+
                Ok(())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}

text_of! {
    File: self => self.char();
    Rank: self => self.char();
    Square: self => self.file().char(), self.rank().char();
}

/// The text is no square.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a square (expected a1 to h8)")]
pub struct SquareError(pub String);

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        let mut chars = text.chars();
        match (
            chars.next().and_then(File::from_char),
            chars.next().and_then(Rank::from_char),
            chars.next(),
        ) {
            (Some(file), Some(rank), None) => Ok(Square::at(file, rank)),
            _ => Err(SquareError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unchecked_way_equals_the_table() {
        for index in 0..1024_u32 {
            assert_eq!(Square::new(index), Square::ALL[index as usize % 64]);
            assert_eq!(File::new(index), File::ALL[index as usize % 8]);
            assert_eq!(Rank::new(index), Rank::ALL[index as usize % 8]);
        }
    }

    #[test]
    fn names_round_trip_and_junk_is_refused() {
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::at(square.file(), square.rank()), square);
        }
        for junk in ["", "e", "e9", "i1", "e44", "É4", "4e"] {
            assert_eq!(junk.parse::<Square>(), Err(SquareError(junk.to_owned())));
        }
    }

    #[test]
    fn geometry() {
        assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
        assert_eq!(Square::H4.offset(1, 0), None);
        assert_eq!(Square::A1.distance(Square::C8), 7);
        assert_eq!(Square::E2.relative_to(Color::Black), Square::E7);
        assert_eq!(Rank::Second.relative_to(Color::Black), Rank::Seventh);
        assert!(Square::H1.is_light() && !Square::A1.is_light());
    }
}
