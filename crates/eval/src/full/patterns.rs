//! Pieces that are shut in: each pattern is a piece on a square and what stands round it.
//!
//! A bishop caught on a7 or h7 costs the whole penalty, one on a6 or h6, which may still be freed, half.
//! (A trapped knight depends on its square alone and is part of the piece-square tables.)

use vidmar_chess::{Bitboard, Color, Role, Square};

use super::Term;
use super::pieces::Scene;
use crate::breakdown::{Sum, Trace};
use crate::spans::relative;
use crate::tapered::Tapered;

const fn set(squares: &[Square]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut index = 0;
    while index < squares.len() {
        set = set.with(squares[index]);
        index += 1;
    }
    set
}

/// Where a white bishop gets caught, the black pawn that shuts it in, and the share of the penalty.
const TRAPS: [(Square, Square, i32); 4] = [
    (Square::A7, Square::B6, 1),
    (Square::H7, Square::G6, 1),
    (Square::A6, Square::B5, 2),
    (Square::H6, Square::G5, 2),
];
const TRAP_SQUARES: Bitboard = set(&[Square::A7, Square::H7, Square::A6, Square::H6]);

/// A white bishop at home, the pawn in its way, and the square before that.
const HOMES: [(Square, Square, Square); 2] = [
    (Square::C1, Square::D2, Square::D3),
    (Square::F1, Square::E2, Square::E3),
];
const HOME_SQUARES: Bitboard = set(&[Square::C1, Square::F1]);

/// Where a white king stands in the way, and where the rook is then shut in.
const CORNERS: [(Bitboard, Bitboard); 2] = [
    (
        set(&[Square::B1, Square::C1]),
        set(&[Square::A1, Square::A2, Square::B1]),
    ),
    (
        set(&[Square::F1, Square::G1]),
        set(&[Square::H1, Square::H2, Square::G1]),
    ),
];

#[inline(always)]
pub(crate) fn patterns<T: Trace>(scene: &Scene<'_>, us: Color, sum: &mut Sum<'_, T>) {
    let w = scene.weights;
    // Seen from White's side whoever it is.
    let bishops = relative(us, scene.position.pieces(us, Role::Bishop));
    if (bishops & TRAP_SQUARES).any() {
        let pawns = relative(us, scene.position.pieces(!us, Role::Pawn));
        for (bishop, pawn, share) in TRAPS {
            if bishops.contains(bishop) && pawns.contains(pawn) {
                let penalty = w.trapped_bishop / share;
                sum.add(Term::Patterns, us, -Tapered::new(penalty, penalty));
            }
        }
    }
    if (bishops & HOME_SQUARES).any() {
        let pawns = relative(us, scene.position.pieces(us, Role::Pawn));
        let occupied = relative(us, scene.occupied);
        for (bishop, pawn, block) in HOMES {
            if bishops.contains(bishop) && pawns.contains(pawn) && occupied.contains(block) {
                sum.add(Term::Patterns, us, Tapered::opening_only(-w.blocked_bishop));
            }
        }
    }
    let king = scene.kings[us].relative_to(us);
    let rooks = relative(us, scene.position.pieces(us, Role::Rook));
    for (kings, corner) in CORNERS {
        if kings.contains(king) && (rooks & corner).any() {
            sum.add(Term::Patterns, us, Tapered::opening_only(-w.blocked_rook));
        }
    }
}
