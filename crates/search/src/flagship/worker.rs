//! One thread of the flagship search: iterative deepening with aspiration, and what all its nodes share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use vidmar_chess::{Bitboard, BitboardBoard, Board, Bound, Move, Piece, Position, Square};
use vidmar_eval::Evaluation;

use super::history::{Continuation, History};
use super::parameters::SearchParameters;
use super::split::SharedNode;
use super::table::{NO_STATIC, Table};
use super::tablebases::Probing;
use super::techniques::{Technique, Techniques};
use crate::limits::StopCondition;
use crate::lines::Lines;
use crate::parallel::{Pool, SplitPoint};
use crate::report::Iteration;
use crate::value::{INFINITE, MAX_DEPTH, MAX_PLY, Value, is_mate, score_of};

/// What the threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) parameters: &'a SearchParameters,
    pub(crate) techniques: Techniques,
    pub(crate) multipv: usize,
    pub(crate) stop_condition: StopCondition<'a>,
    /// Nodes of quiescence, of the threads that have ended.
    pub(crate) quiescence_nodes: AtomicU64,
    /// Hundredths of a ply by depth and number of the move.
    pub(crate) reductions: &'a [[i32; 64]; 64],
    pub(crate) root_moves: &'a [Move],
    /// The split nodes, where threads share nodes.
    pub(crate) pool: Option<Pool<SharedNode>>,
    pub(crate) tablebases: &'a Probing<'a>,
}

impl Shared<'_> {
    /// Hundredths of a ply.
    #[inline]
    pub(crate) fn reduction(&self, depth: i32, count: usize) -> i32 {
        self.reductions[(depth as usize).min(63)][count.min(63)]
    }
}

/// Reductions grow with the logarithms of depth and number.
pub(crate) fn reduction_table(parameters: &SearchParameters) -> Box<[[i32; 64]; 64]> {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (count, entry) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (count as f64).ln();
            *entry = parameters.reduction_base
                + (product * 10_000.0 / f64::from(parameters.reduction_divisor)) as i32;
        }
    }
    table
}

/// What a node leaves for its children.
#[derive(Copy, Clone)]
pub(crate) struct Ply {
    pub(crate) static_value: Value,
    pub(crate) excluded: Option<Move>,
    /// The piece that has moved from here and its target; none after a null move.
    pub(crate) arrived: Option<(Piece, Square)>,
    pub(crate) continuation: Option<Continuation>,
    /// The quiet move that is searched from here, and what the opponent attacked before it.
    pub(crate) quiet: Option<(Move, Piece, Bitboard)>,
    /// How many nodes at this ply have failed high since the node two plies above began.
    pub(crate) cutoffs: i32,
}

impl Ply {
    const EMPTY: Ply = Ply {
        static_value: NO_STATIC,
        excluded: None,
        arrived: None,
        continuation: None,
        quiet: None,
        cutoffs: 0,
    };

    pub(crate) fn passed(&mut self) {
        self.arrived = None;
        self.continuation = None;
        self.quiet = None;
    }
}

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) m: Move,
    /// Found in this iteration; -INFINITE if the move did not raise alpha or was not searched yet.
    pub(crate) value: Value,
    /// Whether the value is one, or the window's end cut it short.
    pub(crate) bound: Bound,
    /// The value of the last iteration.
    previous: Value,
    pub(crate) pv: Vec<Move>,
    pub(crate) nodes: u64,
}

/// One thread.
pub(crate) struct Worker<'a, E> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) board: BitboardBoard,
    pub(crate) history: &'a mut History,
    pub(crate) stack: Box<[Ply; MAX_PLY + 3]>,
    pub(crate) lines: Lines,
    pub(crate) root_depth: i32,
    pub(crate) multipv_index: usize,
    /// Null moves are allowed from this ply on; above 0 while a null move is verified.
    pub(crate) null_from: usize,
    pub(crate) root: Vec<RootMove>,
    /// The split node that this thread works at or below.
    pub(crate) split: Option<Arc<SplitPoint<SharedNode>>>,
    evaluation: &'a mut E,
    nodes: u64,
    pub(crate) quiescence_nodes: u64,
    /// Nodes that the stop condition has been told of.
    reported: u64,
    /// How many nodes there are at the next report.
    next_report: u64,
    seldepth: usize,
    /// How often in a row the best move stayed the same.
    stable: u32,
}

impl<'a, E: Evaluation> Worker<'a, E> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        board: BitboardBoard,
        history: &'a mut History,
        evaluation: &'a mut E,
    ) -> Worker<'a, E> {
        let root = shared
            .root_moves
            .iter()
            .map(|&m| RootMove {
                m,
                value: -INFINITE,
                bound: Bound::Exact,
                previous: -INFINITE,
                pv: vec![m],
                nodes: 0,
            })
            .collect();
        Worker {
            shared,
            board,
            history,
            stack: Box::new([Ply::EMPTY; MAX_PLY + 3]),
            lines: Lines::new(),
            root_depth: 0,
            multipv_index: 0,
            null_from: 0,
            root,
            split: None,
            evaluation,
            nodes: 0,
            quiescence_nodes: 0,
            reported: 0,
            next_report: shared.stop_condition.first_report(),
            seldepth: 0,
            stable: 0,
        }
    }

    /// Searches deeper and deeper until a limit is reached; `observe` hears of every line of every depth.
    pub(crate) fn deepen(&mut self, first_depth: i32, observe: &mut dyn FnMut(&Iteration)) {
        let deepest = self.shared.stop_condition.limits().depth.min(MAX_DEPTH) as i32;
        let lines = self.shared.multipv.clamp(1, self.root.len().max(1));
        for depth in first_depth..=deepest.max(first_depth) {
            self.root_depth = depth;
            let best_before = self.root.first().map(|root| root.m);
            for root in &mut self.root {
                root.nodes = 0;
                root.previous = root.value;
                root.value = -INFINITE;
            }
            for index in 0..lines {
                self.multipv_index = index;
                self.seldepth = 0;
                self.aspire(depth);
                if self.is_over() {
                    break;
                }
                self.root[..=index].sort_by_key(|root| std::cmp::Reverse(root.value));
            }
            if self.is_over() && depth > 1 {
                // The best of an unfinished iteration is good: the old best was searched first.
                self.order_root(0);
                if self.root[0].value > -INFINITE {
                    observe(&self.iteration(depth, 0));
                }
                return;
            }
            for index in 0..lines {
                observe(&self.iteration(depth, index));
            }
            self.stable = if self.root.first().map(|root| root.m) == best_before {
                self.stable + 1
            } else {
                0
            };
            if self.is_over() || self.enough(depth) {
                return;
            }
        }
    }

    /// A narrow window around the last value, widened on the side where it fails.
    fn aspire(&mut self, depth: i32) {
        let index = self.multipv_index;
        let p = self.shared.parameters;
        let last = self.root[index].previous;
        let mut width = p.aspiration_window;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 5 && last > -INFINITE && !is_mate(last) && self.shared.uses(Technique::Aspiration) {
            (alpha, beta) = (last - width, last + width);
        }
        let mut reduced = 0;
        loop {
            let value = self.node::<true>(alpha, beta, (depth - reduced).max(1), 0, false);
            if self.is_over() && depth > 1 {
                return;
            }
            self.order_root(index);
            if value <= alpha && alpha > -INFINITE {
                beta = i32::midpoint(alpha, beta);
                alpha = (value - width).max(-INFINITE);
                reduced = 0;
            } else if value >= beta && beta < INFINITE {
                beta = (value + width).min(INFINITE);
                reduced = (reduced + 1).min(3);
            } else {
                return;
            }
            width += width * p.aspiration_widening / 100 + 1;
            if width > 600 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// The best first; those without a value of their own by their last one.
    fn order_root(&mut self, from: usize) {
        self.root[from..].sort_by_key(|root| std::cmp::Reverse((root.value, root.previous)));
    }

    /// Whether another iteration is not worth beginning.
    fn enough(&self, depth: i32) -> bool {
        let limits = self.shared.stop_condition.limits();
        let best = &self.root[0];
        if limits
            .mate
            .is_some_and(|moves| is_mate(best.value) && score_of(best.value).is_mate_within(moves))
        {
            return true;
        }
        let Some(soft) = limits.soft_time else {
            return false;
        };
        if self.root.len() == 1 && depth >= 4 {
            return true;
        }
        // A stable best move that took most of the nodes needs less thought, a new one more.
        let share = best.nodes as f64 / self.root.iter().map(|root| root.nodes).sum::<u64>().max(1) as f64;
        let effort = (1.9 - 1.3 * share).clamp(0.5, 1.6);
        let calm = [1.5, 1.2, 1.0, 0.9, 0.8][(self.stable as usize).min(4)];
        self.shared.stop_condition.elapsed().as_secs_f64() >= soft.as_secs_f64() * effort * calm
    }

    fn iteration(&self, depth: i32, index: usize) -> Iteration {
        let root = &self.root[index];
        let (value, bound) = self.shared.tablebases.reported(root.value, root.bound);
        Iteration {
            depth: depth as u32,
            seldepth: self.seldepth as u32,
            multipv: index + 1,
            value,
            score: score_of(value),
            bound,
            pv: root.pv.clone(),
            nodes: self.shared.stop_condition.nodes() + self.nodes - self.reported,
            elapsed: self.shared.stop_condition.elapsed(),
            hashfull: self.shared.table.hashfull(),
            tbhits: self.shared.tablebases.hits(),
        }
    }

    /// The moves of the root are searched in the order of the last iteration's values, the best first.
    pub(crate) fn root_first(&self, table_move: Option<Move>) -> Option<Move> {
        self.root
            .get(self.multipv_index)
            .map(|root| root.m)
            .or(table_move)
    }

    /// Whether the move is among those still to be searched at the root.
    pub(crate) fn is_root_move(&self, m: Move) -> bool {
        self.root[self.multipv_index..].iter().any(|root| root.m == m)
    }

    /// Keeps what the search of a root move brought. Only a move that raised alpha has a value of its own.
    pub(crate) fn note_root(
        &mut self,
        m: Move,
        value: Value,
        count: usize,
        (alpha, beta): (Value, Value),
        nodes: u64,
    ) {
        let line = self.lines.from(1);
        if let Some(root) = self.root.iter_mut().find(|root| root.m == m) {
            root.nodes += nodes;
            if count == 1 || value > alpha {
                root.value = value;
                root.bound = if value >= beta {
                    Bound::Lower
                } else if value > alpha {
                    Bound::Exact
                } else {
                    Bound::Upper
                };
                root.pv.clear();
                root.pv.push(m);
                root.pv.extend_from_slice(line);
            } else {
                root.value = -INFINITE;
            }
        }
    }

    /// A node begins: it is counted, and now and then the clock is looked at.
    #[inline]
    pub(crate) fn enter<const PV: bool>(&mut self, ply: usize) {
        if PV {
            self.lines.clear(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        if self.is_over() {
            // The search is unwinding: nothing is looked at any more.
            return;
        }
        self.nodes += 1;
        if self.nodes >= self.next_report {
            self.report();
        }
    }

    #[cold]
    fn report(&mut self) {
        let nodes = self.nodes - self.reported;
        self.reported = self.nodes;
        if let Ok(more) = self.shared.stop_condition.report(nodes) {
            self.next_report = self.nodes + more;
        }
    }

    /// Whether the search is over, or another thread has found that this part of it is not needed.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.shared.stop_condition.is_over() || self.split.as_ref().is_some_and(|point| point.is_cut_off())
    }

    /// Nodes of this thread.
    #[inline]
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Reports the last nodes.
    pub(crate) fn finish(&mut self) {
        self.shared.stop_condition.add(self.nodes - self.reported);
        self.reported = self.nodes;
        self.shared
            .quiescence_nodes
            .fetch_add(self.quiescence_nodes, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn uses(&self, technique: Technique) -> bool {
        self.shared.uses(technique)
    }

    pub(crate) fn evaluate(&mut self) -> Value {
        let value = self.evaluation.evaluate(&mut self.board, None);
        self.known_static(value)
    }

    #[inline]
    pub(crate) fn make(&mut self, m: Move, ply: usize) {
        let arrived = self
            .board
            .current()
            .piece_at(m.from())
            .map(|piece| (piece, m.to()));
        self.stack[ply].arrived = arrived;
        self.stack[ply].continuation = arrived.map(|(piece, to)| Continuation::new(piece, to));
        self.stack[ply].quiet = None;
        self.board.make(m);
        self.shared.table.fetch(self.board.key());
    }

    /// A draw by the rules, where one repetition inside the search counts as much as two in the game.
    pub(crate) fn is_draw(&self, ply: usize) -> bool {
        let position = self.board.current();
        if position.halfmoves() >= 100 && !(position.in_check() && position.count_legal_moves() == 0) {
            return true;
        }
        let mut earlier = self.board.history().earlier();
        match earlier.next() {
            Some(back) if back <= ply => true,
            Some(_) if earlier.next().is_some() => true,
            _ => few_pieces(position) && self.board.has_insufficient_material(),
        }
    }
}

fn few_pieces(position: &Position) -> bool {
    position.occupied().len() <= 4
}

impl Shared<'_> {
    #[inline]
    pub(crate) fn uses(&self, technique: Technique) -> bool {
        self.techniques.has(technique)
    }
}
