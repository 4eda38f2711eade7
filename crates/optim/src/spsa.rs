//! SPSA, simultaneous perturbation stochastic approximation (Spall 1992), in the form of Fishtest.
//!
//! Every step flips a coin per parameter and lets `theta + c_k flip` play `theta - c_k flip` in game pairs; theta
//! then moves by `R_k c_k (wins - losses) flip`. The schedules are given by where they end:
//! `c_k = c_end (N / k)^gamma`, `R_k = r_end c_end² ((A + N) / (A + k))^alpha / c_k²`, where N counts the game pairs of
//! the budget and A is a share of it. Fishtest's workers all hold the same theta while they play; here that is a batch of
//! `directions` independent perturbations.
//!
//! Integer parameters: with a small `c` both sides round to the same vector and the games are wasted. `stochastic`
//! rounding takes the upper neighbour with the probability of the fraction, which keeps the expected difference.
//! With values instead of games, the better side of a direction counts as having won its pair.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report};
use crate::contest::{Contest, Form, Record};
use crate::method::Searcher;
use crate::optimizer::{Budget, Context, Outcome, Round, Setup, SetupError};
use crate::protocol::Evidence;
use crate::random::{Purpose, Stream};
use crate::space::{Kind, Vector};

/// How reals become integers to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    /// To the nearest.
    Nearest,
    /// Up with the probability of the fraction.
    Stochastic,
}

/// The method's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The perturbation at the end, as a share of each interval.
    pub c_end: f64,
    /// The learning rate at the end.
    pub r_end: f64,
    /// How fast the step decays.
    pub alpha: f64,
    /// How fast the perturbation decays.
    pub gamma: f64,
    /// A as a share of N.
    pub stability: f64,
    /// Perturbations per batch.
    pub directions: usize,
    /// How reals become integers.
    pub rounding: Rounding,
}

impl Settings {
    /// Fishtest's usual exponents and rates, a twentieth of each interval.
    pub fn usual() -> Self {
        Self {
            c_end: 0.05,
            r_end: 0.002,
            alpha: 0.602,
            gamma: 0.101,
            stability: 0.1,
            directions: 8,
            rounding: Rounding::Stochastic,
        }
    }

    /// `c_k` as a share of the interval, and `R_k`.
    fn schedule(&self, k: f64, n: f64) -> (f64, f64) {
        let c = self.c_end * libm::pow(n / k, self.gamma);
        let a = self.stability * n;
        let step = self.r_end * self.c_end * self.c_end * libm::pow((a + n) / (a + k), self.alpha);
        (c, step / (c * c))
    }
}

/// The method's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spsa {
    settings: Settings,
    theta: Vector,
    /// Game pairs played.
    pairs: f64,
    generation: u64,
}

/// A game pair per direction is the unit; values count as one pair.
fn pairs_per_direction(setup: &Setup) -> f64 {
    match setup.evidence {
        Evidence::Games { games, .. } => f64::from(games) / 2.0,
        Evidence::Values { .. } => 1.0,
    }
}

impl Searcher for Spsa {
    type Settings = Settings;

    fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
        SetupError::unless(
            settings.directions > 0,
            "directions",
            settings.directions,
            "at least 1",
        )?;
        SetupError::unless(
            settings.c_end > 0.0 && settings.c_end <= 1.0,
            "c_end",
            settings.c_end,
            "above 0, at most 1",
        )?;
        let exponents = [
            ("alpha", settings.alpha),
            ("gamma", settings.gamma),
            ("stability", settings.stability),
        ];
        for (name, value) in exponents.into_iter().chain([("r_end", settings.r_end)]) {
            SetupError::unless(value >= 0.0 && value.is_finite(), name, value, "at least 0")?;
        }
        Ok(Self {
            settings,
            theta: setup.space.start().to_vec(),
            pairs: 0.0,
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
        let (c, _) = self.settings.schedule(self.pairs + 1.0, self.planned(context));
        let mut players = Vec::with_capacity(2 * self.settings.directions);
        for direction in 0..self.settings.directions {
            let flips = flips(context, direction);
            let mut rounding = context.stream(Purpose::Rounding, direction);
            for side in [1.0, -1.0] {
                players.push(self.perturbed(context, &flips, side * c, &mut rounding));
            }
        }
        let known = vec![None; players.len()];
        let duels = (0..self.settings.directions)
            .map(|d| (2 * d, 2 * d + 1))
            .collect();
        Round::Contest(Contest {
            players,
            known,
            form: Form::Duels(duels),
        })
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        let (c, rate) = self.settings.schedule(self.pairs + 1.0, self.planned(context));
        for (direction, duel) in outcome.verdict().duels.iter().enumerate() {
            let net = if context.is_valued() {
                2.0 * duel.net()
            } else {
                duel.net()
            };
            let flips = flips(context, direction);
            for ((x, flip), d) in self
                .theta
                .iter_mut()
                .zip(&flips)
                .zip(context.space().dimensions())
            {
                *x += rate * c * d.width() * net * flip;
            }
        }
        // A parameter that is pushed against its bound stays there.
        context
            .space()
            .confine(&mut self.theta, crate::space::Repair::Clamp);
        self.pairs += self.settings.directions as f64 * pairs_per_direction(context.setup);
        self.generation += 1;
    }

    fn report(&self, context: &Context<'_>) -> Report {
        Report {
            by_efficiency: None,
            by_rating: None,
            by_value: None,
            centroid: context.settled(&self.theta),
        }
    }

    fn population(&self, context: &Context<'_>) -> Vec<Champion> {
        vec![Champion::new(context.settled(&self.theta), Record::default())]
    }

    fn finalists(&self, context: &Context<'_>) -> Vec<Champion> {
        self.population(context)
    }

    fn respace(&mut self, context: &Context<'_>) {
        context.confine(&mut self.theta);
    }
}

fn flips(context: &Context<'_>, direction: usize) -> Vector {
    let mut stream = context.stream(Purpose::Mutation, direction);
    context
        .space()
        .dimensions()
        .iter()
        .map(|_| stream.sign())
        .collect()
}

impl Spsa {
    /// N: the game pairs of the whole budget.
    fn planned(&self, context: &Context<'_>) -> f64 {
        let pairs = match context.setup.budget {
            Budget::Jobs(jobs) => jobs as f64 / 2.0,
            Budget::Generations(g) => {
                g as f64 * self.settings.directions as f64 * pairs_per_direction(context.setup)
            }
        };
        pairs.max(1.0)
    }

    fn perturbed(&self, context: &Context<'_>, flips: &[f64], c: f64, rounding: &mut Stream) -> Vector {
        let dimensions = context.space().dimensions();
        let mut vector: Vector = self
            .theta
            .iter()
            .zip(flips)
            .zip(dimensions)
            .map(|((x, flip), d)| x + c * d.width() * flip)
            .collect();
        context.space().confine(&mut vector, crate::space::Repair::Clamp);
        if self.settings.rounding == Rounding::Stochastic {
            for (x, d) in vector.iter_mut().zip(dimensions) {
                let luck = rounding.unit();
                if d.kind == Kind::Integer {
                    *x = (*x + luck).floor();
                }
            }
        }
        context.settle(&mut vector);
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the end the schedules are what they were said to end at, and earlier they are larger.
    #[test]
    fn schedules_end_where_they_should() {
        let settings = Settings {
            c_end: 0.1,
            r_end: 0.002,
            ..Settings::usual()
        };
        let (c, r) = settings.schedule(5000.0, 5000.0);
        assert!((c - 0.1).abs() < 1e-12 && (r - 0.002).abs() < 1e-12, "{c} {r}");
        // k = 500 of N = 5000, A = 500: c = 0.1 * 10^0.101, R = 0.002 * 0.01 * 5.5^0.602 / c².
        let (c, r) = settings.schedule(500.0, 5000.0);
        assert!((c - 0.1 * 10_f64.powf(0.101)).abs() < 1e-12, "{c}");
        assert!(
            (r - 0.002 * 0.01 * 5.5_f64.powf(0.602) / (c * c)).abs() < 1e-12,
            "{r}"
        );
    }
}
