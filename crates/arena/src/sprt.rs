//! Wald's sequential test of two hypotheses about Elo: play until one of them is the better bet.
//!
//! The log-likelihood ratio (LLR) of "elo1" over "elo0" is taken at the distributions of results that fit the observed
//! counts best *given* each hypothesis, so nothing has to be assumed about draws (the generalised SPRT; Michel Van den
//! Bergh, "A practical introduction to the GSPRT" and "Comments on normalized Elo"). It is exact, not an expansion:
//!
//! * a hypothesis about the mean score s leads to pᵢ / (1 + x (aᵢ - s)), x from Σ pᵢ (aᵢ - s) / (1 + x (aᵢ - s)) = 0;
//! * one about normalised Elo fixes (mean - ½) / deviation, which is solved as a row of such problems.
//!
//! Counts of zero are taken as a thousandth, as fishtest does, so that no result is impossible.

use thiserror::Error;
use vidmar_text::named_enum;

use crate::estimate::{NORMALISED_UNIT, expected_score, moments};
use crate::tally::{Pairs, Tally};

named_enum! {
    /// What `elo0` and `elo1` are, by the names that match runners use.
    #[derive(Default)]
    pub enum SprtModel: "model";
    #[default]
    Normalised, "normalized", "Elo in units of the noise: tests of the same length whatever the draw ratio";
    Logistic, "logistic", "the usual logistic Elo";
    Bayesian, "bayesian", "`BayesElo` with the draw parameter of the sample; for games, not pairs";
}

/// The numbers make no test.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SprtError {
    /// Nothing lies between the hypotheses.
    #[error("elo0 is {elo0} and elo1 is {elo1}: expected elo0 below elo1")]
    Order {
        /// The lower hypothesis.
        elo0: f64,
        /// The upper one.
        elo1: f64,
    },
    /// Beyond what the test can be solved for.
    #[error("{name} is {value}: expected a number between -{LARGEST} and {LARGEST}")]
    Elo {
        /// Which.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// Not a chance of error.
    #[error("{name} is {value}: expected a number above 0 and below 0.5")]
    Chance {
        /// Which.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// Hypotheses further away than this are decided by a few games without any test.
const LARGEST: f64 = 200.0;

/// Which hypothesis won.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// "No better than `elo0`".
    H0,
    /// "At least `elo1`".
    H1,
}

/// A test.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: SprtModel,
}

impl Sprt {
    /// A test of `elo0` against `elo1` that accepts the second by mistake with chance `alpha` and the first with `beta`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: SprtModel) -> Result<Sprt, SprtError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-LARGEST..=LARGEST).contains(&value) {
                return Err(SprtError::Elo { name, value });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Chance { name, value });
            }
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// The hypotheses.
    pub const fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The chances of error.
    pub const fn errors(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// What the hypotheses are about.
    pub const fn model(&self) -> SprtModel {
        self.model
    }

    /// The LLR at which the first hypothesis is accepted, and that for the second.
    pub fn bounds(&self) -> (f64, f64) {
        (
            libm::log(self.beta / (1.0 - self.alpha)),
            libm::log((1.0 - self.beta) / self.alpha),
        )
    }

    /// The LLR of games without partners; 0 without games.
    pub fn of_games(&self, tally: &Tally) -> f64 {
        self.ratio(&tally.counts(), 1.0)
    }

    /// The LLR of pairs; 0 without pairs.
    pub fn of_pairs(&self, pairs: &Pairs) -> f64 {
        self.ratio(&pairs.0, 2.0)
    }

    /// What an LLR decides, if anything.
    pub fn decision(&self, ratio: f64) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        if ratio <= lower {
            Some(Decision::H0)
        } else if ratio >= upper {
            Some(Decision::H1)
        } else {
            None
        }
    }

    fn ratio(&self, counts: &[u64], games_each: f64) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts: Vec<f64> = counts
            .iter()
            .map(|&count| if count == 0 { 1e-3 } else { count as f64 })
            .collect();
        let total: f64 = counts.iter().sum();
        let observed: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let fitted = |elo: f64| match self.model {
            SprtModel::Normalised => fit_to_ratio(&observed, elo / NORMALISED_UNIT * games_each.sqrt()),
            SprtModel::Logistic => fit_to_mean(&observed, expected_score(elo)),
            SprtModel::Bayesian => fit_to_mean(&observed, bayesian_score(&observed, elo)),
        };
        match (fitted(self.elo0), fitted(self.elo1)) {
            (Some(zero), Some(one)) => {
                let sum: f64 = observed
                    .iter()
                    .zip(zero.iter().zip(&one))
                    .map(|(p, (p0, p1))| p * libm::log(p1 / p0))
                    .sum();
                total * sum
            }
            // A hypothesis that no distribution near the sample satisfies says nothing yet.
            _ => 0.0,
        }
    }
}

/// `BayesElo`'s expected score at the draw parameter that the sample itself has.
fn bayesian_score(observed: &[f64], elo: f64) -> f64 {
    let (loss, win) = (observed[0], observed[observed.len() - 1]);
    let draw_elo = 200.0 * libm::log10((1.0 - loss) / loss * (1.0 - win) / win);
    let wins = expected_score(elo - draw_elo);
    let losses = expected_score(-elo - draw_elo);
    wins + (1.0 - wins - losses) / 2.0
}

fn scores(count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |at| at as f64 / (count - 1) as f64)
}

/// The likeliest distribution with mean `s` on the usual scores.
fn fit_to_mean(observed: &[f64], s: f64) -> Option<Vec<f64>> {
    let values: Vec<f64> = scores(observed.len()).map(|score| score - s).collect();
    fit_to_zero(observed, &values)
}

/// The likeliest distribution under which `values` have mean 0; none if they all lie on one side of it.
fn fit_to_zero(observed: &[f64], values: &[f64]) -> Option<Vec<f64>> {
    let (least, most) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| {
            (low.min(v), high.max(v))
        });
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    // Falls from +∞ to -∞ between the ends, so halving the interval finds the root and nothing else.
    let derivative = |x: f64| -> f64 {
        observed
            .iter()
            .zip(values)
            .map(|(p, v)| p * v / (1.0 + x * v))
            .sum()
    };
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if derivative(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    Some(
        observed
            .iter()
            .zip(values)
            .map(|(p, v)| p / (1.0 + x * v))
            .collect(),
    )
}

/// The likeliest distribution with (mean - ½) / deviation equal to `ratio`: near any distribution the condition is, to
/// first order, one about a mean; solving that again and again comes to rest at the answer.
fn fit_to_ratio(observed: &[f64], ratio: f64) -> Option<Vec<f64>> {
    let mut fitted = vec![1.0 / observed.len() as f64; observed.len()];
    for _ in 0..100 {
        let (mean, variance) = moments(&fitted);
        let deviation = variance.sqrt();
        let values: Vec<f64> = scores(observed.len())
            .map(|score| score - 0.5 - ratio * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0)
            .collect();
        let next = fit_to_zero(observed, &values)?;
        let moved = fitted
            .iter()
            .zip(&next)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        fitted = next;
        if moved < 1e-12 {
            break;
        }
    }
    Some(fitted)
}

#[cfg(test)]
mod tests;
