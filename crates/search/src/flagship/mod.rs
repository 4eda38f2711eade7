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

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use vidmar_chess::{BitboardBoard, Board, Bound, Move};
use vidmar_tablebases::Tablebases;

use crate::parallel::{Parallel, Pool};
use crate::value::{DRAW, INFINITE, Value, mated_at};
use history::History;
use table::Table;
use tablebases::Probing;
use worker::{Shared, Worker, reduction_table};

pub use parameters::{SearchParameter, SearchParameters};
pub use techniques::{Technique, Techniques};
pub use worker::Evaluator;

/// When the search ends; whichever limit is reached first.
#[derive(Clone, Debug)]
pub struct FlagshipLimits {
    /// Plies of the deepest iteration.
    pub depth: Option<u32>,
    /// Positions visited by all threads together.
    pub nodes: Option<u64>,
    /// After this time no iteration is begun, more or less: a calm search ends earlier, a troubled one later.
    pub soft_time: Option<Duration>,
    /// After this time the search stops.
    pub hard_time: Option<Duration>,
    /// A mate in that many moves is enough.
    pub mate: Option<u32>,
    /// How many best lines are wanted.
    pub multipv: usize,
    /// The moves to consider; all legal ones if empty.
    pub moves: Vec<Move>,
}

impl Default for FlagshipLimits {
    fn default() -> FlagshipLimits {
        FlagshipLimits {
            depth: None,
            nodes: None,
            soft_time: None,
            hard_time: None,
            mate: None,
            multipv: 1,
            moves: Vec::new(),
        }
    }
}

/// A line of a finished iteration.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Plies of the iteration.
    pub depth: u32,
    /// The longest line looked at.
    pub seldepth: u32,
    /// The place of the line, from 1.
    pub multipv: usize,
    /// Its value for the side to move.
    pub value: Value,
    /// Whether it is only a bound: an iteration may be stopped between a fail and the search that settles it.
    pub bound: Bound,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// Thousandths of the table in use.
    pub hashfull: u32,
    /// Positions found in tablebases.
    pub tbhits: u64,
    /// The line.
    pub pv: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct FlagshipReport {
    /// The move to play; none only without legal moves.
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
    /// The value for the side to move.
    pub value: Value,
    /// The last finished iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// The search with its memory: table and histories live from move to move.
pub struct Flagship<E> {
    table: Table,
    threads: Vec<(History, E)>,
    parameters: SearchParameters,
    techniques: Techniques,
    parallel: Parallel,
    reductions: Box<[[i32; 64]; 64]>,
    tablebases: Arc<Tablebases>,
    /// The least depth for a look-up with the most pieces.
    tablebase_depth: u32,
}

impl<E: Evaluator> Flagship<E> {
    /// A search with a table of that many MiB and one thread for each evaluator.
    pub fn new(mebibytes: usize, evaluators: Vec<E>) -> Flagship<E> {
        let parameters = SearchParameters::default();
        Flagship {
            table: Table::new(mebibytes),
            threads: evaluators
                .into_iter()
                .map(|evaluator| (History::new(), evaluator))
                .collect(),
            reductions: reduction_table(&parameters),
            parameters,
            techniques: Techniques::default(),
            parallel: Parallel::Lazy,
            tablebases: Arc::new(Tablebases::built_in()),
            tablebase_depth: 1,
        }
    }

    /// Other tablebases than those built in. Positions with as many pieces as the largest of them are looked up from
    /// this depth on, smaller ones always.
    pub fn set_tablebases(&mut self, tablebases: Arc<Tablebases>, least_depth: u32) {
        self.tablebases = tablebases;
        self.tablebase_depth = least_depth;
    }

    /// Forgets everything, for a new game.
    pub fn new_game(&mut self) {
        self.table.clear();
        for (history, _) in &mut self.threads {
            history.clear();
        }
    }

    /// Changes the numbers of the search.
    pub fn set_parameters(&mut self, parameters: SearchParameters) {
        self.reductions = reduction_table(&parameters);
        self.parameters = parameters;
    }

    /// Chooses the techniques; only a build with the feature `switches` obeys.
    pub fn set_techniques(&mut self, techniques: Techniques) {
        self.techniques = techniques;
    }

    /// How several threads share the search.
    pub fn set_parallel(&mut self, parallel: Parallel) {
        self.parallel = parallel;
    }

    /// Another size of the table, which is empty afterwards.
    pub fn resize(&mut self, mebibytes: usize) {
        self.table = Table::new(mebibytes);
    }

    /// Searches until a limit is reached or `stop` is set.
    pub fn search(
        &mut self,
        board: &BitboardBoard,
        limits: &FlagshipLimits,
        stop: &AtomicBool,
        report: impl FnMut(&Progress),
    ) -> FlagshipReport {
        let started = Instant::now();
        let legal = board.legal_moves();
        let root_moves: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|m| limits.moves.is_empty() || limits.moves.contains(m))
            .collect();
        if root_moves.is_empty() {
            let value = if board.in_check() { mated_at(0) } else { DRAW };
            return FlagshipReport {
                best: None,
                ponder: None,
                value,
                depth: 0,
                nodes: 0,
                elapsed: started.elapsed(),
            };
        }
        let probing = Probing::new(&self.tablebases, self.tablebase_depth as i32, board, &root_moves);
        // What earlier searches took from the tablebases must not keep a decided root from being played to its end.
        self.table.distrust_tablebases(probing.kept().is_some());
        let root_moves = probing.kept().unwrap_or(&root_moves);
        self.table.new_search();
        let shared = Shared {
            table: &self.table,
            parameters: &self.parameters,
            techniques: self.techniques,
            limits,
            started,
            stop,
            over: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            reductions: &self.reductions,
            root_moves,
            tablebases: &probing,
            pool: (self.parallel == Parallel::YoungBrothersWait && self.threads.len() > 1).then(Pool::new),
        };
        let threads = match self.parallel {
            Parallel::None => &mut self.threads[..1],
            _ => &mut self.threads[..],
        };
        let mut depth = 0;
        let best = search_together(&shared, board, threads, report, &mut depth);
        FlagshipReport {
            best: Some(best.m),
            ponder: best.pv.get(1).copied(),
            value: best.value,
            depth,
            nodes: shared.nodes.load(Ordering::Relaxed),
            elapsed: started.elapsed(),
        }
    }
}

/// The first thread searches the root, and its result counts. What the others do depends on the kind of parallel search: with a
/// pool of split nodes they help wherever one is open; without ("lazy") they search the same root and share the table, every second
/// one beginning a ply deeper, so that they do not walk in step.
fn search_together<E: Evaluator>(
    shared: &Shared<'_>,
    board: &BitboardBoard,
    threads: &mut [(History, E)],
    mut report: impl FnMut(&Progress),
    depth: &mut u32,
) -> worker::RootMove {
    std::thread::scope(|scope| {
        let mut threads = threads.iter_mut();
        let (history, evaluator) = threads.next().expect("a search has a thread");
        for (index, (history, evaluator)) in threads.enumerate() {
            let board = board.clone();
            scope.spawn(move || {
                let mut worker = Worker::new(shared, board, history, evaluator);
                match &shared.pool {
                    Some(pool) => {
                        while let Some(point) = pool.next() {
                            worker.help(&point);
                        }
                    }
                    None => worker.deepen(1 + (index as i32 + 1) % 2, |_| {}),
                }
                worker.finish();
            });
        }
        let mut worker = Worker::new(shared, board.clone(), history, evaluator);
        let mut best = worker.root[0].clone();
        worker.deepen(1, |progress| {
            *depth = progress.depth;
            if progress.multipv == 1 {
                best.m = progress.pv[0];
                best.pv.clone_from(&progress.pv);
                best.value = progress.value;
            }
            report(progress);
        });
        if best.value == -INFINITE {
            // Stopped before the first move was searched: the static value is all there is.
            best.value = if board.in_check() { DRAW } else { worker.evaluate() };
        }
        worker.finish();
        shared.over.store(true, Ordering::Relaxed);
        if let Some(pool) = &shared.pool {
            pool.shut();
        }
        best
    })
}
