//! The table of results, and ranks within its rows.
#![expect(clippy::float_cmp, reason = "a tie is two equal values, not two close ones")]

use serde::Serialize;

/// Which end of the scale is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Rank 1 is the largest value: scores, accuracies, ratings.
    Higher,
    /// Rank 1 is the smallest value: errors, times, costs.
    Lower,
}

/// Results: a column for every algorithm, a row for every problem or run.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub algorithms: Vec<String>,
    /// The rows, each as long as `algorithms`.
    pub rows: Vec<Vec<f64>>,
}

/// Ranks from 1; equal values share the mean of the ranks they take up.
pub fn ranks(values: &[f64], better: Better) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| match better {
        Better::Higher => values[b].total_cmp(&values[a]),
        Better::Lower => values[a].total_cmp(&values[b]),
    });
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let tied = order[start..]
            .iter()
            .take_while(|&&index| values[index] == values[order[start]])
            .count();
        let shared = start as f64 + f64::midpoint(tied as f64, 1.0);
        for &index in &order[start..start + tied] {
            ranks[index] = shared;
        }
        start += tied;
    }
    ranks
}

/// Mean rank of every column.
pub fn mean_ranks(table: &Table, better: Better) -> Vec<f64> {
    let mut sums = vec![0.0; table.algorithms.len()];
    for row in &table.rows {
        for (sum, rank) in sums.iter_mut().zip(ranks(row, better)) {
            *sum += rank;
        }
    }
    let count = table.rows.len() as f64;
    sums.iter().map(|sum| sum / count).collect()
}

/// Sum of t³ - t over the groups of equal values, t their sizes.
pub(crate) fn tie_sum(values: &[f64]) -> f64 {
    // Each of the t members of a group adds t² - 1.
    let group_size = |value: &f64| values.iter().filter(|other| *other == value).count() as f64;
    values.iter().map(group_size).map(|t| t * t - 1.0).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_of_their_ranks() {
        assert_eq!(ranks(&[0.5, 0.9, 0.5, 0.1], Better::Higher), [2.5, 1.0, 2.5, 4.0]);
        assert_eq!(ranks(&[0.5, 0.9, 0.5, 0.1], Better::Lower), [2.5, 4.0, 2.5, 1.0]);
        assert_eq!(ranks(&[0.0, -0.0, 0.0], Better::Lower), [2.0, 2.0, 2.0]);
    }
}
