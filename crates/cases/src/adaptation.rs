//! From the move of a case to a legal one: the most similar.
//!
//! With weights w1, w2, w3, M the Manhattan distance over 14 and R the similarity of squares over 4,
//!
//! ```text
//! similarity = w1 (1 - (w2 M(from, from') + (1 - w2) M(to, to')))
//!            + (1 - w1) (w3 R(b[from], b'[from']) + (1 - w3) R(b[to], b'[to']))
//! ```
//!
//! Weights are thousandths, so the similarity is a whole number of [`WHOLE_MOVE`]ths and two moves are equally similar
//! exactly when the formula says so. Of equally similar moves the one with the case's promotion goes first
//! (with a queen's, if the case's move was none), then the lower squares, from and to.

use std::cmp::Reverse;

use vidmar_chess::{Move, Piece, Position, Promotion, Square};

use crate::case_move::CaseMove;
use crate::similarity::square_similarity;
use crate::weights::Weights;

/// The similarity of equal moves of equal pieces: 1 in the formula.
pub const WHOLE_MOVE: i64 = 28_000_000;

/// A move and the pieces on its squares before it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Solution {
    /// The move.
    pub m: CaseMove,
    /// What stands where it leaves.
    pub on_from: Option<Piece>,
    /// What stands where it goes.
    pub on_to: Option<Piece>,
}

impl Solution {
    /// A move with the pieces that `piece_at` sees.
    pub fn new(m: CaseMove, piece_at: impl Fn(Square) -> Option<Piece>) -> Solution {
        Solution {
            m,
            on_from: piece_at(m.from),
            on_to: piece_at(m.to),
        }
    }
}

/// How similar two moves are, from 0 to [`WHOLE_MOVE`].
pub fn move_similarity(one: &Solution, other: &Solution, weights: &Weights) -> i64 {
    let Weights {
        squares,
        from_square,
        from_piece,
    } = weights;
    let distance = from_square.thousandths() * manhattan(one.m.from, other.m.from)
        + from_square.rest() * manhattan(one.m.to, other.m.to);
    let likeness = from_piece.thousandths() * i64::from(square_similarity(one.on_from, other.on_from))
        + from_piece.rest() * i64::from(square_similarity(one.on_to, other.on_to));
    // Both brackets over a common denominator: 14 and 4 divide 28, and the weights are thousandths.
    squares.thousandths() * (28_000 - 2 * distance) + squares.rest() * 7 * likeness
}

fn manhattan(one: Square, other: Square) -> i64 {
    let along = |one: usize, other: usize| one.abs_diff(other) as i64;
    along(one.file().index(), other.file().index()) + along(one.rank().index(), other.rank().index())
}

/// The legal moves of a position, ready to be compared with many cases.
#[derive(Clone, Debug)]
pub struct Adapter {
    moves: Vec<(Move, Solution)>,
    weights: Weights,
}

/// A legal move made from a case's.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Adapted {
    /// The move.
    pub m: Move,
    /// Its similarity to the case's, from 0 to [`WHOLE_MOVE`].
    pub similarity: i64,
}

impl Adapter {
    /// An adapter to these legal moves of a position.
    pub fn new(position: &Position, moves: &[Move], weights: Weights) -> Adapter {
        let mut moves: Vec<(Move, Solution)> = moves
            .iter()
            .map(|&m| (m, Solution::new(m.into(), |square| position.piece_at(square))))
            .collect();
        moves.sort_by_key(|(_, solution)| (solution.m.from, solution.m.to, Reverse(solution.m.promotion)));
        Adapter { moves, weights }
    }

    /// The most similar of the moves; none if there are none.
    pub fn adapt(&self, case: &Solution) -> Option<Adapted> {
        let wanted = case.m.promotion.unwrap_or(Promotion::Queen);
        let mut best: Option<(i64, bool, Move)> = None;
        for &(m, ref solution) in &self.moves {
            let similarity = move_similarity(solution, case, &self.weights);
            let promotes = solution.m.promotion.is_none_or(|promotion| promotion == wanted);
            if best.is_none_or(|(most, fits, _)| (similarity, promotes) > (most, fits)) {
                best = Some((similarity, promotes, m));
            }
        }
        best.map(|(similarity, _, m)| Adapted { m, similarity })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::{Color, Role};

    /// The formula as it is written, in floating point.
    fn by_the_formula(one: Solution, other: Solution, weights: [f64; 3]) -> f64 {
        let [w1, w2, w3] = weights;
        let m = |a: Square, b: Square| {
            let files = (a.file().index() as f64 - b.file().index() as f64).abs();
            let ranks = (a.rank().index() as f64 - b.rank().index() as f64).abs();
            (files + ranks) / 14.0
        };
        let r = |a, b| f64::from(square_similarity(a, b)) / 4.0;
        let apart = w2 * m(one.m.from, other.m.from) + (1.0 - w2) * m(one.m.to, other.m.to);
        let alike = w3 * r(one.on_from, other.on_from) + (1.0 - w3) * r(one.on_to, other.on_to);
        w1 * (1.0 - apart) + (1.0 - w1) * alike
    }

    fn solution(position: &Position, m: &str) -> Solution {
        let m = position.parse_uci(m).unwrap();
        Solution::new(m.into(), |square| position.piece_at(square))
    }

    #[test]
    fn an_example_by_hand() {
        // The case plays Ng1-f3; the legal move is e2-e4 in the same position. From squares 3 apart (files 2, ranks 1),
        // to squares 2 apart (1 and 1); a pawn for a knight of the same colour is 3/4, empty for empty 1.
        let start = Position::default();
        let (knight, pawn) = (solution(&start, "g1f3"), solution(&start, "e2e4"));
        let halves = Weights::default();
        // 0.5 (1 - (0.5 · 3/14 + 0.5 · 2/14)) + 0.5 (0.5 · 3/4 + 0.5 · 1) = 0.5 · 23/28 + 0.5 · 7/8
        let expected = (WHOLE_MOVE / 2) * 23 / 28 + (WHOLE_MOVE / 2) * 7 / 8;
        assert_eq!(move_similarity(&knight, &pawn, &halves), expected);
        assert_eq!(move_similarity(&knight, &knight, &halves), WHOLE_MOVE);
        // Only the squares reached count: 1 - 2/14.
        let reached = Weights::from_thousandths(1000, 0, 500);
        assert_eq!(move_similarity(&knight, &pawn, &reached), WHOLE_MOVE * 6 / 7);
    }

    #[test]
    fn whole_numbers_agree_with_the_formula() {
        let position: Position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
            .parse()
            .unwrap();
        let all: Vec<Solution> = position
            .legal_moves()
            .iter()
            .map(|&m| Solution::new(m.into(), |square| position.piece_at(square)))
            .collect();
        for [w1, w2, w3] in [
            [500, 500, 500],
            [800, 200, 500],
            [200, 500, 800],
            [0, 0, 0],
            [1000, 1000, 1000],
        ] {
            let weights = Weights::from_thousandths(w1, w2, w3);
            let floats = [w1, w2, w3].map(|weight| f64::from(weight) / 1000.0);
            for one in &all {
                for other in &all {
                    let exact = move_similarity(one, other, &weights) as f64 / WHOLE_MOVE as f64;
                    assert!((exact - by_the_formula(*one, *other, floats)).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn promotions_are_part_of_the_move() {
        let position: Position = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
        let adapter = Adapter::new(&position, &position.legal_moves(), Weights::default());
        for (m, expected) in [("e7e8n", "e7e8n"), ("e7e8q", "e7e8q"), ("e7e8r", "e7e8r")] {
            let case = solution(&position, m);
            assert_eq!(
                adapter.adapt(&case).map(|adapted| adapted.m),
                position.parse_uci(expected).ok()
            );
        }
        // A rook's step to the same square promotes to nothing: a queen is made.
        let e7e8 = CaseMove {
            from: Square::E7,
            to: Square::E8,
            promotion: None,
        };
        let rook = Solution {
            m: e7e8,
            on_from: Some(Role::Rook.of(Color::White)),
            on_to: None,
        };
        assert_eq!(
            adapter.adapt(&rook).map(|adapted| adapted.m),
            position.parse_uci("e7e8q").ok()
        );
    }

    #[test]
    fn a_legal_move_of_the_case_is_played_as_it_is() {
        let position: Position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
            .parse()
            .unwrap();
        let moves = position.legal_moves();
        let adapter = Adapter::new(&position, &moves, Weights::default());
        for &m in &moves {
            let case = Solution::new(m.into(), |square| position.piece_at(square));
            assert_eq!(
                adapter.adapt(&case),
                Some(Adapted {
                    m,
                    similarity: WHOLE_MOVE
                })
            );
        }
        assert_eq!(
            Adapter::new(&position, &[], Weights::default()).adapt(&solution(&position, "e1g1")),
            None
        );
    }
}
