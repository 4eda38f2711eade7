//! Processor time, which does not depend on what else the machine is doing.
//!
//! | of | use |
//! | --- | --- |
//! | the calling thread | [`ThreadInstant`] |
//! | the process and its children, engines that still play among them | [`total_time`] |
//! | what of that this system tells | [`counted`] |
//!
//! What a thread uses between two moments is never more than what passes on the wall: whoever must not work longer than some
//! time can be held to it by this clock however busy the machine is. Where the system does not tell, both are zero.

#[cfg(target_os = "linux")]
mod children;

use std::time::Duration;

/// What [`total_time`] counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Nothing: it is zero.
    Nothing,
    /// The process, and the children that it has waited for; not those that go on.
    WithoutLiveChildren,
    /// The process and all its children.
    Everything,
}

/// What [`total_time`] counts on this system.
pub fn counted() -> Counted {
    #[cfg(target_os = "linux")]
    if children::are_told() {
        return Counted::Everything;
    }
    if cfg!(unix) {
        Counted::WithoutLiveChildren
    } else {
        Counted::Nothing
    }
}

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

/// What this process and its children have used until now, as far as the system tells ([`counted`]).
#[cfg(unix)]
pub fn total_time() -> Duration {
    use nix::sys::resource::UsageWho;
    // A child that is waited for between two looks would be counted twice, or never.
    const LOOKS: usize = 4;
    let mut waited_for = usage(UsageWho::RUSAGE_CHILDREN);
    let mut live = live_children();
    for _ in 1..LOOKS {
        let now = usage(UsageWho::RUSAGE_CHILDREN);
        if now == waited_for {
            break;
        }
        (waited_for, live) = (now, live_children());
    }
    usage(UsageWho::RUSAGE_SELF) + waited_for + live
}

#[cfg(target_os = "linux")]
use children::live_children;

/// What children that go on have used until now: not known here.
#[cfg(all(unix, not(target_os = "linux")))]
fn live_children() -> Duration {
    Duration::ZERO
}

#[cfg(unix)]
fn usage(who: nix::sys::resource::UsageWho) -> Duration {
    use nix::sys::resource::getrusage;
    use nix::sys::time::TimeVal;
    let time = |time: TimeVal| {
        // Whole numbers of other sizes on other systems.
        Duration::from_secs_f64(time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6)
    };
    getrusage(who).map_or(Duration::ZERO, |usage| {
        time(usage.user_time()) + time(usage.system_time())
    })
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
    #[cfg(target_os = "linux")]
    use std::os::unix::process::CommandExt as _;

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

    /// An engine is waited for when it has played its last game: what it uses until then counts at once, that of a program
    /// which it has started too, and is no less when it is waited for.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_counts_while_it_goes_on() {
        use std::process::Command;
        use std::time::Instant;
        let before = total_time();
        let mut child = Command::new("sh")
            .args(["-c", "sh -c 'while :; do :; done' & while :; do :; done"])
            .process_group(0)
            .spawn()
            .expect("a shell");
        let begun = Instant::now();
        let used = || total_time().saturating_sub(before);
        while used() < Duration::from_millis(300) && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let live = used();
        let group = nix::unistd::Pid::from_raw(-i32::try_from(child.id()).expect("a process id"));
        nix::sys::signal::kill(group, nix::sys::signal::Signal::SIGKILL).expect("it goes on");
        child.wait().expect("it is ours");
        assert!(live >= Duration::from_millis(300), "{live:?}");
        assert!(used() >= Duration::from_millis(100), "{:?} of {live:?}", used());
    }
}
