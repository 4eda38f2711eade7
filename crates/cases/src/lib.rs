//! A player that reasons from an expert's games ([qvarford-2015]).
//!
//! A *case* is a position and the move that an expert played there. A [`CaseBase`] holds the cases of one expert, a
//! [`Behaviour`] decides with them: it retrieves the most similar case and plays the legal move most similar to the case's.
//! No strategy, only what stands where; everything that the published work left to try is a setting.
//!
//! | to | use |
//! | --- | --- |
//! | make a base from games | [`build`](fn@build), [`PlayerName`] |
//! | write and read it | [`CaseBase::to_bytes`], [`CaseBase::from_bytes`] |
//! | compare boards | [`CaseBoard::similarity`], [`likeness`](fn@likeness), [`square_likeness`] |
//! | compare moves | [`move_similarity`], [`Adapter`] |
//! | decide, and say why | [`Behaviour`], [`CaseSettings`] |
//! | play | [`CaseThinker`] |
//! | study seven experts | [`study`] |

mod adaptation;
mod base;
mod behaviour;
mod board;
mod build;
mod captures;
mod case_move;
mod explain;
mod file;
mod filter;
mod likeness;
mod list;
mod names;
mod retrieval;
mod scan;
mod settings;
mod similarity;
pub mod study;
mod thinker;
mod trials;
mod weights;

pub use adaptation::{Adapted, Adapter, Solution, WHOLE_MOVE, move_similarity};
pub use base::{CaseBase, ReplayError, SourceGame};
pub use behaviour::{Basis, Behaviour, Decision};
pub use board::{CaseBoard, Shift};
pub use build::{BuildError, BuildReport, build, most_frequent_player};
pub use captures::CLEARLY;
pub use case_move::CaseMove;
pub use file::CaseFileError;
pub use likeness::{likeness, square_likeness};
pub use list::{CaseList, Origin};
pub use names::PlayerName;
pub use retrieval::Neighbour;
pub use scan::ScanKernel;
pub use settings::{CaseSettings, Cycles, Filter, Learn, Metric, ROWS};
pub use similarity::{WHOLE, WHOLE_SQUARE, slow_similarity, square_similarity};
pub use thinker::{CaseThinker, NAME, read};
pub use trials::trials;
pub use weights::{Fraction, FractionError, Weights, WeightsError};
