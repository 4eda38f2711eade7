//! Declared relations between parameters, kept by repair: `rook >= bishop + pawn + 1`.
//!
//! A constraint says that one dimension is at least a linear form of others. Repair first raises the left side as
//! far as its interval allows, then lowers the right side, every term by the same share of what it can give. Where
//! constraints pull against each other that may not come to rest; then the vector is projected on one after the other
//! (both sides move, which converges), with room for rounding. What is still broken falls back to the space's
//! start, which is checked when the space is made. So a settled vector keeps its constraints, always.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::space::{Dimension, Kind, round_half_up};

/// `left >= sum of factor * dimension + margin`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// The dimension that must be large enough.
    pub left: String,
    /// The terms of the right side: dimension and factor.
    pub right: Vec<(String, f64)>,
    /// A constant on the right side.
    #[serde(default)]
    pub margin: f64,
}

impl Constraint {
    /// `left >= right[0] + right[1] + … + margin`.
    pub fn at_least(left: &str, right: &[&str], margin: f64) -> Self {
        Self {
            left: left.into(),
            right: right.iter().map(|&name| (name.into(), 1.0)).collect(),
            margin,
        }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} >= ", self.left)?;
        for (name, factor) in &self.right {
            if *factor == 1.0 {
                write!(f, "{name} + ")?;
            } else {
                write!(f, "{factor} {name} + ")?;
            }
        }
        write!(f, "{}", self.margin)
    }
}

/// Why a constraint cannot be part of a space.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ConstraintError {
    /// It names what does not exist.
    #[error("constraint {text:?} names the unknown dimension {name:?}")]
    Unknown {
        /// The constraint.
        text: String,
        /// The name.
        name: String,
    },
    /// A dimension is on both sides or twice on the right.
    #[error("constraint {text:?} uses dimension {name:?} twice")]
    Twice {
        /// The constraint.
        text: String,
        /// The name.
        name: String,
    },
    /// A factor or the margin is NaN or infinite.
    #[error("constraint {text:?} has a number that is not finite")]
    NotFinite {
        /// The constraint.
        text: String,
    },
    /// No vector that repair could find keeps it together with the others.
    #[error("constraint {text:?} cannot be kept inside the intervals and together with the others")]
    Impossible {
        /// The constraint.
        text: String,
    },
}

/// A constraint with names turned into indices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Linear {
    left: usize,
    right: Vec<(usize, f64)>,
    margin: f64,
}

impl Linear {
    fn target(&self, vector: &[f64]) -> f64 {
        self.margin
            + self
                .right
                .iter()
                .map(|&(k, factor)| factor * vector[k])
                .sum::<f64>()
    }

    /// Real dimensions get a crumb of tolerance: their sums are not exact.
    pub(crate) fn holds(&self, vector: &[f64]) -> bool {
        let target = self.target(vector);
        vector[self.left] >= target - 1e-9 * (1.0 + target.abs())
    }

    /// Raises the left side, then lowers the right one.
    fn lift(&self, dimensions: &[Dimension], vector: &mut [f64]) {
        let left = &dimensions[self.left];
        if !left.frozen {
            vector[self.left] = up(left, self.target(vector)).min(left.max).max(vector[self.left]);
        }
        let missing = self.target(vector) - vector[self.left];
        if missing <= 0.0 {
            return;
        }
        let floor = |k: usize, factor: f64| {
            if factor > 0.0 {
                dimensions[k].min
            } else {
                dimensions[k].max
            }
        };
        let give = |k: usize, factor: f64| {
            if dimensions[k].frozen {
                0.0
            } else {
                factor * (vector[k] - floor(k, factor))
            }
        };
        let available: f64 = self.right.iter().map(|&(k, factor)| give(k, factor)).sum();
        if available <= 0.0 {
            return;
        }
        let share = (missing / available).min(1.0);
        for &(k, factor) in &self.right {
            if !dimensions[k].frozen {
                let moved = vector[k] + share * (floor(k, factor) - vector[k]);
                let whole = if factor > 0.0 {
                    down(&dimensions[k], moved)
                } else {
                    up(&dimensions[k], moved)
                };
                vector[k] = whole.max(dimensions[k].min).min(dimensions[k].max);
            }
        }
    }

    /// Moves both sides the shortest way, inside their intervals, until rounding can no longer break the constraint.
    fn project(&self, dimensions: &[Dimension], vector: &mut [f64]) {
        let terms = || {
            self.right
                .iter()
                .map(|&(k, factor)| (k, -factor))
                .chain([(self.left, 1.0)])
        };
        let broken_by = |d: &Dimension, factor: f64| {
            if d.kind == Kind::Integer {
                factor.abs() / 2.0
            } else {
                0.0
            }
        };
        let room: f64 = terms().map(|(k, factor)| broken_by(&dimensions[k], factor)).sum();
        // A term that meets its bound leaves the rest of the way to the others.
        for _ in 0..=self.right.len() {
            let missing = self.target(vector) + room - vector[self.left];
            let movable = |&(k, factor): &(usize, f64)| {
                let d = &dimensions[k];
                !d.frozen
                    && if factor > 0.0 {
                        vector[k] < d.max
                    } else {
                        vector[k] > d.min
                    }
            };
            let moving: Vec<(usize, f64)> = terms().filter(movable).collect();
            let length: f64 = moving.iter().map(|(_, factor)| factor * factor).sum();
            if missing <= 0.0 || length <= 0.0 {
                return;
            }
            for (k, factor) in moving {
                vector[k] = (vector[k] + missing * factor / length)
                    .max(dimensions[k].min)
                    .min(dimensions[k].max);
            }
        }
    }
}

fn up(dimension: &Dimension, value: f64) -> f64 {
    if dimension.kind == Kind::Integer {
        value.ceil()
    } else {
        value
    }
}

fn down(dimension: &Dimension, value: f64) -> f64 {
    if dimension.kind == Kind::Integer {
        value.floor()
    } else {
        value
    }
}

/// Turns names into indices.
pub(crate) fn resolve(
    constraints: &[Constraint],
    dimensions: &[Dimension],
) -> Result<Vec<Linear>, ConstraintError> {
    let index = |text: &Constraint, name: &str| {
        let found = dimensions.iter().position(|d| d.name == name);
        found.ok_or_else(|| ConstraintError::Unknown {
            text: text.to_string(),
            name: name.into(),
        })
    };
    let mut resolved = Vec::new();
    for constraint in constraints {
        let left = index(constraint, &constraint.left)?;
        let mut right: Vec<(usize, f64)> = Vec::new();
        for (name, factor) in &constraint.right {
            let k = index(constraint, name)?;
            if k == left || right.iter().any(|&(other, _)| other == k) {
                return Err(ConstraintError::Twice {
                    text: constraint.to_string(),
                    name: name.clone(),
                });
            }
            right.push((k, *factor));
        }
        if !right
            .iter()
            .map(|&(_, factor)| factor)
            .chain([constraint.margin])
            .all(f64::is_finite)
        {
            return Err(ConstraintError::NotFinite {
                text: constraint.to_string(),
            });
        }
        resolved.push(Linear {
            left,
            right,
            margin: constraint.margin,
        });
    }
    Ok(resolved)
}

/// Repairs a vector inside its intervals; on failure says which constraint stayed broken.
pub(crate) fn enforce(
    constraints: &[Linear],
    dimensions: &[Dimension],
    vector: &mut [f64],
) -> Result<(), usize> {
    const LIFTS: usize = 8;
    const PROJECTIONS: usize = 200;
    let broken = |vector: &[f64]| constraints.iter().position(|c| !c.holds(vector));
    let lift = |vector: &mut [f64]| {
        for _ in 0..LIFTS {
            if broken(vector).is_none() {
                return;
            }
            for constraint in constraints
                .iter()
                .filter(|c| !c.holds(vector))
                .collect::<Vec<_>>()
            {
                constraint.lift(dimensions, vector);
            }
        }
    };
    lift(vector);
    if broken(vector).is_some() {
        for _ in 0..PROJECTIONS {
            for constraint in constraints {
                constraint.project(dimensions, vector);
            }
        }
        for (value, d) in vector
            .iter_mut()
            .zip(dimensions)
            .filter(|(_, d)| d.kind == Kind::Integer)
        {
            *value = round_half_up(*value).max(d.min).min(d.max);
        }
        lift(vector);
    }
    broken(vector).map_or(Ok(()), Err)
}
