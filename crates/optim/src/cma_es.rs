//! CMA-ES, covariance matrix adaptation (Hansen, "The CMA Evolution Strategy: A Tutorial", arXiv 1604.00772), full
//! and separable (Ros and Hansen, PPSN 2008: learning rates times (n + 2) / 3).
//!
//! The offspring play each other, and only their order counts, so the method needs no values. The mean is what it
//! hands over. Samples outside the box are repaired to play, while the strategy learns from the sample as drawn.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report};
use crate::contest::{Contest, Form, Subject};
use crate::covariance::Covariance;
use crate::method::Searcher;
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::purpose::Purpose;
use crate::space::{Space, Vector};

/// The method's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The first standard deviation, as a share of each interval.
    pub sigma: f64,
    /// Offspring per generation; without it 4 + ⌊3 ln n⌋.
    pub offspring: Option<usize>,
    /// Only variances are adapted.
    pub separable: bool,
}

impl Settings {
    /// The full matrix, with more offspring than usual: under noise many weak votes are worth more than few.
    pub fn full() -> Self {
        Self {
            sigma: 0.2,
            offspring: Some(40),
            separable: false,
        }
    }

    /// The diagonal alone.
    pub fn separable() -> Self {
        Self {
            separable: true,
            ..Self::full()
        }
    }
}

/// The strategy's constants, from the number of free dimensions and offspring (Hansen, table 1, positive weights).
struct Constants {
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// The expected length of a standard normal vector.
    chi: f64,
}

impl Constants {
    fn new(degrees: usize, offspring: usize, separable: bool) -> Self {
        let n = degrees as f64;
        let raw = |i: usize| libm::log(f64::midpoint(offspring as f64, 1.0)) - libm::log(i as f64);
        let weights: Vec<f64> = (1..=offspring / 2).map(raw).collect();
        let sum: f64 = weights.iter().sum();
        let weights: Vec<f64> = weights.iter().map(|w| w / sum).collect();
        let mu_eff = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let excess = (((mu_eff - 1.0) / (n + 1.0)).max(0.0).sqrt() - 1.0).max(0.0);
        let faster = if separable { (n + 2.0) / 3.0 } else { 1.0 };
        let c_1 = (faster * 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff)).min(0.5);
        let c_mu =
            (faster * 2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0) * (n + 2.0) + mu_eff)).min(1.0 - c_1);
        Self {
            mu_eff,
            c_sigma,
            d_sigma: 1.0 + 2.0 * excess + c_sigma,
            c_c: (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n),
            c_1,
            c_mu,
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            weights,
        }
    }
}

/// The method's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CmaEs {
    settings: Settings,
    mean: Vector,
    sigma: f64,
    covariance: Covariance,
    path_sigma: Vector,
    path_c: Vector,
    /// The standard normal draws behind the offspring that play.
    draws: Vec<Vector>,
    generation: u64,
}

impl Searcher for CmaEs {
    type Settings = Settings;

    fn is_slow(settings: &Settings) -> bool {
        !settings.separable
    }

    fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
        SetupError::unless(
            settings.sigma > 0.0 && settings.sigma <= 1.0,
            "sigma",
            settings.sigma,
            "above 0, at most 1",
        )?;
        if let Some(offspring) = settings.offspring {
            SetupError::unless(offspring >= 4, "offspring", offspring, "at least 4")?;
        }
        let space = &setup.space;
        let variances = space
            .dimensions()
            .iter()
            .map(|d| if d.frozen { 0.0 } else { d.width() * d.width() })
            .collect();
        Ok(Self {
            settings,
            mean: space.start().to_vec(),
            sigma: settings.sigma,
            covariance: Covariance::new(variances, settings.separable),
            path_sigma: vec![0.0; space.len()],
            path_c: vec![0.0; space.len()],
            draws: Vec::new(),
            generation: 0,
        })
    }

    fn settings(&self) -> Settings {
        self.settings
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn plan(&mut self, context: &Context<'_>) -> Round {
        let space = context.space();
        let factor = self.covariance.factor();
        let draw = |i| {
            let mut rng = context.rng(Purpose::Mutation, i);
            let draws = space
                .dimensions()
                .iter()
                .map(|d| if d.frozen { 0.0 } else { rng.normal() });
            draws.collect::<Vector>()
        };
        self.draws = (0..self.offspring(space)).map(draw).collect();
        let player = |z: &Vector| {
            let step = factor.shape(z);
            let x: Vector = self
                .mean
                .iter()
                .zip(&step)
                .map(|(m, y)| m + self.sigma * y)
                .collect();
            context.settled(&x)
        };
        let players: Vec<Vector> = self.draws.iter().map(player).collect();
        let pool: Vec<usize> = (0..players.len()).collect();
        let subjects = pool
            .iter()
            .map(|&player| Subject {
                player,
                avoids: player,
            })
            .collect();
        let known = vec![None; players.len()];
        Round::Contest(Contest {
            players,
            known,
            form: Form::Field { subjects, pool },
        })
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        let scores = &outcome.verdict().scores;
        let constants = Constants::new(
            context.space().degrees(),
            self.draws.len(),
            self.settings.separable,
        );
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        let draws = std::mem::take(&mut self.draws);
        let factor = self.covariance.factor();
        let best: Vec<&Vector> = order
            .iter()
            .take(constants.weights.len())
            .map(|&i| &draws[i])
            .collect();
        let steps: Vec<Vector> = best.iter().map(|z| factor.shape(z)).collect();
        let step = weighted(&constants.weights, steps.iter());
        let whitened = weighted(&constants.weights, best.iter().copied());
        self.move_mean(context, &step);
        self.adapt(&constants, &step, &whitened, &steps);
        self.generation += 1;
    }

    fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool {
        [&self.mean, &self.path_sigma, &self.path_c]
            .into_iter()
            .chain(&self.draws)
            .all(wide)
            && self.covariance.is_sound(self.mean.len(), self.settings.separable)
            && open.is_none_or(|evaluated| evaluated == self.draws.len())
    }

    fn report(&self, context: &Context<'_>) -> Report {
        Report {
            by_efficiency: None,
            by_rating: None,
            by_value: None,
            centroid: context.settled(&self.mean),
        }
    }

    fn population(&self, context: &Context<'_>) -> Vec<Champion> {
        vec![Champion {
            vector: context.settled(&self.mean),
            score: 0.0,
            games: 0,
        }]
    }

    fn finalists(&self, context: &Context<'_>, _: usize) -> Vec<Champion> {
        self.population(context)
    }

    fn respace(&mut self, context: &Context<'_>) {
        let n = context.space().len();
        for (j, d) in context.space().dimensions().iter().enumerate() {
            self.covariance
                .reset(j, n, d.frozen || d.width() == 0.0, d.width() * d.width());
            if d.frozen {
                self.path_sigma[j] = 0.0;
                self.path_c[j] = 0.0;
            }
        }
        context.confine(&mut self.mean);
    }
}

impl CmaEs {
    fn offspring(&self, space: &Space) -> usize {
        self.settings
            .offspring
            .unwrap_or(4 + (3.0 * libm::log(space.degrees() as f64)) as usize)
    }

    fn move_mean(&mut self, context: &Context<'_>, step: &[f64]) {
        self.mean
            .iter_mut()
            .zip(step)
            .for_each(|(m, y)| *m += self.sigma * y);
        // A mean outside its box would only wander further.
        context
            .space()
            .confine(&mut self.mean, crate::space::Repair::Clamp);
    }

    /// Paths, covariance and step size, from the step of the mean.
    fn adapt(&mut self, constants: &Constants, step: &[f64], whitened: &[f64], steps: &[Vector]) {
        let Constants {
            mu_eff,
            c_sigma,
            d_sigma,
            c_c,
            c_1,
            c_mu,
            chi,
            ..
        } = *constants;
        let pull = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        self.path_sigma
            .iter_mut()
            .zip(whitened)
            .for_each(|(p, z)| *p = (1.0 - c_sigma) * *p + pull * z);
        let length = self.path_sigma.iter().map(|p| p * p).sum::<f64>().sqrt();
        let expected = (1.0 - libm::pow(1.0 - c_sigma, 2.0 * (self.generation + 1) as f64)).sqrt() * chi;
        let degrees = step.iter().filter(|y| **y != 0.0).count() as f64;
        // A long path means that sigma lags behind: the covariance then does not take it for a direction.
        let stalled = length / expected >= 1.4 + 2.0 / (degrees + 1.0);
        let pull = if stalled {
            0.0
        } else {
            (c_c * (2.0 - c_c) * mu_eff).sqrt()
        };
        self.path_c
            .iter_mut()
            .zip(step)
            .for_each(|(p, y)| *p = (1.0 - c_c) * *p + pull * y);
        let lost = if stalled { c_1 * c_c * (2.0 - c_c) } else { 0.0 };
        let weighted: Vec<(f64, &Vector)> = constants.weights.iter().map(|w| c_mu * w).zip(steps).collect();
        self.covariance
            .update(1.0 - c_1 - c_mu + lost, c_1, &self.path_c, &weighted);
        let growth = (c_sigma / d_sigma * (length / chi - 1.0)).min(1.0);
        // Noise can push sigma without end; nothing is gained beyond the box itself.
        self.sigma = (self.sigma * libm::exp(growth)).min(1.0);
    }
}

fn weighted<'a>(weights: &[f64], vectors: impl Iterator<Item = &'a Vector>) -> Vector {
    let mut sum: Vector = Vec::new();
    for (weight, vector) in weights.iter().zip(vectors) {
        sum.resize(vector.len(), 0.0);
        sum.iter_mut()
            .zip(vector)
            .for_each(|(total, value)| *total += weight * value);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// n = 10, ten offspring: numbers from the tutorial's formulas by hand.
    #[test]
    fn constants_by_hand() {
        let c = Constants::new(10, 10, false);
        let raw = [
            5.5_f64.ln(),
            (5.5_f64 / 2.0).ln(),
            (5.5_f64 / 3.0).ln(),
            (5.5_f64 / 4.0).ln(),
            1.1_f64.ln(),
        ];
        let sum: f64 = raw.iter().sum();
        assert!(
            c.weights
                .iter()
                .zip(raw)
                .all(|(w, r)| (w - r / sum).abs() < 1e-15)
        );
        assert!((c.mu_eff - 3.167_299_281).abs() < 1e-8, "{}", c.mu_eff);
        assert!((c.c_sigma - 5.167_299_281 / 18.167_299_281).abs() < 1e-9);
        assert!((c.c_1 - 2.0 / (11.3 * 11.3 + 3.167_299_281)).abs() < 1e-9);
        assert!((c.chi - 3.084_726_657).abs() < 1e-4, "{}", c.chi);
    }
}
