//! Playing chess under limits: the trait that every player implements, clocks, the bench, and a UCI server.
//!
//! | to | use |
//! | --- | --- |
//! | say what is to be thought about and for how long | [`Game`](vidmar_chess::Game), [`Limits`], [`Control`] |
//! | be a player | the trait [`Thinker`] |
//! | say what can be chosen about a player | [`settings`] |
//! | say why a move was chosen | [`explanation`] |
//! | have a strong one | [`FlagshipThinker`] |
//! | have any algorithm on any board | [`SearchThinker`], its settings in [`laboratory`] |
//! | choose its evaluation, hand-crafted or neural | [`ChosenEvaluation`] |
//! | play from an opening book | [`OwnBook`] |
//! | play endings by tablebases | [`PlayerTablebases`] |
//! | turn a clock into thinking time | [`clock`] |
//! | talk to a graphical interface | [`uci::serve`] |
//! | know how much memory games may take | [`memory`] |
//! | measure | [`mod@bench`], [`comparison`] |

pub mod bench;
mod book;
pub mod clock;
pub mod comparison;
mod control;
mod evaluation;
pub mod explanation;
mod flagship;
pub mod laboratory;
mod limits;
pub mod memory;
pub mod settings;
mod strength;
mod tablebases;
mod thinker;
mod thinking;
pub mod uci;

pub use book::{ChosenBookMove, OwnBook};
pub use control::Control;
pub use evaluation::{AnyEvaluator, ChosenEvaluation, NET};
pub use explanation::Explanation;
pub use flagship::{ABOVE_THE_SEARCH, FlagshipSettings, FlagshipThinker};
pub use laboratory::{LaboratorySettings, SearchThinker};
pub use limits::{Clock, Limits};
pub use strength::Strength;
pub use tablebases::{KnownRoot, PlayerTablebases};
pub use thinker::{Info, Thinker, Thought};
