//! Test suites: positions with moves to find or to avoid, and a player that is asked for its move in each.
//!
//! Every position is a game of its own: nothing is remembered from the one before.

mod records;
mod solve;

pub use records::{Expected, Record, Records, SuiteError, read};
pub use solve::{Solution, Solver};
