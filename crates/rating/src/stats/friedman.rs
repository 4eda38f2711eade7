//! Friedman's test, the form of Iman and Davenport, and critical differences of mean ranks.
//!
//! With N rows, k algorithms and mean ranks R (Demšar 2006, section 3.2.2):
//!
//! * chi² = 12 N / (k (k + 1)) (sum R² - k (k + 1)² / 4), k - 1 degrees of freedom,
//! * F = (N - 1) chi² / (N (k - 1) - chi²), k - 1 and (k - 1)(N - 1) degrees of freedom.
//!
//! These are the published formulas, which leave ties uncorrected; [`Friedman::corrected_for_ties`] is
//! the statistic divided by 1 - sum(t³ - t) / (N k (k² - 1)), t the sizes of the tied groups.

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor, Normal};

use super::ranks::{Table, tie_sum};
use super::studentized_range::studentized_range_quantile;

/// Friedman's test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Friedman {
    /// The statistic.
    pub chi2: f64,
    /// Degrees of freedom.
    pub df: usize,
    /// Chance of a statistic at least as large if the algorithms do not differ.
    pub p: f64,
}

/// The statistic of Iman and Davenport (1980).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ImanDavenport {
    /// The statistic; infinite where all rows agree on the ranking.
    pub f: f64,
    /// Degrees of freedom of numerator and denominator.
    pub df: (usize, usize),
    /// Chance of a statistic at least as large if the algorithms do not differ.
    pub p: f64,
}

impl Friedman {
    /// The test from mean ranks over `rows` rows.
    pub fn from_mean_ranks(mean_ranks: &[f64], rows: usize) -> Self {
        let k = mean_ranks.len() as f64;
        let squares: f64 = mean_ranks.iter().map(|rank| rank * rank).sum();
        let chi2 = 12.0 * rows as f64 / (k * (k + 1.0)) * (squares - k * (k + 1.0) * (k + 1.0) / 4.0);
        Friedman::new(chi2.max(0.0), mean_ranks.len() - 1)
    }

    fn new(chi2: f64, df: usize) -> Self {
        let distribution = ChiSquared::new(df as f64).expect("there are at least two algorithms");
        Friedman {
            chi2,
            df,
            p: distribution.sf(chi2),
        }
    }

    /// The test corrected for ties, or `None` where no row has any.
    pub fn corrected_for_ties(&self, table: &Table) -> Option<Self> {
        let k = table.algorithms.len() as f64;
        let ties: f64 = table.rows.iter().map(|row| tie_sum(row)).sum();
        let factor = 1.0 - ties / (table.rows.len() as f64 * k * (k * k - 1.0));
        (ties > 0.0 && factor > 0.0).then(|| Friedman::new(self.chi2 / factor, self.df))
    }

    /// The statistic of Iman and Davenport over `rows` rows.
    pub fn iman_davenport(&self, rows: usize) -> ImanDavenport {
        let rows = rows as f64;
        let df = (self.df, self.df * (rows as usize - 1));
        let rest = rows * self.df as f64 - self.chi2;
        // All rows alike: the largest chi² there is, up to rounding.
        if rest <= 1e-9 * rows {
            return ImanDavenport {
                f: f64::INFINITY,
                df,
                p: all_alike(self.df + 1, rows),
            };
        }
        let f = (rows - 1.0) * self.chi2 / rest;
        let distribution = FisherSnedecor::new(df.0 as f64, df.1 as f64)
            .expect("there are at least two rows and two algorithms");
        ImanDavenport {
            f,
            df,
            p: if f > 0.0 { distribution.sf(f) } else { 1.0 },
        }
    }

    /// The statistic above which the test rejects at this level.
    pub fn critical_value(&self, alpha: f64) -> f64 {
        ChiSquared::new(self.df as f64)
            .expect("there are at least two algorithms")
            .inverse_cdf(1.0 - alpha)
    }
}

/// How often all rows rank so many algorithms alike by chance: each row after the first has one order of all that there are.
/// Here the distribution of F has nothing to say, and nothing larger can happen.
fn all_alike(algorithms: usize, rows: f64) -> f64 {
    let orders: f64 = (2..=algorithms).map(|n| (n as f64).ln()).sum();
    (-(rows - 1.0) * orders).exp()
}

impl ImanDavenport {
    /// The statistic above which the test rejects at this level.
    pub fn critical_value(&self, alpha: f64) -> f64 {
        FisherSnedecor::new(self.df.0 as f64, self.df.1 as f64)
            .expect("there are at least two rows and two algorithms")
            .inverse_cdf(1.0 - alpha)
    }
}

/// Standard deviation of a difference of two mean ranks if the algorithms do not differ.
pub(crate) fn rank_deviation(algorithms: usize, rows: usize) -> f64 {
    let k = algorithms as f64;
    (k * (k + 1.0) / (6.0 * rows as f64)).sqrt()
}

/// Two-sided p-value of a standard normal statistic.
pub(crate) fn two_sided(z: f64) -> f64 {
    (2.0 * Normal::standard().sf(z.abs())).min(1.0)
}

/// Nemenyi's critical difference: every pair compared with every other.
pub fn nemenyi_difference(algorithms: usize, rows: usize, alpha: f64) -> f64 {
    let quantile = studentized_range_quantile(1.0 - alpha, algorithms) / std::f64::consts::SQRT_2;
    quantile * rank_deviation(algorithms, rows)
}

/// The critical difference of Bonferroni and Dunn: all compared with one control only.
pub fn bonferroni_dunn_difference(algorithms: usize, rows: usize, alpha: f64) -> f64 {
    let share = alpha / (2.0 * (algorithms as f64 - 1.0));
    -Normal::standard().inverse_cdf(share) * rank_deviation(algorithms, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Demšar 2006, table 5(b): critical values for the two-tailed Bonferroni-Dunn test. He prints 2.724
    /// for nine classifiers at 0.05; the normal quantile of 0.05 / 16 is 2.734.
    #[test]
    fn bonferroni_dunn_as_tabulated() {
        let tabulated = [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773];
        for (k, expected) in (2..).zip(tabulated) {
            let quantile = bonferroni_dunn_difference(k, 10, 0.05) / rank_deviation(k, 10);
            assert!((quantile - expected).abs() < 6e-4, "{k}: {quantile}");
        }
        let tabulated = [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539];
        for (k, expected) in (2..).zip(tabulated) {
            let quantile = bonferroni_dunn_difference(k, 10, 0.10) / rank_deviation(k, 10);
            assert!((quantile - expected).abs() < 6e-4, "{k}: {quantile}");
        }
    }

    #[test]
    fn rows_that_all_agree_give_the_largest_statistic() {
        let friedman = Friedman::from_mean_ranks(&[1.0, 2.0, 3.0], 5);
        assert!((friedman.chi2 - 10.0).abs() < 1e-12);
        let sharper = friedman.iman_davenport(5);
        // Four rows have the order of the first, of six that there are.
        assert!(sharper.f.is_infinite() && (sharper.p - 1.0 / 1_296.0).abs() < 1e-12);
        let two = Friedman::from_mean_ranks(&[1.0, 2.0], 2).iman_davenport(2);
        assert!((two.p - 0.5).abs() < 1e-12, "{two:?}");
    }

    #[test]
    fn rows_that_say_nothing_give_none() {
        let friedman = Friedman::from_mean_ranks(&[2.0, 2.0, 2.0], 5);
        assert_eq!((friedman.chi2, friedman.p), (0.0, 1.0));
        assert!(friedman.iman_davenport(5).p > 0.999_999);
    }
}
