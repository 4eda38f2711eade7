//! The number of a position inside its tablebase.
//!
//! `number = (pair of kings × squares of the first piece + its square) × squares of the second piece + its square`,
//! with 48 squares for a pawn and 64 for every other piece. Positions that are images of each other have one number:
//! the symmetry that reduces the kings is applied to all pieces; where it leaves the transposition free (both kings
//! on the diagonal) or two pieces are the same, the smallest number counts. Numbers that no position has, or that
//! belong to impossible positions, are left over: about half where two pieces are the same, a tenth elsewhere.

use vidmar_chess::{Color, Piece, Role, Square};

use crate::ending::{Ending, MAX_NON_KINGS, Placement};
use crate::kings::{self, KingTable, TRANSPOSE, image};

/// How the positions of one ending are numbered.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    kings: &'static KingTable,
    /// The square that has number 0, for each piece.
    first_squares: [u32; MAX_NON_KINGS],
    squares: [u32; MAX_NON_KINGS],
    has_twins: bool,
}

impl Layout {
    pub(crate) fn new(ending: Ending) -> Layout {
        let mut layout = Layout {
            kings: if ending.pawns() > 0 {
                &kings::PAWNS
            } else {
                &kings::PAWNLESS
            },
            first_squares: [0; MAX_NON_KINGS],
            squares: [1; MAX_NON_KINGS],
            has_twins: ending.has_twins(),
        };
        for (index, piece) in ending.pieces().enumerate() {
            let is_pawn = piece.role == Role::Pawn;
            layout.first_squares[index] = if is_pawn { 8 } else { 0 };
            layout.squares[index] = if is_pawn { 48 } else { 64 };
        }
        layout
    }

    /// How many numbers there are for each side to move.
    pub(crate) fn len(&self) -> usize {
        self.kings.count * self.squares[0] as usize * self.squares[1] as usize
    }

    /// The number of a position; none if the kings touch.
    #[inline]
    pub(crate) fn number(&self, placement: Placement) -> Option<u32> {
        let pair = self.kings.reduce(placement.kings);
        if !pair.is_possible() {
            return None;
        }
        let squares = placement.squares.map(|square| image(pair.symmetry, square));
        let number = self.number_with(pair.number, squares);
        if pair.on_diagonal {
            let transposed = squares.map(|square| image(TRANSPOSE, square));
            return Some(number.min(self.number_with(pair.number, transposed)));
        }
        Some(number)
    }

    /// The number for a reduced pair of kings that leaves no symmetry free.
    #[inline]
    fn number_with(&self, pair: u16, mut squares: [Square; MAX_NON_KINGS]) -> u32 {
        if self.has_twins && squares[0] > squares[1] {
            squares.swap(0, 1);
        }
        let first = squares[0] as u32 - self.first_squares[0];
        let number = u32::from(pair) * self.squares[0] + first;
        if self.squares[1] == 1 {
            number
        } else {
            number * self.squares[1] + squares[1] as u32 - self.first_squares[1]
        }
    }

    /// The number after a piece has gone from one square to another, for a reduced pair of kings that leaves no symmetry
    /// free.
    #[inline]
    pub(crate) fn number_after(&self, number: u32, placement: Placement, index: usize, to: Square) -> u32 {
        if self.has_twins {
            let mut squares = placement.squares;
            squares[index] = to;
            let pair = number / (self.squares[0] * self.squares[1]);
            return self.number_with(pair as u16, squares);
        }
        let stride = if index == 0 { self.squares[1] } else { 1 };
        let steps = (to as u32).wrapping_sub(placement.squares[index] as u32);
        number.wrapping_add(steps.wrapping_mul(stride))
    }

    /// The pieces of a number. Every number gives some, possible or not.
    #[inline]
    pub(crate) fn placement(&self, number: u32) -> Placement {
        let second = number % self.squares[1] + self.first_squares[1];
        let rest = number / self.squares[1];
        let first = rest % self.squares[0] + self.first_squares[0];
        let pair = rest / self.squares[0];
        Placement {
            kings: self.kings.pair(pair as usize),
            squares: [Square::new(first), Square::new(second)],
        }
    }
}

/// The pieces of an ending with their squares.
#[inline]
pub(crate) fn placed(
    ending: Ending,
    placement: Placement,
) -> impl Iterator<Item = (Piece, Square)> + Clone + use<> {
    let squares = placement.squares;
    ending.pieces().zip(squares)
}

/// The squares and side as seen with the colours exchanged.
#[inline]
pub(crate) fn turned(placement: Placement) -> Placement {
    let [white, black] = placement.kings;
    Placement {
        kings: [black.flip_vertical(), white.flip_vertical()],
        squares: placement.squares.map(Square::flip_vertical),
    }
}

/// The index of a colour's king in [`Placement`].
#[inline]
pub(crate) const fn side_index(color: Color) -> usize {
    color as usize
}
