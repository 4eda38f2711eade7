//! A match: a schedule of games, played by a [`Runner`] and kept in a store.
//!
//! Every game of the schedule that the store does not have is a task; a finished one goes to the store, and into the
//! scoreboard once it is committed. Nothing depends on who played what when: the table, the decision of a sequential test
//! and the games are the same for any number of workers, and for a match that was killed and resumed.
//!
//! A sequential test looks at the games *in the order of the schedule*, as far as they are complete: otherwise quick
//! games would come first, and the decision would depend on the number of workers. Games beyond the one that decided it
//! are kept but do not count.

mod counting;
mod scoreboard;
mod store_sink;

use std::collections::HashSet;
use std::sync::Mutex;

use thiserror::Error;
use vidmar_chess::ByColor;
use vidmar_engine::Control;
use vidmar_players::{Fault, PlayerSpec};
use vidmar_rng::Rng;
use vidmar_store::{Batch, Game, RunId, Store, StoreError};

use crate::executor::{Executor, ExecutorError};
use crate::fault_policy::FaultPolicy;
use crate::openings::Openings;
use crate::rules::Rules;
use crate::runner::{Completion, MissingPlayers, Runner, RunnerError};
use crate::schedule::{Schedule, ScheduledGame};
use crate::sprt::{Decision, Sprt};
use crate::task::{GameSetup, GameTask, TaskPlayer};
use crate::time_control::TimeControl;

pub use counting::{CountingSettings, SprtSettings};
pub use scoreboard::Scoreboard;
use store_sink::StoreSink;

/// A player that could not be started in so many games in a row is gone for good: a match does not lose a thousand games to a
/// program that was removed.
const MOST_FAILED_STARTS: u32 = 10;

/// Who takes part.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchPlayer {
    /// Its name in tables.
    pub name: String,
    /// What it is.
    pub spec: PlayerSpec,
    /// What it may use for its moves.
    pub limits: TimeControl,
    /// Whether it is started again before every game.
    pub restart: bool,
}

/// A match.
pub struct Match {
    /// Who takes part.
    pub players: Vec<MatchPlayer>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// Where games begin.
    pub openings: Openings,
    /// When games end early.
    pub rules: Rules,
    /// What becomes of faults.
    pub faults: FaultPolicy,
    /// A test that may end the match; of the first player against the second.
    pub sprt: Option<Sprt>,
    /// Whether pairs of games are what is counted.
    pub paired: bool,
    /// The seed of everything random.
    pub seed: u64,
    /// Whether the principal variations of its moves are kept, and what else is said of them.
    pub keeps_pvs: bool,
}

/// Why a match could not go on. What was committed is in the store.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatchError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A player is not to be had.
    #[error("{name} cannot be started: {fault}")]
    Start {
        /// Whose name.
        name: String,
        /// What was seen.
        fault: Fault,
    },
    /// Games could not be played.
    #[error(transparent)]
    Executor(#[from] ExecutorError),
}

/// Why a match is over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every game is played.
    Complete,
    /// The test has its decision.
    Decided(Decision),
    /// It was asked to stop.
    Stopped,
}

/// What a match came to.
#[derive(Debug)]
pub struct Finished {
    /// Why it is over.
    pub ended: Ended,
    /// All that was played.
    pub scoreboard: Scoreboard,
    /// The store that it was written to.
    pub store: Store,
}

/// What is worth telling while a match goes on.
#[derive(Debug)]
pub enum MatchEvent<'a> {
    /// Somebody has begun to play a game.
    Started {
        /// The game's number.
        game: u64,
        /// The index of the player with White.
        white: usize,
        /// The index of the player with Black.
        black: usize,
    },
    /// A game is committed, and counted.
    Game {
        /// The game.
        game: &'a Game,
        /// All so far.
        scoreboard: &'a Scoreboard,
    },
    /// A player misbehaved; the match goes on.
    Fault {
        /// The game's number.
        game: u64,
        /// The player's index.
        player: usize,
        /// What was seen.
        fault: &'a Fault,
    },
}

impl Match {
    /// How it is counted, for the store.
    pub fn counting(&self) -> CountingSettings {
        CountingSettings {
            games: self.schedule.games(),
            paired: self.paired && self.schedule.has_pairs(),
            sprt: self.sprt.as_ref().map(SprtSettings::of),
        }
    }

    /// An empty scoreboard of this match.
    pub fn scoreboard(&self) -> Scoreboard {
        Scoreboard::new(self.players.len(), self.counting().paired, self.sprt)
    }

    /// The game of a number, ready to be played.
    pub fn task(&self, number: u64) -> GameTask {
        self.scheduled(&self.schedule.game(number))
    }

    fn scheduled(&self, game: &ScheduledGame) -> GameTask {
        let number = game.number;
        let sides = ByColor::new(game.white, game.black);
        GameTask {
            number,
            round: game.round,
            players: ByColor::from_fn(|side| {
                let player = &self.players[sides[side]];
                TaskPlayer {
                    index: sides[side],
                    spec: player.spec.clone(),
                    restart: player.restart,
                }
            }),
            setup: GameSetup {
                opening: self.openings.get(game.opening),
                limits: ByColor::from_fn(|side| self.players[sides[side]].limits),
                rules: self.rules.clone(),
                seed: Rng::new(self.seed, b"games---", number, 0).below(u64::MAX),
                keeps_pvs: self.keeps_pvs,
            },
        }
    }

    /// Plays what is missing of a run, until all is played, the test decides, or `control` says stop.
    pub fn play(
        &self,
        mut store: Store,
        run: RunId,
        executor: &dyn Executor,
        control: &Control,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<Finished, MatchError> {
        let mut scoreboard = self.scoreboard();
        for outline in store.results(run)? {
            scoreboard.add(outline);
        }
        for fault in store.faults(run)? {
            scoreboard.add_fault(fault.game, fault.player as usize, &fault.kind);
        }
        store.commit(&state(run, "running"))?;
        let mut schedule = self.schedule.clone();
        // A knockout has several parts, everything else one: the later games of a knockout are known once those before are played.
        while scoreboard.decision().is_none() && !control.is_stopped() {
            while schedule.advance(scoreboard.games()) {}
            let known: HashSet<u64> = store.finished(run)?.into_iter().collect();
            let numbers = 0..schedule.known_games();
            let missing = numbers.filter(|number| !known.contains(number));
            if missing.clone().next().is_none() {
                break;
            }
            let started = Mutex::default();
            let mut sink = StoreSink {
                started: &started,
                store: &mut store,
                run,
                scoreboard: &mut scoreboard,
                watch,
            };
            let runner = Runner {
                executor,
                faults: self.faults,
                missing: MissingPlayers::EndAfter(MOST_FAILED_STARTS),
            };
            let tasks = missing.map(|number| {
                let task = self.scheduled(&schedule.game(number));
                store_sink::note(&started, &task);
                task
            });
            match runner.run(tasks, &mut sink, control) {
                Ok(Completion::Complete) => {}
                Ok(Completion::Stopped) => break,
                Err(error) => {
                    // It does not go on. Where the store itself has failed, that cannot be written either.
                    let _ = store.commit(&state(run, "paused"));
                    return Err(self.error(error));
                }
            }
        }
        let ended = match scoreboard.decision() {
            Some(decision) => Ended::Decided(decision),
            None if scoreboard.len() == self.schedule.games() => Ended::Complete,
            None => Ended::Stopped,
        };
        // One that was killed is `running` for ever: whoever looks knows by the store's lock that it is not.
        let word = if ended == Ended::Stopped {
            "paused"
        } else {
            "finished"
        };
        store.commit(&state(run, word))?;
        Ok(Finished {
            ended,
            scoreboard,
            store,
        })
    }

    fn error(&self, error: RunnerError<StoreError>) -> MatchError {
        match error {
            RunnerError::Sink(error) => MatchError::Store(error),
            RunnerError::Executor(error) => MatchError::Executor(error),
            RunnerError::Start { index, fault } => MatchError::Start {
                name: self.players[index].name.clone(),
                fault,
            },
        }
    }
}

/// The state of a run, in one word.
fn state(run: RunId, word: &str) -> Batch {
    Batch {
        state: Some(word.to_owned()),
        ..Batch::new(run)
    }
}
