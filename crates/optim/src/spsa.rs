//! SPSA, simultaneous perturbation stochastic approximation (Spall 1992), as Fishtest does it, and with gains that
//! need no tuning.
//!
//! Every step flips a coin per parameter and lets `theta + c flip` play `theta - c flip` in game pairs; theta then
//! moves by `R c (wins - losses) flip`. Fishtest's workers all hold the same theta while they play, and what they bring moves the
//! theta that there is by then; here that is a batch of `directions` independent perturbations, and a `lag`. What differs is how c and R fall over the N game pairs of the
//! budget ([`Gains`]):
//!
//! * *Fishtest*: `c_k = c_end (N / k)^gamma`, `R_k = r_end c_end² ((A + N) / (A + k))^alpha / c_k²`, A a share of N.
//!   The two ends are the user's to guess.
//! * *scaled*: a step of size R leaves noise behind that costs Elo in proportion to n R, but with more parameters there
//!   is also less time for each; R = rho / sqrt(n) serves both (fitted on the landscapes of this crate). The signal
//!   grows with c, and on a quadratic hill a large c costs nothing, since both sides lose the same; so c starts large,
//!   and falls because hills are quadratic only near their top. Both fall geometrically with the budget, and theta is
//!   averaged over the end of the run.
//!
//! A dimension may end with a perturbation and a learning rate of its own ([`Dimension::c_end`], [`Dimension::r_end`]), as the
//! lists of Fishtest and `OpenBench` give them; the schedule is then that of its own ends.
//!
//! Integer parameters: with a small `c` both sides round to the same vector and the games are wasted. `stochastic`
//! rounding takes the upper neighbour with the probability of the fraction, which keeps the expected difference.
//! With values instead of games, the better side of a direction counts as having won its pair.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report};
use crate::contest::Record;
use crate::method::{OwnGains, Searcher};
use crate::optimizer::{Budget, Context, Outcome, Round, Setup, SetupError};
use crate::perturbation;
use crate::protocol::Evidence;
use crate::purpose::Purpose;
use crate::space::{Dimension, Vector};

/// How reals become integers to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    /// To the nearest.
    Nearest,
    /// Up with the probability of the fraction.
    Stochastic,
}

/// How the perturbation c (a share of each interval) and the learning rate R change over the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "schedule", deny_unknown_fields)]
pub enum Gains {
    /// Power laws, given by where they end.
    Fishtest {
        /// The perturbation at the end.
        c_end: f64,
        /// The learning rate at the end.
        r_end: f64,
        /// How fast the step decays.
        alpha: f64,
        /// How fast the perturbation decays.
        gamma: f64,
        /// A as a share of N.
        stability: f64,
    },
    /// Both fall geometrically with the budget, and R falls with the n free dimensions: R = rho / sqrt(n).
    Scaled {
        /// The perturbation at the start.
        c_start: f64,
        /// The perturbation at the end.
        c_end: f64,
        /// rho at the start.
        rho_start: f64,
        /// rho at the end.
        rho_end: f64,
    },
}

impl Gains {
    /// c and R for game pair `k` of `n`.
    fn at(&self, k: f64, n: f64, degrees: usize) -> (f64, f64) {
        match *self {
            Self::Fishtest {
                c_end,
                r_end,
                alpha,
                gamma,
                stability,
            } => {
                let c = c_end * libm::pow(n / k, gamma);
                let a = stability * n;
                let step = r_end * c_end * c_end * libm::pow((a + n) / (a + k), alpha);
                (c, step / (c * c))
            }
            Self::Scaled {
                c_start,
                c_end,
                rho_start,
                rho_end,
            } => {
                let fall = |from: f64, to: f64| from * libm::pow(to / from, (k / n).min(1.0));
                (
                    fall(c_start, c_end),
                    fall(rho_start, rho_end) / (degrees as f64).sqrt(),
                )
            }
        }
    }

    /// The schedule of a dimension that has ends of its own.
    fn of(self, dimension: &Dimension) -> Self {
        let own = dimension.c_end.filter(|_| dimension.width() > 0.0);
        let own_share = own.map(|c| c / dimension.width());
        match self {
            Self::Fishtest {
                c_end,
                r_end,
                alpha,
                gamma,
                stability,
            } => Self::Fishtest {
                c_end: own_share.unwrap_or(c_end),
                r_end: dimension.r_end.unwrap_or(r_end),
                alpha,
                gamma,
                stability,
            },
            Self::Scaled {
                c_start,
                c_end,
                rho_start,
                rho_end,
            } => Self::Scaled {
                c_start: own_share.map_or(c_start, |own| own * c_start / c_end),
                c_end: own_share.unwrap_or(c_end),
                rho_start,
                rho_end,
            },
        }
    }

    fn check(&self) -> Result<(), SetupError> {
        let share = |name, c: f64| SetupError::unless(c > 0.0 && c <= 1.0, name, c, "above 0, at most 1");
        let rate = |name, r: f64| SetupError::unless(r >= 0.0 && r.is_finite(), name, r, "at least 0");
        match *self {
            Self::Fishtest {
                c_end,
                r_end,
                alpha,
                gamma,
                stability,
            } => {
                share("c_end", c_end)?;
                let rates = [
                    ("r_end", r_end),
                    ("alpha", alpha),
                    ("gamma", gamma),
                    ("stability", stability),
                ];
                rates.into_iter().try_for_each(|(name, value)| rate(name, value))
            }
            Self::Scaled {
                c_start,
                c_end,
                rho_start,
                rho_end,
            } => {
                share("c_start", c_start)?;
                share("c_end", c_end)?;
                let positive =
                    |name, r: f64| SetupError::unless(r > 0.0 && r.is_finite(), name, r, "above 0");
                positive("rho_start", rho_start)?;
                positive("rho_end", rho_end)
            }
        }
    }
}

/// The method's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Perturbation and learning rate.
    pub gains: Gains,
    /// Perturbations per batch.
    pub directions: usize,
    /// How many games may be without a result when a batch is planned: Fishtest's workers wait for nobody. 0: all are waited for.
    #[serde(default)]
    pub lag: u32,
    /// How reals become integers.
    pub rounding: Rounding,
    /// Share of the run, at its end, over which theta is averaged into what is handed over; 0 hands over theta.
    pub average: f64,
}

impl Settings {
    /// Fishtest's exponents; its customary `r_end` of 0.002 is for some hundred thousand games, this one for
    /// thousands.
    pub fn fishtest() -> Self {
        let gains = Gains::Fishtest {
            c_end: 0.1,
            r_end: 0.01,
            alpha: 0.602,
            gamma: 0.101,
            stability: 0.1,
        };
        Self {
            gains,
            directions: 8,
            lag: 0,
            rounding: Rounding::Stochastic,
            average: 0.0,
        }
    }

    /// Gains that need no tuning: set from the number of parameters and the budget; the end of the run is averaged.
    pub fn scaled() -> Self {
        let gains = Gains::Scaled {
            c_start: 0.2,
            c_end: 0.05,
            rho_start: 0.3,
            rho_end: 0.06,
        };
        Self {
            gains,
            average: 0.2,
            ..Self::fishtest()
        }
    }
}

/// The method's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spsa {
    settings: Settings,
    theta: Vector,
    /// Sum of the thetas averaged so far, and their number.
    sum: Vector,
    summed: u64,
    /// Sum of the squares of all steps: had every pair been decided by a coin, theta would have wandered as far as its root.
    wandered: Vector,
    generation: u64,
}

/// A game pair per direction is the unit; values count as one pair.
fn pairs_per_direction(setup: &Setup) -> f64 {
    match setup.evidence {
        Evidence::Games { games, .. } => f64::from(games) / 2.0,
        Evidence::Values { .. } | Evidence::Gradients => 1.0,
    }
}

impl Searcher for Spsa {
    type Settings = Settings;
    const PAIRS_GAMES: bool = true;

    fn plans_ahead(_: &Settings) -> bool {
        true
    }

    fn lag(settings: &Settings) -> u64 {
        settings.lag.into()
    }

    fn own_gains(settings: &Settings) -> OwnGains {
        OwnGains {
            c_end: true,
            r_end: matches!(settings.gains, Gains::Fishtest { .. }),
        }
    }

    fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
        SetupError::unless(
            settings.directions > 0,
            "directions",
            settings.directions,
            "at least 1",
        )?;
        SetupError::unless(
            (0.0..=1.0).contains(&settings.average),
            "average",
            settings.average,
            "0 to 1",
        )?;
        settings.gains.check()?;
        let theta = setup.space.start().to_vec();
        Ok(Self {
            settings,
            sum: vec![0.0; theta.len()],
            summed: 0,
            wandered: vec![0.0; theta.len()],
            theta,
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
        let gains = self.gains(context);
        let mut players = Vec::with_capacity(2 * self.settings.directions);
        for direction in 0..self.settings.directions {
            let flips = perturbation::flips(context, direction);
            let is_stochastic = self.settings.rounding == Rounding::Stochastic;
            let mut rounding = is_stochastic.then(|| context.rng(Purpose::Rounding, direction));
            for side in [1.0, -1.0] {
                let dimensions = context.space().dimensions().iter();
                let steps = flips.iter().zip(dimensions).zip(&gains);
                let steps = steps.map(|((flip, d), (c, _))| side * c * d.width() * flip);
                players.push(perturbation::player(
                    context,
                    &self.theta,
                    steps,
                    rounding.as_mut(),
                ));
            }
        }
        perturbation::duels(context, players, &self.theta)
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        let gains = self.gains(context);
        for (direction, duel) in outcome.verdict().duels.iter().enumerate() {
            let net = if context.is_valued() {
                2.0 * duel.net()
            } else {
                duel.net()
            };
            let flips = perturbation::flips(context, direction);
            for ((((x, wandered), flip), d), (c, rate)) in self
                .theta
                .iter_mut()
                .zip(&mut self.wandered)
                .zip(&flips)
                .zip(context.space().dimensions())
                .zip(&gains)
            {
                let step = rate * c * d.width() * net * flip;
                *x += step;
                *wandered += step * step;
            }
        }
        // A parameter that is pushed against its bound stays there.
        context
            .space()
            .confine(&mut self.theta, crate::space::Repair::Clamp);
        self.generation += 1;
        if self.settings.average > 0.0 && context.progress >= 1.0 - self.settings.average {
            self.sum
                .iter_mut()
                .zip(&self.theta)
                .for_each(|(sum, x)| *sum += x);
            self.summed += 1;
        }
    }

    fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool {
        [&self.theta, &self.sum, &self.wandered].into_iter().all(wide)
            && open.is_none_or(|duels| duels >= self.settings.directions)
    }

    fn report(&self, context: &Context<'_>) -> Report {
        Report {
            by_efficiency: None,
            by_rating: None,
            by_value: None,
            centroid: context.settled(&self.handed()),
        }
    }

    fn population(&self, context: &Context<'_>) -> Vec<Champion> {
        vec![Champion::new(context.settled(&self.handed()), Record::default())]
    }

    fn finalists(&self, context: &Context<'_>, _: usize) -> Vec<Champion> {
        self.population(context)
    }

    fn chance(&self) -> Option<Vector> {
        Some(self.wandered.iter().map(|squares| squares.sqrt()).collect())
    }

    fn respace(&mut self, context: &Context<'_>) {
        context.confine(&mut self.theta);
        self.sum.fill(0.0);
        self.summed = 0;
    }
}

impl Spsa {
    /// The average, once it has begun.
    fn handed(&self) -> Vector {
        if self.summed == 0 {
            return self.theta.clone();
        }
        self.sum.iter().map(|sum| sum / self.summed as f64).collect()
    }

    /// c and R of every dimension in a round: the same whether it is planned or learned from, however late.
    fn gains(&self, context: &Context<'_>) -> Vec<(f64, f64)> {
        let (gains, space) = (self.settings.gains, context.space());
        let planned = self.planned(context);
        let each = self.settings.directions as f64 * pairs_per_direction(context.setup);
        let pairs = context.round as f64 * each;
        let now = |gains: Gains| gains.at(pairs + 1.0, planned, space.degrees());
        let common = now(gains);
        let of = |d: &Dimension| match (d.c_end, d.r_end) {
            (None, None) => common,
            _ => now(gains.of(d)),
        };
        space.dimensions().iter().map(of).collect()
    }

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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// n = 4: from c = 0.2, R = 3 / 2 to c = 0.05, R = 0.03 / 2; halfway the geometric means 0.1 and 0.3 / 2.
    #[test]
    fn scaled_gains_by_hand() {
        let gains = Gains::Scaled {
            c_start: 0.2,
            c_end: 0.05,
            rho_start: 3.0,
            rho_end: 0.03,
        };
        for (k, c, r) in [
            (0.0, 0.2, 1.5),
            (50.0, 0.1, 0.15),
            (100.0, 0.05, 0.015),
            (900.0, 0.05, 0.015),
        ] {
            let found = gains.at(k, 100.0, 4);
            assert!(
                (found.0 - c).abs() < 1e-12 && (found.1 - r).abs() < 1e-12,
                "{k}: {found:?}"
            );
        }
    }

    /// Of the ends that a dimension has of its own the same laws lead to them: at k = N to 8 of 40 and 0.005.
    #[test]
    fn a_dimension_ends_where_it_says() {
        let own = Dimension {
            c_end: Some(8.0),
            r_end: Some(0.005),
            ..Dimension::integer("Weight", 0, 40)
        };
        let fishtest = Settings::fishtest().gains;
        let (c, r) = fishtest.of(&own).at(5000.0, 5000.0, 3);
        assert!((c - 0.2).abs() < 1e-12 && (r - 0.005).abs() < 1e-12, "{c} {r}");
        let ((c, r), (usual_c, usual_r)) = (
            fishtest.of(&own).at(500.0, 5000.0, 3),
            fishtest.at(500.0, 5000.0, 3),
        );
        assert!(
            (c / usual_c - 2.0).abs() < 1e-12 && (r / usual_r - 0.5).abs() < 1e-12,
            "{c} {r}"
        );
        let scaled = Settings::scaled().gains;
        for k in [0.0, 2500.0, 5000.0] {
            let ((c, r), usual) = (scaled.of(&own).at(k, 5000.0, 4), scaled.at(k, 5000.0, 4));
            assert!((c / usual.0 - 4.0).abs() < 1e-12 && r == usual.1, "{k}: {c} {r}");
        }
    }

    /// At the end the schedules are what they were said to end at, and earlier they are larger.
    #[test]
    fn schedules_end_where_they_should() {
        let gains = Gains::Fishtest {
            c_end: 0.1,
            r_end: 0.002,
            alpha: 0.602,
            gamma: 0.101,
            stability: 0.1,
        };
        let (c, r) = gains.at(5000.0, 5000.0, 3);
        assert!((c - 0.1).abs() < 1e-12 && (r - 0.002).abs() < 1e-12, "{c} {r}");
        // k = 500 of N = 5000, A = 500: c = 0.1 * 10^0.101, R = 0.002 * 0.01 * 5.5^0.602 / c².
        let (c, r) = gains.at(500.0, 5000.0, 3);
        assert!((c - 0.1 * 10_f64.powf(0.101)).abs() < 1e-12, "{c}");
        assert!(
            (r - 0.002 * 0.01 * 5.5_f64.powf(0.602) / (c * c)).abs() < 1e-12,
            "{r}"
        );
    }
}
