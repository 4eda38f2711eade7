//! One search of one position, and what searches over all positions add up to.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use vidmar_chess::{Bound, Game, Generation, Position};
use vidmar_search::{Algorithm, Counts, Limits, NullMove, Settings, SettingsError};

use super::variant::Variant;
use crate::laboratory::{LeafEvaluation, search_once};

/// Where a search of one position ends if nobody says otherwise.
pub const NODE_LIMIT: u64 = 20_000_000;

/// What a leaf costs at least, in nodes, when quiescence looks at it with an open window.
const QUIESCENCE_COST: f64 = 10.0;

/// A variant made ready.
#[derive(Clone)]
pub struct Search {
    /// What it is called by.
    pub variant: Variant,
    /// All its settings.
    pub settings: Settings,
    /// What its leaves are worth.
    pub evaluation: LeafEvaluation,
}

impl Search {
    /// A variant with the other settings as they are given, if its algorithm can honour them.
    pub fn new(
        variant: Variant,
        settings: Settings,
        evaluation: LeafEvaluation,
    ) -> Result<Search, SettingsError> {
        let mut settings = Settings {
            algorithm: variant.algorithm,
            table: variant.table,
            ordering: variant.ordering,
            ..settings
        };
        if let Some(change) = variant.change {
            change.apply(&mut settings);
        }
        settings.check_with(&evaluation)?;
        Ok(Search {
            variant,
            settings,
            evaluation,
        })
    }

    /// Whether what it leaves out may change its values.
    pub fn prunes(&self) -> bool {
        self.settings.algorithm.is_selective()
            || self.settings.null_move != NullMove::Off
            || self.settings.futility
    }

    /// Whether an algorithm that searches everything would surely run into the node limit.
    fn is_hopeless(&self, position: &Position, limits: &Limits) -> bool {
        let exhaustive = matches!(self.settings.algorithm, Algorithm::Minimax | Algorithm::Negamax);
        let width = position.legal_moves().len() as f64;
        let limit = limits.nodes.unwrap_or(NODE_LIMIT) as f64;
        let leaf_cost = if self.settings.quiescence {
            QUIESCENCE_COST
        } else {
            1.0
        };
        exhaustive && leaf_cost * width.powi(limits.depth as i32) > limit
    }
}

/// One search of one position.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Not even begun, since its full tree is beyond the limit.
    pub skipped: bool,
    /// Searched to the full depth.
    pub completed: bool,
    /// Its value for the side to move.
    pub value: i32,
    /// Whether that can be compared with the others': no bound, and of a search that is not selective.
    pub comparable: bool,
    /// The work of all iterations.
    #[serde(with = "Work")]
    pub counts: Counts,
    /// The work of the last one.
    #[serde(with = "Work")]
    pub last: Counts,
    /// Leaves of the minimal tree; only legal generation shows how wide the tree is.
    pub minimal_leaves: Option<f64>,
    /// The time it took.
    pub seconds: f64,
}

/// [`Counts`] as they are kept.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Counts")]
struct Work {
    nodes: u64,
    quiescence_nodes: u64,
    leaves: u64,
    expanded: u64,
    moves: u64,
}

/// Searches one position.
pub fn measure(search: &Search, position: &Position, limits: &Limits) -> Result<Sample, SettingsError> {
    let Search {
        variant,
        settings,
        evaluation,
    } = search;
    if search.is_hopeless(position, limits) {
        return Ok(Sample {
            skipped: true,
            completed: false,
            value: 0,
            comparable: false,
            counts: Counts::default(),
            last: Counts::default(),
            minimal_leaves: None,
            seconds: 0.0,
        });
    }
    let game = Game::new(position.clone());
    let report = search_once(variant.board, &game, evaluation, settings, limits)?;
    Ok(Sample {
        skipped: false,
        completed: report.depth >= limits.depth,
        value: report.value,
        comparable: report.bound == Bound::Exact && !variant.algorithm.is_selective(),
        counts: report.counts,
        last: report.last_counts,
        minimal_leaves: (settings.generation == Generation::Legal)
            .then(|| report.last_counts.minimal_leaves(limits.depth)),
        seconds: report.elapsed.as_secs_f64(),
    })
}

/// What a variant cost over the positions.
#[derive(Clone)]
pub struct Row {
    /// What was searched with.
    pub search: Search,
    /// How many positions there are.
    pub positions: usize,
    /// Positions searched to the full depth.
    pub completed: usize,
    /// Positions not even begun, since their full tree is beyond the limit.
    pub skipped: usize,
    /// Completed positions whose value differs from the first row's.
    pub disagreements: usize,
    /// All the work.
    pub counts: Counts,
    /// Leaves of the last iterations.
    pub leaves: u64,
    /// The time.
    pub elapsed: Duration,
    log_branching: f64,
    log_distance: f64,
}

/// Adds up `samples[position][search]`.
pub fn rows(searches: Vec<Search>, samples: &[Vec<Sample>], depth: u32) -> Vec<Row> {
    let row = |(index, search): (usize, Search)| {
        let mut row = Row {
            search,
            positions: samples.len(),
            completed: 0,
            skipped: 0,
            disagreements: 0,
            counts: Counts::default(),
            leaves: 0,
            elapsed: Duration::ZERO,
            log_branching: 0.0,
            log_distance: 0.0,
        };
        for position in samples {
            let reference = position.iter().find(|sample| sample.completed);
            if let (Some(sample), Some(reference)) = (position.get(index), reference) {
                row.add(sample, reference, depth);
            } else if let Some(sample) = position.get(index) {
                row.add(sample, sample, depth);
            }
        }
        row
    };
    searches.into_iter().enumerate().map(row).collect()
}

impl Row {
    /// What is varied in it.
    pub fn variant(&self) -> &Variant {
        &self.search.variant
    }

    /// All its settings.
    pub fn settings(&self) -> &Settings {
        &self.search.settings
    }

    /// Whether what it leaves out may change its values.
    pub fn prunes(&self) -> bool {
        self.search.prunes()
    }

    /// Whether every position was searched to the full depth.
    pub fn is_complete(&self) -> bool {
        self.completed == self.positions
    }

    /// The effective branching factor b, for which b^depth is the last iteration's nodes: the geometric mean
    /// over the positions completed.
    pub fn branching(&self) -> f64 {
        (self.log_branching / self.completed.max(1) as f64).exp()
    }

    /// The last iteration's leaves as a multiple of the minimal tree's, likewise; nothing where no row knows the width of the tree.
    pub fn distance(&self) -> Option<f64> {
        Some((self.log_distance / self.completed.max(1) as f64).exp()).filter(|distance| distance.is_finite())
    }

    fn add(&mut self, sample: &Sample, reference: &Sample, depth: u32) {
        self.skipped += usize::from(sample.skipped);
        self.counts += sample.counts;
        self.elapsed += Duration::from_secs_f64(sample.seconds);
        if !sample.completed {
            return;
        }
        self.completed += 1;
        self.leaves += sample.last.leaves;
        self.log_branching += (sample.last.nodes as f64).ln() / f64::from(depth);
        // Nothing to compare with makes the whole mean nothing.
        let minimal_leaves = reference.minimal_leaves.unwrap_or(f64::NAN);
        self.log_distance += (sample.last.leaves.max(1) as f64 / minimal_leaves).ln();
        self.disagreements += usize::from(sample.comparable && sample.value != reference.value);
    }
}
