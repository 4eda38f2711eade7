//! An evaluation by chances: the full evaluation's knowledge, but a lead counts less the surer the win already is.
//!
//! A value is the chance of a win less that of a loss, in 1/10,000. Where the phase is the same, the order of positions is that
//! of the full evaluation, since chances never fall while the score rises; what changes is how phases compare: half a pawn is
//! worth more in an ending than among many pieces, and a fourth piece less than the first. Beyond 8 pawns
//! (without pieces) to 16 all positions are equally won. Source: [maribor-2004], evaluation as chances; see [`Chances`].

use vidmar_chess::{Board, Color, Role};

use crate::chances::Chances;
use crate::evaluation::Evaluation;
use crate::full::{Evaluator, FULL_PHASE};

/// The full evaluation's scores as chances.
#[derive(Clone, Debug, Default)]
pub struct ChancesEvaluation {
    evaluator: Evaluator,
}

/// The most that 100 hundredths of a pawn change the balance of chances, at the steepest place of any phase.
const PAWN: i32 = 4_146;

impl ChancesEvaluation {
    /// The chances that this evaluator's scores stand for.
    pub fn new(evaluator: Evaluator) -> ChancesEvaluation {
        ChancesEvaluation { evaluator }
    }
}

impl Evaluation for ChancesEvaluation {
    #[inline]
    fn evaluate<B: Board>(&mut self, board: &mut B, legal_moves: Option<usize>) -> i32 {
        let score = Evaluation::evaluate(&mut self.evaluator, board, legal_moves);
        Chances::of(score, phase(board)).balance()
    }

    fn pawn(&self) -> i32 {
        PAWN
    }

    /// The score that promises as much in this position.
    fn centipawns<B: Board>(&self, board: &B, value: i32) -> i32 {
        Chances::score_of(value, phase(board))
    }
}

/// The material left without pawns, as [`phase`](crate::phase) counts it, on any board.
#[inline]
fn phase<B: Board>(board: &B) -> i32 {
    let of = |role: Role| board.count(Color::White, role) + board.count(Color::Black, role);
    let pieces = of(Role::Knight) + of(Role::Bishop) + 2 * of(Role::Rook) + 4 * of(Role::Queen);
    (pieces as i32).min(FULL_PHASE)
}

#[cfg(test)]
mod tests {
    use vidmar_chess::{BitboardBoard, BoardKind, Position, with_board};

    use super::*;
    use crate::full::FullEvaluation;

    const POSITIONS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "8/5pk1/1p2p1p1/p1r4p/P1R2P1P/1P2PKP1/8/8 w - - 0 40",
        "8/2k2p2/p1n1p1p1/1p2P2p/3K1P1P/1P2B1P1/P7/8 w - - 0 38",
    ];

    #[test]
    fn a_value_is_the_balance_of_chances_on_every_board() {
        for fen in POSITIONS {
            let position: Position = fen.parse().expect("a legal position");
            let score = FullEvaluation::default().evaluate(&position);
            let chances = Chances::of(score, crate::phase(&position));
            for &kind in BoardKind::ALL {
                let mut evaluation = ChancesEvaluation::default();
                let value = with_board!(kind, B => evaluation.evaluate(&mut B::new(&position), None));
                assert_eq!(value, chances.balance(), "{kind}: {fen}");
            }
            let board = BitboardBoard::new(&position);
            let told = ChancesEvaluation::default().centipawns(&board, chances.balance());
            assert!((told - score).abs() <= 3, "{fen}: {told} for {score}");
        }
    }

    /// Moves that leave the phase as it is stand in the same order as by the full evaluation.
    #[test]
    fn at_one_phase_the_order_is_that_of_the_full_evaluation() {
        let full = FullEvaluation::default();
        for fen in POSITIONS {
            let position: Position = fen.parse().expect("a legal position");
            let mut after: Vec<(i32, i32)> = Vec::new();
            for m in position.legal_moves() {
                let mut next = position.clone();
                next.play(m);
                if crate::phase(&next) == crate::phase(&position) {
                    let value = ChancesEvaluation::default().evaluate(&mut BitboardBoard::new(&next), None);
                    after.push((full.evaluate(&next), value));
                }
            }
            after.sort_unstable();
            assert!(after.is_sorted_by_key(|&(_, chance)| chance), "{fen}: {after:?}");
        }
    }

    #[test]
    fn no_pawn_is_worth_more_than_it_says() {
        let gain =
            |phase, score| Chances::of(score + 100, phase).balance() - Chances::of(score, phase).balance();
        let most = (0..=FULL_PHASE)
            .flat_map(|phase| (-1_500..=1_500).map(move |score| (phase, score)))
            .map(|(phase, score)| gain(phase, score))
            .max();
        assert_eq!(most, Some(PAWN));
    }
}
