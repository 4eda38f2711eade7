//! A small change of a vector, for the methods that walk: hill climbing and annealing.

use serde::{Deserialize, Serialize};

use crate::optimizer::{Context, SetupError};
use crate::space::{Kind, Vector};
use vidmar_rng::Rng;

/// How far and how wide a change reaches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neighbourhood {
    /// The largest change of a component at the start, as a share of its interval.
    pub step: f64,
    /// The same at the end of the budget.
    pub last_step: f64,
    /// The probability that a component changes; one always does.
    pub rate: f64,
}

impl Neighbourhood {
    pub(crate) fn check(&self) -> Result<(), SetupError> {
        for (name, share) in [("step", self.step), ("last_step", self.last_step)] {
            SetupError::unless(share > 0.0 && share <= 1.0, name, share, "above 0, at most 1")?;
        }
        SetupError::unless((0.0..=1.0).contains(&self.rate), "rate", self.rate, "0 to 1")
    }

    /// A settled vector near `from` and, unless the space allows no other, different from it.
    pub(crate) fn neighbour(&self, from: &[f64], context: &Context<'_>, rng: &mut Rng) -> Vector {
        let space = context.space();
        let free: Vec<usize> = space.free().collect();
        let step = self.step * libm::pow(self.last_step / self.step, context.progress);
        let mut vector = from.to_vec();
        let chosen = rng.index(free.len());
        for (place, &j) in free.iter().enumerate() {
            let (changes, by) = (rng.chance(self.rate), rng.uniform(-1.0, 1.0));
            if changes || place == chosen {
                vector[j] += step * space.dimensions()[j].width() * by;
            }
        }
        context.settle(&mut vector);
        if vector == from {
            // All changes were rounded away: one whole step, then.
            let j = free[chosen];
            let d = &space.dimensions()[j];
            if d.kind == Kind::Integer {
                let up = rng.sign() > 0.0;
                vector[j] += if (up && from[j] < d.max) || from[j] <= d.min {
                    1.0
                } else {
                    -1.0
                };
                context.settle(&mut vector);
            }
        }
        vector
    }
}
