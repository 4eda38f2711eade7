//! The studentised range with infinitely many degrees of freedom: the range of k independent standard
//! normal numbers. Nemenyi's test needs its quantiles; they are computed, not tabulated.
//!
//! P(range <= q) = k ∫ φ(z) (Φ(z) - Φ(z - q))^(k-1) dz, where z is the largest of the k. The integrand is
//! smooth and falls off like φ at both ends, where the trapezoidal rule converges faster than any power
//! of the step.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// Half the width of the interval of integration, and the step: errors below 1e-12.
const REACH: f64 = 9.0;
const STEP: f64 = 0.05;

/// Chance that the range of `count` independent standard normal numbers is at most `q`.
pub fn studentized_range_cdf(q: f64, count: usize) -> f64 {
    if q <= 0.0 || count < 2 {
        return if count < 2 { 1.0 } else { 0.0 };
    }
    let normal = Normal::standard();
    let steps = (2.0 * REACH / STEP) as i32;
    let sum: f64 = (0..=steps)
        .map(|step| {
            let z = -REACH + STEP * f64::from(step);
            normal.pdf(z) * (normal.cdf(z) - normal.cdf(z - q)).powi(count as i32 - 1)
        })
        .sum();
    (count as f64 * STEP * sum).min(1.0)
}

/// The `q` that the range stays below with this chance, which lies strictly between 0 and 1.
pub fn studentized_range_quantile(chance: f64, count: usize) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while studentized_range_cdf(high, count) < chance && high < 64.0 {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if studentized_range_cdf(middle, count) < chance {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Demšar 2006, table 5(a): critical values for the two-tailed Nemenyi test, q / sqrt 2.
    #[test]
    fn quantiles_as_tabulated() {
        let at_0_05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
        let at_0_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920];
        for (alpha, table) in [(0.05, at_0_05), (0.10, at_0_10)] {
            for (k, expected) in (2..).zip(table) {
                let quantile = studentized_range_quantile(1.0 - alpha, k) / std::f64::consts::SQRT_2;
                // The table cuts some values instead of rounding them (2.3437 is printed 2.343).
                assert!((quantile - expected).abs() < 1.1e-3, "{k} at {alpha}: {quantile}");
            }
        }
    }

    #[test]
    fn two_numbers_have_a_range_known_in_closed_form() {
        // The difference of two standard normal numbers is normal with variance 2.
        for q in [0.1, 1.0, 2.5, 6.0] {
            let expected = 2.0 * Normal::standard().cdf(q / std::f64::consts::SQRT_2) - 1.0;
            assert!((studentized_range_cdf(q, 2) - expected).abs() < 1e-11, "{q}");
        }
    }
}
