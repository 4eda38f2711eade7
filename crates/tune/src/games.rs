//! Lists of games: what the store knows is read from there, the rest is played.
//!
//! Rounds of tuning, the validation match, the gauntlet and the games that Texel's positions come from are all lists of tasks
//! with numbers in a row. A list that was interrupted is made again in the same way and goes on where it was.

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
    /// Faults of the game that has just ended.
    pub(crate) faults: u64,
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
    let mut sink = JournalSink {
        journal,
        first,
        void: outcomes.iter().filter(|outcome| **outcome == Some(None)).count() as u64,
        done: (outcomes.len() - missing.len()) as u64,
        outcomes,
        observe,
    };
    let runner = Runner {
        executor,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::AreFaults,
    };
    sink.check()?;
    runner
        .run(missing, &mut sink, control)
        .map_err(|error| match error {
            RunnerError::Sink(error) => error,
            other => RunError::Games(other.to_string()),
        })?;
    Ok(sink.outcomes.into_iter().collect())
}

/// What is known of a game: nothing yet, or its outcome, which may be none.
type Known = Option<Option<Outcome>>;

/// Where the games of a list go: into the journal, and among the outcomes.
struct JournalSink<'a> {
    journal: &'a mut Journal,
    first: u64,
    outcomes: Vec<Known>,
    done: u64,
    /// Games without a result.
    void: u64,
    observe: &'a mut dyn FnMut(&Progress),
}

impl JournalSink<'_> {
    /// Whether it is worth while to go on.
    fn check(&mut self) -> Result<(), RunError> {
        let total = self.outcomes.len() as u64;
        if 2 * self.void <= total {
            return Ok(());
        }
        let fault = self.journal.last_fault()?;
        self.journal.forget_void_from(self.first)?;
        Err(RunError::MostlyVoid {
            void: self.void,
            total,
            fault,
        })
    }
}

impl Sink for JournalSink<'_> {
    type Error = RunError;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), RunError> {
        for PlayedGame { task, record } in games {
            self.journal.add_game(&task, &record)?;
            self.outcomes[(task.number - self.first) as usize] = Some(record.outcome);
            self.done += 1;
            self.void += u64::from(record.outcome.is_none());
            (self.observe)(&Progress {
                done: self.done,
                total: self.outcomes.len() as u64,
                faults: record.faults.len() as u64,
            });
        }
        self.check()
    }

    fn idle(&mut self) -> Result<(), RunError> {
        self.journal.look()
    }
}
