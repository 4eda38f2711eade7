//! The arena: games between players, and what is made of many of them.
//!
//! A game is a pure function of its description: a [`Job`] is data, and so is the [`Record`] it ends in.
//!
//! ```
//! use vidmar_arena::{Job, Opening, Rules, TimeControl, play};
//! use vidmar_chess::ByColor;
//! use vidmar_engine::Control;
//! use vidmar_players::{MoveLimits, RandomThinker, ThinkerPlayer};
//! let mut player = |seed| ThinkerPlayer::new(Box::new(RandomThinker::default()), MoveLimits::default(), seed);
//! let (mut white, mut black) = (player(1), player(2));
//! let job = Job {
//!     number: 0,
//!     players: ByColor::new(0, 1),
//!     opening: Opening::default(),
//!     control: ByColor::default(),
//!     seed: 7,
//! };
//! let players = ByColor::new(&mut white as _, &mut black as _);
//! let record = play(&job, players, &Rules::default(), &Control::new());
//! assert!(record.result.is_some());
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | `job`, `record` | what is to be played, and what it came to |
//! | `play`, `clocks` | one game |
//! | `ending` | when its rules end it |
//! | `rules`, `adjudication` | when it ends early |
//! | `openings` | where games begin |
//! | `schedule`, `matches` | who plays whom; playing it all |
//! | `estimate`, `sprt`, `standings` | what the results say |
//! | `archive` | games to and from a store and PGN |

mod adjudication;
pub mod archive;
mod clocks;
mod ending;
mod estimate;
mod job;
mod matches;
mod openings;
mod play;
mod record;
mod rules;
mod schedule;
mod sprt;
mod standings;

pub use ending::Ending;
pub use estimate::{Estimate, Pairs, Tally, elo, expected_score};
pub use job::{Job, Opening, TimeControl};
pub use matches::{
    CountingSettings, Ended, Entrant, FaultPolicy, Finished, MOST_ATTEMPTS, Make, Match, MatchError,
    MatchEvent, Scoreboard, SprtSettings,
};
pub use openings::{Openings, OpeningsError, Order, RandomWalks, Walk};
pub use play::play;
pub use record::Record;
pub use rules::{DrawRule, ResignRule, Rules, TablebaseProbe};
pub use schedule::{OpeningPolicy, Plan, Schedule, ScheduleError, Slot, Tournament};
pub use sprt::{Decision, Sprt, SprtError, SprtModel};
pub use standings::{Standing, Standings};
