//! The arena: games between players, and what is made of many of them.
//!
//! A game is a pure function of its description: a [`Job`] is data, and so is the [`Record`] it ends in.

mod job;
mod record;

pub use job::{Job, Opening, TimeControl};
pub use record::{Ply, Record, Result, Termination};
