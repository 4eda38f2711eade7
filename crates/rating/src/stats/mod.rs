//! Comparing several algorithms over several problems by ranks.
//!
//! The way of Demšar (JMLR 7, 2006) and García and Herrera (JMLR 9, 2008): rank the algorithms on every
//! problem, ask Friedman's test (and Iman and Davenport's sharper form of it) whether the mean ranks
//! differ at all, and then which pairs differ, with p-values adjusted for the number of questions asked.
//!
//! [`compare`] does all of it; each test is a function of its own as well.

mod adjust;
mod bergmann_hommel;
mod comparison;
mod diagram;
mod friedman;
mod means;
mod ranks;
mod studentized_range;
mod wilcoxon;

pub use adjust::{bonferroni, hochberg, holm, shaffer};
pub use bergmann_hommel::{MOST_ALGORITHMS, TooManyAlgorithms, bergmann_hommel};
pub use comparison::{Comparison, ControlRow, CriticalDifferences, PairRow, StatsError, compare};
pub use diagram::{Diagram, critical_difference_svg};
pub use friedman::{Friedman, ImanDavenport, bonferroni_dunn_difference, nemenyi_difference};
pub use means::{Estimate, MeanPair, compare_means};
pub use ranks::{Better, Table, mean_ranks, ranks};
pub use studentized_range::{studentized_range_cdf, studentized_range_quantile};
pub use wilcoxon::{SignedRank, wilcoxon_signed_rank};
