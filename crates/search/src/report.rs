//! What a search reports: line by line while it runs, and at its end.

use std::ops::{AddAssign, Sub};
use std::time::Duration;

use vidmar_chess::{Bound, Move, Score};

use crate::limits::Stopped;
use crate::value::Value;

/// What a search has done.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions visited, quiescence included.
    pub nodes: u64,
    /// Positions visited beyond the full-width depth.
    pub quiescence_nodes: u64,
    /// Positions at the full-width depth: the leaves that the minimal tree counts.
    pub leaves: u64,
    /// Full-width positions whose moves were generated.
    pub expanded: u64,
    /// The moves generated there: the legal ones, unless another generation was asked for.
    pub moves: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.nodes += other.nodes;
        self.quiescence_nodes += other.quiescence_nodes;
        self.leaves += other.leaves;
        self.expanded += other.expanded;
        self.moves += other.moves;
    }
}

impl Sub for Counts {
    type Output = Counts;

    fn sub(self, other: Counts) -> Counts {
        Counts {
            nodes: self.nodes - other.nodes,
            quiescence_nodes: self.quiescence_nodes - other.quiescence_nodes,
            leaves: self.leaves - other.leaves,
            expanded: self.expanded - other.expanded,
            moves: self.moves - other.moves,
        }
    }
}

impl Counts {
    /// The mean number of moves generated at the positions expanded: with legal generation, the width of the tree.
    pub fn width(&self) -> f64 {
        self.moves as f64 / self.expanded.max(1) as f64
    }

    /// The leaves of alpha-beta's minimal tree of this width and a depth: w^⌈d/2⌉ + w^⌊d/2⌋ − 1 (Knuth
    /// and Moore 1975).
    pub fn minimal_leaves(&self, depth: u32) -> f64 {
        let width = self.width();
        width.powi(depth.div_ceil(2) as i32) + width.powi((depth / 2) as i32) - 1.0
    }
}

/// A line of a search to one depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies.
    pub depth: u32,
    /// The longest line looked at, where it is counted; else the depth.
    pub seldepth: u32,
    /// The number of the line, from 1.
    pub multipv: usize,
    /// What was found for the side to move at the root, in the unit of the evaluation.
    pub value: Value,
    /// The same as it is told outside: centipawns or a mate, whatever that unit is.
    pub score: Score,
    /// Whether that is the value or a bound on it.
    pub bound: Bound,
    /// The principal variation, from the triangular array and, where that ends, from the table; empty only without legal moves.
    pub pv: Vec<Move>,
    /// Positions visited so far, as far as the thread that reports knows.
    pub nodes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// Thousandths of the table in use, where they are counted.
    pub hashfull: u32,
    /// Positions found in tablebases.
    pub tbhits: u64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The move to play; none only in a position without legal moves.
    pub best: Option<Move>,
    /// The value for the side to move, in the unit of the evaluation: the last iteration's, or without one the static value.
    pub value: Value,
    /// The same as it is told outside: centipawns or a mate, whatever that unit is.
    pub score: Score,
    /// Whether that is the value or a bound on it.
    pub bound: Bound,
    /// The depth completed.
    pub depth: u32,
    /// The principal variation, from the triangular array and, where that ends, from the table.
    pub pv: Vec<Move>,
    /// The best move, and how the table alone goes on.
    pub table_pv: Vec<Move>,
    /// The work of all iterations and threads.
    pub counts: Counts,
    /// The work of the last completed iteration in the first thread.
    pub last_counts: Counts,
    /// The time it took.
    pub elapsed: Duration,
    /// Why the search ended before its depth, if it did.
    pub stopped: Option<Stopped>,
}

impl Report {
    /// What can be said without searching.
    pub(crate) fn unsearched(pv: Vec<Move>, value: Value, score: Score) -> Report {
        Report {
            best: pv.first().copied(),
            value,
            score,
            bound: Bound::Exact,
            depth: 0,
            pv,
            table_pv: Vec::new(),
            counts: Counts::default(),
            last_counts: Counts::default(),
            elapsed: Duration::ZERO,
            stopped: None,
        }
    }

    /// Takes over the best line of an iteration.
    pub(crate) fn take(&mut self, iteration: &Iteration) {
        self.best = iteration.pv.first().copied();
        self.value = iteration.value;
        self.score = iteration.score;
        self.bound = iteration.bound;
        self.depth = iteration.depth;
        self.pv.clone_from(&iteration.pv);
    }

    /// The expected answer.
    pub fn ponder(&self) -> Option<Move> {
        self.pv.get(1).copied()
    }
}
