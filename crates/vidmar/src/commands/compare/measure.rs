//! Runs every variant on every position, position by position, and adds up.

use std::time::Duration;

use vidmar_chess::{Bound, Game, Generation, Position};
use vidmar_engine::laboratory::search_once;
use vidmar_search::{Algorithm, Counts, Limits, Report, Settings};

use super::{Search, Variant};
use crate::progress;

/// Where a search of one position ends if nobody says otherwise.
pub(super) const NODE_LIMIT: u64 = 20_000_000;

/// What a leaf costs at least, in nodes, when quiescence looks at it with an open window.
const QUIESCENCE_COST: f64 = 10.0;

pub(super) struct Measurement<'a> {
    pub(super) suite: &'a [Position],
    pub(super) limits: &'a Limits,
}

/// What a variant cost over the suite.
pub(super) struct Row {
    search: Search,
    pub(super) positions: usize,
    /// Positions searched to the full depth.
    pub(super) completed: usize,
    /// Positions not even begun, since their full tree is beyond the limit.
    pub(super) skipped: usize,
    /// Completed positions whose value differs from the first row's.
    pub(super) disagreements: usize,
    pub(super) counts: Counts,
    /// Leaves of the last iterations.
    pub(super) leaves: u64,
    pub(super) elapsed: Duration,
    log_branching: f64,
    log_distance: f64,
}

impl Row {
    fn new(search: Search, positions: usize) -> Row {
        Row {
            search,
            positions,
            completed: 0,
            skipped: 0,
            disagreements: 0,
            counts: Counts::default(),
            leaves: 0,
            elapsed: Duration::ZERO,
            log_branching: 0.0,
            log_distance: 0.0,
        }
    }

    pub(super) fn variant(&self) -> &Variant {
        &self.search.variant
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.search.settings
    }

    /// Whether what it leaves out may change its values.
    pub(super) fn prunes(&self) -> bool {
        self.search.prunes()
    }

    pub(super) fn is_complete(&self) -> bool {
        self.completed == self.positions
    }

    /// The effective branching factor b, for which b^depth is the last iteration's nodes: the geometric mean
    /// over the positions completed.
    pub(super) fn branching(&self) -> f64 {
        (self.log_branching / self.completed.max(1) as f64).exp()
    }

    /// The last iteration's leaves as a multiple of the minimal tree's, likewise; nothing where no row knows the width of the tree.
    pub(super) fn distance(&self) -> Option<f64> {
        Some((self.log_distance / self.completed.max(1) as f64).exp()).filter(|distance| distance.is_finite())
    }

    fn add(&mut self, report: &Report, depth: u32, minimal_leaves: Option<f64>) {
        self.completed += 1;
        self.leaves += report.last_counts.leaves;
        self.log_branching += (report.last_counts.nodes as f64).ln() / f64::from(depth);
        // Nothing to compare with makes the whole mean nothing.
        let minimal_leaves = minimal_leaves.unwrap_or(f64::NAN);
        self.log_distance += (report.last_counts.leaves.max(1) as f64 / minimal_leaves).ln();
    }
}

/// What the first row to complete a position says about it.
struct Reference {
    value: i32,
    /// Only legal generation shows how wide the tree is.
    minimal_leaves: Option<f64>,
}

impl Measurement<'_> {
    pub(super) fn run(&self, searches: Vec<Search>) -> anyhow::Result<Vec<Row>> {
        let positions = self.suite.len();
        let mut rows: Vec<Row> = searches
            .into_iter()
            .map(|search| Row::new(search, positions))
            .collect();
        let progress = progress::bar(rows.len() * positions, "searches");
        for position in self.suite {
            let mut reference = None;
            for row in &mut rows {
                self.measure(row, position, &mut reference)?;
                progress.inc(1);
            }
        }
        progress.finish_and_clear();
        Ok(rows)
    }

    fn measure(
        &self,
        row: &mut Row,
        position: &Position,
        reference: &mut Option<Reference>,
    ) -> anyhow::Result<()> {
        let Search {
            variant,
            settings,
            evaluation,
        } = &row.search;
        if self.is_hopeless(settings, position) {
            row.skipped += 1;
            return Ok(());
        }
        let game = Game::new(position.clone());
        let report = search_once(variant.board, &game, evaluation, settings, self.limits)?;
        row.counts += report.counts;
        row.elapsed += report.elapsed;
        if report.depth < self.limits.depth {
            return Ok(());
        }
        let depth = self.limits.depth;
        let reference = reference.get_or_insert_with(|| Reference {
            value: report.value,
            minimal_leaves: (settings.generation == Generation::Legal)
                .then(|| report.last_counts.minimal_leaves(depth)),
        });
        let minimal_leaves = reference.minimal_leaves;
        row.add(&report, depth, minimal_leaves);
        let is_comparable = report.bound == Bound::Exact && !row.search.variant.algorithm.is_selective();
        if is_comparable && report.value != reference.value {
            row.disagreements += 1;
        }
        Ok(())
    }

    /// Whether an algorithm that searches everything would surely run into the node limit.
    fn is_hopeless(&self, settings: &Settings, position: &Position) -> bool {
        let exhaustive = matches!(settings.algorithm, Algorithm::Minimax | Algorithm::Negamax);
        let width = position.legal_moves().len() as f64;
        let limit = self.limits.nodes.unwrap_or(NODE_LIMIT) as f64;
        let leaf_cost = if settings.quiescence { QUIESCENCE_COST } else { 1.0 };
        exhaustive && leaf_cost * width.powi(self.limits.depth as i32) > limit
    }
}
