//! Optimisers over bounded integer and real vectors, for objectives that are games.
//!
//! An optimiser proposes and is told; it plays nothing, prints nothing, stores nothing and never runs a loop of its
//! own. [`protocol`] explains the conversation, [`method`] is the table of methods, [`optimizer`] has an example.
//!
//! | to know | read |
//! | --- | --- |
//! | what is searched | [`space`], [`constraint`] |
//! | what is said between optimiser and owner | [`protocol`], [`contest`] |
//! | which methods there are | [`method`] |
//! | what a run hands over | [`champion`] |
//! | where chance comes from | [`purpose`] |
//! | how methods compare on known ground | [`landscape`] |
//!
//! Three promises hold for every method and are tested for every row of the table: the order in which answers are
//! told does not matter; an optimiser that was serialised and read back, at any point, goes on as if nothing had
//! happened, to the last bit; and every proposed vector is inside its space.

// Results are defined to the last bit: where numbers are compared for equality, that is what is meant.
#![allow(clippy::float_cmp)]

pub mod annealing;
pub mod champion;
pub mod cma_es;
pub mod constraint;
pub mod contest;
mod covariance;
pub mod differential;
pub mod dynamic_bounds;
pub mod evolution;
pub mod hill_climbing;
pub mod history;
pub mod landscape;
pub mod method;
pub mod neighbour;
pub mod newton;
pub mod optimizer;
mod perturbation;
pub mod protocol;
pub mod purpose;
pub mod rated;
pub mod regression;
pub mod space;
pub mod spsa;
mod vector_index;
mod walker;

pub use champion::{Champion, Pick, Report};
pub use constraint::Constraint;
pub use method::{Method, OwnGains, Settings};
pub use optimizer::{Budget, Optimizer, RespaceError, Setup, SetupError};
pub use protocol::{Answer, Ask, Batch, Derivatives, Evidence, GameResult, Pairing, TellError, Told};
pub use space::{Dimension, Kind, Repair, Space, SpaceError, Vector};
