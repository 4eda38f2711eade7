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

use vidmar_chess::{Board, Color, Role, Square};

use crate::evaluation::Evaluation;
use crate::piece_square::{bonus, sign};

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
        let mut value = material(board, us);
        if !board.in_check() {
            let legal_moves = legal_moves.unwrap_or_else(|| board.count_legal_moves());
            value += MOVE_VALUE * (legal_moves as i32 - board.count_replies_to_pass() as i32);
        }
        if self.piece_squares {
            value += sign(us) * piece_squares(board);
        }
        value
    }
}

/// The side's material less its opponent's.
#[inline]
fn material<B: Board>(board: &B, us: Color) -> i32 {
    MATERIAL
        .iter()
        .map(|&(role, value)| value * (board.count(us, role) as i32 - board.count(!us, role) as i32))
        .sum()
}

/// White's piece-square terms less Black's.
fn piece_squares<B: Board>(board: &B) -> i32 {
    let queens = board.count(Color::White, Role::Queen) + board.count(Color::Black, Role::Queen) > 0;
    Square::ALL
        .into_iter()
        .filter_map(|square| board.piece_at(square).map(|piece| (square, piece)))
        .map(|(square, piece)| sign(piece.color) * bonus(piece, square, queens))
        .sum()
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
                for &kind in BoardKind::ALL {
                    let value =
                        with_board!(kind, B => evaluation.evaluate(&mut B::new(&position), Some(legal)));
                    assert_eq!(value, expected, "{kind}: {fen}");
                }
            }
        }
    }
}
