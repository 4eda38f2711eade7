//! A thread that plays.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::Instant;

use vidmar_arena::Worker;
use vidmar_chess::Termination;
use vidmar_engine::Control;

use super::Shared;
use super::hand::{Done, Job};
use crate::protocol::{Entry, PlayedEntry, shortened};

/// Plays one task after the other until there are none any more.
pub(super) fn play(shared: &Shared, control: &Control) {
    let mut worker = Worker::default();
    while let Some(job) = shared.hand.next() {
        shared.playing.fetch_add(1, Ordering::Relaxed);
        let begun = Instant::now();
        let played = catch_unwind(AssertUnwindSafe(|| worker.play(&job.task, control)));
        shared.playing.fetch_sub(1, Ordering::Relaxed);
        let Job {
            run,
            batch,
            id: task,
            clock_scale,
            ..
        } = job;
        let failed = |reason: &str| Entry::Failed {
            task,
            reason: shortened(reason),
        };
        let entry = match played {
            Ok(Ok(record)) if record.termination == Termination::Stopped => {
                shared.returned.fetch_add(1, Ordering::Relaxed);
                Entry::Returned(task)
            }
            Ok(Ok(mut record)) => {
                record.clock_scale = clock_scale;
                shared.games.fetch_add(1, Ordering::Relaxed);
                Entry::Played(Box::new(PlayedEntry {
                    task,
                    seconds: begun.elapsed().as_secs_f32(),
                    record,
                }))
            }
            Ok(Err(error)) => failed(&error.to_string()),
            Err(_) => {
                // Who knows what state its players are in.
                worker = Worker::default();
                failed("a game could not be played because of a defect")
            }
        };
        if shared.done.send(Done { run, batch, entry }).is_err() {
            return;
        }
    }
}
