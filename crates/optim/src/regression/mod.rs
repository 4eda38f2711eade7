//! Bayesian regression on all games: SPSA forgets a game after one step, this method none.
//!
//! *The model.* Strength is a sum over the parameters, each a parabola with a stiffness and an optimum, and games follow the logistic
//! (Bradley-Terry) model. A game of a against b then sees a number that is linear in every optimum, and for each of a few
//! stiffnesses (`belief`) a Kalman filter keeps mean and variance of where the optimum is. How common which stiffness is among
//! the parameters, and how far from the start their optima are, is learned from all of them (empirical Bayes): it is what tells a good start
//! from a poor one. Parameters are taken for independent given the games: to one the uncertainty of the others is noise. So a game
//! costs as many steps as there are parameters and classes, and so large is the state, however many games are played.
//!
//! *The games.* As in SPSA `point + c flip` plays `point − c flip`, flips being coins. Where strength is a sum of parabolas the games say the
//! more the larger c is; where it is not they mislead. So c is led by what can be measured whatever the truth: every
//! eighth direction a perturbed player meets the point itself, or the start in turn, and c is as large as it can be without losing more
//! than `cost` Elo to the point and half of that to the start. (The point alone would not do: one that has gone astray is easily met.
//! And as long as nothing is gained the smaller number holds, which is what a good start wants.)
//!
//! *The steps.* The point goes to where the expected loss is least, by at most `TRUST` of c for a batch: beyond where games were
//! played the model only guesses. Where it moves on steadily variances grow (`drift`), for hills are parabolas only nearby.
//!
//! Nothing follows a schedule: a run may be made longer, and be stopped at any time. With values instead of games, the better side of a
//! direction has won.

mod belief;

use serde::{Deserialize, Serialize};

use self::belief::{Belief, Difference, Nats, Shares};
use crate::champion::{Champion, Report};
use crate::contest::{DuelScore, Record};
use crate::method::Searcher;
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::perturbation;
use crate::purpose::Purpose;
use crate::space::{Dimension, Repair, Space, Vector};

/// The method's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Perturbations per batch.
    pub directions: usize,
    /// How many games may be without a result when a batch is planned; 0: all are waited for.
    #[serde(default)]
    pub lag: u32,
    /// How many Elo a perturbed player may lose to the point; to the start half of it.
    pub cost: f64,
    /// How fast what was learned elsewhere loses its worth as the point moves; 0: never.
    pub drift: f64,
}

impl Settings {
    /// Set by looking at the landscapes that `spsa-scaled` was set by.
    pub fn usual() -> Self {
        Self {
            directions: 8,
            lag: 0,
            cost: 350.0,
            drift: 1.0,
        }
    }
}

/// Elo in a nat.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// The perturbation at the start, at most and at least, in shares of the interval.
const FIRST_PERTURBATION: f64 = 0.1;
const MOST_PERTURBATION: f64 = 0.3;
const LEAST_PERTURBATION: f64 = 0.001;
/// Every so many directions a perturbed player meets the point or the start.
const PROBES: u64 = 8;
/// Their indices.
const POINT: usize = 0;
const START: usize = 1;
/// How much the logarithm of c changes for a point more or less than expected from such a game.
const CONTROL: f64 = 0.3;
/// How far the point goes in one batch, in perturbations.
const TRUST: f64 = 0.2;
/// How fast the place follows that the point is said to have moved away from.
const TRAIL: f64 = 0.06;
/// The logistic curve is nowhere taken to be flatter than this: a surprise in a game that was thought decided is no proof.
const LEAST_SLOPE: f64 = 0.2;
/// The variance of a game's result before there is one, how many pairs that counts for, and what it never falls below.
const USUAL_NOISE: f64 = 0.18;
const NOISE_PAIRS: f64 = 10.0;
const LEAST_NOISE: f64 = 0.03;

/// The method's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Regression {
    settings: Settings,
    point: Vector,
    /// Where the point was a while ago.
    trail: Vector,
    /// One per dimension, frozen or not, and the interval whose shares it counts in.
    beliefs: Vec<Belief>,
    intervals: Vec<(f64, f64)>,
    shares: Shares,
    /// How large the perturbation may be for the point's sake, and for the start's.
    bearable: [f64; 2],
    /// Sum over pairs of the variance of a result, and their number.
    noise: (f64, f64),
    generation: u64,
}

fn share(value: f64, d: &Dimension) -> f64 {
    if d.width() > 0.0 {
        (value - d.min) / d.width()
    } else {
        0.5
    }
}

fn interval(d: &Dimension) -> (f64, f64) {
    (d.min, d.max)
}

impl Searcher for Regression {
    type Settings = Settings;
    const PAIRS_GAMES: bool = true;

    fn lag(settings: &Settings) -> u64 {
        settings.lag.into()
    }

    fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
        let Settings {
            directions,
            cost,
            drift,
            ..
        } = settings;
        SetupError::unless(directions > 0, "directions", directions, "at least 1")?;
        SetupError::unless(
            cost > 0.0 && cost <= 2000.0,
            "cost",
            cost,
            "above 0, at most 2000",
        )?;
        SetupError::unless((0.0..=10.0).contains(&drift), "drift", drift, "0 to 10")?;
        let (point, dimensions) = (setup.space.start().to_vec(), setup.space.dimensions());
        Ok(Self {
            settings,
            beliefs: point
                .iter()
                .zip(dimensions)
                .map(|(&x, d)| Belief::around(share(x, d)))
                .collect(),
            intervals: dimensions.iter().map(interval).collect(),
            shares: Shares::expected(setup.space.degrees()),
            trail: point.clone(),
            point,
            bearable: [FIRST_PERTURBATION; 2],
            noise: (USUAL_NOISE * NOISE_PAIRS, NOISE_PAIRS),
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
        let (directions, c) = (self.settings.directions, self.perturbation());
        let mut players = Vec::with_capacity(2 * directions);
        for direction in 0..directions {
            let flips = perturbation::flips(context, direction);
            let mut rounding = context.rng(Purpose::Rounding, direction);
            let steps = |side: f64| {
                let widths = context.space().dimensions().iter().map(Dimension::width);
                let step = move |(flip, width): (&f64, f64)| side * c * width * flip;
                flips.iter().zip(widths).map(step)
            };
            let mut player =
                |side| perturbation::player(context, &self.point, steps(side), Some(&mut rounding));
            players.push(player(1.0));
            players.push(match self.probe(context, direction) {
                None => player(-1.0),
                Some(POINT) => player(0.0),
                Some(_) => context.settled(context.space().start()),
            });
        }
        perturbation::duels(context, players, &self.point)
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        let Outcome::Contest { verdict, batch, .. } = outcome else {
            unreachable!("ratings are never asked for")
        };
        let free: Vec<usize> = context.space().free().collect();
        let weights = self.weights(&free);
        for (direction, duel) in verdict.duels.iter().enumerate().take(self.settings.directions) {
            let sides = [2 * direction, 2 * direction + 1].map(|player| batch.players[player].as_slice());
            let probe = self.probe(context, direction);
            if let Some(opponent) = probe {
                self.lead(opponent, duel);
            }
            // The start may be far away, where the hill is another: what games with it say is not mixed with the rest.
            if probe != Some(START) {
                self.regress(context.space(), &free, &weights, sides, duel);
            }
        }
        // Twice: what is common follows from what each is taken for, and the other way round.
        for _ in 0..2 {
            self.shares = self.shares.of(free.iter().map(|&j| &self.beliefs[j]));
        }
        self.advance(context.space(), &free);
        self.generation += 1;
    }

    fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool {
        let dimensions = self.point.len();
        [&self.point, &self.trail].into_iter().all(wide)
            && self.beliefs.len() == dimensions
            && self.intervals.len() == dimensions
            && self.shares.is_whole()
            && self.beliefs.iter().all(Belief::is_whole)
            && open.is_none_or(|duels| duels >= self.settings.directions)
    }

    fn report(&self, context: &Context<'_>) -> Report {
        Report {
            by_efficiency: None,
            by_rating: None,
            by_value: None,
            centroid: context.settled(&self.point),
        }
    }

    fn population(&self, context: &Context<'_>) -> Vec<Champion> {
        vec![Champion::new(context.settled(&self.point), Record::default())]
    }

    fn finalists(&self, context: &Context<'_>, _: usize) -> Vec<Champion> {
        self.population(context)
    }

    fn errors(&self) -> Option<Vector> {
        let error = |(belief, (min, max)): (&Belief, &(f64, f64))| {
            belief.best(&belief.weights(&self.shares)).1 * (max - min)
        };
        Some(self.beliefs.iter().zip(&self.intervals).map(error).collect())
    }

    /// With another interval a parameter begins anew where it stands; all others keep what games have said of them.
    fn respace(&mut self, context: &Context<'_>) {
        context.confine(&mut self.point);
        for (j, d) in context.space().dimensions().iter().enumerate() {
            if self.intervals[j] != interval(d) {
                self.intervals[j] = interval(d);
                self.beliefs[j] = Belief::around(share(self.point[j], d));
            }
        }
        self.trail.clone_from(&self.point);
    }
}

impl Regression {
    /// Whom a perturbed player meets instead of its mirror image.
    fn probe(&self, context: &Context<'_>, direction: usize) -> Option<usize> {
        let number = context.round * self.settings.directions as u64 + direction as u64;
        let is_one = number.is_multiple_of(PROBES);
        is_one.then(|| {
            if (number / PROBES).is_multiple_of(2) {
                POINT
            } else {
                START
            }
        })
    }

    fn perturbation(&self) -> f64 {
        self.bearable[POINT].min(self.bearable[START])
    }

    /// The weights of the classes for every free dimension.
    fn weights(&self, free: &[usize]) -> Vec<Vec<f64>> {
        free.iter()
            .map(|&j| self.beliefs[j].weights(&self.shares))
            .collect()
    }

    /// Every free parameter learns from a duel; the uncertainty of all others is noise to it.
    fn regress(
        &mut self,
        space: &Space,
        free: &[usize],
        weights: &[Vec<f64>],
        [first, second]: [&[f64]; 2],
        duel: &DuelScore,
    ) {
        let games = f64::from(duel.wins + duel.draws + duel.losses);
        if games == 0.0 {
            return;
        }
        let score = (f64::from(duel.wins) + 0.5 * f64::from(duel.draws)) / games;
        let differ = |&j: &usize| {
            let d = &space.dimensions()[j];
            let (a, b) = (share(first[j], d), share(second[j], d));
            Difference {
                gap: a - b,
                middle: 0.5 * (a + b),
            }
        };
        let differences: Vec<Difference> = free.iter().map(differ).collect();
        let predict = |((&j, weights), &difference): ((&usize, &Vec<f64>), &Difference)| {
            self.beliefs[j].predict(weights, difference)
        };
        let parts: Vec<Nats> = free.iter().zip(weights).zip(&differences).map(predict).collect();
        let (mean, variance) = parts.iter().fold((0.0, 0.0), |(mean, variance), part| {
            (mean + part.mean, variance + part.variance)
        });

        let expected = 1.0 / (1.0 + libm::exp(-mean));
        let slope = (expected * (1.0 - expected)).max(LEAST_SLOPE);
        let surprise = score - expected;
        let noise = (self.noise.0 / self.noise.1).max(LEAST_NOISE);
        let unexplained = surprise * surprise - slope * slope * variance;
        self.noise.0 += (games * unexplained).max(0.0);
        self.noise.1 += 1.0;
        let (surprise, noise) = (surprise / slope, noise / (games * slope * slope));
        for ((&j, part), difference) in free.iter().zip(parts).zip(differences) {
            if difference.gap != 0.0 {
                let others = (variance - part.variance).max(0.0);
                self.beliefs[j].learn(difference, surprise + part.mean, noise + others);
            }
        }
    }

    /// Leads the perturbation by how a perturbed player did against one of the two.
    fn lead(&mut self, opponent: usize, duel: &DuelScore) {
        let games = f64::from(duel.wins + duel.draws + duel.losses);
        let points = f64::from(duel.wins) + 0.5 * f64::from(duel.draws);
        let cost = self.settings.cost * if opponent == START { 0.5 } else { 1.0 };
        let wanted = games / (1.0 + libm::exp(cost / ELO));
        // What is borne now says little of much more.
        let known = self.bearable[opponent].min(2.0 * self.perturbation());
        let led = known * libm::exp(CONTROL * (points - wanted));
        self.bearable[opponent] = led.clamp(LEAST_PERTURBATION, MOST_PERTURBATION);
    }

    /// Goes where the expected loss is least, as far as it is trusted, and loosens what was learned elsewhere.
    fn advance(&mut self, space: &Space, free: &[usize]) {
        let weights = self.weights(free);
        let trusted = TRUST * self.perturbation();
        let mut away = Vec::with_capacity(free.len());
        for (&j, weights) in free.iter().zip(&weights) {
            let d = &space.dimensions()[j];
            let here = share(self.point[j], d);
            let best = self.beliefs[j].best(weights).0;
            let there = best.clamp(here - trusted, here + trusted).clamp(0.0, 1.0);
            self.point[j] = d.min + there * d.width();
            let behind = there - share(self.trail[j], d);
            self.trail[j] += TRAIL * (self.point[j] - self.trail[j]);
            away.push(behind * behind);
        }
        space.confine(&mut self.point, Repair::Clamp);
        let all = away.iter().sum::<f64>() / free.len() as f64;
        for (&j, own) in free.iter().zip(away) {
            self.beliefs[j].loosen(self.settings.drift * TRAIL * (own + all));
        }
    }
}
