//! Evaluations of chess positions and the one table of their parameters.
//!
//! | to | use |
//! | --- | --- |
//! | look up a parameter, its intervals and meaning | [`parameters`] |
//! | hold a value for every parameter, read and write parameter files | [`Vector`], [`VECTORS`] |
//! | score positions | [`FullEvaluation`] |
//! | search with it | its [`Evaluator`], through the trait [`Evaluation`] |
//! | compare searches and boards by one simple number | [`SimpleEvaluation`], through the same trait |
//! | speak of chances instead of pawns | [`Chances`], [`ChancesEvaluation`] |
//! | search with a neural evaluation | [`NetEvaluator`], through the same trait |
//! | see a score term by term | [`FullEvaluation::explain`], [`Breakdown`], [`Share`] |
//! | see a neural score piece by piece | [`NetBreakdown`] |

mod breakdown;
mod chances;
mod chances_evaluation;
mod evaluation;
mod extended;
mod full;
mod net;
pub mod parameters;
mod piece_square;
mod score_table;
mod shares;
mod simple;
mod spans;
mod tapered;
mod vector;
mod weights;

pub use breakdown::{AnyBreakdown, Breakdown, TermScore};
pub use chances::Chances;
pub use chances_evaluation::ChancesEvaluation;
pub use evaluation::{Evaluation, PAWN};
pub use full::{Evaluator, FULL_PHASE, FullEvaluation, SCORE_LIMIT, Term, WHOLE_SCALE, phase};
pub use net::{NetBreakdown, NetEvaluator};
pub use shares::Share;
pub use simple::{SimpleEvaluation, SimpleWeights};
pub use tapered::Tapered;
pub use vector::{
    DEFAULT_VECTOR, NamedVector, SetError, UnknownVector, VALUE_LIMIT, VECTORS, Vector, VectorError,
};
pub use vidmar_net::PieceShare;
