//! Means over independent runs, and which of them differ.
//!
//! A run is a seed: what was played with other seeds is independent, what was read off the same run at several budgets is
//! not. Intervals are Student's, over runs. Two algorithms that had the same seeds are compared seed by seed (the paired
//! t-test), and p-values are adjusted for the number of pairs after Holm (1979).

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::adjust::holm;

/// A mean over independent values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the values (divided by n - 1).
    pub deviation: f64,
    /// How many values.
    pub count: usize,
}

impl Estimate {
    /// Of some values; all 0 without any.
    pub fn of(values: &[f64]) -> Estimate {
        let count = values.len();
        if count == 0 {
            return Estimate::default();
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Estimate {
            mean,
            deviation: (squares / (count.max(2) - 1) as f64).sqrt(),
            count,
        }
    }

    /// Half of the 95 % interval of the mean (Student's t); none for fewer than two values, which have no interval.
    pub fn error(&self) -> Option<f64> {
        let t = StudentsT::new(0.0, 1.0, self.count.checked_sub(1)? as f64).ok()?;
        Some(t.inverse_cdf(0.975) * self.deviation / (self.count as f64).sqrt())
    }

    /// The p-value of the hypothesis that the mean is 0, two-sided; none for fewer than two values.
    pub fn p(&self) -> Option<f64> {
        let t = StudentsT::new(0.0, 1.0, self.count.checked_sub(1)? as f64).ok()?;
        if self.deviation == 0.0 {
            return Some(if self.mean == 0.0 { 1.0 } else { 0.0 });
        }
        let statistic = self.mean / (self.deviation / (self.count as f64).sqrt());
        Some(2.0 * t.cdf(-statistic.abs()))
    }
}

/// Two algorithms, seed by seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanPair {
    /// The first one's index.
    pub a: usize,
    /// The second one's.
    pub b: usize,
    /// What the first has over the second.
    pub difference: Estimate,
    /// Unadjusted; none for fewer than two seeds.
    pub p: Option<f64>,
    /// Adjusted for all pairs.
    pub holm: Option<f64>,
}

/// All pairs; `values[a][seed]` is what algorithm `a` came to.
pub fn compare_means(values: &[Vec<f64>]) -> Vec<MeanPair> {
    let mut pairs = Vec::new();
    for a in 0..values.len() {
        for b in a + 1..values.len() {
            let differences: Vec<f64> = values[a].iter().zip(&values[b]).map(|(x, y)| x - y).collect();
            let difference = Estimate::of(&differences);
            pairs.push(MeanPair {
                a,
                b,
                difference,
                p: difference.p(),
                holm: None,
            });
        }
    }
    let p: Option<Vec<f64>> = pairs.iter().map(|pair| pair.p).collect();
    for (pair, adjusted) in pairs.iter_mut().zip(p.map(|p| holm(&p)).unwrap_or_default()) {
        pair.holm = Some(adjusted);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// t = 2.7454 with two degrees of freedom, where P(|T| > t) = 1 - t / sqrt(2 + t²) = 0.1110; the quantile is 4.3027.
    #[test]
    fn three_seeds_say_little() {
        let estimate = Estimate::of(&[52.0, 45.0, 10.0]);
        assert!((estimate.mean - 35.666_667).abs() < 1e-5);
        assert!((estimate.deviation - 22.501_852).abs() < 1e-5);
        assert!(
            (estimate.error().unwrap() - 55.897).abs() < 0.01,
            "{:?}",
            estimate.error()
        );
        assert!(
            (estimate.p().unwrap() - 0.1110).abs() < 1e-4,
            "{:?}",
            estimate.p()
        );
        assert_eq!(Estimate::of(&[4.0]).error(), None);
        assert_eq!(Estimate::of(&[]), Estimate::default());
    }

    #[test]
    fn pairs_are_compared_seed_by_seed_and_adjusted() {
        // The seeds differ more than the algorithms: unpaired, nothing would be seen.
        let values = [
            vec![10.0, 110.0, 210.0, 311.0],
            vec![0.0, 100.0, 201.0, 300.0],
            vec![5.0, 95.0, 215.0, 300.0],
        ];
        let pairs = compare_means(&values);
        assert_eq!(
            pairs.iter().map(|pair| (pair.a, pair.b)).collect::<Vec<_>>(),
            [(0, 1), (0, 2), (1, 2)]
        );
        assert!(pairs[0].holm.unwrap() < 0.01, "{:?}", pairs[0]);
        assert!((pairs[0].holm.unwrap() / pairs[0].p.unwrap() - 3.0).abs() < 1e-9);
        assert!(pairs[2].p.unwrap() > 0.3);
        assert_eq!(compare_means(&[vec![1.0], vec![2.0]])[0].holm, None);
    }
}
