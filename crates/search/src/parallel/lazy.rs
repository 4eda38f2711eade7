//! Lazy SMP: every thread searches the whole tree for itself, and they help each other only through the
//! table. Every second helper starts one ply deeper, so that they do not all do the same work at the
//! same time. The first thread's result is the result.

use std::panic::resume_unwind;
use std::thread;

use vidmar_chess::Board;
use vidmar_eval::Evaluation;

use crate::algorithms::Driver;
use crate::deepening::deepen;
use crate::report::{Iteration, Report};
use crate::worker::{Shared, Worker};

pub(super) fn run<D: Driver, B: Board, E: Evaluation>(
    board: &B,
    shared: &Shared<'_, B, E>,
    helpers: usize,
    observe: &mut dyn FnMut(&Iteration),
) -> Report {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..helpers)
            .map(|i| {
                scope.spawn(move || {
                    let first = 2 - (i as u32 % 2);
                    let mut worker = Worker::new(board, shared);
                    deepen::<D, B, E>(&mut worker, first, &mut |_| ());
                    worker.counts
                })
            })
            .collect();
        let mut report = deepen::<D, B, E>(&mut Worker::new(board, shared), 1, observe);
        shared.stop_condition.finish();
        for thread in threads {
            report.counts += thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        report
    })
}
