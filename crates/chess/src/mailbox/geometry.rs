//! Where the squares lie in the array of cells, and how a step finds out that it leaves the board.
//!
//! This is all in which the four mailbox boards differ. A step either says that it leaves the board
//! (by a test), or leads to a border cell, which looks occupied by a piece that nobody can take.

use crate::board::BoardKind;
use crate::square::{File, Rank, Square};

/// A step on the board: so many files to the right and ranks up.
#[derive(Copy, Clone, Debug)]
pub struct Step {
    pub(super) files: i8,
    pub(super) ranks: i8,
}

impl Step {
    pub(super) const fn new(files: i8, ranks: i8) -> Step {
        Step { files, ranks }
    }

    /// The same step as a difference of indices on a board with rows of this width.
    #[inline(always)]
    const fn delta(self, width: i8) -> i8 {
        self.ranks * width + self.files
    }
}

/// A way to lay out the squares. Cells are numbered by bytes; those that are no square are border.
pub trait Geometry: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// The row of the table of boards.
    const KIND: BoardKind;

    /// The cell of a square.
    fn cell(square: Square) -> u8;

    /// The square of a cell that is one.
    fn square(cell: u8) -> Square;

    /// The number of the cell's square in rows of sixteen, in which the difference of two numbers
    /// tells how the squares lie to each other.
    fn wide(cell: u8) -> u8;

    /// The cell one king's step away, unless a test says that it is off the board.
    fn step(cell: u8, step: Step) -> Option<u8>;

    /// The same for a knight's jump.
    fn jump(cell: u8, step: Step) -> Option<u8>;
}

/// Rows of sixteen, of which the left half is the board: an index off the board, to whichever side,
/// has a bit of 0x88.
#[derive(Copy, Clone, Debug)]
pub struct Geometry0x88;

impl Geometry for Geometry0x88 {
    const KIND: BoardKind = BoardKind::Mailbox0x88;

    #[inline(always)]
    fn cell(square: Square) -> u8 {
        widened(square as u8)
    }

    #[inline(always)]
    fn square(cell: u8) -> Square {
        Square::at(File::new(cell.into()), Rank::new(u32::from(cell) >> 4))
    }

    #[inline(always)]
    fn wide(cell: u8) -> u8 {
        cell
    }

    #[inline(always)]
    fn step(cell: u8, step: Step) -> Option<u8> {
        let next = cell.wrapping_add_signed(step.delta(16));
        (next & 0x88 == 0).then_some(next)
    }

    #[inline(always)]
    fn jump(cell: u8, step: Step) -> Option<u8> {
        Self::step(cell, step)
    }
}

/// A cell for each square and no other: every step tests the file and the rank.
#[derive(Copy, Clone, Debug)]
pub struct Geometry8x8;

impl Geometry for Geometry8x8 {
    const KIND: BoardKind = BoardKind::Mailbox8x8;

    #[inline(always)]
    fn cell(square: Square) -> u8 {
        square as u8
    }

    #[inline(always)]
    fn square(cell: u8) -> Square {
        Square::new(cell.into())
    }

    #[inline(always)]
    fn wide(cell: u8) -> u8 {
        widened(cell)
    }

    #[inline(always)]
    fn step(cell: u8, step: Step) -> Option<u8> {
        let file = (cell & 7).wrapping_add_signed(step.files);
        let rank = (cell >> 3).wrapping_add_signed(step.ranks);
        (file < 8 && rank < 8).then_some(rank << 3 | file)
    }

    #[inline(always)]
    fn jump(cell: u8, step: Step) -> Option<u8> {
        Self::step(cell, step)
    }
}

/// Rows of ten with a border cell at each end. A knight that jumps over the end of one row lands on
/// the border at the end of the next, so files never need a test. With twelve rows, two of them
/// border above and two below, ranks need none either; with ten rows only a knight can leave the
/// array, which its jump tests.
#[derive(Copy, Clone, Debug)]
pub struct GeometryOfTens<const ROWS: usize>;

/// One ring of border cells.
pub type Geometry10x10 = GeometryOfTens<10>;

/// A border that even knights cannot cross.
pub type Geometry10x12 = GeometryOfTens<12>;

impl<const ROWS: usize> GeometryOfTens<ROWS> {
    const CELLS: usize = 10 * ROWS;

    const SQUARES: [Square; 256] = {
        let mut squares = [Square::A1; 256];
        let mut index = 0;
        while index < 64 {
            squares[Self::cell_of(index as u8) as usize] = Square::new(index);
            index += 1;
        }
        squares
    };

    const WIDE: [u8; 256] = {
        let mut wide = [0; 256];
        let mut index = 0;
        while index < 64 {
            wide[Self::cell_of(index) as usize] = widened(index);
            index += 1;
        }
        wide
    };

    const fn cell_of(square: u8) -> u8 {
        ((square >> 3) + (ROWS as u8 - 8) / 2) * 10 + (square & 7) + 1
    }
}

impl<const ROWS: usize> Geometry for GeometryOfTens<ROWS> {
    const KIND: BoardKind = if ROWS == 10 {
        BoardKind::Mailbox10x10
    } else {
        BoardKind::Mailbox10x12
    };

    #[inline(always)]
    fn cell(square: Square) -> u8 {
        Self::cell_of(square as u8)
    }

    #[inline(always)]
    fn square(cell: u8) -> Square {
        Self::SQUARES[cell as usize]
    }

    #[inline(always)]
    fn wide(cell: u8) -> u8 {
        Self::WIDE[cell as usize]
    }

    #[inline(always)]
    fn step(cell: u8, step: Step) -> Option<u8> {
        Some(cell.wrapping_add_signed(step.delta(10)))
    }

    #[inline(always)]
    fn jump(cell: u8, step: Step) -> Option<u8> {
        let next = cell.wrapping_add_signed(step.delta(10));
        (ROWS == 12 || usize::from(next) < Self::CELLS).then_some(next)
    }
}

const fn widened(square: u8) -> u8 {
    square + (square & 0x38)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mailbox::relation::{KNIGHT_JUMPS, STEPS};

    /// Each square has a cell of its own, and steps and jumps lead where the squares themselves say,
    /// or off the board, or to a cell that is no square.
    fn steps_are_those_of_squares<G: Geometry>() {
        let cells = Square::ALL.map(G::cell);
        for square in Square::ALL {
            let cell = G::cell(square);
            assert_eq!(G::square(cell), square);
            assert_eq!(G::wide(cell), widened(square as u8));
            let steps = STEPS.map(|step| (step, G::step(cell, step)));
            let jumps = KNIGHT_JUMPS.map(|step| (step, G::jump(cell, step)));
            for (step, next) in steps.into_iter().chain(jumps) {
                let expected = square.offset(step.files.into(), step.ranks.into());
                let found = next.filter(|next| cells.contains(next)).map(G::square);
                assert_eq!(found, expected, "{:?} {square} {step:?}", G::KIND);
            }
        }
    }

    #[test]
    fn all_layouts_agree_about_steps() {
        steps_are_those_of_squares::<Geometry0x88>();
        steps_are_those_of_squares::<Geometry8x8>();
        steps_are_those_of_squares::<Geometry10x10>();
        steps_are_those_of_squares::<Geometry10x12>();
    }

    /// What each layout promises: tests where it has no border, border where it does not test.
    #[test]
    fn layouts_pay_where_they_say() {
        let (west, over_the_edge) = (Step::new(-1, 0), Step::new(1, -2));
        assert_eq!(Geometry8x8::step(0, west), None);
        assert_eq!(Geometry0x88::step(0, west), None);
        assert_eq!(Geometry10x10::step(11, west), Some(10));
        assert_eq!(Geometry10x10::jump(11, over_the_edge), None);
        assert_eq!(Geometry10x12::jump(21, over_the_edge), Some(2));
    }
}
