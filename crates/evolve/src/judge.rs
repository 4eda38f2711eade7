//! What the position after a gene is worth.
//!
//! The published evaluation is material alone; a move that mates is worth a million pawns divided by its place in the
//! line; a draw is worth 0. The others are the author's proposals and ours: mobility and doubled pawns weigh what Shannon
//! (1950) gave them.

use std::sync::Arc;

use vidmar_chess::{
    Bitboard, BitboardBoard, Board, Color, File, Generate, MoveList, Position, Role, SIMPLE_VALUES,
};
use vidmar_eval::{Evaluation as _, Evaluator, FullEvaluation, SimpleEvaluation};

use crate::settings::Judgement;

/// Worths are in hundredths of a pawn, for the side that began the line.
pub(crate) type Worth = i64;

/// A move that mates, before it is divided by its place: a million pawns.
pub(crate) const MATE: Worth = 100_000_000;

const DOUBLED_PAWN: i64 = 50;
const MATERIAL: [(Role, i64); 5] = [
    (Role::Pawn, 100),
    (Role::Knight, 300),
    (Role::Bishop, 300),
    (Role::Rook, 500),
    (Role::Queen, 900),
];

/// A judge of positions; each thread has its own.
pub(crate) struct Judge {
    judgement: Judgement,
    full: Evaluator,
}

impl Judge {
    pub(crate) fn new(judgement: Judgement, full: &Arc<FullEvaluation>) -> Judge {
        Judge {
            judgement,
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
        let for_mover = match self.judgement {
            Judgement::Material => material(position, position.turn()),
            Judgement::Mobility => simple(board, moves),
            Judgement::Structure => {
                let doubled = |color| i64::from(doubled_pawns(position.pieces(color, Role::Pawn)));
                let turn = position.turn();
                let weakness = DOUBLED_PAWN * (doubled(turn) - doubled(!turn));
                simple(board, moves) - weakness
            }
            Judgement::Full => self.full.evaluate(position).into(),
            Judgement::Exchange => {
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

fn simple(board: &mut BitboardBoard, moves: &MoveList) -> Worth {
    SimpleEvaluation::default().evaluate(board, moves.len()).into()
}

/// Pawns that stand on a file with another of their colour, less one for each such file.
fn doubled_pawns(pawns: Bitboard) -> u32 {
    File::ALL
        .iter()
        .map(|&file| (pawns & file.into()).len().saturating_sub(1))
        .sum()
}

/// What the side to move wins by the best exchange, if it may choose; nothing in check, where it may not.
fn best_capture(position: &Position) -> Worth {
    if position.in_check() {
        return 0;
    }
    let mut captures = MoveList::new();
    position.generate(Generate::Captures, &mut captures);
    let gain = |m| i64::from(position.exchange(m, &SIMPLE_VALUES));
    captures.into_iter().map(gain).max().unwrap_or(0).max(0)
}
