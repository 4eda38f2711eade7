//! The evaluations that a laboratory search can put at its leaves.

use std::sync::Arc;

use vidmar_chess::{Board, Position};
use vidmar_eval::{
    Breakdown, ChancesEvaluation, Evaluation, Evaluator, FullEvaluation, SimpleEvaluation, SimpleWeights,
    Vector,
};
use vidmar_search::{Algorithm, Value};
use vidmar_text::named_enum;

named_enum! {
    /// The evaluations by name.
    pub enum LeafKind: "evaluation";
    Simple, "simple", "material and mobility";
    SimpleSquares, "simple-squares", "the same with piece-square terms";
    SimpleOccupation, "simple-occupation", "the same with the squares that one side alone controls";
    Full, "full", "everything that the parameters of a vector weigh";
    Chances, "chances", "the full evaluation as chances: that of a win less that of a loss";
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

    /// Whether a vector's parameters are what it weighs by.
    pub fn has_parameters(self) -> bool {
        matches!(self, LeafKind::Full | LeafKind::Chances)
    }

    /// Whether its values are hundredths of a pawn.
    pub fn is_in_pawns(self) -> bool {
        self != LeafKind::Chances
    }

    fn simple(self, weights: SimpleWeights) -> SimpleEvaluation {
        SimpleEvaluation {
            weights,
            piece_squares: self == LeafKind::SimpleSquares,
            occupation: self == LeafKind::SimpleOccupation,
        }
    }

    /// A position's score with all its terms, in hundredths of a pawn; chances are those that the terms of the full evaluation stand
    /// for.
    pub fn explain(self, vector: &Vector, weights: SimpleWeights, position: &Position) -> Breakdown {
        match self {
            LeafKind::Full | LeafKind::Chances => FullEvaluation::new(vector).explain(position),
            LeafKind::Simple | LeafKind::SimpleSquares | LeafKind::SimpleOccupation => {
                self.simple(weights).explain(position)
            }
        }
    }
}

/// An evaluation of the user's choice.
#[derive(Clone)]
pub enum LeafEvaluation {
    /// Material and mobility, and perhaps a term more.
    Simple(SimpleEvaluation),
    /// Everything.
    Full(Box<Evaluator>),
    /// Everything, as chances.
    Chances(Box<ChancesEvaluation>),
}

impl LeafEvaluation {
    /// The evaluation of that kind; the vector matters to [`LeafKind::Full`] and [`LeafKind::Chances`] alone, the weights to the others.
    pub fn new(kind: LeafKind, vector: &Vector, weights: SimpleWeights) -> LeafEvaluation {
        let evaluator = || Evaluator::new(Arc::new(FullEvaluation::new(vector)));
        match kind {
            LeafKind::Full => LeafEvaluation::Full(Box::new(evaluator())),
            LeafKind::Chances => LeafEvaluation::Chances(Box::new(ChancesEvaluation::new(evaluator()))),
            LeafKind::Simple | LeafKind::SimpleSquares | LeafKind::SimpleOccupation => {
                LeafEvaluation::Simple(kind.simple(weights))
            }
        }
    }
}

impl LeafEvaluation {
    /// The expected result that a value of a search with it stands for, where it speaks of chances: 1 for a win, one half for a draw.
    /// Nothing for a mate, which is no matter of chance.
    pub fn expected(&self, value: Value) -> Option<f64> {
        const SURE: Value = 10_000;
        let is_chance = matches!(self, LeafEvaluation::Chances(_)) && value.abs() <= SURE;
        is_chance.then(|| 0.5 + f64::from(value) / f64::from(2 * SURE))
    }
}

impl Evaluation for LeafEvaluation {
    fn evaluate<B: Board>(&mut self, board: &mut B, legal_moves: Option<usize>) -> i32 {
        match self {
            LeafEvaluation::Simple(simple) => simple.evaluate(board, legal_moves),
            LeafEvaluation::Full(full) => Evaluation::evaluate(full.as_mut(), board, legal_moves),
            LeafEvaluation::Chances(chances) => chances.evaluate(board, legal_moves),
        }
    }

    fn pawn(&self) -> i32 {
        match self {
            LeafEvaluation::Simple(simple) => simple.pawn(),
            LeafEvaluation::Full(full) => full.pawn(),
            LeafEvaluation::Chances(chances) => chances.pawn(),
        }
    }

    fn centipawns<B: Board>(&self, board: &B, value: i32) -> i32 {
        match self {
            LeafEvaluation::Simple(simple) => simple.centipawns(board, value),
            LeafEvaluation::Full(full) => full.centipawns(board, value),
            LeafEvaluation::Chances(chances) => chances.centipawns(board, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use vidmar_chess::BitboardBoard;
    use vidmar_eval::PAWN;

    use super::*;

    #[test]
    fn a_kind_knows_the_unit_of_its_evaluation_and_explains_what_it_searches_with() {
        let position: Position = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 0 8"
            .parse()
            .expect("a legal position");
        let mut board = BitboardBoard::new(&position);
        let weights = SimpleWeights::default();
        for &kind in LeafKind::ALL {
            let mut evaluation = LeafEvaluation::new(kind, &Vector::default(), weights);
            assert_eq!(evaluation.pawn() == PAWN, kind.is_in_pawns(), "{kind}");
            let value = evaluation.evaluate(&mut board, None);
            let told = evaluation.centipawns(&board, value);
            let explained = kind.explain(&Vector::default(), weights, &position).score;
            assert!((told - explained).abs() <= 3, "{kind}: {told} {explained}");
            assert!(
                !kind.is_in_pawns() || told == explained,
                "{kind}: {told} {explained}"
            );
        }
    }
}
