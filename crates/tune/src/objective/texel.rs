//! Texel's method: how well static scores foretell results (Österlund's "Texel's Tuning Method", with log-loss).
//!
//! A position of a game that ended with `r` (1, ½, 0 for White) and has the static score `s` for White costs
//! −r ln p − (1 − r) ln(1 − p), p = 1 / (1 + e^(−s / K)). K is fitted once, to the vector that tuning starts from:
//! it belongs to the unit of the scores, and a vector may not gain by shrinking or stretching that unit.
//!
//! Every fifth group of positions is kept out of the fit and only reported on: a vector that has learned the positions by
//! heart is better on the others alone. With a *prior*, a parameter is expected within so large a share of its interval
//! from the start (one standard deviation): what few positions speak of stays where it was.
//!
//! The loss is a function of scores, and scores are linear in most parameters. So its slope is exact but for the score's
//! change with each parameter, which is a difference of two evaluations, exact where it is linear, and there the same
//! everywhere: it is taken once. The curvature is Gauss and Newton's. Sums are taken part by part in a fixed order: the number
//! of threads does not matter.

use std::convert::Infallible;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use vidmar_chess::Position;
use vidmar_engine::Control;
use vidmar_eval::FullEvaluation;
use vidmar_formats::epd::Epd;
use vidmar_optim::{Dimension, Kind, Slope, Space};

use super::{PositionsError, records};
use crate::desk::spread;
use crate::parameters::{Candidate, Tunables};

struct Sample {
    position: Position,
    /// White's points in its game.
    points: f64,
    /// What is expected of them, as far as it is learned from.
    label: f64,
}

/// Labelled positions, some of them kept out.
#[derive(Default)]
pub struct Samples {
    fitted: Vec<Sample>,
    kept_out: Vec<Sample>,
}

/// One group of so many is kept out.
const KEPT_OUT: u64 = 5;
/// So many lines of a file are a group: neighbours are of the same game.
const GROUP: u64 = 1_000;

impl Samples {
    /// Reads records with the result as `c9 "1-0"`; positions in check are left out.
    pub fn read(path: &Path, most: usize) -> Result<Samples, PositionsError> {
        let mut samples = Samples::default();
        let mut lines = 0;
        records(path, most, |record: Epd| {
            let result = match record.text("c9") {
                Some("1-0") => 1.0,
                Some("1/2-1/2") => 0.5,
                Some("0-1") => 0.0,
                _ => return Err("expected c9 \"1-0\", \"1/2-1/2\" or \"0-1\"".into()),
            };
            lines += 1;
            let is_judged = !record.position.in_check();
            if is_judged {
                samples.add((lines - 1) / GROUP, record.position, result, result);
            }
            Ok(is_judged)
        })?;
        Ok(samples)
    }

    /// Adds a position with White's points and the label to learn from; those of a group are kept out or not together.
    pub fn add(&mut self, group: u64, position: Position, points: f64, label: f64) {
        let part = if group % KEPT_OUT == KEPT_OUT - 1 {
            &mut self.kept_out
        } else {
            &mut self.fitted
        };
        part.push(Sample {
            position,
            points,
            label,
        });
    }

    #[cfg(test)]
    pub(super) fn labels(&self) -> impl Iterator<Item = f64> {
        self.fitted
            .iter()
            .chain(&self.kept_out)
            .map(|sample| sample.label)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.fitted.len() + self.kept_out.len()
    }

    /// Whether nothing can be fitted.
    pub fn is_empty(&self) -> bool {
        self.fitted.is_empty()
    }
}

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

/// How well a vector foretells results.
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

/// How scores change with the parameters in which they are linear.
struct Linear {
    /// The free dimensions it was taken for.
    free: Vec<usize>,
    /// By direction: whether scores are linear in it.
    holds: Vec<bool>,
    /// By position: linear directions that its score changes with, in order.
    changes: Vec<Box<[Change]>>,
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
        let space = tunables.space();
        let start = FullEvaluation::new(&tunables.candidate(space.start()).vector);
        let judged: Vec<(f64, f64)> = scores(&samples.fitted, &start).collect();
        Texel {
            spread: fitted_spread(&judged),
            prior: Prior::new(space, prior),
            samples,
            linear: Mutex::new(None),
        }
    }

    /// Minus the mean log-loss, and what the prior takes away; more is better.
    pub fn value(&self, at: &[f64], candidate: &Candidate) -> f64 {
        let evaluation = FullEvaluation::new(&candidate.vector);
        let part = |part: &[Sample]| loss(scores(part, &evaluation), self.spread);
        let sum: f64 = self.samples.fitted.chunks(PART).map(part).sum();
        -(sum + self.prior.loss(at)) / self.samples.fitted.len() as f64
    }

    /// How well a candidate foretells results, those kept out among them.
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
        let Samples { fitted, kept_out } = &self.samples;
        Fit {
            positions: fitted.len(),
            kept_out_positions: kept_out.len(),
            spread: self.spread,
            loss: mean(fitted, &log).unwrap_or_default(),
            kept_out_loss: mean(kept_out, &log),
            squared: mean(fitted, &squared).unwrap_or_default(),
            kept_out_squared: mean(kept_out, &squared),
            kept_out_results: self.kept_out_results(&evaluation),
        }
    }

    fn kept_out_results(&self, evaluation: &FullEvaluation) -> Option<f64> {
        let judged = |samples: &[Sample]| -> Vec<(f64, f64)> {
            let score = |sample: &Sample| (evaluation.unrounded(&sample.position), sample.points);
            samples.iter().map(score).collect()
        };
        let Samples { fitted, kept_out } = &self.samples;
        let spread = fitted_spread(&judged(fitted));
        let sum = loss(judged(kept_out).into_iter(), spread);
        (!kept_out.is_empty()).then(|| sum / kept_out.len() as f64)
    }

    /// Value, gradient and curvature at a vector of the space; none if it was stopped.
    pub fn slope(&self, tunables: &Tunables, at: &[f64], threads: usize, control: &Control) -> Option<Slope> {
        let linear = self.linear(tunables, threads, control)?;
        let here = FullEvaluation::new(&tunables.candidate(at).vector);
        let directions = directions(tunables, at);
        let sums = self.by_parts(threads, control, |first, part| {
            let known = &linear.changes[first..first + part.len()];
            self.sums(part, &here, &directions, &linear.holds, known)
        });
        let mut total = Sums::new(directions.len());
        for part in &sums? {
            total.add(part);
        }
        Some(self.whole(at, &total, &directions))
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
            changes(part, &here, &directions, |place| holds[place])
                .into_iter()
                .map(Vec::into_boxed_slice)
                .collect::<Vec<_>>()
        })?;
        let linear = Arc::new(Linear {
            free,
            holds,
            changes: parts.into_iter().flatten().collect(),
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

    /// What a part of the positions adds.
    fn sums(
        &self,
        part: &[Sample],
        here: &FullEvaluation,
        directions: &[Direction],
        is_linear: &[bool],
        linear: &[Box<[Change]>],
    ) -> Sums {
        let base = scores(part, here);
        let fresh = changes(part, here, directions, |place| !is_linear[place]);
        let mut sums = Sums::new(directions.len());
        let mut all: Vec<Change> = Vec::new();
        for (((score, result), fresh), linear) in base.zip(&fresh).zip(linear) {
            all.clear();
            all.extend(fresh.iter().chain(linear));
            all.sort_unstable_by_key(|&(place, _)| place);
            let expected = chance(score, self.spread);
            sums.loss += loss(std::iter::once((score, result)), self.spread);
            let pull = (result - expected) / self.spread;
            let weight = expected * (1.0 - expected) / (self.spread * self.spread);
            for (at, &(j, by)) in all.iter().enumerate() {
                let (row, by) = (j as usize * (j as usize + 1) / 2, f64::from(by));
                sums.gradient[j as usize] += pull * by;
                for &(k, other) in &all[..=at] {
                    sums.curvature[row + k as usize] += weight * by * f64::from(other);
                }
            }
        }
        sums
    }

    /// The sums of all positions as the slope of a mean over the dimensions of the space.
    fn whole(&self, at: &[f64], sums: &Sums, directions: &[Direction]) -> Slope {
        let (count, dimensions) = (self.samples.fitted.len() as f64, at.len());
        let row = |j: usize| j * (j + 1) / 2;
        let mut slope = Slope {
            value: -(sums.loss + self.prior.loss(at)) / count,
            gradient: vec![0.0; dimensions],
            curvature: vec![0.0; row(dimensions)],
        };
        for (place, direction) in directions.iter().enumerate() {
            let j = direction.dimension;
            slope.gradient[j] = sums.gradient[place] / count;
            for (other, opposite) in directions[..=place].iter().enumerate() {
                slope.curvature[row(j) + opposite.dimension] = sums.curvature[row(place) + other] / count;
            }
        }
        for (j, off, variance) in self.prior.terms(at) {
            slope.gradient[j] -= off / variance / count;
            slope.curvature[row(j) + j] += 1.0 / variance / count;
        }
        slope
    }
}

/// A small step along one dimension, inside its interval.
struct Direction {
    dimension: usize,
    step: f64,
    evaluation: FullEvaluation,
}

impl Direction {
    fn new(tunables: &Tunables, at: &[f64], dimension: usize) -> Direction {
        let step = step(&tunables.space().dimensions()[dimension], at[dimension]);
        let mut moved = at.to_vec();
        moved[dimension] += step;
        Direction {
            dimension,
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
    curvature: Vec<f64>,
}

impl Sums {
    fn new(directions: usize) -> Sums {
        Sums {
            loss: 0.0,
            gradient: vec![0.0; directions],
            curvature: vec![0.0; directions * (directions + 1) / 2],
        }
    }

    fn add(&mut self, other: &Sums) {
        let add = |sums: &mut [f64], more: &[f64]| sums.iter_mut().zip(more).for_each(|(a, b)| *a += b);
        self.loss += other.loss;
        add(&mut self.gradient, &other.gradient);
        add(&mut self.curvature, &other.curvature);
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
            let mut walk = vidmar_players::Dice::new(9, b"samples-", number as u64, 0);
            for _ in 0..12 {
                let moves = position.legal_moves();
                if let Some(&m) = walk.pick(&moves) {
                    position.play(m);
                }
            }
            let points = walk.below(3) as f64 / 2.0;
            samples.add(number as u64, position, points, points);
        }
        samples
    }

    /// The slope against differences of the value itself, an outside opinion on all of its parts.
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
        let slopes = [1, 2, 8].map(|threads| texel.slope(&tunables, &at, threads, &Control::new()).unwrap());
        assert!(slopes[0] == slopes[1] && slopes[1] == slopes[2], "threads matter");
        let slope = &slopes[0];
        assert!((slope.value - value(&[])).abs() < 1e-12);
        for j in 0..16 {
            let (up, down) = (value(&[(j, 2.0)]), value(&[(j, -2.0)]));
            let differenced = (up - down) / 4.0;
            let gradient = slope.gradient[j];
            assert!(
                (gradient - differenced).abs() < 1e-3 * gradient.abs().max(1e-5),
                "{j}: {gradient} {differenced}"
            );
            let bent = (2.0 * value(&[]) - up - down) / 4.0;
            let curvature = slope.curvature[j * (j + 1) / 2 + j];
            assert!(
                (curvature - bent).abs() < 0.02 * curvature.abs().max(1e-8),
                "{j}: {curvature} {bent}"
            );
        }
        let mixed = |j: usize, k: usize| {
            let at = |a: f64, b: f64| value(&[(j, a), (k, b)]);
            -(at(3.0, 3.0) - at(3.0, -3.0) - at(-3.0, 3.0) + at(-3.0, -3.0)) / 36.0
        };
        for (j, k) in [(1, 0), (4, 2), (12, 7)] {
            let found = slope.curvature[j * (j + 1) / 2 + k];
            assert!(
                (found - mixed(j, k)).abs() < 0.02 * found.abs().max(1e-8),
                "{j} {k}"
            );
        }
    }
}
