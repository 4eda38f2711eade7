//! The tasks of a run on their way to an executor, and the answers on their way back.

use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
    state: Mutex<State<'a>>,
    runner: &'a Runner<'a>,
    /// The caller's, and that of the games in progress.
    controls: [&'a Control; 2],
    answers: SyncSender<Result<PlayedGame, ExecutorError>>,
}

struct State<'a> {
    tasks: &'a mut (dyn Iterator<Item = GameTask> + Send),
    /// Tasks that are taken and not answered.
    open: usize,
    /// Tasks that were given up because the run was stopped.
    stopped: usize,
}

impl<'a> Feed<'a> {
    pub(super) fn new(
        tasks: &'a mut (dyn Iterator<Item = GameTask> + Send),
        runner: &'a Runner<'a>,
        controls: [&'a Control; 2],
        answers: SyncSender<Result<PlayedGame, ExecutorError>>,
    ) -> Feed<'a> {
        Feed {
            state: Mutex::new(State {
                tasks,
                open: 0,
                stopped: 0,
            }),
            runner,
            controls,
            answers,
        }
    }

    /// The next task; none if there is none left or the run is stopped.
    pub fn next(&self) -> Option<Assignment> {
        if self.controls.iter().any(|control| control.is_stopped()) {
            return None;
        }
        let mut state = self.state();
        let task = state.tasks.next()?;
        state.open += 1;
        Some(Assignment {
            task,
            attempt: 0,
            faults: Vec::new(),
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
                let mut state = self.state();
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
        self.state().open -= 1;
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
        let mut state = self.state();
        if state.open > 0 {
            return Err(ExecutorError::Unanswered(state.open));
        }
        let is_complete = state.stopped == 0 && state.tasks.next().is_none();
        Ok(if is_complete {
            Completion::Complete
        } else {
            Completion::Stopped
        })
    }

    /// What is half-done when a thread panics is made good by whoever counts the answers.
    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
