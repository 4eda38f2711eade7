//! Places to think: as many players think at once as there are cores, the others wait their turn. Where a person waits for
//! the answer, its player goes first.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use vidmar_engine::Control;

/// How often somebody who waits looks whether the thought is still wanted.
const GLANCE: Duration = Duration::from_millis(50);

/// The slots.
pub(crate) struct Slots {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    free: usize,
    /// Who waits, those with a person first, then by the order of their coming.
    waiting: BTreeSet<(bool, u64)>,
    tickets: u64,
}

/// A slot, until it is dropped.
pub(crate) struct Slot<'s>(&'s Slots);

impl Slots {
    /// So many slots.
    pub(crate) fn new(slots: usize) -> Slots {
        Slots {
            state: Mutex::new(State {
                free: slots.max(1),
                waiting: BTreeSet::new(),
                tickets: 0,
            }),
            changed: Condvar::new(),
        }
    }

    /// Waits for a slot; none if the thought is not wanted any more.
    pub(crate) fn take(&self, urgent: bool, control: &Control) -> Option<Slot<'_>> {
        let mut state = self.state();
        state.tickets += 1;
        let ticket = (!urgent, state.tickets);
        state.waiting.insert(ticket);
        loop {
            if control.is_stopped() {
                state.waiting.remove(&ticket);
                self.changed.notify_all();
                return None;
            }
            if state.free > 0 && state.waiting.first() == Some(&ticket) {
                state.waiting.remove(&ticket);
                state.free -= 1;
                self.changed.notify_all();
                return Some(Slot(self));
            }
            let waited = self.changed.wait_timeout(state, GLANCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Counts stay right whatever happens to a thread.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.0.state().free += 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_think_at_once_than_there_are_places() {
        let slots = Arc::new(Slots::new(2));
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let threads: Vec<_> = (0..8)
            .map(|number| {
                let (slots, now, most) = (slots.clone(), now.clone(), most.clone());
                std::thread::spawn(move || {
                    let _slot = slots.take(number % 2 == 0, &Control::new()).expect("a slot");
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    now.fetch_sub(1, Ordering::SeqCst);
                })
            })
            .collect();
        for thread in threads {
            thread.join().expect("no panic");
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn a_thought_that_is_not_wanted_gets_no_place() {
        let slots = Slots::new(1);
        let taken = slots.take(false, &Control::new());
        let stopped = Control::new();
        stopped.stop();
        assert!(taken.is_some() && slots.take(true, &stopped).is_none());
        drop(taken);
        assert!(slots.take(false, &Control::new()).is_some());
    }
}
