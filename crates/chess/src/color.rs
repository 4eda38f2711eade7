//! The two sides, and a pair of things indexed by side.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

use serde::{Deserialize, Serialize};

/// White or Black.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The side that moves second.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The letter of the FEN field, `w` or `b`.
    pub const fn char(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// Reads the letter of the FEN field.
    pub const fn from_char(c: char) -> Option<Color> {
        match c {
            'w' => Some(Color::White),
            'b' => Some(Color::Black),
            _ => None,
        }
    }

    /// The opponent, in constant expressions; elsewhere `!color`.
    pub const fn opponent(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        self.opponent()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// One value for each side.
///
/// ```
/// use vidmar_chess::{ByColor, Color};
/// let points = ByColor::new(1.0, 0.0);
/// assert_eq!(points[Color::White], 1.0);
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ByColor<T>([T; 2]);

impl<T> ByColor<T> {
    /// White's value, then Black's.
    pub const fn new(white: T, black: T) -> Self {
        ByColor([white, black])
    }

    /// Asks `f` for each side's value.
    pub fn from_fn(mut f: impl FnMut(Color) -> T) -> Self {
        ByColor([f(Color::White), f(Color::Black)])
    }

    /// The same with the sides exchanged.
    pub fn swapped(self) -> Self {
        let [white, black] = self.0;
        ByColor([black, white])
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color as usize]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color as usize]
    }
}

/// A side known at compile time. Move generation is compiled once for each, so that pawn directions
/// and home ranks are constants in it.
pub(crate) trait Side {
    const COLOR: Color;
    const IS_WHITE: bool;
    type Opponent: Side<Opponent = Self>;
}

/// White, as a type.
pub(crate) struct WhiteSide;
/// Black, as a type.
pub(crate) struct BlackSide;

impl Side for WhiteSide {
    const COLOR: Color = Color::White;
    const IS_WHITE: bool = true;
    type Opponent = BlackSide;
}

impl Side for BlackSide {
    const COLOR: Color = Color::Black;
    const IS_WHITE: bool = false;
    type Opponent = WhiteSide;
}

/// Runs `$body` with the type `$side` standing for the run-time colour.
macro_rules! with_side {
    ($color:expr, $side:ident => $body:expr) => {
        match $color {
            $crate::color::Color::White => {
                type $side = $crate::color::WhiteSide;
                $body
            }
            $crate::color::Color::Black => {
                type $side = $crate::color::BlackSide;
                $body
            }
        }
    };
}
pub(crate) use with_side;
