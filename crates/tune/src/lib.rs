//! The tuner: parameters and games make an objective, an optimiser moves the parameters, and a match proves the result.
//!
//! | to know | read |
//! | --- | --- |
//! | what a run is told | [`config`], [`parameters`], [`openings`] |
//! | what a vector is evaluated by | [`objective`] |
//! | how a run goes on, whatever happens | [`run`] |
//! | what it comes to, and whether that is better | [`run::ResultVectors`], [`verify`](mod@verify), [`gauntlet`] |
//! | what its games say of every parameter | [`learned`] |
//! | all of that, one after the other | [`pipeline`] |
//! | who plays the games, here or elsewhere | [`Resources`] |
//! | what others see of it | [`status`], [`export`]; while it goes on, [`progress`], [`time_series`] |
//! | how methods compare where the truth is known, and in chess | [`bench`](mod@bench), [`rivals`] |

// Results are defined to the last bit: where numbers are compared for equality, that is what is meant.
#![allow(clippy::float_cmp)]

pub mod bench;
pub mod config;
pub mod export;
mod fresh_openings;
mod games;
pub mod gauntlet;
pub mod learned;
pub mod objective;
pub mod openings;
mod parallel;
pub mod parameter_list;
pub mod parameters;
pub mod pipeline;
mod players;
pub mod progress;
pub mod ratings;
mod resources;
pub mod rivals;
pub mod rows;
pub mod run;
mod spin_options;
pub mod status;
pub mod tablebases;
pub mod time_series;
pub mod verify;

pub use resources::Resources;
