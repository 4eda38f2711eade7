//! Newton's method with bounds and damping (Levenberg 1944, Marquardt 1963), for values that come with slopes.
//!
//! Near a point the value is taken for a quadratic hill ([`Slope`]). The step to its top inside the intervals solves
//! `(C + damping diag C) d = g` coordinate by coordinate, each held in its interval (projected Gauss-Seidel: the matrix is
//! positive definite, so the sweeps converge). Where the new point is better it is taken and the damping falls; where
//! not, the hill was no such hill that far away, and the damping rises, which shortens the step and turns it towards
//! the gradient. When the step rounds to nothing the method is at rest.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report};
use crate::contest::{Contest, Form, Record, Subject};
use crate::method::Searcher;
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::protocol::{Answer, Evidence, Slope};
use crate::space::{Space, Vector};

/// The method's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The damping of the first step, as a share of the curvature.
    pub damping: f64,
}

impl Settings {
    /// Evaluations are nearly linear in their parameters: the first step may be bold.
    pub fn usual() -> Self {
        Self { damping: 0.01 }
    }
}

/// A step that was good makes the damping so much smaller, one that was bad so much larger.
const RELIEF: f64 = 0.2;
const ALARM: f64 = 8.0;
/// Beyond this a step is a ten-thousandth of what the curvature allows.
const MOST_DAMPING: f64 = 1e4;

/// The method's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Newton {
    settings: Settings,
    point: Vector,
    /// What is known at the point; nothing at first.
    slope: Option<Slope>,
    damping: f64,
    candidate: Vector,
    at_rest: bool,
    generation: u64,
}

impl Searcher for Newton {
    type Settings = Settings;

    fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
        SetupError::unless(
            setup.evidence == Evidence::Slopes,
            "method",
            "newton",
            "an objective whose values come with slopes for it",
        )?;
        SetupError::unless(
            settings.damping > 0.0 && settings.damping <= MOST_DAMPING,
            "damping",
            settings.damping,
            "above 0, at most 10000",
        )?;
        Ok(Self {
            settings,
            point: setup.space.start().to_vec(),
            slope: None,
            damping: settings.damping,
            candidate: Vec::new(),
            at_rest: false,
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
        self.candidate = match &self.slope {
            None => context.settled(&self.point),
            Some(slope) => self.next(context, slope),
        };
        Round::Contest(Contest {
            players: vec![self.candidate.clone()],
            known: vec![None],
            form: Form::Field {
                subjects: vec![Subject { player: 0, avoids: 0 }],
                pool: Vec::new(),
            },
        })
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        let Outcome::Contest { answers, .. } = outcome else {
            return;
        };
        let Some(Answer::Slope(found)) = answers.first() else {
            return;
        };
        match &self.slope {
            None => self.take(found.clone()),
            Some(here) if found.value > here.value => {
                self.damping *= RELIEF;
                self.take(found.clone());
                self.generation += 1;
            }
            Some(_) => {
                self.damping *= ALARM;
                self.generation += 1;
            }
        }
        self.at_rest = self.damping > MOST_DAMPING
            || self
                .slope
                .as_ref()
                .is_some_and(|slope| self.next(context, slope) == self.point);
    }

    fn report(&self, _: &Context<'_>) -> Report {
        Report {
            by_efficiency: None,
            by_rating: None,
            by_value: None,
            centroid: self.point.clone(),
        }
    }

    fn population(&self, _: &Context<'_>) -> Vec<Champion> {
        let told = |slope: &Slope| Record {
            games: 1,
            points: slope.value,
        };
        let record = self.slope.as_ref().map(told).unwrap_or_default();
        vec![Champion::new(self.point.clone(), record)]
    }

    fn finalists(&self, context: &Context<'_>, _: usize) -> Vec<Champion> {
        self.population(context)
    }

    fn respace(&mut self, context: &Context<'_>) {
        self.at_rest = false;
        let settled = context.settled(&self.point);
        if settled != self.point {
            self.point = settled;
            self.slope = None;
        }
    }

    fn is_at_rest(&self) -> bool {
        self.at_rest
    }
}

impl Newton {
    fn take(&mut self, slope: Slope) {
        self.point = std::mem::take(&mut self.candidate);
        self.slope = Some(slope);
    }

    fn next(&self, context: &Context<'_>, slope: &Slope) -> Vector {
        let step = step(context.space(), &self.point, slope, self.damping);
        let moved: Vector = self.point.iter().zip(&step).map(|(x, d)| x + d).collect();
        context.settled(&moved)
    }
}

/// Sweeps over the coordinates, and the share of its interval by which one must still move for another sweep.
const MOST_SWEEPS: usize = 2_000;
const REST: f64 = 1e-4;

/// The step to the top of the damped hill inside the intervals; frozen dimensions and those that nothing depends on stay.
fn step(space: &Space, point: &[f64], slope: &Slope, damping: f64) -> Vector {
    let at = |j: usize, k: usize| {
        let (row, column) = (j.max(k), j.min(k));
        slope.curvature[row * (row + 1) / 2 + column]
    };
    let free: Vec<usize> = space.free().filter(|&j| at(j, j) > 0.0).collect();
    let rows: Vec<Vec<f64>> = free
        .iter()
        .map(|&j| free.iter().map(|&k| at(j, k)).collect())
        .collect();
    let mut step = vec![0.0; free.len()];
    for _ in 0..MOST_SWEEPS {
        let mut largest = 0.0_f64;
        for (place, &j) in free.iter().enumerate() {
            let row = &rows[place];
            let pulled: f64 = row.iter().zip(&step).map(|(c, d)| c * d).sum();
            let own = row[place];
            let wanted = (slope.gradient[j] - pulled + own * step[place]) / (own * (1.0 + damping));
            let dimension = &space.dimensions()[j];
            let held = wanted.max(dimension.min - point[j]).min(dimension.max - point[j]);
            largest = largest.max((held - step[place]).abs() / dimension.width().max(f64::MIN_POSITIVE));
            step[place] = held;
        }
        if largest < REST {
            break;
        }
    }
    let mut whole = vec![0.0; point.len()];
    for (&j, d) in free.iter().zip(step) {
        whole[j] = d;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Dimension;

    /// By hand: g = (4, 6), C = ((2, 1), (1, 3)): the top is at (6/5, 8/5). With the first held at 1 the second is
    /// (6 - 1) / 3. Damped by 1 the diagonal is (4, 6): (18/23, 20/23).
    #[test]
    fn steps_by_hand() {
        let slope = Slope {
            value: 0.0,
            gradient: vec![4.0, 6.0],
            curvature: vec![2.0, 1.0, 3.0],
        };
        let space = |max: f64| {
            let dimensions = vec![Dimension::real("a", -9.0, max), Dimension::real("b", -9.0, 9.0)];
            Space::new(dimensions).unwrap()
        };
        let close = |found: Vector, expected: [f64; 2]| {
            let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.01);
            assert!(near, "{found:?} {expected:?}");
        };
        close(step(&space(9.0), &[0.0, 0.0], &slope, 0.0), [1.2, 1.6]);
        close(step(&space(1.0), &[0.0, 0.0], &slope, 0.0), [1.0, 5.0 / 3.0]);
        close(
            step(&space(9.0), &[0.0, 0.0], &slope, 1.0),
            [18.0 / 23.0, 20.0 / 23.0],
        );
    }
}
