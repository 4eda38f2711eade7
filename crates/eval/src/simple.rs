//! The simple evaluation: material and mobility, the same number on every board.
//!
//! Material counts 900, 500, 300, 300 and 100 for queen, rook, bishop, knight and pawn, unless other [`SimpleWeights`] are
//! chosen. Mobility counts 10 for each legal move of a side. For the side to move these are its legal moves. The other side is
//! counted as if it were to move: its legal moves after a pass, which also ends any right to take en
//! passant. A side in check cannot pass, so there the other side's moves are not defined; mobility is
//! then left out for both, for the few answers to a check tell nothing about how free the pieces are.
//!
//! Three more terms can be added: doubled pawns, a penalty without a weight unless one is chosen ([urminsky-2007]: "pairs of pawns
//! on a file", where three pawns are two pairs), piece squares, and occupation, which counts 5 for each square that a side attacks and its opponent
//! does not, be it empty or not. The published text names occupation among the kinds of knowledge and gives it no weight: half that
//! of a move is ours.
//!
//! All of this is defined by the rules of chess alone, so the value cannot depend on the board; the
//! search's tests hold the boards to it. Source: the teaching evaluation of [maribor-2004], which does
//! not say what a pass means: that is ours.

mod weights;

use vidmar_chess::{BitboardBoard, Board, Color, Position, Role, Square};

use crate::breakdown::{Breakdown, TermScore};
use crate::evaluation::Evaluation;
use crate::full::{SCORE_LIMIT, Term, WHOLE_SCALE, phase};
use crate::piece_square::{bonus, sign};
use crate::tapered::Tapered;

pub use weights::SimpleWeights;

/// Material and mobility, with doubled pawns, piece-square terms or occupation if wanted.
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
    /// What material, mobility and doubled pawns weigh.
    pub weights: SimpleWeights,
    /// Whether to add the piece-square terms.
    pub piece_squares: bool,
    /// Whether to add the squares that one side alone controls.
    pub occupation: bool,
}

const SQUARE_VALUE: i32 = 5;

/// What a term gives the side to move and its opponent.
type Both = [i32; 2];

/// The terms, one row each: its heading in a breakdown, whether the evaluation has it, its code.
macro_rules! terms {
    ($($term:ident, $is_on:expr => $code:path;)*) => {
        impl SimpleEvaluation {
            /// Computes each of its terms.
            #[inline(always)]
            fn each<B: Board>(self, board: &mut B, legal_moves: Option<usize>, mut add: impl FnMut(Term, Both)) {
                $(
                    let is_on: fn(&SimpleEvaluation) -> bool = $is_on;
                    if is_on(&self) {
                        add(Term::$term, $code(self.weights, board, legal_moves));
                    }
                )*
            }
        }
    };
}

terms! {
    Material, |_| true => material;
    PieceSquares, |of| of.piece_squares => piece_squares;
    Mobility, |_| true => mobility;
    PawnStructure, |of| of.weights.doubled != 0 => doubled_pawns;
    Occupation, |of| of.occupation => occupation;
}

impl Evaluation for SimpleEvaluation {
    #[inline]
    fn evaluate<B: Board>(&mut self, board: &mut B, legal_moves: Option<usize>) -> i32 {
        let mut value = 0;
        self.each(board, legal_moves, |_, [own, other]| value += own - other);
        value.clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }
}

impl SimpleEvaluation {
    /// The value with all its terms, which are the same in every phase.
    pub fn explain(self, position: &Position) -> Breakdown {
        let turn = position.turn();
        let mut terms = Vec::new();
        let mut score = 0;
        self.each(&mut BitboardBoard::new(position), None, |term, [own, other]| {
            score += own - other;
            let [own, other] = [own, other].map(|value| Tapered::new(value, value));
            let (white, black) = match turn {
                Color::White => (own, other),
                Color::Black => (other, own),
            };
            terms.push(TermScore { term, white, black });
        });
        let score = score.clamp(-SCORE_LIMIT, SCORE_LIMIT);
        let white_score = sign(turn) * score;
        Breakdown {
            terms,
            total: Tapered::new(white_score, white_score),
            phase: phase(position),
            endgame_scale: WHOLE_SCALE,
            draw_scale: WHOLE_SCALE,
            white_score,
            score,
        }
    }
}

#[inline(always)]
fn material<B: Board>(weights: SimpleWeights, board: &mut B, _: Option<usize>) -> Both {
    let values = [
        (Role::Pawn, weights.pawn),
        (Role::Knight, weights.knight),
        (Role::Bishop, weights.bishop),
        (Role::Rook, weights.rook),
        (Role::Queen, weights.queen),
    ];
    let us = board.turn();
    [us, !us].map(|side| {
        let worth = |&(role, value): &(Role, i32)| value * board.count(side, role) as i32;
        values.iter().map(worth).sum()
    })
}

#[inline(always)]
fn mobility<B: Board>(weights: SimpleWeights, board: &mut B, legal_moves: Option<usize>) -> Both {
    if board.in_check() {
        return [0, 0];
    }
    let legal_moves = legal_moves.unwrap_or_else(|| board.count_legal_moves());
    [legal_moves, board.count_replies_to_pass()].map(|moves| weights.mobility * moves as i32)
}

#[inline(always)]
fn doubled_pawns<B: Board>(weights: SimpleWeights, board: &mut B, _: Option<usize>) -> Both {
    let us = board.turn();
    let mut pawns = [[0; 8]; 2];
    for square in Square::ALL {
        if let Some(piece) = board.piece_at(square).filter(|piece| piece.role == Role::Pawn) {
            pawns[usize::from(piece.color != us)][square.file().index()] += 1;
        }
    }
    pawns.map(|files: [i32; 8]| {
        -weights.doubled * files.map(|on_file| (on_file - 1).max(0)).iter().sum::<i32>()
    })
}

#[inline(always)]
fn piece_squares<B: Board>(_: SimpleWeights, board: &mut B, _: Option<usize>) -> Both {
    let us = board.turn();
    let queens = board.count(Color::White, Role::Queen) + board.count(Color::Black, Role::Queen) > 0;
    let mut both = [0, 0];
    for square in Square::ALL {
        if let Some(piece) = board.piece_at(square) {
            both[usize::from(piece.color != us)] += bonus(piece, square, queens);
        }
    }
    both
}

#[inline(always)]
fn occupation<B: Board>(_: SimpleWeights, board: &mut B, _: Option<usize>) -> Both {
    let us = board.turn();
    let (own, other) = (board.attacked_by(us), board.attacked_by(!us));
    [own & !other, other & !own].map(|alone| SQUARE_VALUE * alone.len() as i32)
}

#[cfg(test)]
mod tests {
    use vidmar_chess::{BoardKind, with_board};

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

    fn occupation() -> SimpleEvaluation {
        SimpleEvaluation {
            occupation: true,
            ..SimpleEvaluation::default()
        }
    }

    /// Every weight counts as often as what it weighs.
    #[test]
    fn weights_are_what_the_terms_are_multiplied_by() {
        // White: queen, rook, bishop, knight, three pawns on one file and one alone; Black: two pawns on one file.
        let fen = "4k3/p7/p7/2P5/2P5/8/2P4P/QRBNK3 b - - 0 1";
        let with = |name: &str| {
            let mut weights = SimpleWeights::default();
            for row in SimpleWeights::TABLE {
                weights.set(row.name, 0);
            }
            assert!(weights.set(name, 7));
            let evaluation = SimpleEvaluation {
                weights,
                ..SimpleEvaluation::default()
            };
            -evaluate(fen, evaluation) / 7
        };
        let of_names = ["pawn", "knight", "bishop", "rook", "queen", "doubled"].map(with);
        assert_eq!(of_names, [4 - 2, 1, 1, 1, 1, 1 - 2]);
        let position: Position = fen.parse().expect("a legal position");
        let mut board = BitboardBoard::new(&position);
        let moves = [board.count_replies_to_pass(), board.count_legal_moves()];
        assert_eq!(with("mobility"), moves[0] as i32 - moves[1] as i32);
        assert_eq!(SimpleWeights::TABLE.len(), of_names.len() + 1);
    }

    #[test]
    fn no_weights_lead_beyond_what_a_search_can_tell_from_a_mate() {
        let mut weights = SimpleWeights::default();
        for row in SimpleWeights::TABLE {
            weights.set(row.name, row.max);
        }
        let evaluation = SimpleEvaluation {
            weights,
            ..SimpleEvaluation::default()
        };
        assert_eq!(
            evaluate("7k/6p1/8/8/QQQQQQQ1/QQ6/8/RNBKBNR1 w - - 0 1", evaluation),
            SCORE_LIMIT
        );
    }

    /// Squares counted by hand.
    #[test]
    fn occupation_counts_squares_that_one_side_alone_controls() {
        // White's king attacks 5 squares and the pawn b3, 6 in all, Black's king 5; none is attacked by both.
        let fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1";
        assert_eq!(evaluate(fen, occupation()) - simple(fen), 5);
        // The kings stand opposed: d5, e5 and f5 are attacked by both and count for nobody.
        let fen = "8/8/4k3/8/4K3/8/8/R7 w - - 0 1";
        // Rook a1: b1 to h1 and a2 to a8, 14 squares; king 8 less 3. Black's king 8 less 3, and the rook's a6 is not its.
        assert_eq!(evaluate(fen, occupation()) - simple(fen), 5 * (14 + 5 - 5));
        // It is the same for the side that is in check.
        let fen = "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1";
        // Rook: e1, e3 to e8, a2 to d2, f2 to h2, 14; king 5, of which d2 and f2 are the rook's as well, and e2: 14 + 3.
        // Black's king: d8, d7, f7, f8; e7 is the rook's as well.
        assert_eq!(evaluate(fen, occupation()), -500 + 5 * (4 - 16));
    }

    #[test]
    fn a_breakdown_adds_up_to_the_value() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1",
        ] {
            let position: Position = fen.parse().expect("a legal position");
            let all = SimpleEvaluation {
                piece_squares: true,
                occupation: true,
                weights: SimpleWeights {
                    doubled: 20,
                    ..SimpleWeights::default()
                },
            };
            let breakdown = all.explain(&position);
            assert_eq!(breakdown.score, evaluate(fen, all), "{fen}");
            assert_eq!(breakdown.white_score, -breakdown.score, "{fen}");
            let sum: i32 = breakdown
                .terms
                .iter()
                .map(|term| (term.white - term.black).opening())
                .sum();
            assert_eq!(sum, breakdown.white_score, "{fen}");
            assert_eq!(breakdown.terms.len(), 5);
            let plain = SimpleEvaluation::default().explain(&position);
            assert_eq!(plain.terms.len(), 2);
        }
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
        let (squares, occupation) = (
            SimpleEvaluation {
                piece_squares: true,
                ..SimpleEvaluation::default()
            },
            occupation(),
        );
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
            assert_eq!(evaluate(white, occupation), evaluate(black, occupation));
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
            for (piece_squares, occupation) in [(false, false), (true, false), (false, true), (true, true)] {
                let mut evaluation = SimpleEvaluation {
                    piece_squares,
                    occupation,
                    weights: SimpleWeights {
                        doubled: 20,
                        ..SimpleWeights::default()
                    },
                };
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
