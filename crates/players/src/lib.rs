//! Players: whatever can sit on one side of a game.
//!
//! A built-in player is a [`Thinker`](vidmar_engine::Thinker) and cannot fail; an external engine is a process that can
//! fail in every way a process can. [`Player`] is what a game sees of both: a move, or a [`Fault`].
//!
//! | to | use |
//! | --- | --- |
//! | have a player at the board | the trait [`Player`], [`ThinkerPlayer`] for every built-in one |
//! | have one from data or a text | [`PlayerSpec`], whose types are the rows of [`PLAYER_TYPES`] |
//! | have all built-in ones behind one | [`AnyPlayer`] |
//! | have an engine of somebody else | [`UciPlayer`], [`XboardPlayer`], [`EngineCommand`] |
//! | know why it moved so | [`explain`] |
//! | know whether it is the same as before | [`PlayerSpec::identity`] |
//! | know whether a player behaves | [`conformance`] |
//! | know whether a program speaks UCI as it should | [`compliance`] |
//! | move by chance | [`RandomThinker`] |

mod any_player;
mod book;
pub mod compliance;
pub mod conformance;
mod fault;
mod identity;
mod move_limits;
mod player;
mod process;
mod random;
pub mod reference;
mod spec;
mod table;
mod thinker_player;
mod thoughts;
mod uci;
mod xboard;

pub use any_player::AnyPlayer;
pub use fault::{Fault, FaultKind};
pub use identity::{Change, FileIdentity, Identity};
pub use move_limits::{MoveLimits, limit_settings};
pub use player::{Introduction, Player, Reply, explain};
pub use process::{EngineCommand, EngineLog, Log, Timeouts};
pub use random::RandomThinker;
pub use spec::{PlayerSpec, SpecError};
pub use table::{Build, LimitUse, Limited, PLAYER_TYPES, PlayerType, Protocol, Scores};
pub use thinker_player::ThinkerPlayer;
pub use uci::UciPlayer;
pub use xboard::XboardPlayer;

/// Reads a line of an engine in every way in which it can be meant, in either protocol, and forgets it: for the fuzzer.
#[doc(hidden)]
pub fn heard(line: &str) {
    uci::heard(line);
    xboard::heard(line);
}
