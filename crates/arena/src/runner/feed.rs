//! The tasks of a run on their way to an executor, and the answers on their way back.

use std::sync::mpsc::SyncSender;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use vidmar_chess::Termination;
use vidmar_engine::Control;

use super::{Completion, MissingPlayers, PlayedGame, Runner};
use crate::executor::ExecutorError;
use crate::record::{GameFault, GameRecord};
use crate::task::GameTask;

/// A task that an executor has taken. Every one is to be given back with an answer.
#[derive(Debug)]
pub struct Assignment {
    /// The task.
    pub task: GameTask,
    /// How often the game has been begun before.
    attempt: u32,
    /// The faults of those attempts.
    faults: Vec<GameFault>,
}

impl Assignment {
    /// How often the game has been begun before.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }
}

/// What an executor sees of a run: it takes tasks here and answers them, from as many threads as it likes.
pub struct Feed<'a> {
    tasks: &'a Tasks<'a>,
    runner: &'a Runner<'a>,
    /// The caller's, and that of the games in progress.
    controls: [&'a Control; 2],
    answers: SyncSender<Result<PlayedGame, ExecutorError>>,
}

/// The tasks of a run: those that are there, and perhaps more once games have been committed.
pub(super) struct Tasks<'a> {
    state: Mutex<State<'a>>,
    news: Condvar,
}

/// The next task: one, none any more, or none as yet.
pub(super) type Next<'a> = &'a mut (dyn FnMut() -> Poll<Option<GameTask>> + Send);

struct State<'a> {
    next: Next<'a>,
    /// Tasks that are taken and not answered.
    open: usize,
    /// Tasks that were given up because the run was stopped.
    stopped: usize,
}

impl<'a> Tasks<'a> {
    pub(super) fn new(next: Next<'a>) -> Tasks<'a> {
        Tasks {
            state: Mutex::new(State {
                next,
                open: 0,
                stopped: 0,
            }),
            news: Condvar::new(),
        }
    }

    /// There may be more tasks, or the run may have been stopped: whoever waits looks again. The lock is taken so that nobody is
    /// between a look and falling asleep.
    pub(super) fn wake(&self) {
        drop(self.state());
        self.news.notify_all();
    }

    /// What is half-done when a thread panics is made good by whoever counts the answers.
    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> Feed<'a> {
    pub(super) fn new(
        tasks: &'a Tasks<'a>,
        runner: &'a Runner<'a>,
        controls: [&'a Control; 2],
        answers: SyncSender<Result<PlayedGame, ExecutorError>>,
    ) -> Feed<'a> {
        Feed {
            tasks,
            runner,
            controls,
            answers,
        }
    }

    /// The next task; none if there is none left or the run is stopped. Where more tasks follow from games that are in progress, it
    /// waits for them.
    pub fn next(&self) -> Option<Assignment> {
        let mut state = self.tasks.state();
        loop {
            match self.look(&mut state) {
                Poll::Ready(next) => return next,
                Poll::Pending => {
                    state = self
                        .tasks
                        .news
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// The same for those who cannot wait, because it is they who answer the games in progress.
    pub fn poll(&self) -> Poll<Option<Assignment>> {
        self.look(&mut self.tasks.state())
    }

    fn look(&self, state: &mut State<'_>) -> Poll<Option<Assignment>> {
        if self.controls.iter().any(|control| control.is_stopped()) {
            return Poll::Ready(None);
        }
        let next = (state.next)();
        next.map(|task| {
            let task = task?;
            state.open += 1;
            Some(Assignment {
                task,
                attempt: 0,
                faults: Vec::new(),
            })
        })
    }

    /// Answers a task. A game that is to be begun again comes back, and is to be answered again. One that was stopped
    /// half-way is no answer and leads to nothing.
    #[must_use]
    pub fn answer(
        &self,
        assignment: Assignment,
        answer: Result<GameRecord, ExecutorError>,
    ) -> Option<Assignment> {
        let Assignment {
            task,
            attempt,
            mut faults,
        } = assignment;
        let answer = answer.map(|mut record| {
            let here = std::mem::take(&mut record.faults);
            faults.extend(here.into_iter().map(|fault| GameFault { attempt, ..fault }));
            record
        });
        let sent = match answer {
            Ok(record) if record.termination == Termination::Stopped => {
                let mut state = self.tasks.state();
                state.open -= 1;
                state.stopped += 1;
                return None;
            }
            Ok(record) if self.is_replayed(&record, attempt) => {
                return Some(Assignment {
                    task,
                    attempt: attempt + 1,
                    faults,
                });
            }
            Ok(record) => {
                let mut record = GameRecord { faults, ..record };
                self.runner.faults.score(&mut record);
                Ok(PlayedGame { task, record })
            }
            Err(error) => Err(error),
        };
        self.tasks.state().open -= 1;
        // The run listens until the feed is gone.
        let _ = self.answers.send(sent);
        None
    }

    fn is_replayed(&self, record: &GameRecord, attempt: u32) -> bool {
        let ends_the_run = record.unavailable.is_some() && self.runner.missing == MissingPlayers::EndTheRun;
        !ends_the_run && self.runner.faults.replays(record, attempt)
    }

    /// How far the run got, once the executor has returned.
    pub(super) fn finish(self) -> Result<Completion, ExecutorError> {
        let mut state = self.tasks.state();
        if state.open > 0 {
            return Err(ExecutorError::Unanswered(state.open));
        }
        let is_complete = state.stopped == 0 && matches!((state.next)(), Poll::Ready(None));
        Ok(if is_complete {
            Completion::Complete
        } else {
            Completion::Stopped
        })
    }
}
