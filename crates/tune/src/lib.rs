//! The tuner: parameters and games make an objective, an optimiser moves the parameters, and a match proves the result.
//!
//! | to know | read |
//! | --- | --- |
//! | how methods compare where the truth is known | [`bench`](mod@bench) |

// Results are defined to the last bit: where numbers are compared for equality, that is what is meant.
#![allow(clippy::float_cmp)]

pub mod bench;
pub mod config;
pub mod openings;
pub mod parameters;
