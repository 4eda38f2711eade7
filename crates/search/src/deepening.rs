//! Iterative deepening: an algorithm's driver called for depth 1, 2, 3, ... until a limit is reached.
//!
//! Each iteration leaves the table, the killers, the history and the root's order to the next, which
//! makes the whole cheaper than the last alone, and there is always a move to play. An iteration that is
//! interrupted counts for nothing.

use std::time::Duration;

use vidmar_chess::Board;
use vidmar_eval::Evaluation;

use crate::algorithms::Driver;
use crate::limits::Limits;
use crate::principal_variation;
use crate::report::{Iteration, Report};
use crate::value::{MAX_DEPTH, Value};
use crate::worker::Worker;

/// Searches deeper and deeper, from `first` on, and tells of each iteration.
pub(crate) fn deepen<D: Driver, B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    first: u32,
    observe: &mut dyn FnMut(&Iteration),
) -> Report {
    let shared = worker.shared;
    let limits = shared.stop_condition.limits();
    let last = limits.depth.clamp(1, MAX_DEPTH);
    let mut report = before_searching(worker);
    if report.best.is_none() {
        return report;
    }
    let first = if shared.settings.iterative {
        first.min(last)
    } else {
        last
    };
    for depth in first..=last {
        let before = worker.counts;
        worker.root.next_iteration();
        let Ok((value, bound)) = D::iteration(worker, depth, report.value) else {
            break;
        };
        worker.root.reorder();
        let iteration = Iteration {
            depth,
            seldepth: depth,
            multipv: 1,
            value,
            score: worker.score_of(value),
            bound,
            pv: principal_variation::of_iteration(worker, depth, value, bound),
            // Of the other threads' nodes, those that they have reported.
            nodes: worker.counts.nodes.max(shared.stop_condition.nodes()),
            elapsed: shared.stop_condition.elapsed(),
            hashfull: shared.table.hashfull(),
            tbhits: 0,
        };
        observe(&iteration);
        report.take(&iteration);
        report.last_counts = worker.counts - before;
        if is_enough(limits, &report, shared.stop_condition.elapsed()) {
            break;
        }
    }
    report.table_pv = principal_variation::from_table(worker, &report);
    report.counts = worker.counts;
    report.elapsed = shared.stop_condition.elapsed();
    report.stopped = shared.stop_condition.reason();
    report
}

/// Whether the next iteration is not worth beginning.
fn is_enough(limits: &Limits, report: &Report, elapsed: Duration) -> bool {
    limits.soft_time.is_some_and(|time| elapsed >= time)
        || limits
            .mate
            .is_some_and(|moves| report.score.is_mate_within(moves))
}

/// What can be said without searching: some legal move and the static value, or mate or stalemate.
fn before_searching<B: Board, E: Evaluation>(worker: &mut Worker<'_, B, E>) -> Report {
    let pv = worker.root.best_line().to_vec();
    let value: Value = if pv.is_empty() {
        worker.without_moves(0)
    } else {
        let legal_moves = worker.board.count_legal_moves();
        worker.evaluate(legal_moves)
    };
    Report {
        elapsed: worker.shared.stop_condition.elapsed(),
        ..Report::unsearched(pv, value, worker.score_of(value))
    }
}
