//! Gradient and Hessian of the log-loss.
//!
//! The loss is a function of scores, and scores are linear in most parameters. So its gradient is exact but for the score's
//! change with each parameter, which is a difference of two evaluations, exact where it is linear, and there the same
//! everywhere: it is taken once. The Hessian is Gauss and Newton's. Sums are taken part by part in a fixed order: the number
//! of threads does not matter.

use std::sync::{Arc, PoisonError};

use vidmar_engine::Control;
use vidmar_eval::FullEvaluation;
use vidmar_optim::{Derivatives, Dimension, Kind};
use vidmar_rating::regression::grouped_errors;

use super::loss::{Loss, PART, chance, log_loss, scores};
use super::samples::Sample;
use crate::parallel;
use crate::parameters::Tunables;

/// How scores change with the parameters at the start, which is how they change everywhere with those in which they
/// are linear.
pub(super) struct Linear {
    /// The free dimensions it was taken for: the directions.
    free: Vec<usize>,
    /// By direction: whether scores are linear in it.
    holds: Vec<bool>,
    /// By position: its score at the start, and the directions that it changes with, in order.
    samples: Vec<(f64, Box<[Change]>)>,
}

/// A direction, and by how much a step of 1 along it changes a score.
type Change = (u32, f32);

/// So many positions are asked which parameters are linear.
const PROBED: usize = 8_192;

impl Loss {
    /// Value, gradient and Hessian at a vector of the space; none if it was stopped.
    pub(super) fn derivatives(
        &self,
        tunables: &Tunables,
        at: &[f64],
        threads: usize,
        control: &Control,
    ) -> Option<Derivatives> {
        let linear = self.linear(tunables, threads, control)?;
        let here = Here::new(tunables, at);
        let sums = self.by_parts(threads, control, |first, part| {
            let mut sums = Sums::new(here.directions.len());
            here.visit(&linear, first, part, |_, score, label, changes| {
                sums.add_position(score, label, self.spread, changes);
            });
            sums
        });
        Some(self.whole(at, &sums?, &linear.free))
    }

    /// One standard deviation of every dimension at the vector that fits best, from how much the games differ in what they
    /// want: positions of one game have its result in common. What no position speaks of may be anywhere in its interval;
    /// none if it was stopped.
    pub(super) fn errors(
        &self,
        tunables: &Tunables,
        at: &[f64],
        threads: usize,
        control: &Control,
    ) -> Option<Vec<f64>> {
        let linear = self.linear(tunables, threads, control)?;
        let here = Here::new(tunables, at);
        let groups = &self.samples.groups;
        let parts = self.by_parts(threads, control, |first, part| {
            let mut found: Vec<(usize, Vec<f64>)> = Vec::new();
            here.visit(&linear, first, part, |index, score, label, changes| {
                let group = groups.partition_point(|&begin| begin <= index);
                if found.last().is_none_or(|(last, _)| *last != group) {
                    found.push((group, vec![0.0; here.directions.len()]));
                }
                let pull = (label - chance(score, self.spread)) / self.spread;
                if let Some((_, sums)) = found.last_mut() {
                    for &(j, by) in changes {
                        sums[j as usize] += pull * f64::from(by);
                    }
                }
            });
            found
        })?;
        let mut by_group: Vec<(usize, Vec<f64>)> = Vec::new();
        for (group, sums) in parts.into_iter().flatten() {
            match by_group.last_mut() {
                Some((last, known)) if *last == group => {
                    known.iter_mut().zip(sums).for_each(|(a, b)| *a += b);
                }
                _ => by_group.push((group, sums)),
            }
        }
        let hessian = self.derivatives(tunables, at, threads, control)?.hessian;
        let count = self.samples.fitted.len() as f64;
        let of = |j: usize, k: usize| count * hessian[j * (j + 1) / 2 + k];
        let known: Vec<usize> = (0..linear.free.len())
            .filter(|&index| of(linear.free[index], linear.free[index]) > 0.0)
            .collect();
        let information: Vec<f64> = known
            .iter()
            .enumerate()
            .flat_map(|(row, &j)| known[..=row].iter().map(move |&k| (j, k)))
            .map(|(j, k)| of(linear.free[j], linear.free[k]))
            .collect();
        let of_games = by_group
            .into_iter()
            .map(|(_, sums)| known.iter().map(|&index| sums[index]).collect());
        // What is expected counts like one more game for each parameter: where it alone speaks, its deviation is the error.
        let expected = self.prior.terms(at).filter_map(|(j, _, variance)| {
            let wanted = known.iter().position(|&index| linear.free[index] == j)?;
            let mut gradient = vec![0.0; known.len()];
            gradient[wanted] = 1.0 / variance.sqrt();
            Some(gradient)
        });
        let gradients: Vec<Vec<f64>> = of_games.chain(expected).collect();
        let found = grouped_errors(&information, &gradients);
        // The start that is expected has errors too, from games that are among these: in the worst case both err alike.
        let wrong_starts: Vec<Vec<f64>> = self
            .start_errors
            .iter()
            .map(|moved| {
                let mut gradient = vec![0.0; known.len()];
                for (j, _, variance) in self.prior.terms(at) {
                    if let Some(wanted) = known.iter().position(|&index| linear.free[index] == j) {
                        gradient[wanted] = moved[j] / variance;
                    }
                }
                gradient
            })
            .collect();
        let of_start = grouped_errors(&information, &wrong_starts).unwrap_or_else(|| vec![0.0; known.len()]);
        let dimensions = tunables.space().dimensions();
        let mut errors: Vec<f64> = dimensions.iter().map(|d| d.width() / 12_f64.sqrt()).collect();
        for ((&index, error), of_start) in known.iter().zip(found.unwrap_or_default()).zip(of_start) {
            let j = linear.free[index];
            errors[j] = errors[j].min(error + of_start);
        }
        Some(errors)
    }

    /// The same with every score taken for linear in all parameters: right near the start, and a hundred times faster.
    pub(super) fn sketch(
        &self,
        tunables: &Tunables,
        threads: usize,
        control: &Control,
    ) -> Option<Sketch<'_>> {
        Some(Sketch {
            loss: self,
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
        let work = |index: usize| Some(of(index * PART, parts[index]));
        parallel::map(parts.len(), threads, control, work, || ())
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
        for (index, &j) in free.iter().enumerate() {
            derivatives.gradient[j] = sums.gradient[index] / count;
            for (other, &k) in free[..=index].iter().enumerate() {
                derivatives.hessian[row(j) + k] = sums.hessian[row(index) + other] / count;
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
pub(super) struct Sketch<'a> {
    loss: &'a Loss,
    start: Vec<f64>,
    linear: Arc<Linear>,
}

impl Sketch<'_> {
    /// Like [`Loss::value`].
    pub(super) fn value(&self, at: &[f64]) -> f64 {
        let moved = self.moved(at);
        let Loss { samples, prior, .. } = self.loss;
        let all = self.linear.samples.iter().zip(&samples.fitted);
        let scored = all.map(|(known, sample)| (score(known, &moved), sample.label));
        -(log_loss(scored, self.loss.spread) + prior.loss(at)) / samples.fitted.len() as f64
    }

    /// Like [`Loss::derivatives`].
    pub(super) fn derivatives(&self, at: &[f64], threads: usize, control: &Control) -> Option<Derivatives> {
        let moved = self.moved(at);
        let sums = self.loss.by_parts(threads, control, |first, part| {
            let mut sums = Sums::new(moved.len());
            for (known, sample) in self.linear.samples[first..].iter().zip(part) {
                sums.add_position(score(known, &moved), sample.label, self.loss.spread, &known.1);
            }
            sums
        });
        Some(self.loss.whole(at, &sums?, &self.linear.free))
    }

    /// By direction: how far a vector is from the start.
    fn moved(&self, at: &[f64]) -> Vec<f64> {
        let free = self.linear.free.iter();
        free.map(|&j| at[j] - self.start[j]).collect()
    }
}

/// A score after moving so far along every direction.
fn score((start, changes): &(f64, Box<[Change]>), moved: &[f64]) -> f64 {
    let by = |&(index, by): &Change| moved[index as usize] * f64::from(by);
    start + changes.iter().map(by).sum::<f64>()
}

/// A vector, and a small step along every free dimension.
struct Here {
    evaluation: FullEvaluation,
    directions: Vec<Direction>,
}

impl Here {
    fn new(tunables: &Tunables, at: &[f64]) -> Here {
        Here {
            evaluation: FullEvaluation::new(&tunables.candidate(at).vector),
            directions: directions(tunables, at),
        }
    }

    /// Hands every position of a part to `visit`: its number, score, label, and the directions that the score changes with,
    /// in order.
    fn visit(
        &self,
        linear: &Linear,
        first: usize,
        part: &[Sample],
        mut visit: impl FnMut(usize, f64, f64, &[Change]),
    ) {
        let fresh = changes(part, &self.evaluation, &self.directions, |index| {
            !linear.holds[index]
        });
        let known = &linear.samples[first..first + part.len()];
        let mut all: Vec<Change> = Vec::new();
        let positions = scores(part, &self.evaluation).zip(&fresh).zip(known).enumerate();
        for (index, (((score, label), fresh), (_, known))) in positions {
            all.clear();
            all.extend(known.iter().filter(|(index, _)| linear.holds[*index as usize]));
            all.extend(fresh);
            all.sort_unstable_by_key(|&(index, _)| index);
            visit(first + index, score, label, &all);
        }
    }
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
    for (index, direction) in directions
        .iter()
        .enumerate()
        .filter(|(index, _)| is_wanted(*index))
    {
        let moved = scores(part, &direction.evaluation).zip(&base).zip(&mut changes);
        for (((there, _), score), changes) in moved {
            if there != *score {
                changes.push((index as u32, ((there - score) / direction.step) as f32));
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
        self.loss += log_loss(std::iter::once((score, label)), spread);
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

#[cfg(test)]
mod tests {
    use super::super::samples::Samples;
    use super::*;
    use crate::config::Config;

    /// Quiet positions with made-up results.
    fn samples() -> Samples {
        let mut samples = Samples::default();
        for (number, opening) in vidmar_formats::openings::BuiltIn::Random
            .openings()
            .iter()
            .take(300)
            .enumerate()
        {
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
        let loss = Loss::new(samples(), &tunables, 0.3);
        assert_eq!(
            (loss.samples.fitted.len(), loss.samples.kept_out.len()),
            (240, 60)
        );
        let at: Vec<f64> = (0..16).map(|j| f64::from(80 + 25 * j)).collect();
        let value = |moved: &[(usize, f64)]| {
            let mut vector = at.clone();
            for &(j, by) in moved {
                vector[j] += by;
            }
            loss.value(&vector, &tunables.candidate(&vector))
        };
        let gradients = [1, 2, 8].map(|threads| {
            loss.derivatives(&tunables, &at, threads, &Control::new())
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
        let sketch = loss.sketch(&tunables, 2, &Control::new()).unwrap();
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
