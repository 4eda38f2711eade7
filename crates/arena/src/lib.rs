//! The arena: games between players, and what is made of many of them.
//!
//! A game is a pure function of its description: a [`Job`] is data, and so is the [`Record`] it ends in.

mod estimate;
mod job;
mod record;
mod sprt;

pub use estimate::{Estimate, Pairs, Tally, elo, expected_score};
pub use job::{Job, Opening, TimeControl};
pub use record::{Ply, Record, Result, Termination};
pub use sprt::{Decision, Sprt, SprtError, SprtModel};
