//! The log-loss of predicted results.
//!
//! A position of a game that ended with `r` (1, ½, 0 for White) and has the static score `s` for White costs
//! −r ln p − (1 − r) ln(1 − p), p = 1 / (1 + e^(−s / K)). K is fitted once, to the vector that tuning starts from:
//! it belongs to the unit of the scores, and a vector may not gain by shrinking or stretching that unit.
//!
//! Every fifth group of positions is kept out of the fit and only reported on: a vector that has learned the positions by
//! heart is better on the others alone. With a *prior*, a parameter is expected within so large a share of its interval
//! from the start (one standard deviation): what few positions speak of stays where it was.

use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use vidmar_eval::FullEvaluation;
use vidmar_optim::Space;

use super::gradient::Linear;
use super::samples::{Sample, Samples};
use crate::parameters::{Candidate, Tunables};

/// Where parameters are expected.
pub(super) struct Prior {
    /// By dimension: the start, and one standard deviation; 0 for no expectation.
    expected: Vec<(f64, f64)>,
}

impl Prior {
    fn new(space: &Space, share: f64) -> Prior {
        let dimensions = space.dimensions().iter().zip(space.start());
        Prior {
            expected: dimensions.map(|(d, &start)| (start, share * d.width())).collect(),
        }
    }

    /// Of every dimension with an expectation: its index, its distance from it and the variance.
    pub(super) fn terms<'a>(&'a self, at: &'a [f64]) -> impl Iterator<Item = (usize, f64, f64)> + 'a {
        let all = self.expected.iter().zip(at).enumerate();
        all.filter(|(_, ((_, sd), _))| *sd > 0.0)
            .map(|(j, ((start, sd), x))| (j, x - start, sd * sd))
    }

    pub(super) fn loss(&self, at: &[f64]) -> f64 {
        self.terms(at)
            .map(|(_, off, variance)| off * off / (2.0 * variance))
            .sum()
    }
}

/// How well a vector predicts results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Positions that were fitted.
    pub positions: usize,
    /// Positions that were kept out.
    pub kept_out_positions: usize,
    /// Hundredths of a pawn that change the odds by the factor e.
    pub spread: f64,
    /// The mean log-loss of the fitted ones.
    pub loss: f64,
    /// The mean log-loss of those kept out, where there are such.
    pub kept_out_loss: Option<f64>,
    /// The mean squared difference between result and chance of the fitted ones.
    pub squared: f64,
    /// The same of those kept out.
    pub kept_out_squared: Option<f64>,
    /// The mean log-loss of the results of those kept out, whatever the labels are, with the spread that suits the
    /// results of the fitted ones: it can be compared between labels.
    #[serde(default)]
    pub kept_out_results: Option<f64>,
}

/// Labelled positions and the spread of scores.
pub(super) struct Loss {
    pub(super) samples: Samples,
    pub(super) spread: f64,
    pub(super) prior: Prior,
    /// Of every parameter of the fit that the start comes from: how far one standard deviation of it moves each dimension.
    pub(super) start_errors: Vec<Vec<f64>>,
    pub(super) linear: Mutex<Option<Arc<Linear>>>,
}

/// Positions whose sums are taken together.
pub(super) const PART: usize = 2_048;

impl Loss {
    /// The positions with the spread that suits the start of the space.
    pub(super) fn new(samples: Samples, tunables: &Tunables, prior: f64) -> Loss {
        Loss {
            spread: suiting_spread(&samples, tunables),
            prior: Prior::new(tunables.space(), prior),
            samples,
            start_errors: Vec::new(),
            linear: Mutex::new(None),
        }
    }

    /// Learns by other labels and another prior from now on; what is known of linear parameters stays.
    pub(super) fn learn_by(&mut self, tunables: &Tunables, lambda: f64, prior: f64) {
        self.samples.label(lambda);
        self.spread = suiting_spread(&self.samples, tunables);
        self.prior = Prior::new(tunables.space(), prior);
    }

    /// Minus the mean log-loss, and what the prior takes away; more is better.
    pub(super) fn value(&self, at: &[f64], candidate: &Candidate) -> f64 {
        let evaluation = FullEvaluation::new(&candidate.vector);
        let part = |part: &[Sample]| log_loss(scores(part, &evaluation), self.spread);
        let sum: f64 = self.samples.fitted.chunks(PART).map(part).sum();
        -(sum + self.prior.loss(at)) / self.samples.fitted.len() as f64
    }

    /// How well a candidate predicts results, those kept out among them.
    pub(super) fn fit(&self, candidate: &Candidate) -> Fit {
        let evaluation = FullEvaluation::new(&candidate.vector);
        let mean = |samples: &[Sample], of: &dyn Fn(f64, f64) -> f64| {
            let sum: f64 = scores(samples, &evaluation)
                .map(|(score, result)| of(score, result))
                .sum();
            (!samples.is_empty()).then(|| sum / samples.len() as f64)
        };
        let log = |score: f64, result: f64| log_loss(std::iter::once((score, result)), self.spread);
        let squared = |score: f64, result: f64| (result - chance(score, self.spread)).powi(2);
        let Samples { fitted, kept_out, .. } = &self.samples;
        Fit {
            positions: fitted.len(),
            kept_out_positions: kept_out.len(),
            spread: self.spread,
            loss: mean(fitted, &log).unwrap_or_default(),
            kept_out_loss: mean(kept_out, &log),
            squared: mean(fitted, &squared).unwrap_or_default(),
            kept_out_squared: mean(kept_out, &squared),
            kept_out_results: self.kept_out_results(candidate),
        }
    }

    /// See [`Fit::kept_out_results`].
    pub(super) fn kept_out_results(&self, candidate: &Candidate) -> Option<f64> {
        let evaluation = FullEvaluation::new(&candidate.vector);
        let scored = |samples: &[Sample]| -> Vec<(f64, f64)> {
            let score = |sample: &Sample| (evaluation.unrounded(&sample.position), sample.points);
            samples.iter().map(score).collect()
        };
        let Samples { fitted, kept_out, .. } = &self.samples;
        let spread = fitted_spread(&scored(fitted));
        let sum = log_loss(scored(kept_out).into_iter(), spread);
        (!kept_out.is_empty()).then(|| sum / kept_out.len() as f64)
    }
}

/// White's score and points of every sample.
pub(super) fn scores<'a>(
    samples: &'a [Sample],
    evaluation: &'a FullEvaluation,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    samples
        .iter()
        .map(|sample| (evaluation.unrounded(&sample.position), sample.label))
}

/// K for the start of the space.
fn suiting_spread(samples: &Samples, tunables: &Tunables) -> f64 {
    let start = FullEvaluation::new(&tunables.candidate(tunables.space().start()).vector);
    let scored: Vec<(f64, f64)> = scores(&samples.fitted, &start).collect();
    fitted_spread(&scored)
}

/// K for scores with results, by golden section: the loss has one minimum in it.
pub(super) fn fitted_spread(scores: &[(f64, f64)]) -> f64 {
    let at = |spread: f64| log_loss(scores.iter().copied(), spread);
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (20.0, 2000.0);
    while high - low > 0.01 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if at(a) < at(b) {
            high = b;
        } else {
            low = a;
        }
    }
    f64::midpoint(low, high)
}

/// White's chance.
pub(super) fn chance(score: f64, spread: f64) -> f64 {
    1.0 / (1.0 + (-score / spread).exp())
}

/// The sum over (score, result).
pub(super) fn log_loss(scores: impl Iterator<Item = (f64, f64)>, spread: f64) -> f64 {
    // ln(1 + e^x) without overflow.
    let softplus = |x: f64| if x > 30.0 { x } else { x.exp().ln_1p() };
    scores
        .map(|(score, result)| {
            let x = score / spread;
            result * softplus(-x) + (1.0 - result) * softplus(x)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: p = 1/2 at a score of 0, so every result costs ln 2; a sure win costs nothing.
    #[test]
    fn loss_by_hand() {
        let two = std::f64::consts::LN_2;
        for result in [0.0, 0.5, 1.0] {
            assert!((log_loss([(0.0, result)].into_iter(), 100.0) - two).abs() < 1e-12);
        }
        assert!(log_loss([(100_000.0, 1.0)].into_iter(), 100.0) < 1e-12);
        assert!((log_loss([(100_000.0, 0.0)].into_iter(), 100.0) - 1000.0).abs() < 1e-9);
        // p = 1 / (1 + e^-1): -ln p = ln(1 + e^-1).
        assert!((log_loss([(100.0, 1.0)].into_iter(), 100.0) - (1.0 + (-1.0_f64).exp()).ln()).abs() < 1e-12);
    }
}
