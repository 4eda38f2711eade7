//! Evaluations of chess positions and the one table of their parameters.
//!
//! | to | use |
//! | --- | --- |
//! | look up a parameter, its intervals and meaning | [`parameters`] |
//! | hold a value for every parameter, read and write parameter files | [`Vector`], [`VECTORS`] |
//! | score positions | [`FullEvaluation`], and in a search an [`Evaluator`] |
//! | see a score term by term | [`FullEvaluation::explain`], [`Breakdown`] |

mod breakdown;
mod full;
pub mod parameters;
mod spans;
mod tapered;
mod vector;
mod weights;

pub use breakdown::{Breakdown, Term, TermScore};
pub use full::{Evaluator, FULL_PHASE, FullEvaluation, SCORE_LIMIT, phase};
pub use tapered::Tapered;
pub use vector::{NamedVector, SetError, UnknownVector, VALUE_LIMIT, VECTORS, Vector, VectorError};
