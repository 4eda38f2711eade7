//! What a step costs: time by the clock on the wall, and of the processors, which others on the machine change less.

use std::fmt;
use std::iter::Sum;
use std::time::Instant;

/// Runs from its making.
pub(crate) struct Stopwatch {
    started: Instant,
    processors: f64,
}

/// Seconds by the clock on the wall and of all processors.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
    wall: f64,
    processors: f64,
}

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch {
            started: Instant::now(),
            processors: processor_seconds(),
        }
    }

    pub(crate) fn spent(&self) -> Spent {
        Spent {
            wall: self.started.elapsed().as_secs_f64(),
            processors: processor_seconds() - self.processors,
        }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>6.1} s {:>7.1} s CPU", self.wall, self.processors)
    }
}

impl Sum for Spent {
    fn sum<I: Iterator<Item = Spent>>(spent: I) -> Spent {
        spent.fold(Spent::default(), |sum, next| Spent {
            wall: sum.wall + next.wall,
            processors: sum.processors + next.processors,
        })
    }
}

/// What the programs have used that this one has started and waited for, and those that they have.
#[cfg(unix)]
pub(crate) fn processor_seconds() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
        return 0.0;
    };
    let seconds = [usage.user_time(), usage.system_time()]
        .map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6);
    seconds.iter().sum()
}

#[cfg(not(unix))]
pub(crate) fn processor_seconds() -> f64 {
    0.0
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn work_of_children_is_counted() {
        let watch = Stopwatch::start();
        let work = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        assert!(Command::new("sh").args(["-c", work]).status().unwrap().success());
        let spent = watch.spent();
        assert!(spent.processors > 0.0 && spent.wall > 0.0, "{spent}");
    }
}
