//! The evaluations that a laboratory search can put at its leaves.

use std::sync::Arc;

use vidmar_chess::{Board, Position};
use vidmar_eval::{Breakdown, Evaluation, Evaluator, FullEvaluation, SimpleEvaluation, Vector};
use vidmar_search::Algorithm;
use vidmar_text::named_enum;

named_enum! {
    /// The evaluations by name.
    pub enum LeafKind: "evaluation";
    Simple, "simple", "material and mobility";
    SimpleSquares, "simple-squares", "the same with piece-square terms";
    Full, "full", "the parameters of a vector, by default those of `guess`";
}

impl LeafKind {
    /// What an algorithm is used with unless another is chosen: a selective one is made for the full evaluation, the
    /// others are compared by the simple one.
    pub fn usual(algorithm: Algorithm) -> LeafKind {
        if algorithm.is_selective() {
            LeafKind::Full
        } else {
            LeafKind::Simple
        }
    }
}

/// An evaluation of the user's choice.
#[derive(Clone)]
pub enum LeafEvaluation {
    /// Material and mobility.
    Simple(SimpleEvaluation),
    /// Everything.
    Full(Box<Evaluator>),
}

impl LeafEvaluation {
    /// A position term by term.
    pub fn explain(kind: LeafKind, vector: &Vector, position: &Position) -> Breakdown {
        match LeafEvaluation::new(kind, vector) {
            LeafEvaluation::Simple(simple) => simple.explain(position),
            LeafEvaluation::Full(_) => FullEvaluation::new(vector).explain(position),
        }
    }

    /// The evaluation of that kind; the vector matters to [`LeafKind::Full`] alone.
    pub fn new(kind: LeafKind, vector: &Vector) -> LeafEvaluation {
        match kind {
            LeafKind::Full => {
                let evaluation = Arc::new(FullEvaluation::new(vector));
                LeafEvaluation::Full(Box::new(Evaluator::new(evaluation)))
            }
            simple => LeafEvaluation::Simple(SimpleEvaluation {
                piece_squares: simple == LeafKind::SimpleSquares,
            }),
        }
    }
}

impl Evaluation for LeafEvaluation {
    fn evaluate<B: Board>(&mut self, board: &mut B, legal_moves: Option<usize>) -> i32 {
        match self {
            LeafEvaluation::Simple(simple) => simple.evaluate(board, legal_moves),
            LeafEvaluation::Full(full) => Evaluation::evaluate(full.as_mut(), board, legal_moves),
        }
    }
}
