//! How long a run has taken, over all sessions: by the wall and by the processors.

use std::time::Instant;

/// Seconds of work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// By the clock on the wall.
    pub seconds: f64,
    /// Of the processors, the time of external engines included; 0 where the system does not tell.
    pub cpu_seconds: f64,
}

/// Runs while a run does.
pub(super) struct Stopwatch {
    before: Taken,
    started: Instant,
    cpu_started: f64,
}

impl Stopwatch {
    /// Goes on from what earlier sessions took.
    pub(super) fn start(before: Taken) -> Stopwatch {
        Stopwatch {
            before,
            started: Instant::now(),
            cpu_started: cpu_seconds(),
        }
    }

    pub(super) fn taken(&self) -> Taken {
        Taken {
            seconds: self.before.seconds + self.started.elapsed().as_secs_f64(),
            cpu_seconds: self.before.cpu_seconds + (cpu_seconds() - self.cpu_started).max(0.0),
        }
    }
}

fn cpu_seconds() -> f64 {
    vidmar_cpu::total_time().as_secs_f64()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_and_earlier_sittings_are_kept() {
        let before = Taken {
            seconds: 100.0,
            cpu_seconds: 50.0,
        };
        let watch = Stopwatch::start(before);
        let mut sum = 0_u64;
        while watch.taken().cpu_seconds < 50.05 {
            sum = (0..100_000).fold(sum, |sum, n| sum.wrapping_mul(31).wrapping_add(n));
        }
        let taken = watch.taken();
        assert!(
            taken.seconds > 100.0 && taken.cpu_seconds < 60.0,
            "{taken:?} {sum}"
        );
    }
}
