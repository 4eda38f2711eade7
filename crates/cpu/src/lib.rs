//! Processor time, which does not depend on what else the machine is doing.
//!
//! | of | use |
//! | --- | --- |
//! | the calling thread | [`ThreadInstant`] |
//! | the process and the children that it has waited for | [`total_time`] |
//!
//! What a thread uses between two moments is never more than what passes on the wall: whoever must not work longer than some
//! time can be held to it by this clock however busy the machine is. Where the system does not tell, both are zero.

use std::time::Duration;

/// A moment of a thread's processor time, as [`Instant`](std::time::Instant) is one of the time on the wall. It means something to
/// the thread that took it alone.
///
/// ```
/// let begun = vidmar_cpu::ThreadInstant::now();
/// std::thread::sleep(std::time::Duration::from_millis(5));
/// assert!(begun.elapsed() < std::time::Duration::from_millis(5));
/// ```
#[derive(Copy, Clone, Debug)]
pub struct ThreadInstant(Duration);

impl ThreadInstant {
    /// This moment.
    pub fn now() -> ThreadInstant {
        ThreadInstant(thread_time())
    }

    /// What the thread has used since.
    pub fn elapsed(&self) -> Duration {
        thread_time().saturating_sub(self.0)
    }
}

/// What the calling thread has used until now.
#[cfg(unix)]
fn thread_time() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// What this process and the children that it has waited for have used until now.
#[cfg(unix)]
pub fn total_time() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;
    let time = |time: TimeVal| {
        // Whole numbers of other sizes on other systems.
        Duration::from_secs_f64(time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6)
    };
    let of = |who| {
        let usage = getrusage(who);
        usage.map_or(Duration::ZERO, |usage| {
            time(usage.user_time()) + time(usage.system_time())
        })
    };
    of(UsageWho::RUSAGE_SELF) + of(UsageWho::RUSAGE_CHILDREN)
}

/// What the calling thread has used until now: not known here.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    Duration::ZERO
}

/// What this process and its children have used until now: not known here.
#[cfg(not(unix))]
pub fn total_time() -> Duration {
    Duration::ZERO
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_and_the_work_of_others_only_in_the_total() {
        let work = || {
            let begun = ThreadInstant::now();
            let mut sum = 0_u64;
            while begun.elapsed() < Duration::from_millis(20) {
                sum = (0..10_000).fold(sum, |sum, n| sum.wrapping_mul(31).wrapping_add(n));
            }
            sum
        };
        let (own, total) = (ThreadInstant::now(), total_time());
        std::thread::spawn(work).join().expect("it only counts");
        assert!(own.elapsed() < Duration::from_millis(20));
        assert!(total_time().saturating_sub(total) >= Duration::from_millis(19));
        work();
        assert!(own.elapsed() >= Duration::from_millis(20));
    }
}
