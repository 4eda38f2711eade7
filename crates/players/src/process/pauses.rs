//! Times in which this program itself did not run: stopped by a signal, or asleep with its machine. What passes meanwhile is
//! nobody's thinking time.
//!
//! A thread looks at the clock every few milliseconds. Where two looks are further apart than a busy machine explains, the
//! program was paused in between, and whoever measures a time subtracts the pause. (The monotonic clock of Linux and macOS
//! stands still while the machine sleeps, that of Windows does not.) A pause that has ended and was not noted yet, because
//! the thread that measures was the first to run again, is seen by the time of the last look. An engine that ran on while
//! only the runner was stopped has had that time for nothing; nobody can know how much of it was used.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Between two looks.
const TICK: Duration = Duration::from_millis(20);
/// A thread that only sleeps and wakes is not kept waiting longer, however busy the machine.
const SHORTEST: Duration = Duration::from_millis(250);
/// The latest ones are enough: a time that is measured began a move ago.
const MOST_KEPT: usize = 256;

/// The pauses of this process.
pub(crate) struct Pauses(Mutex<Looks>);

struct Looks {
    /// The last one; none if nobody looks.
    last: Option<Instant>,
    pauses: VecDeque<(Instant, Instant)>,
}

static SHARED: Mutex<Weak<Pauses>> = Mutex::new(Weak::new());

impl Pauses {
    /// Those of this process, watched as long as somebody has them.
    pub(crate) fn watched() -> Arc<Pauses> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pauses) = shared.upgrade() {
            return pauses;
        }
        let pauses = Arc::new(Pauses(Mutex::new(Looks {
            last: Some(Instant::now()),
            pauses: VecDeque::new(),
        })));
        let weak = Arc::downgrade(&pauses);
        let watcher = std::thread::Builder::new().name("pauses".to_owned());
        let look = move || {
            while let Some(pauses) = weak.upgrade() {
                pauses.looks().look(Instant::now());
                drop(pauses);
                std::thread::sleep(TICK);
            }
        };
        if watcher.spawn(look).is_err() {
            pauses.looks().last = None;
        }
        *shared = Arc::downgrade(&pauses);
        pauses
    }

    /// How much of a time was a pause.
    pub(crate) fn between(&self, from: Instant, to: Instant) -> Duration {
        self.looks().between(from, to)
    }

    /// The time from one moment to another, without pauses.
    pub(crate) fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        let time = to.saturating_duration_since(from);
        time.saturating_sub(self.between(from, to))
    }

    /// Looks are noted whole, so a panic elsewhere does not spoil them.
    fn looks(&self) -> MutexGuard<'_, Looks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Looks {
    fn look(&mut self, now: Instant) {
        self.pauses.extend(self.pause_until(now));
        let surplus = self.pauses.len().saturating_sub(MOST_KEPT);
        self.pauses.drain(..surplus);
        self.last = self.last.map(|last| last.max(now));
    }

    /// The pause since the last look, if there was one. It began before the next look was due; the doubt is in the player's favour.
    fn pause_until(&self, now: Instant) -> Option<(Instant, Instant)> {
        let last = self.last?;
        (now.saturating_duration_since(last) >= SHORTEST).then_some((last, now))
    }

    fn between(&self, from: Instant, to: Instant) -> Duration {
        let all = self.pauses.iter().copied().chain(self.pause_until(to));
        all.map(|(begun, ended)| ended.min(to).saturating_duration_since(begun.max(from)))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_gaps_between_looks() {
        let begun = Instant::now();
        let at = |milliseconds: u64| begun + Duration::from_millis(milliseconds);
        let mut looks = Looks {
            last: Some(begun),
            pauses: VecDeque::new(),
        };
        let ms = |looks: &Looks, from, to| looks.between(at(from), at(to)).as_millis();
        for time in [20, 40, 200, 220] {
            looks.look(at(time));
        }
        assert_eq!(ms(&looks, 0, 220), 0, "a busy machine is no pause");
        // Stopped from 220 to 5220: seen before it is noted, and after that.
        assert_eq!(ms(&looks, 200, 5220), 5000);
        looks.look(at(5220));
        for time in (5240..5600).step_by(20) {
            looks.look(at(time));
        }
        assert_eq!(ms(&looks, 200, 5590), 5000);
        assert_eq!(ms(&looks, 0, 1220), 1000);
        assert_eq!(ms(&looks, 4220, 5590), 1000);
        assert_eq!(ms(&looks, 5220, 5590), 0);
        for pause in 0..2 * MOST_KEPT as u64 {
            looks.look(at(10_000 + 1_000 * pause));
        }
        assert_eq!(looks.pauses.len(), MOST_KEPT);
        looks.last = None;
        looks.pauses.clear();
        assert_eq!(ms(&looks, 0, 1_000_000), 0, "nobody looks");
    }

    #[test]
    fn a_process_that_runs_has_no_pauses() {
        let pauses = Pauses::watched();
        assert!(Arc::ptr_eq(&pauses, &Pauses::watched()));
        let begun = Instant::now();
        std::thread::sleep(Duration::from_millis(60));
        assert!(pauses.elapsed(begun, Instant::now()) >= Duration::from_millis(60));
    }
}
