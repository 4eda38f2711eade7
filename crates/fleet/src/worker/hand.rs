//! What a worker has taken and not answered.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::Message;
use tokio::sync::Notify;
use vidmar_arena::GameTask;

use super::runs::Served;
use crate::protocol::{Entry, TaskId};
use std::sync::Arc;

/// A task to be played.
pub(super) struct Job {
    pub(super) run: Arc<Served>,
    pub(super) batch: u64,
    pub(super) id: TaskId,
    pub(super) task: GameTask,
    /// What its clocks were multiplied by, in thousandths.
    pub(super) clock_scale: Option<u32>,
}

/// A task with its answer.
pub(super) struct Done {
    pub(super) run: Arc<Served>,
    pub(super) batch: u64,
    pub(super) entry: Entry,
}

/// A batch that is not acknowledged.
struct InHand {
    message: Message,
    /// Tasks whose answers the server does not have.
    left: usize,
    patience: Duration,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    batches: HashMap<u64, InHand>,
    next: u64,
    is_closed: bool,
}

pub(super) struct Hand {
    threads: usize,
    state: Mutex<State>,
    changed: Condvar,
    /// Somebody may take a batch.
    room: Notify,
    /// Others should hear of us.
    pub(super) presence_changed: Notify,
}

impl Hand {
    pub(super) fn new(threads: usize) -> Hand {
        Hand {
            threads,
            state: Mutex::default(),
            changed: Condvar::new(),
            room: Notify::new(),
            presence_changed: Notify::new(),
        }
    }

    /// What is half-done when a thread panics is not here.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something that is not here has changed.
    pub(super) fn wake(&self) {
        drop(self.state());
        self.changed.notify_all();
        self.room.notify_waiters();
        self.presence_changed.notify_one();
    }

    /// Tasks that are not begun.
    pub(super) fn queued(&self) -> usize {
        self.state().queue.len()
    }

    /// Whether every batch is answered.
    pub(super) fn is_empty(&self) -> bool {
        self.state().batches.is_empty()
    }

    /// Tasks that were taken and whose answers the server does not have.
    pub(super) fn unanswered(&self) -> usize {
        self.state().batches.values().map(|batch| batch.left).sum()
    }

    /// Waits until another batch would be welcome: there is less than one task for every thread.
    pub(super) async fn wait_for_room(&self) {
        loop {
            let room = self.room.notified();
            if self.queued() < self.threads {
                return;
            }
            // Missed wake-ups cost no more than this.
            let _ = tokio::time::timeout(Duration::from_millis(200), room).await;
        }
    }

    /// A number for a batch of so many tasks.
    pub(super) fn begin_batch(&self, message: Message, tasks: usize, patience: Duration) -> u64 {
        let mut state = self.state();
        state.next += 1;
        let number = state.next;
        let batch = InHand {
            message,
            left: tasks,
            patience,
        };
        state.batches.insert(number, batch);
        number
    }

    /// Takes jobs in; gives them back if it is closed.
    pub(super) fn add(&self, jobs: Vec<Job>) -> Vec<Job> {
        let mut state = self.state();
        if state.is_closed {
            return jobs;
        }
        state.queue.extend(jobs);
        drop(state);
        self.changed.notify_all();
        Vec::new()
    }

    /// The next task for a thread, as soon as there is one; none once it is closed.
    pub(super) fn next(&self) -> Option<Job> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(job) = state.queue.pop_front() {
                drop(state);
                self.room.notify_waiters();
                return Some(job);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for the end, which is looked for now and then.
    pub(super) fn wait_for_end(&self, is_over: impl Fn() -> bool) {
        while !is_over() {
            let state = self.state();
            let waited = self.changed.wait_timeout(state, Duration::from_millis(50));
            drop(waited);
        }
    }

    /// No more is begun; what was not begun goes back.
    pub(super) fn close(&self) -> Vec<Done> {
        let mut state = self.state();
        state.is_closed = true;
        let returned = state.queue.drain(..).map(Done::returned).collect();
        drop(state);
        self.changed.notify_all();
        returned
    }

    /// The server has so many answers of a batch: its message, once that were all.
    pub(super) fn answered(&self, batch: u64, count: usize) -> Option<Message> {
        let mut state = self.state();
        let left = &mut state.batches.get_mut(&batch)?.left;
        *left = left.saturating_sub(count);
        if *left > 0 {
            return None;
        }
        let batch = state.batches.remove(&batch);
        drop(state);
        self.changed.notify_all();
        batch.map(|batch| batch.message)
    }

    /// The messages that are in hand, and how soon they must be heard of.
    pub(super) fn in_hand(&self) -> (Vec<Message>, Duration) {
        let state = self.state();
        let soonest = state.batches.values().map(|batch| batch.patience).min();
        let messages = state
            .batches
            .values()
            .map(|batch| batch.message.clone())
            .collect();
        (messages, soonest.unwrap_or(Duration::from_secs(3)))
    }
}

impl Done {
    pub(super) fn returned(job: Job) -> Done {
        Done {
            run: job.run,
            batch: job.batch,
            entry: Entry::Returned(job.id),
        }
    }
}
