//! Ratings from game results, and rank tests over tables of results.
//!
//! Three parts that share little but their users:
//!
//! * **Ratings**: put results into [`Games`], call [`rate`], read [`Ratings`]. The model is the
//!   generalised Bradley-Terry model with an advantage for White and a draw parameter
//!   ([`Model`]), the one behind `BayesElo`.
//! * **What features are worth**: put games as differences of features into [`regression::Rows`], read
//!   [`regression::Regression`].
//! * **Rank tests**: put a table of scores into [`stats::Table`], call [`stats::compare`], read
//!   [`stats::Comparison`]: Friedman, Iman-Davenport, and the post-hoc tests.
//!
//! Everything is a pure function of its input: no files, no clock, no randomness, no threads.
//!
//! ```
//! use vidmar_chess::Outcome;
//! use vidmar_rating::{Games, Options, rate};
//!
//! let mut games = Games::default();
//! let (anna, boris) = (games.player("Anna"), games.player("Boris"));
//! games.add(anna, boris, Outcome::WHITE_WINS);
//! games.add(boris, anna, Outcome::Draw);
//! let ratings = rate(&games, &Options::default())?;
//! assert_eq!(ratings.players[0].name, "Anna");
//! # Ok::<(), vidmar_rating::RateError>(())
//! ```

mod covariance;
mod games;
mod groups;
mod likelihood;
mod mm;
mod model;
mod newton;
mod options;
mod rate;
mod ratings;
pub mod regression;
pub mod stats;

pub use games::{Games, Pairing, PlayerId, Tally};
pub use model::{DEFAULT_ADVANTAGE, DEFAULT_DRAW_ELO, Model};
pub use options::{Options, Parameter, Reference, Scale, Solver};
pub use rate::{RateError, rate};
pub use ratings::{Rated, Ratings};
