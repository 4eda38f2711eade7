//! What games say of one parameter: where its optimum lies, for every class of parameters that it may belong to.
//!
//! A class is a stiffness h and a reach r: a parameter that is x away from its optimum (shares of the interval) costs ½ h x² nats, and
//! before any game the optimum is normally distributed around the start with standard deviation r. A game of a against b sees
//! h (a − b)(o − (a + b) / 2) of it, which is linear in the optimum o: given the class, a Kalman filter is all that is needed.
//! How well a class has predicted the games is its evidence, and with how common the class is among all parameters its weight.

use serde::{Deserialize, Serialize};

/// Nats for a whole interval squared: from a parameter that does nothing to one that loses every game away from its optimum.
const STIFFNESSES: [f64; 8] = [0.01, 0.04, 0.16, 0.64, 2.56, 10.24, 40.96, 163.84];
/// The start knows nothing of the optimum, something, or much.
const REACHES: [f64; 3] = [0.3, 0.1, 0.03];
/// All intervals together are expected to have this stiffness (a start in their middle some hundred Elo below the optimum) until
/// games say more.
const USUAL_STIFFNESS: f64 = 60.0;
/// That expectation counts like so many parameters.
const EXPECTATION: f64 = 4.0;

/// A kind of parameter.
#[derive(Clone, Copy)]
struct Class {
    stiffness: f64,
    reach: f64,
}

fn classes() -> impl Iterator<Item = Class> {
    REACHES
        .into_iter()
        .flat_map(|reach| STIFFNESSES.map(|stiffness| Class { stiffness, reach }))
}

/// How common each class is among the parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Shares(Vec<f64>);

impl Shares {
    /// Whether there is one for every class.
    pub(super) fn is_whole(&self) -> bool {
        self.0.len() == classes().count()
    }

    /// What is expected of so many parameters before there is a game.
    pub(super) fn expected(parameters: usize) -> Self {
        let usual = USUAL_STIFFNESS / parameters.max(1) as f64;
        Self::normalised(
            classes()
                .map(|class| libm::exp(-class.stiffness / usual))
                .collect(),
        )
    }

    /// What the beliefs say, with what was expected (one step of expectation maximisation).
    pub(super) fn of<'a>(&self, beliefs: impl Iterator<Item = &'a Belief>) -> Self {
        let mut counts = vec![0.0; self.0.len()];
        let mut parameters = 0;
        for belief in beliefs {
            let weights = belief.weights(self);
            counts
                .iter_mut()
                .zip(weights)
                .for_each(|(count, weight)| *count += weight);
            parameters += 1;
        }
        let expected = Self::expected(parameters).0;
        counts
            .iter_mut()
            .zip(expected)
            .for_each(|(count, share)| *count += EXPECTATION * share);
        Self::normalised(counts)
    }

    fn normalised(mut shares: Vec<f64>) -> Self {
        let sum: f64 = shares.iter().sum();
        for share in &mut shares {
            *share /= sum;
        }
        Self(shares)
    }
}

/// The optimum as a class sees it: mean and variance in shares of the interval, and the logarithm of how well it predicted the games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Optimum(f64, f64, f64);

/// What is believed of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Belief(Vec<Optimum>);

/// What two players differ in, in one parameter: how far they are apart and where their middle is.
#[derive(Clone, Copy)]
pub(super) struct Difference {
    pub(super) gap: f64,
    pub(super) middle: f64,
}

/// A normal distribution of nats.
#[derive(Clone, Copy, Default)]
pub(super) struct Nats {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl Belief {
    /// Whether it says something of every class.
    pub(super) fn is_whole(&self) -> bool {
        self.0.len() == classes().count()
    }

    /// Before any game, with that start.
    pub(super) fn around(start: f64) -> Self {
        Self(
            classes()
                .map(|class| Optimum(start, class.reach * class.reach, 0.0))
                .collect(),
        )
    }

    /// How much each class is believed; they sum to 1.
    pub(super) fn weights(&self, shares: &Shares) -> Vec<f64> {
        let most = self
            .0
            .iter()
            .map(|optimum| optimum.2)
            .fold(f64::NEG_INFINITY, f64::max);
        let weigh = |(optimum, share): (&Optimum, &f64)| share * libm::exp(optimum.2 - most);
        Shares::normalised(self.0.iter().zip(&shares.0).map(weigh).collect()).0
    }

    /// What this parameter is expected to count in a game.
    pub(super) fn predict(&self, weights: &[f64], difference: Difference) -> Nats {
        let (mut first, mut second) = (0.0, 0.0);
        for ((class, Optimum(mean, variance, _)), weight) in classes().zip(&self.0).zip(weights) {
            let slope = class.stiffness * difference.gap;
            let expected = slope * (mean - difference.middle);
            first += weight * expected;
            second += weight * (expected * expected + slope * slope * variance);
        }
        Nats {
            mean: first,
            variance: (second - first * first).max(0.0),
        }
    }

    /// It counted `seen`, a number with that much noise.
    pub(super) fn learn(&mut self, difference: Difference, seen: f64, noise: f64) {
        for (class, Optimum(mean, variance, evidence)) in classes().zip(&mut self.0) {
            let slope = class.stiffness * difference.gap;
            let surprise = seen - slope * (*mean - difference.middle);
            let total = slope * slope * *variance + noise;
            *evidence -= 0.5 * (surprise * surprise / total + libm::log(total / noise));
            let gain = *variance * slope / total;
            *mean += gain * surprise;
            *variance -= gain * slope * *variance;
        }
    }

    /// What was learned elsewhere is worth less: variances grow, but not above what they began with.
    pub(super) fn loosen(&mut self, by: f64) {
        for (class, Optimum(_, variance, _)) in classes().zip(&mut self.0) {
            *variance = (*variance + by).min(class.reach * class.reach);
        }
    }

    /// Where the expected loss is least, and the standard deviation of the optimum around it.
    pub(super) fn best(&self, weights: &[f64]) -> (f64, f64) {
        let (mut sum, mut stiffness) = (0.0, 0.0);
        for ((class, Optimum(mean, ..)), weight) in classes().zip(&self.0).zip(weights) {
            sum += weight * class.stiffness * mean;
            stiffness += weight * class.stiffness;
        }
        let best = sum / stiffness;
        let apart = |(Optimum(mean, variance, _), weight): (&Optimum, &f64)| {
            weight * (variance + (mean - best) * (mean - best))
        };
        let variance: f64 = self.0.iter().zip(weights).map(apart).sum();
        (best, variance.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One class alone is a Kalman filter: by hand, h = 2.56, r = 0.3, gap 0.4, middle 0.5, seen 1 with noise 1.
    #[test]
    fn a_class_by_hand() {
        let mut belief = Belief::around(0.5);
        let difference = Difference {
            gap: 0.4,
            middle: 0.5,
        };
        belief.learn(difference, 1.0, 1.0);
        let slope: f64 = 2.56 * 0.4;
        let total = slope * slope * 0.09 + 1.0;
        let Optimum(mean, variance, evidence) = belief.0[4];
        assert!((mean - (0.5 + 0.09 * slope / total)).abs() < 1e-12, "{mean}");
        assert!((variance - 0.09 / total).abs() < 1e-12, "{variance}");
        assert!(
            (evidence + 0.5 * (1.0 / total + total.ln())).abs() < 1e-12,
            "{evidence}"
        );
    }

    /// A parameter that never decided a game is believed to be loose, one that always did to be stiff.
    #[test]
    fn evidence_tells_stiff_from_loose() {
        let difference = Difference {
            gap: 0.4,
            middle: 0.5,
        };
        let seen = |nats: f64| {
            let mut belief = Belief::around(0.5);
            (0..200).for_each(|_| belief.learn(difference, nats, 4.0));
            let weights = belief.weights(&Shares::expected(16));
            let stiffness: f64 = classes()
                .zip(&weights)
                .map(|(class, w)| class.stiffness * w)
                .sum();
            (stiffness, belief.best(&weights).0)
        };
        let ((loose, still), (stiff, moved)) = (seen(0.0), seen(2.0));
        assert!(loose < 1.0 && stiff > 4.0 * loose, "{loose} {stiff}");
        assert!((still - 0.5).abs() < 1e-9 && moved > 0.6, "{still} {moved}");
    }

    /// What is common among the parameters is learned from all of them.
    #[test]
    fn shares_follow_the_parameters() {
        let mut stiff = Belief::around(0.5);
        let difference = Difference {
            gap: 0.4,
            middle: 0.5,
        };
        (0..200).for_each(|_| stiff.learn(difference, 2.0, 4.0));
        let before = Shares::expected(50);
        let after = before.of(std::iter::repeat_n(&stiff, 50));
        let loosest = |shares: &Shares| shares.0.iter().step_by(STIFFNESSES.len()).sum::<f64>();
        assert!(loosest(&after) < 0.3 * loosest(&before), "{after:?}");
        assert!((after.0.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
