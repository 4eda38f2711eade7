//! The evaluations that a laboratory search can put at its leaves.

use vidmar_chess::Board;
use vidmar_eval::{Evaluation, FullEvaluation, SimpleEvaluation, Vector};
use vidmar_text::named_enum;

named_enum! {
    /// The evaluations by name.
    pub enum LeafKind: "evaluation";
    Simple, "simple", "material and mobility";
    SimpleSquares, "simple-squares", "the same with piece-square terms";
    Full, "full", "the parameters of a vector, by default those of `guess`";
}

/// An evaluation of the user's choice.
pub enum LeafEvaluation {
    /// Material and mobility.
    Simple(SimpleEvaluation),
    /// Everything.
    Full(Box<FullEvaluation>),
}

impl LeafEvaluation {
    /// The evaluation of that kind; the vector matters to [`LeafKind::Full`] alone.
    pub fn new(kind: LeafKind, vector: &Vector) -> LeafEvaluation {
        match kind {
            LeafKind::Full => LeafEvaluation::Full(Box::new(FullEvaluation::new(vector))),
            simple => LeafEvaluation::Simple(SimpleEvaluation {
                piece_squares: simple == LeafKind::SimpleSquares,
            }),
        }
    }
}

impl<B: Board> Evaluation<B> for LeafEvaluation {
    fn evaluate(&self, board: &mut B, legal_moves: usize) -> i32 {
        match self {
            LeafEvaluation::Simple(simple) => simple.evaluate(board, legal_moves),
            LeafEvaluation::Full(full) => Evaluation::evaluate(full.as_ref(), board, legal_moves),
        }
    }
}
