//! Lists of games: what the store knows is read from there, the rest is played.
//!
//! Rounds of tuning, the validation match, the gauntlet and the games that Texel's positions come from are all lists of tasks
//! with numbers in a row ([`GameList`]). A list that was interrupted is made again in the same way and goes on where it was.

use vidmar_arena::{Executor, FaultPolicy, GameTask, MissingPlayers, PlayedGame, Runner, RunnerError, Sink};
use vidmar_chess::Outcome;
use vidmar_engine::Control;

use crate::run::{Journal, RunError};

/// How far a list is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Games that are known now.
    pub(crate) done: u64,
    /// Games of the list.
    pub(crate) total: u64,
}

/// Plays what the store does not know yet; the outcomes in order (none for a game without one), or none if it was stopped.
/// A fault is never a result: its game is played again, and kept without a result after several attempts. As soon as most
/// games of the list are such, something is wrong that more games do not cure: that is an error, and they are let go of, so
/// that a run that is resumed once the cause is mended plays them again.
pub(crate) fn play_all(
    journal: &mut Journal,
    tasks: Vec<GameTask>,
    executor: &dyn Executor,
    control: &Control,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Option<Vec<Option<Outcome>>>, RunError> {
    let (list, missing) = GameList::new(journal, tasks);
    list.check(journal)?;
    let mut sink = JournalSink {
        journal,
        list,
        observe,
    };
    runner(executor)
        .run(missing, &mut sink, control)
        .map_err(failure)?;
    Ok(sink.list.outcomes())
}

/// Who plays the games of a run, and what a fault leads to.
pub(crate) fn runner(executor: &dyn Executor) -> Runner<'_> {
    Runner {
        executor,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::AreFaults,
    }
}

/// Why games could not be played.
pub(crate) fn failure(error: RunnerError<RunError>) -> RunError {
    match error {
        RunnerError::Sink(error) => error,
        other => RunError::Games(other.to_string()),
    }
}

/// What is known of a game: nothing yet, or its outcome, which may be none.
type Known = Option<Option<Outcome>>;

/// Games with numbers in a row, as far as they are known.
pub(crate) struct GameList {
    first: u64,
    outcomes: Vec<Known>,
    done: u64,
    /// Games without a result.
    void: u64,
}

impl GameList {
    /// A list, and those of its games that the store does not know.
    pub(crate) fn new(journal: &Journal, tasks: Vec<GameTask>) -> (GameList, Vec<GameTask>) {
        let first = tasks.first().map_or(0, |task| task.number);
        let mut outcomes: Vec<Known> = vec![None; tasks.len()];
        for game in journal.known_from(first) {
            if let Some(outcome) = outcomes.get_mut((game.number - first) as usize) {
                *outcome = Some(game.result);
            }
        }
        let missing: Vec<GameTask> = tasks
            .into_iter()
            .zip(&outcomes)
            .filter_map(|(task, outcome)| outcome.is_none().then_some(task))
            .collect();
        let list = GameList {
            first,
            void: outcomes.iter().filter(|outcome| **outcome == Some(None)).count() as u64,
            done: (outcomes.len() - missing.len()) as u64,
            outcomes,
        };
        (list, missing)
    }

    /// The number of its first game.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// Games of the list.
    pub(crate) fn total(&self) -> u64 {
        self.outcomes.len() as u64
    }

    /// Games that are known now.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Puts a game of the list down.
    pub(crate) fn add(&mut self, journal: &mut Journal, game: &PlayedGame) -> Result<(), RunError> {
        let PlayedGame { task, record } = game;
        journal.add_game(task, record)?;
        self.outcomes[(task.number - self.first) as usize] = Some(record.outcome);
        self.done += 1;
        self.void += u64::from(record.outcome.is_none());
        Ok(())
    }

    /// Whether it is worth while to go on.
    pub(crate) fn check(&self, journal: &mut Journal) -> Result<(), RunError> {
        let (void, total) = (self.void, self.total());
        if 2 * void <= total {
            return Ok(());
        }
        let fault = journal.last_fault()?;
        journal.forget_void_from(self.first)?;
        Err(RunError::MostlyVoid { void, total, fault })
    }

    /// The outcomes in order, if all are known.
    pub(crate) fn outcomes(&self) -> Option<Vec<Option<Outcome>>> {
        self.outcomes.iter().copied().collect()
    }
}

/// Where the games of a list go: into the journal, and among the outcomes.
struct JournalSink<'a> {
    journal: &'a mut Journal,
    list: GameList,
    observe: &'a mut dyn FnMut(&Progress),
}

impl Sink for JournalSink<'_> {
    type Error = RunError;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), RunError> {
        for game in games {
            self.list.add(self.journal, &game)?;
            (self.observe)(&Progress {
                done: self.list.done(),
                total: self.list.total(),
            });
        }
        self.list.check(self.journal)
    }

    fn idle(&mut self) -> Result<(), RunError> {
        self.journal.look()
    }
}
