//! Newton's method with bounds and damping (Levenberg 1944, Marquardt 1963), for values that come with gradients.
//!
//! Near a point the value is taken for a quadratic hill ([`Derivatives`]). The step to its top inside the intervals solves
//! `(C + damping diag C) d = g` coordinate by coordinate, each held in its interval (projected Gauss-Seidel: the matrix is
//! positive definite, so the sweeps converge). The hill is no such hill far away, so steps of several dampings, bold to
//! careful, are compared by their values, which cost little, and the derivatives are asked for only at the best. Where none is
//! better than the point, or better by next to nothing, the method is at rest.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report};
use crate::contest::{Contest, Form, Record, Subject};
use crate::method::Searcher;
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::protocol::{Answer, Derivatives, Evidence};
use crate::space::{Space, Vector};

/// The method's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The damping of the first step, as a share of the hessian.
    pub damping: f64,
}

impl Settings {
    /// Evaluations are nearly linear in their parameters: the first step may be bold.
    pub fn usual() -> Self {
        Self { damping: 0.01 }
    }
}

/// The dampings that are tried, as multiples of that of the last step.
const TRIED: [f64; 6] = [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0];
/// Beyond this a step is a millionth of what the hessian allows.
const MOST_DAMPING: f64 = 1e6;
/// A step that gains a smaller share of the value is the last.
const SMALLEST_GAIN: f64 = 1e-5;

/// The method's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Newton {
    settings: Settings,
    point: Vector,
    /// What is known at the point; nothing at first.
    derivatives: Option<Derivatives>,
    damping: f64,
    /// Where the derivatives are asked for next; nowhere while steps are compared.
    chosen: Option<Vector>,
    at_rest: bool,
    generation: u64,
}

impl Searcher for Newton {
    type Settings = Settings;
    const NEEDS_GRADIENTS: bool = true;

    fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
        SetupError::unless(
            setup.evidence == Evidence::Gradients,
            "method",
            "newton",
            "an objective whose values come with gradients for it",
        )?;
        SetupError::unless(
            settings.damping > 0.0 && settings.damping <= MOST_DAMPING,
            "damping",
            settings.damping,
            "above 0, at most 1000000",
        )?;
        Ok(Self {
            settings,
            point: setup.space.start().to_vec(),
            derivatives: None,
            damping: settings.damping,
            chosen: None,
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
        let players = match (&self.derivatives, &self.chosen) {
            (None, _) => vec![context.settled(&self.point)],
            (Some(_), Some(chosen)) => vec![chosen.clone()],
            (Some(derivatives), None) => {
                let steps = self.steps(context, derivatives).into_iter().map(|(_, step)| step);
                std::iter::once(self.point.clone()).chain(steps).collect()
            }
        };
        let subjects = (0..players.len()).map(|player| Subject {
            player,
            avoids: player,
        });
        Round::Contest(Contest {
            known: vec![None; players.len()],
            form: Form::Field {
                subjects: subjects.collect(),
                pool: Vec::new(),
            },
            players,
        })
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        let Outcome::Contest {
            verdict,
            batch,
            answers,
        } = outcome
        else {
            return;
        };
        if let Some(Answer::Derivatives(derivatives)) = answers.first() {
            self.generation += u64::from(self.derivatives.is_some());
            self.point.clone_from(&batch.players[0]);
            self.derivatives = Some(derivatives.clone());
            self.chosen = None;
            self.at_rest |= self.steps(context, derivatives).is_empty();
        } else if let Some(derivatives) = &self.derivatives {
            let steps = self.steps(context, derivatives);
            let (here, values) = (verdict.scores[0], &verdict.scores[1..]);
            let best = (0..values.len()).reduce(|best, k| if values[k] > values[best] { k } else { best });
            match best.filter(|&k| values[k] > here) {
                Some(k) => {
                    self.at_rest = values[k] - here < SMALLEST_GAIN * here.abs();
                    let (damping, step) = &steps[k];
                    self.damping = *damping;
                    self.chosen = Some(step.clone());
                }
                None => self.at_rest = true,
            }
        }
    }

    fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool {
        let n = self.point.len();
        let fits = |it: &Derivatives| wide(&it.gradient) && it.hessian.len() == n * (n + 1) / 2;
        wide(&self.point)
            && self.chosen.iter().all(wide)
            && self.derivatives.iter().all(fits)
            && open.is_none_or(|evaluated| evaluated > 0)
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
        let told = |derivatives: &Derivatives| Record {
            games: 1,
            points: derivatives.value,
        };
        let record = self.derivatives.as_ref().map(told).unwrap_or_default();
        vec![Champion::new(self.point.clone(), record)]
    }

    fn finalists(&self, context: &Context<'_>, _: usize) -> Vec<Champion> {
        self.population(context)
    }

    fn respace(&mut self, context: &Context<'_>) {
        self.at_rest = false;
        self.chosen = None;
        let settled = context.settled(&self.point);
        if settled != self.point {
            self.point = settled;
            self.derivatives = None;
        }
    }

    fn is_at_rest(&self) -> bool {
        self.at_rest
    }
}

impl Newton {
    /// The points that steps of several dampings lead to, all different and none the present one.
    fn steps(&self, context: &Context<'_>, derivatives: &Derivatives) -> Vec<(f64, Vector)> {
        let mut steps: Vec<(f64, Vector)> = Vec::new();
        for times in TRIED {
            let damping = (self.damping * times).min(MOST_DAMPING);
            let step = step(context.space(), &self.point, derivatives, damping);
            let moved: Vector = self.point.iter().zip(&step).map(|(x, d)| x + d).collect();
            let settled = context.settled(&moved);
            if settled != self.point && steps.iter().all(|(_, other)| *other != settled) {
                steps.push((damping, settled));
            }
        }
        steps
    }
}

/// Sweeps over the coordinates, and the share of its interval by which one must still move for another sweep.
const MOST_SWEEPS: usize = 2_000;
const REST: f64 = 1e-4;

/// The step to the top of the damped hill inside the intervals; frozen dimensions and those that nothing depends on stay.
fn step(space: &Space, point: &[f64], derivatives: &Derivatives, damping: f64) -> Vector {
    let at = |j: usize, k: usize| {
        let (row, column) = (j.max(k), j.min(k));
        derivatives.hessian[row * (row + 1) / 2 + column]
    };
    let free: Vec<usize> = space.free().filter(|&j| at(j, j) > 0.0).collect();
    let rows: Vec<Vec<f64>> = free
        .iter()
        .map(|&j| free.iter().map(|&k| at(j, k)).collect())
        .collect();
    let mut step = vec![0.0; free.len()];
    for _ in 0..MOST_SWEEPS {
        let mut largest = 0.0_f64;
        for (index, &j) in free.iter().enumerate() {
            let row = &rows[index];
            let pulled: f64 = row.iter().zip(&step).map(|(c, d)| c * d).sum();
            let own = row[index];
            let wanted = (derivatives.gradient[j] - pulled + own * step[index]) / (own * (1.0 + damping));
            let dimension = &space.dimensions()[j];
            let held = wanted.max(dimension.min - point[j]).min(dimension.max - point[j]);
            largest = largest.max((held - step[index]).abs() / dimension.width().max(f64::MIN_POSITIVE));
            step[index] = held;
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
        let derivatives = Derivatives {
            value: 0.0,
            gradient: vec![4.0, 6.0],
            hessian: vec![2.0, 1.0, 3.0],
        };
        let space = |max: f64| {
            let dimensions = vec![Dimension::real("a", -9.0, max), Dimension::real("b", -9.0, 9.0)];
            Space::new(dimensions).unwrap()
        };
        let close = |found: Vector, expected: [f64; 2]| {
            let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.01);
            assert!(near, "{found:?} {expected:?}");
        };
        close(step(&space(9.0), &[0.0, 0.0], &derivatives, 0.0), [1.2, 1.6]);
        close(
            step(&space(1.0), &[0.0, 0.0], &derivatives, 0.0),
            [1.0, 5.0 / 3.0],
        );
        close(
            step(&space(9.0), &[0.0, 0.0], &derivatives, 1.0),
            [18.0 / 23.0, 20.0 / 23.0],
        );
    }
}
