//! Which squares a piece attacks: tables for kings, knights and pawns, lines between squares.
//! The pieces that slide are in `sliders.rs`.
//!
//! All tables are computed by the compiler, so that reading one needs no "is it ready" test.

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::Role;
use crate::sliders::{BISHOP_DIRECTIONS, ROOK_DIRECTIONS, slow_attacks};
use crate::square::Square;

pub use crate::sliders::{bishop, rook};

const KING_STEPS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];
const KNIGHT_STEPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

static KING: [Bitboard; 64] = stepper_table(&KING_STEPS);
static KNIGHT: [Bitboard; 64] = stepper_table(&KNIGHT_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [
    stepper_table(&[(-1, 1), (1, 1)]),
    stepper_table(&[(-1, -1), (1, -1)]),
];
static ROOK_LINES: [Bitboard; 64] = empty_board_table(&ROOK_DIRECTIONS);
static BISHOP_LINES: [Bitboard; 64] = empty_board_table(&BISHOP_DIRECTIONS);
static DIAGONALS: [[Bitboard; 2]; 64] = diagonal_table();
static BETWEEN: [[Bitboard; 64]; 64] = line_table(false);
static LINE: [[Bitboard; 64]; 64] = line_table(true);

/// The squares a king attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a pawn of that colour attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color as usize][square.index()]
}

/// The squares a queen attacks on a board with these squares occupied.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// The squares a rook attacks on an empty board.
#[inline(always)]
pub fn rook_lines(square: Square) -> Bitboard {
    ROOK_LINES[square.index()]
}

/// The squares a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_lines(square: Square) -> Bitboard {
    BISHOP_LINES[square.index()]
}

/// The squares strictly between two squares of one line; empty if no line joins them.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, from edge to edge; empty if no line joins them.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The two diagonals through a square: the one that rises from a1 to h8, and the one that falls.
#[inline(always)]
pub(crate) fn diagonals(square: Square) -> (Bitboard, Bitboard) {
    let [rising, falling] = DIAGONALS[square.index()];
    (rising, falling)
}

/// The squares a piece of that role and colour attacks.
#[inline]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

const fn stepper_table(steps: &[(i32, i32)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        let mut step = 0;
        while step < steps.len() {
            if let Some(target) = square.offset(steps[step].0, steps[step].1) {
                table[index] = table[index].with(target);
            }
            step += 1;
        }
        index += 1;
    }
    table
}

const fn empty_board_table(directions: &[(i32, i32); 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = slow_attacks(Square::new(index as u32), Bitboard::EMPTY, directions);
        index += 1;
    }
    table
}

const fn diagonal_table() -> [[Bitboard; 2]; 64] {
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        table[index] = [
            Bitboard(ray(square, 1, 1).0 | ray(square, -1, -1).0 | Bitboard::of(square).0),
            Bitboard(ray(square, 1, -1).0 | ray(square, -1, 1).0 | Bitboard::of(square).0),
        ];
        index += 1;
    }
    table
}

/// For every pair of squares on one line, the line through them (`whole`) or the part between them.
#[allow(clippy::large_stack_arrays, reason = "only ever evaluated by the compiler")]
const fn line_table(whole: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::new(index as u32);
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = KING_STEPS[direction];
            let whole_line = ray(from, files, ranks).0 | ray(from, -files, -ranks).0 | Bitboard::of(from).0;
            let mut passed = Bitboard::EMPTY;
            let mut at = from;
            while let Some(next) = at.offset(files, ranks) {
                table[index][next.index()] = if whole { Bitboard(whole_line) } else { passed };
                passed = passed.with(next);
                at = next;
            }
            direction += 1;
        }
        index += 1;
    }
    table
}

pub(crate) const fn ray(from: Square, files: i32, ranks: i32) -> Bitboard {
    let mut ray = Bitboard::EMPTY;
    let mut at = from;
    while let Some(next) = at.offset(files, ranks) {
        ray = ray.with(next);
        at = next;
    }
    ray
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steppers() {
        assert_eq!(
            king(Square::A1),
            [Square::A2, Square::B1, Square::B2].into_iter().collect()
        );
        assert_eq!(knight(Square::H8), [Square::F7, Square::G6].into_iter().collect());
        assert_eq!(pawn(Color::White, Square::A2), Square::B3.into());
        assert_eq!(
            pawn(Color::Black, Square::E5),
            [Square::D4, Square::F4].into_iter().collect()
        );
    }

    #[test]
    fn lines() {
        assert_eq!(
            between(Square::A1, Square::D4),
            [Square::B2, Square::C3].into_iter().collect()
        );
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(line(Square::C1, Square::C7), crate::File::C.into());
        for a in Square::ALL {
            for b in Square::ALL {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                let joined = a != b && (rook_lines(a) | bishop_lines(a)).contains(b);
                assert_eq!(line(a, b).any(), joined);
            }
        }
    }
}
