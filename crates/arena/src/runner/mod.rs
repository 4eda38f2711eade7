//! Playing a list of games: the one place that knows in which order tasks are given out, what a fault leads to, and when
//! a game counts.
//!
//! Tasks are taken one after the other from an iterator, which may make them as they are asked for, or from a [`TaskQueue`], to which
//! more are added as games are committed. An
//! [`Executor`] plays them, several at a time and anywhere; what comes back is handed to a [`Sink`] on the caller's thread,
//! together with all that has come in since the last time, so that a slow commit is shared. A game counts once the sink
//! has committed it.
//!
//! A record depends on its task alone: with one worker or many, here or elsewhere, the same games come back, though in
//! another order. Whoever cares for the order has the tasks' numbers.
//!
//! Nothing can hang a run: it is over when its executor returns, a panic while a game is played ends the run as an error,
//! and so does a task that an executor took and never answered.

mod feed;
mod missing;
mod queue;

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::task::Poll;
use std::time::Duration;

use thiserror::Error;
use vidmar_engine::Control;
use vidmar_players::Fault;

use crate::executor::{Executor, ExecutorError, panic_message};
use crate::fault_policy::FaultPolicy;
use crate::record::GameRecord;
use crate::task::GameTask;

pub use feed::{Assignment, Feed};
use feed::{Next, Tasks};
use missing::Attendance;
pub use missing::MissingPlayers;
pub use queue::TaskQueue;

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// What was to be played.
    pub task: GameTask,
    /// What came of it.
    pub record: GameRecord,
}

/// Where finished games go.
pub trait Sink {
    /// Why they cannot.
    type Error;

    /// Makes games durable, in whatever order they ended; they count from then on.
    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), Self::Error>;

    /// Called several times a second, whether games have ended or not.
    fn idle(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Whether it needs no more: what is in progress is given up then.
    fn is_satisfied(&self) -> bool {
        false
    }
}

/// How far a run got.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Every task is played.
    Complete,
    /// It was asked to stop; what was finished is committed.
    Stopped,
}

/// Why a run could not go on. What was committed stays committed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunnerError<E> {
    /// The sink failed.
    #[error("{0}")]
    Sink(E),
    /// A player is not to be had.
    #[error("player {index} cannot be started: {fault}")]
    Start {
        /// Its index in the list of players.
        index: usize,
        /// What was seen.
        fault: Fault,
    },
    /// The executor failed.
    #[error(transparent)]
    Executor(#[from] ExecutorError),
}

/// Plays lists of tasks.
pub struct Runner<'a> {
    /// Who plays them.
    pub executor: &'a dyn Executor,
    /// What becomes of games that a fault has ended.
    pub faults: FaultPolicy,
    /// What becomes of those whose player cannot be started.
    pub missing: MissingPlayers,
}

/// How often the sink is called when nothing comes in.
const HEARTBEAT: Duration = Duration::from_millis(200);

/// The most games that share a commit.
const LARGEST_COMMIT: usize = 1024;

/// The most games that are finished and not yet with the sink: players that are quicker than the disk wait for it, so that memory has
/// an end and a run that is stopped has not much left to write.
const MOST_UNCOMMITTED: usize = 256;

impl Runner<'_> {
    /// Plays tasks until there are none left, the sink needs no more, something fails, or `control` says stop. Games in progress are not waited for
    /// then. `control` is only looked at: whoever runs one list of tasks after the other can use it for all of them.
    pub fn run<S: Sink>(
        &self,
        tasks: impl IntoIterator<Item = GameTask, IntoIter: Send>,
        sink: &mut S,
        control: &Control,
    ) -> Result<Completion, RunnerError<S::Error>> {
        let mut tasks = tasks.into_iter();
        self.run_tasks(&mut || Poll::Ready(tasks.next()), sink, control)
    }

    /// The same with a queue: it is over when the queue is closed and all its tasks are played.
    pub fn run_queue<S: Sink>(
        &self,
        queue: &TaskQueue,
        sink: &mut S,
        control: &Control,
    ) -> Result<Completion, RunnerError<S::Error>> {
        self.run_tasks(&mut || queue.poll(), sink, control)
    }

    fn run_tasks<S: Sink>(
        &self,
        next: Next<'_>,
        sink: &mut S,
        control: &Control,
    ) -> Result<Completion, RunnerError<S::Error>> {
        let (sender, answers) = sync_channel(MOST_UNCOMMITTED);
        let (tasks, games) = (Tasks::new(next), Control::new());
        std::thread::scope(|scope| {
            let feed = Feed::new(&tasks, self, [control, &games], sender);
            let executor = scope.spawn(|| {
                let feed = feed;
                self.executor.execute(&feed, &games);
                feed.finish()
            });
            let taken = self.take(&answers, sink, (control, &games), &tasks);
            if taken.is_err() {
                games.stop();
                tasks.wake();
            }
            // Whatever still comes in after a failure is played again by whoever resumes the run.
            for _ in answers {}
            let finished = executor
                .join()
                .unwrap_or_else(|panic| Err(ExecutorError::Panicked(panic_message(&*panic))));
            taken?;
            Ok(finished?)
        })
    }

    /// Plays tasks and gives the games in the order of their numbers; none if it was stopped before the last.
    pub fn collect(
        &self,
        tasks: impl IntoIterator<Item = GameTask, IntoIter: Send>,
        control: &Control,
        progress: &mut dyn FnMut(&PlayedGame),
    ) -> Result<Option<Vec<PlayedGame>>, RunnerError<Infallible>> {
        let mut collection = Collection {
            games: Vec::new(),
            progress,
        };
        let completion = self.run(tasks, &mut collection, control)?;
        let mut games = collection.games;
        games.sort_by_key(|game| game.task.number);
        Ok((completion == Completion::Complete).then_some(games))
    }

    /// Hands games to the sink as they come in, until nobody sends any more, and stops those in progress once they are not wanted.
    fn take<S: Sink>(
        &self,
        answers: &Receiver<Result<PlayedGame, ExecutorError>>,
        sink: &mut S,
        (control, games_in_progress): (&Control, &Control),
        tasks: &Tasks<'_>,
    ) -> Result<(), RunnerError<S::Error>> {
        let mut attendance = Attendance::default();
        loop {
            if control.is_stopped() || sink.is_satisfied() {
                games_in_progress.stop();
            }
            tasks.wake();
            match answers.recv_timeout(HEARTBEAT) {
                Ok(first) => {
                    let more = answers.try_iter().take(LARGEST_COMMIT - 1);
                    let (mut games, mut failure) = (Vec::new(), None);
                    for answer in std::iter::once(first).chain(more) {
                        match answer
                            .map_err(RunnerError::Executor)
                            .and_then(|game| self.checked(game, &mut attendance))
                        {
                            Ok(game) => games.push(game),
                            Err(error) => failure = failure.or(Some(error)),
                        }
                    }
                    // What is finished is not lost because something else failed.
                    if !games.is_empty() {
                        sink.commit(games).map_err(RunnerError::Sink)?;
                    }
                    failure.map_or(Ok(()), Err)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            sink.idle().map_err(RunnerError::Sink)?;
        }
    }

    fn checked<E>(
        &self,
        game: PlayedGame,
        attendance: &mut Attendance,
    ) -> Result<PlayedGame, RunnerError<E>> {
        match (attendance.note(&game, self.missing), game.record.faults.last()) {
            (Some(side), Some(last)) => Err(RunnerError::Start {
                index: game.task.players[side].index,
                fault: last.fault.clone(),
            }),
            _ => Ok(game),
        }
    }
}

/// Games that are only kept in memory.
struct Collection<'a> {
    games: Vec<PlayedGame>,
    progress: &'a mut dyn FnMut(&PlayedGame),
}

impl Sink for Collection<'_> {
    type Error = Infallible;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), Infallible> {
        for game in &games {
            (self.progress)(game);
        }
        self.games.extend(games);
        Ok(())
    }
}
