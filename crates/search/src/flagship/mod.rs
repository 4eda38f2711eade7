//! The flagship: the strong search, on bitboards only.
//!
//! Iterative deepening with aspiration windows around a principal-variation search with a shared table,
//! move ordering by history, and the selective techniques of modern engines. `node.rs` is the heart: a
//! node as a list of steps. Every number is a row of [`SearchParameters`], every technique a row of [`Technique`].

mod cutoffs;
mod history;
mod learning;
mod move_loop;
mod node;
mod parameters;
mod picker;
mod quiescence;
mod split;
mod table;
mod tablebases;
mod techniques;
mod worker;

use std::sync::atomic::Ordering;

use vidmar_chess::{BitboardBoard, Board};
use vidmar_eval::Evaluation;

use crate::algorithms::{Algorithm, Strategy};
use crate::limits::StopCondition;
use crate::parallel::{Parallel, Pool};
use crate::report::{Iteration, Report};
use crate::searcher::{self, Task};
use crate::settings::{Settings, SettingsError, Switch};
use crate::value::{DRAW, INFINITE, mated_at, score_of};
use history::History;
use table::Table;
use tablebases::Probing;
use worker::{Shared, Worker, reduction_table};

pub use parameters::SearchParameters;
pub use techniques::{Technique, Techniques};

/// The row of the table of algorithms.
pub(crate) struct Flagship;

/// What it keeps from move to move.
pub(crate) struct Memory<E> {
    table: Table,
    threads: Vec<Thread<E>>,
    /// Made from these parameters.
    reductions: (SearchParameters, Box<[[i32; 64]; 64]>),
}

/// What a thread keeps.
struct Thread<E> {
    history: History,
    evaluation: E,
}

impl<E: Evaluation> Memory<E> {
    fn new(settings: &Settings, evaluation: &E) -> Result<Memory<E>, SettingsError> {
        let thread = |_| Thread {
            history: History::new(),
            evaluation: evaluation.clone(),
        };
        Ok(Memory {
            table: Table::new(settings.table_mib)?,
            threads: (0..settings.threads).map(thread).collect(),
            reductions: (settings.parameters.clone(), reduction_table(&settings.parameters)),
        })
    }
}

impl<E> Memory<E> {
    /// Forgets everything, for a new game.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        for thread in &mut self.threads {
            thread.history.clear();
        }
    }
}

impl Strategy for Flagship {
    fn prepare<E: Evaluation>(
        memory: &mut searcher::Memory<E>,
        settings: &Settings,
        evaluation: &E,
    ) -> Result<(), SettingsError> {
        memory_of(memory, settings, evaluation).map(|_| ())
    }

    fn search<B: Board, E: Evaluation>(
        task: &Task<'_, B, E>,
        memory: &mut searcher::Memory<E>,
        observe: &mut dyn FnMut(&Iteration),
    ) -> Result<Report, SettingsError> {
        let board = task.board.as_bitboard().ok_or(SettingsError::Unhonoured {
            algorithm: Algorithm::Flagship,
            switch: Switch::Board,
        })?;
        let memory = memory_of(memory, task.settings, task.evaluation)?;
        Ok(search(board, task, memory, observe))
    }
}

/// What it keeps from move to move, made unless it is there.
fn memory_of<'m, E: Evaluation>(
    memory: &'m mut searcher::Memory<E>,
    settings: &Settings,
    evaluation: &E,
) -> Result<&'m mut Memory<E>, SettingsError> {
    Ok(match &mut memory.flagship {
        Some(memory) => memory,
        none => none.insert(Memory::new(settings, evaluation)?),
    })
}

fn search<B, E: Evaluation>(
    board: &BitboardBoard,
    task: &Task<'_, B, E>,
    memory: &mut Memory<E>,
    observe: &mut dyn FnMut(&Iteration),
) -> Report {
    let settings = task.settings;
    let stop_condition = StopCondition::new(task.limits, settings.threads, task.stop);
    let root_moves = task.limits.wanted(&board.legal_moves());
    if root_moves.is_empty() {
        let value = if board.in_check() { mated_at(0) } else { DRAW };
        return Report {
            elapsed: stop_condition.elapsed(),
            ..Report::unsearched(Vec::new(), value, score_of(value))
        };
    }
    let probing = Probing::new(&settings.tablebases, board, &root_moves);
    // What earlier searches took from the tablebases must not keep a decided root from being played to its end.
    memory.table.distrust_tablebases(probing.kept().is_some());
    let root_moves = probing.kept().unwrap_or(&root_moves);
    memory.table.new_search();
    if memory.reductions.0 != settings.parameters {
        let parameters = settings.parameters.clone();
        memory.reductions.1 = reduction_table(&parameters);
        memory.reductions.0 = parameters;
    }
    let splits = settings.parallel == Parallel::YoungBrothersWait && settings.threads > 1;
    let shared = Shared {
        table: &memory.table,
        parameters: &settings.parameters,
        techniques: settings.techniques,
        multipv: settings.multipv,
        stop_condition,
        reductions: &memory.reductions.1,
        root_moves,
        tablebases: &probing,
        quiescence_nodes: std::sync::atomic::AtomicU64::default(),
        pool: splits.then(Pool::new),
    };
    let mut report = search_together(&shared, board, &mut memory.threads, observe);
    report.counts.nodes = shared.stop_condition.nodes();
    report.counts.quiescence_nodes = shared.quiescence_nodes.load(Ordering::Relaxed);
    report.elapsed = shared.stop_condition.elapsed();
    report.stopped = shared.stop_condition.reason();
    report
}

/// The first thread searches the root, and its result counts. What the others do depends on the kind of parallel search: with a
/// pool of split nodes they help wherever one is open; without ("lazy") they search the same root and share the table, every second
/// one beginning a ply deeper, so that they do not walk in step.
fn search_together<E: Evaluation>(
    shared: &Shared<'_>,
    board: &BitboardBoard,
    threads: &mut [Thread<E>],
    observe: &mut dyn FnMut(&Iteration),
) -> Report {
    std::thread::scope(|scope| {
        let mut threads = threads.iter_mut();
        let first = threads.next().expect("a search has a thread");
        for (index, thread) in threads.enumerate() {
            let board = board.clone();
            scope.spawn(move || {
                let mut worker = Worker::new(shared, board, &mut thread.history, &mut thread.evaluation);
                match &shared.pool {
                    Some(pool) => {
                        while let Some(point) = pool.next() {
                            worker.help(&point);
                        }
                    }
                    None => worker.deepen(1 + (index as i32 + 1) % 2, &mut |_| {}),
                }
                worker.finish();
            });
        }
        let mut worker = Worker::new(shared, board.clone(), &mut first.history, &mut first.evaluation);
        let mut report = Report::unsearched(worker.root[0].pv.clone(), -INFINITE, score_of(DRAW));
        let mut nodes_before = (0, 0);
        worker.deepen(1, &mut |iteration| {
            if iteration.depth > report.depth {
                nodes_before = (nodes_before.1, iteration.nodes);
            }
            report.depth = iteration.depth;
            if iteration.multipv == 1 {
                report.take(iteration);
            }
            observe(iteration);
        });
        if report.value == -INFINITE {
            // Stopped before the first move was searched: the static value is all there is.
            report.value = if board.in_check() { DRAW } else { worker.evaluate() };
            report.score = score_of(report.value);
        }
        report.last_counts.nodes = nodes_before.1 - nodes_before.0;
        worker.finish();
        shared.stop_condition.finish();
        if let Some(pool) = &shared.pool {
            pool.shut();
        }
        report
    })
}
