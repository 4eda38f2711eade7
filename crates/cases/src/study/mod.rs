//! The study: do behaviours made from better experts play better?
//!
//! Every ordered pair of behaviours plays a game a round; the games of a pair are its *showdown*. Behaviours are
//! numbered by their experts' ratings, 0 for the highest. This module reads experts, counts, orders and correlates; the arena plays.

mod correlation;
mod experts;
mod ordering;
mod showdowns;

pub use correlation::{Correlation, correlate, kendall, spearman};
pub use experts::{Expert, ExpertsError, read_experts};
pub use ordering::longest_ordering;
pub use showdowns::{Interval, StudyGame, StudySummary, Tally, summarise};

use crate::weights::Weights;

/// The five weight settings of the published study.
pub const PUBLISHED_WEIGHTS: [Weights; 5] = [
    Weights::from_thousandths(500, 500, 500),
    Weights::from_thousandths(800, 800, 500),
    Weights::from_thousandths(800, 200, 500),
    Weights::from_thousandths(200, 500, 800),
    Weights::from_thousandths(200, 500, 200),
];

/// Rounds of the published study.
pub const PUBLISHED_ROUNDS: u32 = 3;
