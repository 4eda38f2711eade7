//! A neural evaluation, as a search asks it and as people read it.

use std::sync::Arc;

use serde::Serialize;
use vidmar_chess::{Board, Color, Position};
use vidmar_net::{Accumulators, Network, PieceShare};

use crate::breakdown::Breakdown;
use crate::evaluation::Evaluation;
use crate::full::FullEvaluation;
use crate::score_table::ScoreTable;

/// A thread's access to a net, with the hidden layers of the positions before and a cache of the latest scores.
#[derive(Clone, Debug)]
pub struct NetEvaluator {
    accumulators: Accumulators,
    scores: ScoreTable,
}

impl NetEvaluator {
    /// An evaluator with empty caches.
    pub fn new(network: Arc<Network>) -> NetEvaluator {
        NetEvaluator {
            accumulators: Accumulators::new(network),
            scores: ScoreTable::new(),
        }
    }

    /// The net asked.
    pub fn network(&self) -> &Arc<Network> {
        self.accumulators.network()
    }

    /// The same number as [`Network::evaluate`], sooner; the ply tells where the position before may be found, and changes nothing else.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let accumulators = &mut self.accumulators;
        self.scores
            .get_or(position.key(), || accumulators.evaluate(position, ply))
    }
}

/// On any board, by way of a position.
impl Evaluation for NetEvaluator {
    #[inline]
    fn evaluate<B: Board>(&mut self, board: &mut B, _legal_moves: Option<usize>) -> i32 {
        let ply = board.history().plies();
        match board.as_bitboard() {
            Some(board) => NetEvaluator::evaluate(self, board.current(), ply),
            None => NetEvaluator::evaluate(self, &board.position(), ply),
        }
    }
}

/// A net's score, what each piece gives, and what the hand-crafted evaluation has to say: a net names no reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NetBreakdown {
    /// The shape of the net.
    pub network: String,
    /// What White's score would lose without a piece, from a1 to h8; kings have no share. They do not add up to the score.
    pub pieces: Vec<PieceShare>,
    /// The same position by the default vector, term by term. It explains, and decides nothing.
    pub hand_crafted: Breakdown,
    /// In hundredths of a pawn for White.
    pub white_score: i32,
    /// The same for the side to move.
    pub score: i32,
}

impl NetBreakdown {
    /// A position by a net.
    pub fn new(network: &Network, position: &Position) -> NetBreakdown {
        let score = network.evaluate(position);
        NetBreakdown {
            network: network.to_string(),
            pieces: network.shares(position),
            hand_crafted: FullEvaluation::default().explain(position),
            white_score: match position.turn() {
                Color::White => score,
                Color::Black => -score,
            },
            score,
        }
    }
}
