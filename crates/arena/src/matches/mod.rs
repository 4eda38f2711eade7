//! Playing a match: workers that play, one thread that writes, one that keeps the table.
//!
//! Workers take games in the order of the schedule and play them with players of their own, which they keep from game to
//! game. A finished game goes to the store's writing thread, and into the table once it is committed. Nothing depends on
//! who played what when: the table, the verdict of a sequential test and the games are the same for any number of workers,
//! and for a match that was killed and resumed.
//!
//! A sequential test is judged on the games *in the order of the schedule*, as far as they are complete: otherwise quick
//! games would come first, and the verdict would depend on the number of workers. Games beyond the one that decided it
//! are kept but do not count.

mod counting;
mod scoreboard;
mod worker;

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use thiserror::Error;
use vidmar_chess::ByColor;
use vidmar_engine::Control;
use vidmar_players::{Fault, Player};
use vidmar_rng::Rng;
use vidmar_store::{Batch, Game, RunId, Store, StoreError, Writer};

use crate::job::{Job, TimeControl};
use crate::openings::Openings;
use crate::rules::Rules;
use crate::schedule::{Schedule, Slot};
use crate::sprt::{Decision, Sprt};

pub use counting::{CountingSettings, SprtSettings};
pub use scoreboard::Scoreboard;

/// Makes a player; called once for every worker that needs it.
pub type Make = dyn Fn() -> Result<Box<dyn Player>, Fault> + Send + Sync;

/// Who takes part.
pub struct Entrant {
    /// Its name in tables.
    pub name: String,
    /// What it is, for the store.
    pub description: String,
    /// What it may use for its moves.
    pub control: TimeControl,
    /// Whether it is started again before every game.
    pub restart: bool,
    /// How to have one.
    pub make: Box<Make>,
}

/// What becomes of a game that a fault has ended.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum FaultPolicy {
    /// It is played again; after [`MOST_ATTEMPTS`] it is kept without a result.
    #[default]
    Replay,
    /// Its author loses.
    Loss,
    /// It is kept without a result.
    Drop,
}

/// How often a game is begun before it is given up.
pub const MOST_ATTEMPTS: u32 = 3;

/// A match.
pub struct Match {
    /// Who takes part.
    pub entrants: Vec<Entrant>,
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
    /// Games played at a time.
    pub workers: NonZeroUsize,
    /// A pause before every game.
    pub wait: Duration,
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
}

/// Why a match is over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every game is played.
    Complete,
    /// The test has its verdict.
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
        /// The player's place.
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
        Scoreboard::new(self.entrants.len(), self.counting().paired, self.sprt)
    }

    /// The game of a slot, ready to be played.
    pub fn job(&self, slot: &Slot) -> Job {
        Job {
            number: slot.number,
            players: ByColor::new(slot.white, slot.black),
            opening: self.openings.get(slot.opening),
            control: ByColor::new(
                self.entrants[slot.white].control,
                self.entrants[slot.black].control,
            ),
            seed: Rng::new(self.seed, b"games---", slot.number, 0).below(u64::MAX),
        }
    }

    /// Plays what is missing of a run, until all is played, the test decides, or `control` says stop.
    pub fn play(
        &self,
        mut store: Store,
        run: RunId,
        control: &Control,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<Finished, MatchError> {
        let mut scoreboard = self.scoreboard();
        for outline in store.results(run)? {
            scoreboard.add(outline);
        }
        for fault in store.faults(run)? {
            scoreboard.add_fault(fault.game, fault.player as usize);
        }
        let supply = Mutex::new(Supply {
            next: 0,
            end: self.schedule.games(),
            done: store.finished(run)?.into_iter().collect(),
        });
        store.commit(&stand(run, "running"))?;
        let writer = store.into_writer();
        let played = if scoreboard.decision().is_some() {
            Ok(())
        } else {
            self.play_missing(run, &writer, &supply, control, &mut scoreboard, watch)
        };
        let mut store = writer.close()?;
        played?;
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
        store.commit(&stand(run, word))?;
        Ok(Finished {
            ended,
            scoreboard,
            store,
        })
    }

    fn play_missing(
        &self,
        run: RunId,
        writer: &Writer,
        supply: &Mutex<Supply>,
        control: &Control,
        scoreboard: &mut Scoreboard,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<(), MatchError> {
        let (sender, events) = channel();
        std::thread::scope(|scope| {
            for _ in 0..self.workers.get() {
                let sender = sender.clone();
                scope.spawn(move || worker::work(self, supply, control, &sender));
            }
            let mut failure = None;
            // Workers at work and batches under way: each will report once more.
            let mut expected = self.workers.get();
            while expected > 0 {
                let event = events.recv().expect("a sender is held here");
                match event {
                    Event::Idle => expected -= 1,
                    Event::Played { game, faults } => {
                        for (place, _, fault) in &faults {
                            watch(&MatchEvent::Fault {
                                game: game.number,
                                player: *place,
                                fault,
                            });
                        }
                        match submit(writer, run, *game, faults, &sender) {
                            Ok(()) => expected += 1,
                            Err(error) => {
                                failure.get_or_insert(MatchError::Store(error));
                                control.stop();
                            }
                        }
                    }
                    Event::Committed { game, players } => {
                        expected -= 1;
                        scoreboard.add(outline(&game));
                        for player in players {
                            scoreboard.add_fault(game.number, player);
                        }
                        watch(&MatchEvent::Game {
                            game: &game,
                            scoreboard: &*scoreboard,
                        });
                        if scoreboard.decision().is_some() {
                            control.stop();
                        }
                    }
                    Event::NotCommitted(error) => {
                        expected -= 1;
                        failure.get_or_insert(MatchError::Store(error));
                        control.stop();
                    }
                    Event::Failed(error) => {
                        failure.get_or_insert(error);
                        control.stop();
                    }
                }
            }
            failure.map_or(Ok(()), Err)
        })
    }
}

/// What workers and the writing thread tell.
enum Event {
    /// A worker has nothing more to do.
    Idle,
    /// A worker has played a game; with the faults of all attempts: whose, which attempt, what.
    Played {
        game: Box<Game>,
        faults: Vec<(usize, u32, Fault)>,
    },
    /// It is on the disk, with the faults of these players.
    Committed {
        game: Box<Game>,
        players: Vec<usize>,
    },
    NotCommitted(StoreError),
    /// A worker cannot go on.
    Failed(MatchError),
}

/// Gives out the games that are missing, in order.
struct Supply {
    next: u64,
    end: u64,
    done: std::collections::HashSet<u64>,
}

impl Supply {
    fn take(&mut self) -> Option<u64> {
        while self.next < self.end {
            let number = self.next;
            self.next += 1;
            if !self.done.remove(&number) {
                return Some(number);
            }
        }
        None
    }
}

/// Where a run stands, in one word.
fn stand(run: RunId, word: &str) -> Batch {
    Batch {
        state: Some(word.to_owned()),
        ..Batch::new(run)
    }
}

fn submit(
    writer: &Writer,
    run: RunId,
    game: Game,
    faults: Vec<(usize, u32, Fault)>,
    events: &Sender<Event>,
) -> Result<(), StoreError> {
    let players = faults.iter().map(|(place, _, _)| *place).collect();
    let batch = Batch {
        faults: faults
            .into_iter()
            .map(|(place, attempt, fault)| vidmar_store::Fault {
                game: game.number,
                attempt,
                player: place as u32,
                kind: fault.kind.name().to_owned(),
                detail: fault.detail,
            })
            .collect(),
        games: vec![game.clone()],
        ..Batch::new(run)
    };
    let events = events.clone();
    writer.submit(batch, move |fate| {
        let event = match fate {
            Ok(()) => Event::Committed {
                game: Box::new(game),
                players,
            },
            Err(error) => Event::NotCommitted(error),
        };
        // The match waits for this.
        let _ = events.send(event);
    })
}

fn outline(game: &Game) -> vidmar_store::Outline {
    vidmar_store::Outline {
        number: game.number,
        round: game.round,
        white: game.white,
        black: game.black,
        result: game.result,
    }
}
