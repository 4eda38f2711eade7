//! The simple evaluation: material and mobility, the same number on every board.
//!
//! Material counts 900, 500, 300, 300 and 100 for queen, rook, bishop, knight and pawn. Mobility counts
//! 10 for each legal move of a side. For the side to move these are its legal moves. The other side is
//! counted as if it were to move: its legal moves after a pass, which also ends any right to take en
//! passant. A side in check cannot pass, so there the other side's moves are not defined; mobility is
//! then left out for both, for the few answers to a check tell nothing about how free the pieces are.
//!
//! All of this is defined by the rules of chess alone, so the value cannot depend on the board; the
//! search's tests hold the boards to it. Source: the teaching evaluation of [maribor-2004], which does
//! not say what a pass means: that is ours.

use vidmar_chess::{BitboardBoard, Board, ByColor, Color, Position, Role, Square};

use crate::breakdown::{Breakdown, TermScore};
use crate::evaluation::Evaluation;
use crate::full::{Term, WHOLE_SCALE, phase};
use crate::piece_square::{bonus, sign};
use crate::tapered::Tapered;

/// Material and mobility, with piece-square terms if wanted.
///
/// ```
/// use vidmar_chess::{BitboardBoard, Board, Position};
/// use vidmar_eval::{Evaluation, SimpleEvaluation};
/// // Black is in check: material alone counts.
/// let position: Position = "7k/8/8/8/8/P7/8/K6R b - - 0 1".parse()?;
/// let mut board = BitboardBoard::new(&position);
/// assert!(board.in_check());
/// assert_eq!(SimpleEvaluation::default().evaluate(&mut board, Some(2)), -600);
/// # Ok::<(), vidmar_chess::FenError>(())
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct SimpleEvaluation {
    /// Whether to add the piece-square terms.
    pub piece_squares: bool,
}

const MOVE_VALUE: i32 = 10;
const MATERIAL: [(Role, i32); 5] = [
    (Role::Pawn, 100),
    (Role::Knight, 300),
    (Role::Bishop, 300),
    (Role::Rook, 500),
    (Role::Queen, 900),
];

impl Evaluation for SimpleEvaluation {
    #[inline]
    fn evaluate<B: Board>(&mut self, board: &mut B, legal_moves: Option<usize>) -> i32 {
        let us = board.turn();
        let mut value = pieces(board, us) - pieces(board, !us);
        if !board.in_check() {
            let legal_moves = legal_moves.unwrap_or_else(|| board.count_legal_moves());
            value += MOVE_VALUE * (legal_moves as i32 - board.count_replies_to_pass() as i32);
        }
        if self.piece_squares {
            let squares = piece_squares(board);
            value += squares[us] - squares[!us];
        }
        value
    }
}

impl SimpleEvaluation {
    /// The same term by term.
    pub fn explain(mut self, position: &Position) -> Breakdown {
        let mut board = BitboardBoard::new(position);
        let us = board.turn();
        let mut terms = vec![term(
            Term::Material,
            ByColor::from_fn(|side| pieces(&board, side)),
        )];
        if self.piece_squares {
            terms.push(term(Term::PieceSquares, piece_squares(&board)));
        }
        if !board.in_check() {
            let moves = [board.count_legal_moves(), board.count_replies_to_pass()];
            let of = |side| moves[usize::from(side != us)] as i32 * MOVE_VALUE;
            terms.push(term(Term::Mobility, ByColor::from_fn(of)));
        }
        let total = terms.iter().map(|term| term.white - term.black);
        let score = self.evaluate(&mut board, None);
        Breakdown {
            total: total.fold(Tapered::ZERO, |sum, value| sum + value),
            terms,
            phase: phase(position),
            endgame_scale: WHOLE_SCALE,
            draw_scale: WHOLE_SCALE,
            white_score: sign(us) * score,
            score,
        }
    }
}

/// A term that is worth the same in every phase.
fn term(term: Term, values: ByColor<i32>) -> TermScore {
    let tapered = |value: i32| Tapered::new(value, value);
    TermScore {
        term,
        white: tapered(values[Color::White]),
        black: tapered(values[Color::Black]),
    }
}

/// What a side's pieces are worth.
#[inline]
fn pieces<B: Board>(board: &B, side: Color) -> i32 {
    let worth = |&(role, value): &(Role, i32)| value * board.count(side, role) as i32;
    MATERIAL.iter().map(worth).sum()
}

/// The sides' piece-square terms.
fn piece_squares<B: Board>(board: &B) -> ByColor<i32> {
    let queens = board.count(Color::White, Role::Queen) + board.count(Color::Black, Role::Queen) > 0;
    let mut sums = ByColor::default();
    for square in Square::ALL {
        if let Some(piece) = board.piece_at(square) {
            sums[piece.color] += bonus(piece, square, queens);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use vidmar_chess::{BitboardBoard, BoardKind, Position, with_board};

    use super::*;

    fn evaluate(fen: &str, mut evaluation: SimpleEvaluation) -> i32 {
        let position: Position = fen.parse().expect("a legal position");
        evaluation.evaluate(&mut BitboardBoard::new(&position), None)
    }

    fn simple(fen: &str) -> i32 {
        evaluate(fen, SimpleEvaluation::default())
    }

    /// Counted by hand: pieces, then moves of either side.
    #[test]
    fn material_and_mobility_by_hand() {
        assert_eq!(
            simple("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            0
        );
        // King 5 and pawn 2 against king 5.
        assert_eq!(simple("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), 100 + 10 * (7 - 5));
        assert_eq!(simple("4k3/8/8/8/8/8/P7/4K3 b - - 0 1"), -100 - 10 * (7 - 5));
        // Queen d1 21 less the king's square e1 and beyond (3), king 4; Black's king 3 of 5.
        assert_eq!(
            simple("4k3/8/8/8/8/8/8/3QK3 b - - 0 1"),
            -900 + 10 * (3 - (17 + 4))
        );
    }

    #[test]
    fn in_check_only_material_counts() {
        assert_eq!(simple("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"), -500);
    }

    #[test]
    fn en_passant_counts_for_the_side_to_move_only() {
        // White: king 5, pawn 1 step and the capture; Black: king 5, pawn 1 step. Without the right, 6 to 6.
        assert_eq!(simple("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), 10);
        assert_eq!(simple("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"), 0);
    }

    #[test]
    fn colours_swapped_give_the_same_value() {
        let squares = SimpleEvaluation { piece_squares: true };
        for (white, black) in [
            (
                "4k3/8/8/8/3N4/8/PP6/4K2R w K - 0 1",
                "4k2r/pp6/8/3n4/8/8/8/4K3 b k - 0 1",
            ),
            (
                "r3k3/1R6/8/8/8/8/8/4K3 w q - 0 1",
                "4k3/8/8/8/8/8/1r6/R3K3 b Q - 0 1",
            ),
        ] {
            assert_eq!(simple(white), simple(black));
            assert_eq!(evaluate(white, squares), evaluate(black, squares));
        }
    }

    #[test]
    fn every_board_gives_the_same_value() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        ] {
            let position: Position = fen.parse().expect("a legal position");
            let legal = position.legal_moves().len();
            for piece_squares in [false, true] {
                let mut evaluation = SimpleEvaluation { piece_squares };
                let expected = evaluate(fen, evaluation);
                let explained = evaluation.explain(&position);
                assert_eq!(explained.score, expected, "{fen}");
                assert_eq!(explained.total.opening(), explained.white_score, "{fen}");
                assert_eq!(explained.total.endgame(), explained.white_score, "{fen}");
                for &kind in BoardKind::ALL {
                    let value =
                        with_board!(kind, B => evaluation.evaluate(&mut B::new(&position), Some(legal)));
                    assert_eq!(value, expected, "{kind}: {fen}");
                }
            }
        }
    }
}
