//! Several threads on one search: two ways, one interface.

mod lazy;
mod pool;
mod young_brothers;

pub(crate) use pool::{Pool, Shareable, SplitPoint};
pub(crate) use young_brothers::{SharedNode, may_split, split};

use vidmar_chess::Board;
use vidmar_eval::Evaluation;

use crate::algorithms::Driver;
use crate::deepening::deepen;
use crate::report::{Iteration, Report};
use crate::worker::{Shared, Worker};
use vidmar_text::named_enum;

named_enum! {
    /// How threads share a search.
    pub enum Parallel: "parallel search";
    None, "none", "one thread";
    YoungBrothersWait, "ybwc", "young brothers wait: a node's later moves are shared once its first is searched";
    Lazy, "lazy", "every thread searches the whole tree; they share the table";
}

/// Runs a driver with the threads that the settings ask for.
pub(crate) fn run<D: Driver, B: Board, E: Evaluation>(
    board: &B,
    shared: &Shared<'_, B, E>,
    observe: &mut dyn FnMut(&Iteration),
) -> Report {
    let helpers = shared.settings.threads.saturating_sub(1);
    match shared.settings.parallel {
        Parallel::Lazy if helpers > 0 => lazy::run::<D, B, E>(board, shared, helpers, observe),
        Parallel::YoungBrothersWait if helpers > 0 => {
            young_brothers::run::<D, B, E>(board, shared, helpers, observe)
        }
        _ => deepen::<D, B, E>(&mut Worker::new(board, shared), 1, observe),
    }
}
