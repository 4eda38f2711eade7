//! Evaluations of chess positions, on any board.
//!
//! An evaluation is a value that the search holds and asks at its leaves; which one it is, and for
//! which boards, is known at compile time. [`SimpleEvaluation`] is the teaching one, the same number on every
//! board, by which search algorithms and boards are compared.

mod evaluation;
mod piece_square;
mod simple;

pub use evaluation::Evaluation;
pub use simple::SimpleEvaluation;
