//! The arena: games between players, and what is made of many of them.
//!
//! A game is a pure function of its description: a [`GameTask`] is data, and so is the [`GameRecord`] it ends in. A
//! [`Runner`] plays lists of tasks through an [`Executor`].
//!
//! ```
//! use std::num::NonZeroUsize;
//! use vidmar_arena::{FaultPolicy, GameSetup, GameTask, MissingPlayers, Runner, TaskPlayer, ThreadExecutor};
//! use vidmar_chess::ByColor;
//! use vidmar_engine::Control;
//! let player = |index, spec: &str| spec.parse().map(|spec| TaskPlayer::new(index, spec));
//! let task = GameTask {
//!     number: 0,
//!     round: 0,
//!     players: ByColor::new(player(0, "random:seed=1")?, player(1, "random:seed=2")?),
//!     setup: GameSetup { seed: 7, ..GameSetup::default() },
//! };
//! let executor = ThreadExecutor::new(NonZeroUsize::MIN);
//! let runner = Runner { executor: &executor, faults: FaultPolicy::Replay, missing: MissingPlayers::EndTheRun };
//! let games = runner.collect([task], &Control::new(), &mut |_| {})?.expect("nobody stopped it");
//! assert!(games[0].record.outcome.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | `task`, `opening`, `record` | what is to be played, and what it came to |
//! | `play`, `clocks`, `game_state` | one game |
//! | `audit` | whether a record can be what came of a task |
//! | `ending` | when its rules end it |
//! | `rules`, `adjudication`, `tablebases` | when it ends early |
//! | `runner`, `fault_policy` | lists of games: order, faults, commits |
//! | `executor` | who plays them, where |
//! | `openings` | where games begin |
//! | `schedule`, `matches` | who plays whom; playing it all |
//! | `session`, `report` | a match started and resumed in its store; its results in words |
//! | `case_study` | the games of the study of case-based players |
//! | `suite` | test suites: positions with solutions, and who finds them |
//! | `estimate`, `sprt`, `standings` | what the results say |
//! | `archive` | games to and from a store and PGN |

mod adjudication;
pub mod archive;
mod audit;
mod bracket;
pub mod case_study;
mod clocks;
mod ending;
mod estimate;
mod executor;
mod fault_policy;
mod game_state;
mod matches;
mod opening;
mod openings;
mod play;
mod record;
mod report;
mod rows;
mod rules;
mod runner;
mod schedule;
mod session;
mod sprt;
mod standings;
pub mod suite;
mod tablebases;
mod tally;
mod task;
mod time_control;

pub use audit::{AuditError, Auditor};
pub use bracket::Tie;
pub use ending::Ending;
pub use estimate::{Estimate, FEWEST_OBSERVATIONS, elo, expected_score};
pub use executor::{AffinityError, Executor, ExecutorError, MakePlayer, Processors, ThreadExecutor, Worker};
pub use fault_policy::{FaultPolicy, MOST_ATTEMPTS};
pub use matches::{
    CountingSettings, Ended, Finished, Match, MatchError, MatchEvent, MatchPlayer, Scoreboard, SprtSettings,
};
pub use opening::Opening;
pub use openings::{Openings, OpeningsError, Order, RandomWalks, Walk};
pub use play::play;
pub use record::{CLOCK_SCALES, GameFault, GameRecord};
pub use report::{Intervals, MatchReport, OutputFormat};
pub use rows::{game_row, listed_row};
pub use rules::{DrawRule, ResignRule, Rules};
pub use runner::{
    Assignment, Completion, Feed, MissingPlayers, PlayedGame, Runner, RunnerError, Sink, TaskQueue,
};
pub use schedule::{OpeningPolicy, Plan, Schedule, ScheduleError, ScheduledGame, Tournament};
pub use session::{
    FileError, MATCH_KIND, MatchConfig, MatchFiles, MatchSettings, OpeningFile, OpeningFileError,
    OpeningFormat, OutputFile, PlayError, Session, SessionError, StoredMatch, WriteError, pgn_date,
    pgn_style,
};
pub use sprt::{Decision, Sprt, SprtError, SprtModel};
pub use standings::{Standing, Standings};
pub use tablebases::{RuledTablebases, TablebaseError, TablebaseProbe, TablebaseRule};
pub use tally::{Pairs, Tally};
pub use task::{GameSetup, GameTask, TaskPlayer};
pub use time_control::{Clock, ClockError, TimeControl, seconds};
