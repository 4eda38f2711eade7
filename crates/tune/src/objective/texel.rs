//! Texel's method: how well static scores predict results (Österlund's "Texel's Tuning Method", with log-loss).
//!
//! A position of a game that ended with `r` (1, ½, 0 for White) and has the static score `s` for White costs
//! −r ln p − (1 − r) ln(1 − p), p = 1 / (1 + e^(−s / K)). K is fitted once, to the vector that tuning starts from:
//! it belongs to the unit of the scores, and a vector may not gain by shrinking or stretching that unit.
//!
//! Every fifth group of positions is kept out of the fit and only reported on: a vector that has learned the positions by
//! heart is better on the others alone. With a *prior*, a parameter is expected within so large a share of its interval
//! from the start (one standard deviation): what few positions speak of stays where it was.
//!
//! The loss is a function of scores, and scores are linear in most parameters. So its derivatives is exact but for the score's
//! change with each parameter, which is a difference of two evaluations, exact where it is linear, and there the same
//! everywhere: it is taken once. The hessian is Gauss and Newton's. Sums are taken part by part in a fixed order: the number
//! of threads does not matter.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use vidmar_engine::Control;
use vidmar_eval::FullEvaluation;
use vidmar_optim::{Derivatives, Dimension, Kind, Space};

use super::samples::{Sample, Samples};
use crate::desk::spread;
use crate::parameters::{Candidate, Tunables};

/// Where parameters are expected.
struct Prior {
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

    /// Of every dimension with an expectation: its place, its distance from it and the variance.
    fn terms<'a>(&'a self, at: &'a [f64]) -> impl Iterator<Item = (usize, f64, f64)> + 'a {
        let all = self.expected.iter().zip(at).enumerate();
        all.filter(|(_, ((_, sd), _))| *sd > 0.0)
            .map(|(j, ((start, sd), x))| (j, x - start, sd * sd))
    }

    fn loss(&self, at: &[f64]) -> f64 {
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
pub struct Texel {
    samples: Samples,
    spread: f64,
    prior: Prior,
    linear: Mutex<Option<Arc<Linear>>>,
}

/// How scores change with the parameters at the start, which is how they change everywhere with those in which they
/// are linear.
struct Linear {
    /// The free dimensions it was taken for: the directions.
    free: Vec<usize>,
    /// By direction: whether scores are linear in it.
    holds: Vec<bool>,
    /// By position: its score at the start, and the directions that it changes with, in order.
    samples: Vec<(f64, Box<[Change]>)>,
}

/// A direction, and by how much a step of 1 along it changes a score.
type Change = (u32, f32);

/// Positions whose sums are taken together.
const PART: usize = 2_048;
/// So many positions are asked which parameters are linear.
const PROBED: usize = 8_192;

impl Texel {
    /// The positions with the spread that suits the start of the space.
    pub fn new(samples: Samples, tunables: &Tunables, prior: f64) -> Texel {
        Texel {
            spread: suiting_spread(&samples, tunables),
            prior: Prior::new(tunables.space(), prior),
            samples,
            linear: Mutex::new(None),
        }
    }

    /// Learns by other labels and another prior from now on; what is known of linear parameters stays.
    pub fn learn_by(&mut self, tunables: &Tunables, lambda: f64, prior: f64) {
        self.samples.label(lambda);
        self.spread = suiting_spread(&self.samples, tunables);
        self.prior = Prior::new(tunables.space(), prior);
    }

    /// Minus the mean log-loss, and what the prior takes away; more is better.
    pub fn value(&self, at: &[f64], candidate: &Candidate) -> f64 {
        let evaluation = FullEvaluation::new(&candidate.vector);
        let part = |part: &[Sample]| loss(scores(part, &evaluation), self.spread);
        let sum: f64 = self.samples.fitted.chunks(PART).map(part).sum();
        -(sum + self.prior.loss(at)) / self.samples.fitted.len() as f64
    }

    /// How well a candidate predicts results, those kept out among them.
    pub fn fit(&self, candidate: &Candidate) -> Fit {
        let evaluation = FullEvaluation::new(&candidate.vector);
        let mean = |samples: &[Sample], of: &dyn Fn(f64, f64) -> f64| {
            let sum: f64 = scores(samples, &evaluation)
                .map(|(score, result)| of(score, result))
                .sum();
            (!samples.is_empty()).then(|| sum / samples.len() as f64)
        };
        let log = |score: f64, result: f64| loss(std::iter::once((score, result)), self.spread);
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
        let judged = |samples: &[Sample]| -> Vec<(f64, f64)> {
            let score = |sample: &Sample| (evaluation.unrounded(&sample.position), sample.points);
            samples.iter().map(score).collect()
        };
        let Samples { fitted, kept_out, .. } = &self.samples;
        let spread = fitted_spread(&judged(fitted));
        let sum = loss(judged(kept_out).into_iter(), spread);
        (!kept_out.is_empty()).then(|| sum / kept_out.len() as f64)
    }

    /// Value, gradient and hessian at a vector of the space; none if it was stopped.
    pub fn derivatives(
        &self,
        tunables: &Tunables,
        at: &[f64],
        threads: usize,
        control: &Control,
    ) -> Option<Derivatives> {
        let linear = self.linear(tunables, threads, control)?;
        let here = FullEvaluation::new(&tunables.candidate(at).vector);
        let directions = directions(tunables, at);
        let sums = self.by_parts(threads, control, |first, part| {
            let fresh = changes(part, &here, &directions, |place| !linear.holds[place]);
            let known = &linear.samples[first..first + part.len()];
            let mut sums = Sums::new(directions.len());
            let mut all: Vec<Change> = Vec::new();
            for (((score, label), fresh), (_, known)) in scores(part, &here).zip(&fresh).zip(known) {
                all.clear();
                all.extend(known.iter().filter(|(place, _)| linear.holds[*place as usize]));
                all.extend(fresh);
                all.sort_unstable_by_key(|&(place, _)| place);
                sums.add_position(score, label, self.spread, &all);
            }
            sums
        });
        Some(self.whole(at, &sums?, &linear.free))
    }

    /// The same with every score taken for linear in all parameters: right near the start, and a hundred times faster.
    pub(crate) fn sketch(
        &self,
        tunables: &Tunables,
        threads: usize,
        control: &Control,
    ) -> Option<Sketch<'_>> {
        Some(Sketch {
            texel: self,
            start: tunables.space().start().to_vec(),
            linear: self.linear(tunables, threads, control)?,
        })
    }

    /// Something of every part of the fitted positions, in order, with the number of its first position; none if it was
    /// stopped.
    fn by_parts<T: Send>(
        &self,
        threads: usize,
        control: &Control,
        of: impl Fn(usize, &[Sample]) -> T + Sync,
    ) -> Option<Vec<T>> {
        let parts: Vec<&[Sample]> = self.samples.fitted.chunks(PART).collect();
        let mut found: Vec<Option<T>> = parts.iter().map(|_| None).collect();
        let spread_out: Result<(), Infallible> = spread(
            parts.len(),
            threads,
            control,
            |index| Some(of(index * PART, parts[index])),
            |index, one| {
                found[index] = Some(one);
                Ok(())
            },
            || Ok(()),
        );
        spread_out.unwrap_or_else(|never| match never {});
        found.into_iter().collect()
    }

    /// What is linear, taken once for the free dimensions as they are.
    fn linear(&self, tunables: &Tunables, threads: usize, control: &Control) -> Option<Arc<Linear>> {
        let free: Vec<usize> = tunables.space().free().collect();
        let known = self.linear.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(linear) = known.filter(|linear| linear.free == free) {
            return Some(linear);
        }
        let start = tunables.space().start();
        let holds = self.linear_directions(tunables, start);
        let here = FullEvaluation::new(&tunables.candidate(start).vector);
        let directions = directions(tunables, start);
        let parts = self.by_parts(threads, control, |_, part| {
            let changes = changes(part, &here, &directions, |_| true).into_iter();
            let scores = scores(part, &here).map(|(score, _)| score);
            scores.zip(changes.map(Vec::into_boxed_slice)).collect::<Vec<_>>()
        })?;
        let linear = Arc::new(Linear {
            free,
            holds,
            samples: parts.into_iter().flatten().collect(),
        });
        *self.linear.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&linear));
        Some(linear)
    }

    /// In which free dimensions scores are linear: they change by as much at the start as where all other parameters
    /// are different, in positions from all over.
    fn linear_directions(&self, tunables: &Tunables, start: &[f64]) -> Vec<bool> {
        let all = &self.samples.fitted;
        let part: Vec<&Sample> = all.iter().step_by(1 + all.len() / PROBED).collect();
        let mut elsewhere = start.to_vec();
        for j in tunables.space().free() {
            let dimension = &tunables.space().dimensions()[j];
            let third = match dimension.kind {
                Kind::Integer => (dimension.width() / 3.0).floor().max(1.0),
                Kind::Real => dimension.width() / 3.0,
            };
            elsewhere[j] += if start[j] + third <= dimension.max {
                third
            } else {
                -third
            };
        }
        let [here, there] = [start, &elsewhere].map(|at| {
            let base = FullEvaluation::new(&tunables.candidate(at).vector);
            let base: Vec<f64> = part
                .iter()
                .map(|sample| base.unrounded(&sample.position))
                .collect();
            let by_direction = directions(tunables, at).into_iter().map(|direction| {
                let change = |(sample, base): (&&Sample, &f64)| {
                    (direction.evaluation.unrounded(&sample.position) - base) / direction.step
                };
                part.iter().zip(&base).map(change).collect::<Vec<f64>>()
            });
            by_direction.collect::<Vec<_>>()
        });
        let same = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-6;
        here.iter()
            .zip(&there)
            .map(|(here, there)| here.iter().zip(there).all(same))
            .collect()
    }

    /// The sums over the parts, by free dimension, as the derivatives of a mean over the dimensions of the space.
    fn whole(&self, at: &[f64], parts: &[Sums], free: &[usize]) -> Derivatives {
        let mut sums = Sums::new(free.len());
        for part in parts {
            sums.add(part);
        }
        let (count, dimensions) = (self.samples.fitted.len() as f64, at.len());
        let row = |j: usize| j * (j + 1) / 2;
        let mut derivatives = Derivatives {
            value: -(sums.loss + self.prior.loss(at)) / count,
            gradient: vec![0.0; dimensions],
            hessian: vec![0.0; row(dimensions)],
        };
        for (place, &j) in free.iter().enumerate() {
            derivatives.gradient[j] = sums.gradient[place] / count;
            for (other, &k) in free[..=place].iter().enumerate() {
                derivatives.hessian[row(j) + k] = sums.hessian[row(place) + other] / count;
            }
        }
        for (j, off, variance) in self.prior.terms(at) {
            derivatives.gradient[j] -= off / variance / count;
            derivatives.hessian[row(j) + j] += 1.0 / variance / count;
        }
        derivatives
    }
}

/// Labelled positions with scores that are linear in all parameters.
pub(crate) struct Sketch<'a> {
    texel: &'a Texel,
    start: Vec<f64>,
    linear: Arc<Linear>,
}

impl Sketch<'_> {
    /// Like [`Texel::value`].
    pub(crate) fn value(&self, at: &[f64]) -> f64 {
        let moved = self.moved(at);
        let Texel { samples, prior, .. } = self.texel;
        let all = self.linear.samples.iter().zip(&samples.fitted);
        let judged = all.map(|(known, sample)| (score(known, &moved), sample.label));
        -(loss(judged, self.texel.spread) + prior.loss(at)) / samples.fitted.len() as f64
    }

    /// Like [`Texel::derivatives`].
    pub(crate) fn derivatives(&self, at: &[f64], threads: usize, control: &Control) -> Option<Derivatives> {
        let moved = self.moved(at);
        let sums = self.texel.by_parts(threads, control, |first, part| {
            let mut sums = Sums::new(moved.len());
            for (known, sample) in self.linear.samples[first..].iter().zip(part) {
                sums.add_position(score(known, &moved), sample.label, self.texel.spread, &known.1);
            }
            sums
        });
        Some(self.texel.whole(at, &sums?, &self.linear.free))
    }

    /// By direction: how far a vector is from the start.
    fn moved(&self, at: &[f64]) -> Vec<f64> {
        let free = self.linear.free.iter();
        free.map(|&j| at[j] - self.start[j]).collect()
    }
}

/// A score after moving so far along every direction.
fn score((start, changes): &(f64, Box<[Change]>), moved: &[f64]) -> f64 {
    let by = |&(place, by): &Change| moved[place as usize] * f64::from(by);
    start + changes.iter().map(by).sum::<f64>()
}

/// A small step along one dimension, inside its interval.
struct Direction {
    step: f64,
    evaluation: FullEvaluation,
}

impl Direction {
    fn new(tunables: &Tunables, at: &[f64], dimension: usize) -> Direction {
        let step = step(&tunables.space().dimensions()[dimension], at[dimension]);
        let mut moved = at.to_vec();
        moved[dimension] += step;
        Direction {
            step,
            evaluation: FullEvaluation::new(&tunables.candidate(&moved).vector),
        }
    }
}

/// A step along every free dimension.
fn directions(tunables: &Tunables, at: &[f64]) -> Vec<Direction> {
    let free = tunables.space().free();
    free.map(|dimension| Direction::new(tunables, at, dimension))
        .collect()
}

/// Of every position: the wanted directions that its score changes with, in order.
fn changes(
    part: &[Sample],
    here: &FullEvaluation,
    directions: &[Direction],
    is_wanted: impl Fn(usize) -> bool,
) -> Vec<Vec<Change>> {
    let base: Vec<f64> = scores(part, here).map(|(score, _)| score).collect();
    let mut changes: Vec<Vec<Change>> = vec![Vec::new(); part.len()];
    for (place, direction) in directions
        .iter()
        .enumerate()
        .filter(|(place, _)| is_wanted(*place))
    {
        let moved = scores(part, &direction.evaluation).zip(&base).zip(&mut changes);
        for (((there, _), score), changes) in moved {
            if there != *score {
                changes.push((place as u32, ((there - score) / direction.step) as f32));
            }
        }
    }
    changes
}

/// A tenth of the interval, for products of parameters are rounded; down where there is no room above.
fn step(dimension: &Dimension, at: f64) -> f64 {
    let tenth = dimension.width() / 10.0;
    let step = match dimension.kind {
        Kind::Integer => tenth.round().max(1.0),
        Kind::Real => tenth.max(f64::MIN_POSITIVE),
    };
    if at + step <= dimension.max { step } else { -step }
}

/// Sums over positions.
struct Sums {
    loss: f64,
    gradient: Vec<f64>,
    hessian: Vec<f64>,
}

impl Sums {
    fn new(directions: usize) -> Sums {
        Sums {
            loss: 0.0,
            gradient: vec![0.0; directions],
            hessian: vec![0.0; directions * (directions + 1) / 2],
        }
    }

    /// Adds a position with its score, its label and the directions that the score changes with, in order.
    fn add_position(&mut self, score: f64, label: f64, spread: f64, changes: &[Change]) {
        let expected = chance(score, spread);
        self.loss += loss(std::iter::once((score, label)), spread);
        let pull = (label - expected) / spread;
        let weight = expected * (1.0 - expected) / (spread * spread);
        for (at, &(j, by)) in changes.iter().enumerate() {
            let (row, by) = (j as usize * (j as usize + 1) / 2, f64::from(by));
            self.gradient[j as usize] += pull * by;
            for &(k, other) in &changes[..=at] {
                self.hessian[row + k as usize] += weight * by * f64::from(other);
            }
        }
    }

    fn add(&mut self, other: &Sums) {
        let add = |sums: &mut [f64], more: &[f64]| sums.iter_mut().zip(more).for_each(|(a, b)| *a += b);
        self.loss += other.loss;
        add(&mut self.gradient, &other.gradient);
        add(&mut self.hessian, &other.hessian);
    }
}

/// White's score and points of every sample.
fn scores<'a>(
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
    let judged: Vec<(f64, f64)> = scores(&samples.fitted, &start).collect();
    fitted_spread(&judged)
}

/// K for scores with results, by golden section: the loss has one minimum in it.
pub(super) fn fitted_spread(scores: &[(f64, f64)]) -> f64 {
    let at = |spread: f64| loss(scores.iter().copied(), spread);
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
fn loss(scores: impl Iterator<Item = (f64, f64)>, spread: f64) -> f64 {
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
    use crate::config::Config;

    /// By hand: p = 1/2 at a score of 0, so every result costs ln 2; a sure win costs nothing.
    #[test]
    fn loss_by_hand() {
        let two = std::f64::consts::LN_2;
        for result in [0.0, 0.5, 1.0] {
            assert!((loss([(0.0, result)].into_iter(), 100.0) - two).abs() < 1e-12);
        }
        assert!(loss([(100_000.0, 1.0)].into_iter(), 100.0) < 1e-12);
        assert!((loss([(100_000.0, 0.0)].into_iter(), 100.0) - 1000.0).abs() < 1e-9);
        // p = 1 / (1 + e^-1): -ln p = ln(1 + e^-1).
        assert!((loss([(100.0, 1.0)].into_iter(), 100.0) - (1.0 + (-1.0_f64).exp()).ln()).abs() < 1e-12);
    }

    /// Quiet positions with made-up results.
    fn samples() -> Samples {
        let mut samples = Samples::default();
        for (number, opening) in vidmar_formats::openings::built_in().iter().take(300).enumerate() {
            let mut position = opening.start.clone();
            opening.moves.iter().for_each(|&m| position.play(m));
            let mut walk = vidmar_rng::Rng::new(9, b"samples-", number as u64, 0);
            for _ in 0..12 {
                let moves = position.legal_moves();
                if let Some(&m) = walk.pick(&moves) {
                    position.play(m);
                }
            }
            samples.add(number as u64, position, walk.below(3) as f64 / 2.0);
        }
        samples
    }

    /// The derivatives against differences of the value itself, an outside opinion on all of its parts.
    #[test]
    fn slopes_are_those_of_the_value() {
        let parameters = Config::of_preset("no-knowledge").unwrap().parameters;
        let tunables = Tunables::new(&parameters, &[]).unwrap();
        let texel = Texel::new(samples(), &tunables, 0.3);
        assert_eq!(
            (texel.samples.fitted.len(), texel.samples.kept_out.len()),
            (240, 60)
        );
        let at: Vec<f64> = (0..16).map(|j| f64::from(80 + 25 * j)).collect();
        let value = |moved: &[(usize, f64)]| {
            let mut vector = at.clone();
            for &(j, by) in moved {
                vector[j] += by;
            }
            texel.value(&vector, &tunables.candidate(&vector))
        };
        let gradients = [1, 2, 8].map(|threads| {
            texel
                .derivatives(&tunables, &at, threads, &Control::new())
                .unwrap()
        });
        assert!(
            gradients[0] == gradients[1] && gradients[1] == gradients[2],
            "threads matter"
        );
        let derivatives = &gradients[0];
        assert!((derivatives.value - value(&[])).abs() < 1e-12);
        for j in 0..16 {
            let (up, down) = (value(&[(j, 2.0)]), value(&[(j, -2.0)]));
            let differenced = (up - down) / 4.0;
            let gradient = derivatives.gradient[j];
            assert!(
                (gradient - differenced).abs() < 1e-3 * gradient.abs().max(1e-5),
                "{j}: {gradient} {differenced}"
            );
            let bent = (2.0 * value(&[]) - up - down) / 4.0;
            let hessian = derivatives.hessian[j * (j + 1) / 2 + j];
            assert!(
                (hessian - bent).abs() < 0.02 * hessian.abs().max(1e-8),
                "{j}: {hessian} {bent}"
            );
        }
        // Piece values and mobility are linear, so the sketch is right everywhere.
        let sketch = texel.sketch(&tunables, 2, &Control::new()).unwrap();
        assert!((sketch.value(&at) - derivatives.value).abs() < 1e-6);
        let drawn = sketch.derivatives(&at, 2, &Control::new()).unwrap();
        assert!((drawn.value - derivatives.value).abs() < 1e-6);
        for (a, b) in drawn.gradient.iter().zip(&derivatives.gradient) {
            assert!((a - b).abs() < 1e-4 * b.abs().max(1e-5), "{a} {b}");
        }
        let mixed = |j: usize, k: usize| {
            let at = |a: f64, b: f64| value(&[(j, a), (k, b)]);
            -(at(3.0, 3.0) - at(3.0, -3.0) - at(-3.0, 3.0) + at(-3.0, -3.0)) / 36.0
        };
        for (j, k) in [(1, 0), (4, 2), (12, 7)] {
            let found = derivatives.hessian[j * (j + 1) / 2 + k];
            assert!(
                (found - mixed(j, k)).abs() < 0.02 * found.abs().max(1e-8),
                "{j} {k}"
            );
        }
    }
}
