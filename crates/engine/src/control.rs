//! How the outside reaches a player that is thinking: stop, and "the opponent played the expected move".

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::limits::Limits;

/// The switches of one search, shared between the thinker's thread and the others.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Copy, Clone, Debug, Default)]
struct State {
    hit: bool,
    over: bool,
}

impl Control {
    /// Nothing has been said yet.
    pub fn new() -> Control {
        Control::default()
    }

    /// Asks for an answer now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.change(|_| {});
    }

    /// The expected move was played: the clock runs.
    pub fn ponder_hit(&self) {
        self.change(|state| state.hit = true);
    }

    /// Whether an answer is wanted now.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the expected move was played.
    pub fn is_hit(&self) -> bool {
        self.state().hit
    }

    /// The flag that a search looks at.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Waits until an answer may be given: under `infinite` not before a stop, under `ponder` not before a stop or
    /// the expected move.
    pub fn wait_for_leave(&self, limits: &Limits) {
        let mut state = self.state();
        while !self.is_stopped() && (limits.infinite || (limits.ponder && !state.hit)) {
            state = self.wait(state);
        }
    }

    /// The search is over: whoever watches it may go.
    pub(crate) fn finish(&self) {
        self.change(|state| state.over = true);
    }

    /// Waits for the expected move; false if the search is over or stopped before.
    pub(crate) fn wait_for_hit(&self) -> bool {
        let mut state = self.state();
        while !state.hit && !state.over && !self.is_stopped() {
            state = self.wait(state);
        }
        state.hit && !state.over && !self.is_stopped()
    }

    /// Stops the search at that time unless it is over before.
    pub(crate) fn stop_at(&self, deadline: Instant) {
        let mut state = self.state();
        while !state.over && !self.is_stopped() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                drop(state);
                self.stop();
                return;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn change(&self, f: impl FnOnce(&mut State)) {
        f(&mut self.state());
        self.changed.notify_all();
    }

    /// Two switches cannot be left half set, so a panic elsewhere does not spoil them.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}
