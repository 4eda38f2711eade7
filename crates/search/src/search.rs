//! The way in: settings, limits, a board with its game, and somebody to ask whether to stop.

use std::sync::atomic::AtomicBool;

use vidmar_chess::Board;
use vidmar_eval::Evaluation;

use crate::limits::{Limits, StopCondition};
use crate::parallel::{Parallel, Pool};
use crate::report::{Iteration, Report};
use crate::settings::{Settings, SettingsError};
use crate::table::Table;
use crate::worker::Shared;

/// Searches the board's position.
///
/// The table may come from the search before; its scheme and size count, not the settings'. In exact
/// mode it is cleared first, since the positions of the game, which count as draws, may be others now.
/// `stop` ends the search when set, from whatever thread; `observe` hears of each iteration.
pub fn search<B: Board, E: Evaluation<B>>(
    board: &B,
    evaluation: &E,
    settings: &Settings,
    limits: Limits,
    table: &Table,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&Iteration),
) -> Result<Report, SettingsError> {
    settings.check()?;
    if settings.exact {
        table.clear();
    }
    table.next_generation();
    let splits = settings.parallel == Parallel::YoungBrothersWait && settings.threads > 1;
    let shared = Shared {
        evaluation,
        settings,
        table,
        stop_condition: StopCondition::new(limits, settings.threads, stop),
        pool: splits.then(Pool::new),
    };
    Ok(settings.algorithm.run(board, &shared, observe))
}

/// [`search`] with a table of its own, until its limits are reached.
pub fn search_once<B: Board, E: Evaluation<B>>(
    board: &B,
    evaluation: &E,
    settings: &Settings,
    limits: Limits,
) -> Result<Report, SettingsError> {
    let table = Table::new(settings.table, settings.table_mib);
    let stop = AtomicBool::new(false);
    search(board, evaluation, settings, limits, &table, &stop, &mut |_| ())
}
