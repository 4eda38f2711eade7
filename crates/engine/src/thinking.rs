//! A search under the clock of a game: what all players that search have in common.

use std::time::Duration;

use vidmar_chess::{Board, Score};
use vidmar_eval::Evaluation;
use vidmar_search::{Iteration, MATE, MAX_DEPTH, Report, Searcher, Settings, SettingsError, Value};

use crate::clock::{self, Budget};
use crate::control::Control;
use crate::limits::Limits;
use crate::thinker::{Info, Thought};

/// Searches a board under the limits of a game, which may ask to ponder; `most_nodes` is a limit of the player's own.
///
/// Where there is no memory for the table, the smallest one has to do: an answer is due. Whoever would rather know asks the
/// searcher to prepare first.
pub(crate) fn think<B: Board, E: Evaluation>(
    searcher: &mut Searcher<E>,
    board: &B,
    limits: &Limits,
    most_nodes: Option<u64>,
    control: &Control,
    observe: &mut dyn FnMut(&Iteration),
) -> Result<Report, SettingsError> {
    if let Err(SettingsError::NoMemory(_)) = searcher.prepare() {
        searcher.configure(Settings {
            table_mib: 0,
            ..searcher.settings().clone()
        })?;
    }
    let budget = clock::allot(limits, board.turn());
    let mut wanted = vidmar_search::Limits {
        depth: limits.depth.unwrap_or(MAX_DEPTH),
        nodes: limits.nodes.into_iter().chain(most_nodes).min(),
        mate: limits.mate,
        moves: limits.search_moves.clone(),
        ..vidmar_search::Limits::default()
    };
    if limits.ponder {
        return ponder(searcher, board, &wanted, limits, budget, control, observe);
    }
    let passed = limits.started.elapsed();
    wanted.soft_time = budget.soft.map(|soft| soft.saturating_sub(passed));
    wanted.time = budget.hard.map(|hard| hard.saturating_sub(passed));
    searcher.search(board, &wanted, control.stop_flag(), observe)
}

/// Searches while the opponent thinks. The clock begins to bind when the expected move is played, and what was
/// thought until then counts as thought: if that is enough, the answer comes at once.
fn ponder<B: Board, E: Evaluation>(
    searcher: &mut Searcher<E>,
    board: &B,
    wanted: &vidmar_search::Limits,
    limits: &Limits,
    budget: Budget,
    control: &Control,
    observe: &mut dyn FnMut(&Iteration),
) -> Result<Report, SettingsError> {
    let is_due = |time: Option<Duration>| time.is_some_and(|time| limits.started.elapsed() >= time);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            if !control.wait_for_hit() {
                return;
            }
            if is_due(budget.soft) {
                control.stop();
            } else if let Some(hard) = budget.hard {
                control.stop_at(limits.started + hard);
            }
        });
        let report = searcher.search(board, wanted, control.stop_flag(), &mut |iteration| {
            observe(iteration);
            if is_due(budget.soft) && control.is_hit() {
                control.stop();
            }
        });
        control.finish();
        report
    })
}

/// A search that was stopped before its first move has the value "worse than everything", which says nothing.
pub(crate) fn final_score(value: Value, score: Score) -> Score {
    if value.abs() <= MATE {
        score
    } else {
        Score::Centipawns(0)
    }
}

impl From<&Iteration> for Info {
    fn from(iteration: &Iteration) -> Info {
        Info {
            depth: iteration.depth,
            seldepth: iteration.seldepth,
            multipv: iteration.multipv,
            score: Some(iteration.score),
            bound: iteration.bound,
            nodes: iteration.nodes,
            elapsed: iteration.elapsed,
            hashfull: iteration.hashfull,
            tbhits: iteration.tbhits,
            pv: iteration.pv.clone(),
        }
    }
}

impl From<&Report> for Thought {
    fn from(report: &Report) -> Thought {
        Thought {
            best: report.best,
            ponder: report.ponder(),
            score: final_score(report.value, report.score),
            is_scored: true,
            depth: report.depth,
            nodes: report.counts.nodes,
            elapsed: report.elapsed,
        }
    }
}
