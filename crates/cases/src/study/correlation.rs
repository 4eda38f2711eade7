//! Rank correlation of points with the order of the experts, and how likely it is by chance.

use serde::Serialize;

/// How well an order agrees with the experts'.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Correlation {
    /// Spearman's rho, ranks of equals shared.
    pub spearman: f64,
    /// Kendall's tau-b.
    pub kendall: f64,
    /// The share of all orders with at least this tau: its one-sided p-value, exact.
    pub p: f64,
}

/// Correlates the points of behaviours, the highest-rated expert's first, with that order.
///
/// The p-value goes through every order, so more than nine behaviours have none (it is not a number).
pub fn correlate(points: &[f64]) -> Correlation {
    let strength: Vec<f64> = (0..points.len()).rev().map(|index| index as f64).collect();
    let tau = kendall(&strength, points);
    Correlation {
        spearman: spearman(&strength, points),
        kendall: tau,
        p: exact_p(&strength, points, tau),
    }
}

const MOST_FOR_EXACT: usize = 9;

fn exact_p(strength: &[f64], points: &[f64], tau: f64) -> f64 {
    if points.len() > MOST_FOR_EXACT || !tau.is_finite() {
        return f64::NAN;
    }
    let (mut as_good, mut all) = (0_u64, 0_u64);
    permute(&mut points.to_vec(), 0, &mut |order| {
        all += 1;
        // Equal up to rounding: the sums of the same order in another sequence.
        as_good += u64::from(kendall(strength, order) >= tau - 1e-9);
    });
    as_good as f64 / all as f64
}

fn permute(items: &mut [f64], from: usize, visit: &mut impl FnMut(&[f64])) {
    if from + 1 >= items.len() {
        return visit(items);
    }
    for index in from..items.len() {
        items.swap(from, index);
        permute(items, from + 1, visit);
        items.swap(from, index);
    }
}

/// Spearman's rho: the correlation of ranks, equals sharing theirs. Not a number if one side is all equal.
pub fn spearman(one: &[f64], other: &[f64]) -> f64 {
    pearson(&ranks(one), &ranks(other))
}

/// Kendall's tau-b. Not a number if one side is all equal.
pub fn kendall(one: &[f64], other: &[f64]) -> f64 {
    let (mut agreement, mut untied_one, mut untied_other) = (0.0, 0.0, 0.0);
    for i in 0..one.len().min(other.len()) {
        for j in 0..i {
            let (a, b) = (sign(one[i] - one[j]), sign(other[i] - other[j]));
            agreement += a * b;
            untied_one += a * a;
            untied_other += b * b;
        }
    }
    agreement / f64::sqrt(untied_one * untied_other)
}

fn sign(difference: f64) -> f64 {
    if difference > 0.0 {
        1.0
    } else if difference < 0.0 {
        -1.0
    } else {
        0.0
    }
}

fn ranks(values: &[f64]) -> Vec<f64> {
    values
        .iter()
        .map(|value| {
            let below = values.iter().filter(|other| *other < value).count() as f64;
            let equal = values
                .iter()
                .filter(|other| other.total_cmp(value).is_eq())
                .count() as f64;
            below + f64::midpoint(equal, 1.0)
        })
        .collect()
}

fn pearson(one: &[f64], other: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_one, mean_other) = (mean(one), mean(other));
    let (mut both, mut square_one, mut square_other) = (0.0, 0.0, 0.0);
    for (a, b) in one.iter().zip(other) {
        let (a, b) = (a - mean_one, b - mean_other);
        both += a * b;
        square_one += a * a;
        square_other += b * b;
    }
    both / f64::sqrt(square_one * square_other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn correlations_of_known_lists() {
        // scipy.stats 1.17.1: spearmanr and kendalltau of these lists.
        let one = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let other = [2.0, 1.0, 4.0, 3.0, 7.0, 5.0, 6.0];
        assert!(close(spearman(&one, &other), 0.821_428_571_428_571_4));
        assert!(close(kendall(&one, &other), 0.619_047_619_047_619_1));
        let tied = [1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 4.0];
        assert!(close(kendall(&one, &tied), 0.899_735_410_842_437_3));
        assert!(close(spearman(&one, &tied), 0.954_313_515_420_527_8));
        assert!(kendall(&one, &[1.0; 7]).is_nan());
    }

    #[test]
    fn a_perfect_order_is_one_of_5040() {
        let perfect = correlate(&[9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0]);
        assert!(close(perfect.kendall, 1.0) && close(perfect.spearman, 1.0));
        assert!(close(perfect.p, 1.0 / 5040.0));
        let reversed = correlate(&[1.0, 2.0, 3.0, 4.0]);
        assert!(close(reversed.kendall, -1.0) && close(reversed.p, 1.0));
        assert!(correlate(&[1.0; 7]).p.is_nan());
    }
}
