//! Tasks that are not all known when a run begins, because some follow from the games of others.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use crate::task::GameTask;

/// Tasks in the order in which they are given out. Whoever runs them ([`Runner::run_queue`](crate::Runner::run_queue)) adds to them when
/// games are committed, and has to close the queue in the end: until then the run waits for more.
#[derive(Default)]
pub struct TaskQueue {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<GameTask>,
    is_closed: bool,
}

impl TaskQueue {
    /// Adds tasks behind the others.
    pub fn extend(&self, tasks: impl IntoIterator<Item = GameTask>) {
        self.state().tasks.extend(tasks);
    }

    /// Nothing follows any more.
    pub fn close(&self) {
        self.state().is_closed = true;
    }

    /// The next task: one, none any more, or none as yet.
    pub(super) fn poll(&self) -> Poll<Option<GameTask>> {
        let mut state = self.state();
        match state.tasks.pop_front() {
            None if !state.is_closed => Poll::Pending,
            next => Poll::Ready(next),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
