//! What the position after a gene is worth.
//!
//! The published evaluation is material alone; a move that mates is worth a million pawns divided by its locus in the
//! line; a draw is worth 0. The others are the author's proposals and ours: mobility and doubled pawns weigh what Shannon
//! (1950) gave them.

use std::sync::Arc;

use vidmar_chess::{BitboardBoard, Board, Color, Generate, MoveList, Position, Role, SIMPLE_VALUES};
use vidmar_eval::{Evaluation as _, Evaluator, FullEvaluation, SimpleEvaluation, SimpleWeights};

use crate::settings::PositionEvaluation;

/// Worths are in hundredths of a pawn, for the side that began the line.
pub(crate) type Worth = i64;

/// A move that mates, before it is divided by its locus: a million pawns.
pub(crate) const MATE: Worth = 100_000_000;

const DOUBLED_PAWN: i32 = 50;
const MATERIAL: [(Role, i64); 5] = [
    (Role::Pawn, 100),
    (Role::Knight, 300),
    (Role::Bishop, 300),
    (Role::Rook, 500),
    (Role::Queen, 900),
];

/// A evaluator of positions; each thread has its own.
pub(crate) struct PositionEvaluator {
    evaluation: PositionEvaluation,
    full: Evaluator,
}

impl PositionEvaluator {
    pub(crate) fn new(evaluation: PositionEvaluation, full: &Arc<FullEvaluation>) -> PositionEvaluator {
        PositionEvaluator {
            evaluation,
            full: Evaluator::new(Arc::clone(full)),
        }
    }

    /// The worth of a position that is no mate and no draw. `is_last` says that the line ends here.
    pub(crate) fn worth(
        &mut self,
        board: &mut BitboardBoard,
        moves: &MoveList,
        us: Color,
        is_last: bool,
    ) -> Worth {
        let position = board.current();
        let for_mover = match self.evaluation {
            PositionEvaluation::Material => material(position, position.turn()),
            PositionEvaluation::Mobility => simple(board, moves, 0),
            PositionEvaluation::Structure => simple(board, moves, DOUBLED_PAWN),
            PositionEvaluation::Full => self.full.evaluate(position).into(),
            PositionEvaluation::See => {
                let quiet = i64::from(self.full.evaluate(position));
                quiet + if is_last { best_capture(position) } else { 0 }
            }
        };
        if board.turn() == us { for_mover } else { -for_mover }
    }
}

fn material(position: &Position, us: Color) -> Worth {
    let count = |color, role| i64::from(position.pieces(color, role).len());
    MATERIAL
        .iter()
        .map(|&(role, value)| value * (count(us, role) - count(!us, role)))
        .sum()
}

fn simple(board: &mut BitboardBoard, moves: &MoveList, doubled: i32) -> Worth {
    let weights = SimpleWeights {
        doubled,
        ..SimpleWeights::default()
    };
    let mut evaluation = SimpleEvaluation {
        weights,
        ..SimpleEvaluation::default()
    };
    evaluation.evaluate(board, Some(moves.len())).into()
}

/// What the side to move wins by the best exchange. In check too: a line must not end with a piece given for a check.
fn best_capture(position: &Position) -> Worth {
    let mut captures = MoveList::new();
    position.generate(Generate::Captures, &mut captures);
    let gain = |m| i64::from(position.see(m, &SIMPLE_VALUES));
    captures.into_iter().map(gain).max().unwrap_or(0).max(0)
}

#[cfg(test)]
mod tests {
    use vidmar_eval::Vector;

    use super::*;

    fn worth(evaluation: PositionEvaluation, fen: &str) -> Worth {
        let position: Position = fen.parse().expect("legal");
        let full = Arc::new(FullEvaluation::new(&Vector::default()));
        let mut board = BitboardBoard::new(&position);
        PositionEvaluator::new(evaluation, &full).worth(
            &mut board,
            &position.legal_moves(),
            Color::White,
            true,
        )
    }

    /// Counted by hand.
    #[test]
    fn evaluations_are_whites_whoever_is_to_move() {
        for turn in ["w", "b"] {
            // Two pawns on one file against one: kings 5 moves each, pawns a2 none, a3 1, h7 2.
            let fen = format!("4k3/7p/8/8/8/P7/P7/4K3 {turn} - - 0 1");
            assert_eq!(worth(PositionEvaluation::Material, &fen), 100);
            assert_eq!(worth(PositionEvaluation::Mobility, &fen), 100 + 10 * (6 - 7));
            assert_eq!(
                worth(PositionEvaluation::Structure, &fen),
                100 + 10 * (6 - 7) - 50
            );
        }
    }

    #[test]
    fn a_piece_that_hangs_at_the_end_is_counted_as_lost() {
        // Black's king takes the bishop that gives check.
        let fen = "rnbqkb1r/pppp1Bpp/5n2/4p3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 0 3";
        assert_eq!(
            worth(PositionEvaluation::See, fen),
            worth(PositionEvaluation::Full, fen) - SIMPLE_VALUES[2] as Worth
        );
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(
            worth(PositionEvaluation::See, start),
            worth(PositionEvaluation::Full, start)
        );
    }
}
