//! Wilcoxon's signed-rank test of two columns.
//!
//! Rows where both are equal are left out (as Wilcoxon, R and `SciPy` do). Without ties among the
//! differences and up to `MOST_EXACT` of them the p-value is exact: the share of the 2^n signings whose
//! rank sum is at least as far out. Otherwise it is the normal approximation with the variance corrected
//! for ties and with a continuity correction, as R's `wilcox.test` has it.

use serde::Serialize;

use super::friedman::two_sided;
use super::ranks::{Better, ranks, tie_sum};

/// Up to this many differences the distribution is counted out.
const MOST_EXACT: usize = 50;

/// The test's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SignedRank {
    /// Sum of the ranks of the positive differences (first minus second).
    pub w_plus: f64,
    /// Sum of the ranks of the negative differences.
    pub w_minus: f64,
    /// Number of differences that are not 0.
    pub n: usize,
    /// Whether `p` was counted out rather than approximated.
    pub exact: bool,
    /// Two-sided p-value.
    pub p: f64,
}

/// Tests whether the differences of two columns lie evenly around 0.
pub fn wilcoxon_signed_rank(first: &[f64], second: &[f64]) -> SignedRank {
    let differences: Vec<f64> = first
        .iter()
        .zip(second)
        .map(|(a, b)| a - b)
        .filter(|d| *d != 0.0)
        .collect();
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let ranks = ranks(&sizes, Better::Lower);
    let sum_where = |positive: bool| -> f64 {
        ranks
            .iter()
            .zip(&differences)
            .filter(|(_, d)| (**d > 0.0) == positive)
            .map(|(rank, _)| rank)
            .sum()
    };
    let (w_plus, w_minus) = (sum_where(true), sum_where(false));
    let n = differences.len();
    let ties = tie_sum(&ranks);
    let exact = n <= MOST_EXACT && ties == 0.0;
    let smaller = w_plus.min(w_minus);
    let p = if exact {
        exact_two_sided(smaller as usize, n)
    } else {
        approximate_two_sided(smaller, n as f64, ties)
    };
    SignedRank {
        w_plus,
        w_minus,
        n,
        exact,
        p,
    }
}

/// Twice the share of signings with a rank sum of at most `sum`.
fn exact_two_sided(sum: usize, n: usize) -> f64 {
    // shares[s]: the part of all signings whose positive ranks add up to s.
    let most = n * (n + 1) / 2;
    let mut shares = vec![0.0; most + 1];
    shares[0] = 1.0;
    for rank in 1..=n {
        for total in (0..=most).rev() {
            let with = if total >= rank { shares[total - rank] } else { 0.0 };
            shares[total] = 0.5 * (shares[total] + with);
        }
    }
    (2.0 * shares[..=sum].iter().sum::<f64>()).min(1.0)
}

fn approximate_two_sided(smaller: f64, n: f64, ties: f64) -> f64 {
    let mean = n * (n + 1.0) / 4.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    if variance <= 0.0 {
        return 1.0;
    }
    let distance = (mean - smaller - 0.5).max(0.0);
    two_sided(distance / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_differences_of_one_sign() {
        let outcome = wilcoxon_signed_rank(&[1.0, 2.0, 3.0, 4.0, 5.0], &[0.0; 5]);
        assert_eq!(
            (outcome.w_plus, outcome.w_minus, outcome.exact),
            (15.0, 0.0, true)
        );
        assert!((outcome.p - 2.0 / 32.0).abs() < 1e-15);
    }

    #[test]
    fn equal_columns_do_not_differ() {
        let outcome = wilcoxon_signed_rank(&[1.0, 2.0], &[1.0, 2.0]);
        assert_eq!((outcome.n, outcome.p), (0, 1.0));
    }
}
