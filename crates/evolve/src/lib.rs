//! A player that evolves sequences of moves ([urminsky-2007]).
//!
//! A *gene* is a legal move, a *chromosome* a line of them from the position at hand. For every legal first move a small
//! population of lines is evolved by itself; the move that begins the best line of all is played.
//!
//! | file | holds |
//! | --- | --- |
//! | `settings` | what can be chosen: lengths and counts, and the tables [`Strategy`], [`Fitness`], [`PositionEvaluation`] |
//! | `chromosome` | a line with its worth, random growth, mutation with repair |
//! | `evaluator` | evaluations of the position after a gene |
//! | `evolution` | the population of one first move, generation by generation |
//! | `thinker` | all first moves side by side, under limits, as a [`Thinker`](vidmar_engine::Thinker) |
//! | `explanation` | what happened, for people and pages |
//!
//! The defaults are the published player's: the mover's good is maximised as if the opponent would help.
//! [`Settings::improved`] is the one with the cures.

mod chromosome;
mod evaluator;
mod evolution;
mod explanation;
mod settings;
mod thinker;

pub use settings::{Fitness, PositionEvaluation, Settings, Strategy};
pub use thinker::EvolveThinker;
