//! Games in threads of this process.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use vidmar_engine::Control;

use super::worker::PlayerSource;
use super::{Executor, ExecutorError, MakePlayer, Processors, Worker, panic_message};
use crate::runner::Feed;

/// How soon a pause ends when the run is stopped.
const STOP_IS_SEEN: Duration = Duration::from_millis(50);

/// Plays games in so many threads, each with a [`Worker`] and players of its own. They stay alive from run to run, as
/// long as the executor.
pub struct ThreadExecutor {
    threads: NonZeroUsize,
    source: PlayerSource,
    wait: Duration,
    processors: Processors,
    /// The workers of the last run, by the index of their threads: their engines stay on their processors.
    idle: Mutex<HashMap<usize, Worker>>,
}

impl ThreadExecutor {
    /// So many threads.
    pub fn new(threads: NonZeroUsize) -> ThreadExecutor {
        ThreadExecutor {
            threads,
            source: PlayerSource::default(),
            wait: Duration::ZERO,
            processors: Processors::default(),
            idle: Mutex::default(),
        }
    }

    /// Makes players in another way than by their specification.
    #[must_use]
    pub fn with_players(mut self, make: Arc<MakePlayer>) -> ThreadExecutor {
        self.source.make = make;
        self
    }

    /// Keeps so many players in every thread.
    #[must_use]
    pub fn keeping(mut self, players: usize) -> ThreadExecutor {
        self.source.most_kept = players;
        self
    }

    /// Pauses before every game.
    #[must_use]
    pub fn waiting(self, wait: Duration) -> ThreadExecutor {
        ThreadExecutor { wait, ..self }
    }

    /// Binds every thread, and the engines that it starts, to a processor of its own.
    #[must_use]
    pub fn on(self, processors: Processors) -> ThreadExecutor {
        ThreadExecutor { processors, ..self }
    }

    fn work(&self, index: usize, feed: &Feed<'_>, control: &Control) {
        let bound = self.processors.bind(index);
        let idle = self.idle().remove(&index);
        let mut worker = idle.unwrap_or_else(|| Worker::new(&self.source));
        let mut next = feed.next();
        while let Some(assignment) = next {
            self.pause(control);
            let played = catch_unwind(AssertUnwindSafe(|| {
                bound.clone()?;
                worker.play(&assignment.task, control)
            }));
            let answer = played.unwrap_or_else(|panic| {
                // Who knows what state its players are in.
                worker = Worker::new(&self.source);
                Err(ExecutorError::Panicked(panic_message(&*panic)))
            });
            next = feed.answer(assignment, answer).or_else(|| feed.next());
        }
        self.idle().insert(index, worker);
    }

    /// Waits as long as was asked for, but not beyond a stop.
    fn pause(&self, control: &Control) {
        let begun = Instant::now();
        while !control.is_stopped() {
            let left = self.wait.saturating_sub(begun.elapsed());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(STOP_IS_SEEN));
        }
    }

    fn idle(&self) -> MutexGuard<'_, HashMap<usize, Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Executor for ThreadExecutor {
    fn execute(&self, feed: &Feed<'_>, control: &Control) {
        std::thread::scope(|scope| {
            for index in 0..self.threads.get() {
                scope.spawn(move || self.work(index, feed, control));
            }
        });
    }
}
