//! Pawn structure: everything that depends on the pawns alone, found for all pawns of a side at once.
//!
//! | pawn | is |
//! | --- | --- |
//! | doubled | one with an own pawn behind it on its file |
//! | open | one with no pawn of either side before it on its file |
//! | isolated | one without own pawns on the files beside it |
//! | backward | one not isolated, without own pawns level with it or behind it on the files beside it, whose next square an enemy pawn guards or any pawn blocks |
//! | passed | an open one that no enemy pawn can stop or take on its way |
//! | candidate | an open one, not passed, with as many helpers (own pawns beside or behind it on the files beside it) as there are enemy pawns before it on those files, and at least as many guards as attackers now |

use vidmar_chess::{Bitboard, ByColor, Color, Key, Position, Role};

use super::Term;
use super::shelter::Shelter;
use crate::breakdown::{Sum, Trace};
use crate::spans::{ahead, behind, beside, files, forward, forward_fill, pawn_attacks, relative};
use crate::tapered::Tapered;
use crate::weights::Weights;

/// What the pawns of a position tell, and the last shelter of either king among them.
#[derive(Clone, Debug)]
pub(crate) struct PawnEntry {
    pub(crate) key: Key,
    /// White's sum minus Black's.
    pub(crate) score: Tapered,
    /// Both sides' passed pawns.
    pub(crate) passed: Bitboard,
    /// The files with pawns of a side.
    pub(crate) files: ByColor<Bitboard>,
    /// What a side's pawns attack now or may attack after stepping forward.
    pub(crate) reach: ByColor<Bitboard>,
    pub(crate) shelter: ByColor<Shelter>,
}

impl PawnEntry {
    /// The entry of a board without pawns.
    pub(crate) const EMPTY: PawnEntry = PawnEntry {
        key: Key(0),
        score: Tapered::ZERO,
        passed: Bitboard::EMPTY,
        files: ByColor::new(Bitboard::EMPTY, Bitboard::EMPTY),
        reach: ByColor::new(Bitboard::EMPTY, Bitboard::EMPTY),
        shelter: ByColor::new(Shelter::UNKNOWN, Shelter::UNKNOWN),
    };

    pub(crate) fn new<T: Trace>(weights: &Weights, position: &Position, trace: &mut T) -> PawnEntry {
        let pawns = ByColor::from_fn(|color| position.pieces(color, Role::Pawn));
        let mut sum = Sum::new(trace);
        let white_passed = structure(weights, Color::White, &pawns, &mut sum);
        let black_passed = structure(weights, Color::Black, &pawns, &mut sum);
        PawnEntry {
            key: position.pawn_key(),
            score: sum.total,
            passed: white_passed | black_passed,
            files: ByColor::from_fn(|color| files(pawns[color])),
            reach: ByColor::from_fn(|color| forward_fill(color, pawn_attacks(color, pawns[color]))),
            shelter: ByColor::new(Shelter::UNKNOWN, Shelter::UNKNOWN),
        }
    }
}

/// Adds a side's pawns and returns the passed ones.
fn structure<T: Trace>(
    weights: &Weights,
    us: Color,
    pawns: &ByColor<Bitboard>,
    sum: &mut Sum<'_, T>,
) -> Bitboard {
    let (own, enemy) = (pawns[us], pawns[!us]);
    for square in own {
        sum.add_piece(
            us,
            weights.squares[us][Role::Pawn as usize][square.index()],
            weights.material[Role::Pawn as usize],
        );
    }

    let sorts = Sorts::new(us, own, enemy);
    let count = |set: Bitboard| set.len() as i32;
    sum.add(Term::PawnStructure, us, -weights.doubled * count(sorts.doubled));
    for (open, among) in [(0, !sorts.open), (1, sorts.open)] {
        let weak = -(weights.isolated[open] * count(sorts.isolated & among)
            + weights.backward[open] * count(sorts.backward & among));
        sum.add(Term::PawnStructure, us, weak);
    }
    for square in sorts.passed {
        let rank = square.rank().relative_to(us).index();
        sum.add(Term::PassedPawns, us, weights.passed[rank]);
    }
    for square in sorts.open & !sorts.passed {
        if is_candidate(us, square.into(), own, enemy) {
            let rank = square.rank().relative_to(us).index();
            sum.add(Term::PassedPawns, us, weights.candidate[rank]);
        }
    }
    if let Some(extended) = &weights.extended {
        for square in own & (beside(own) | pawn_attacks(us, own)) {
            let rank = square.rank().relative_to(us).index() as i32;
            sum.add(Term::PawnStructure, us, extended.connected * rank);
        }
    }
    sorts.passed
}

/// A side's pawns by sort.
struct Sorts {
    doubled: Bitboard,
    open: Bitboard,
    isolated: Bitboard,
    backward: Bitboard,
    passed: Bitboard,
}

impl Sorts {
    fn new(us: Color, own: Bitboard, enemy: Bitboard) -> Sorts {
        let open = own & !behind(us, own | enemy);
        let isolated = own & !beside(files(own));
        let left_behind = own & !isolated & !forward_fill(us, beside(own));
        let bad_steps = pawn_attacks(!us, enemy) | own | enemy;
        let cannot_follow = forward(!us, bad_steps);
        let enemy_front = ahead(!us, enemy);
        Sorts {
            doubled: own & ahead(us, own),
            open,
            isolated,
            backward: left_behind & cannot_follow,
            passed: open & !(enemy_front | beside(enemy_front)),
        }
    }
}

fn is_candidate(us: Color, pawn: Bitboard, own: Bitboard, enemy: Bitboard) -> bool {
    let helpers = own & forward_fill(!us, beside(pawn));
    let stoppers = enemy & ahead(us, beside(pawn));
    let guards = own & pawn_attacks(!us, pawn);
    let attackers = enemy & pawn_attacks(us, pawn);
    helpers.len() >= stoppers.len() && guards.len() >= attackers.len()
}

/// The squares of the outpost table, as the side sees them.
pub(crate) const fn outpost_squares(us: Color) -> Bitboard {
    const WHITE: Bitboard = Bitboard(0x0000_3C7E_7E00_0000);
    relative(us, WHITE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorts(fen: &str, us: Color) -> Sorts {
        let position: Position = fen.parse().unwrap();
        Sorts::new(
            us,
            position.pieces(us, Role::Pawn),
            position.pieces(!us, Role::Pawn),
        )
    }

    fn set(squares: &str) -> Bitboard {
        squares
            .split_whitespace()
            .map(|s| s.parse::<vidmar_chess::Square>().unwrap())
            .collect()
    }

    #[test]
    fn every_sort_by_hand() {
        // c3 has been left behind by d4, and b5 and d5 guard its next square; a6 by b5, and a pawn blocks it.
        let fen = "4k3/8/p7/Pp1p3P/3P4/P1P5/8/4K3 w - - 0 1";
        let white = sorts(fen, Color::White);
        assert_eq!(white.doubled, set("a5"));
        assert_eq!(white.isolated, set("a3 a5 h5"));
        assert_eq!(white.backward, set("c3"));
        assert_eq!(white.open, set("c3 h5"));
        assert_eq!(white.passed, set("h5"));
        let black = sorts(fen, Color::Black);
        assert_eq!(black.doubled, set(""));
        assert_eq!(black.isolated, set("d5"));
        assert_eq!(black.backward, set("a6"));
        assert_eq!(black.open, set("b5"));
        assert_eq!(black.passed, set(""));
    }

    #[test]
    fn candidates_have_enough_helpers_and_guards() {
        let candidate = |fen: &str, square: &str| {
            let position: Position = fen.parse().unwrap();
            let pawns = |color| position.pieces(color, Role::Pawn);
            is_candidate(
                Color::White,
                set(square),
                pawns(Color::White),
                pawns(Color::Black),
            )
        };
        assert!(candidate("4k3/1p6/8/8/PP6/8/8/4K3 w - - 0 1", "a4"));
        assert!(!candidate("4k3/1p6/8/8/P7/8/8/4K3 w - - 0 1", "a4"), "no helper");
        assert!(
            !candidate("4k3/8/8/2p5/1P6/8/P7/4K3 w - - 0 1", "b4"),
            "attacked, not guarded"
        );
        assert!(candidate("4k3/8/8/2p5/1P6/P7/8/4K3 w - - 0 1", "b4"));
    }
}
