//! Players: whatever can sit on one side of a game.
//!
//! A built-in player is a [`Thinker`](vidmar_engine::Thinker) and cannot fail; an external engine is a process that can
//! fail in every way a process can. [`Player`] is what a game sees of both: a move, or a [`Fault`].

mod fault;
mod player;

pub use fault::{Fault, FaultKind};
pub use player::{Player, Reply};
