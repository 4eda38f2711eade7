//! Declared relations between parameters, kept by repair: `rook < bishop + 2 pawn`.
//!
//! A constraint says that one sum of dimensions is larger than another, or at least as large. Repair first raises the larger
//! side as far as its intervals allow, then lowers the other, every term by the same share of what it can give. Where
//! constraints pull against each other that may not come to rest; then the vector is projected on one after the other
//! (both sides move, which converges), with room for rounding. What is still broken falls back to the space's
//! start, which is checked when the space is made. So a settled vector keeps its constraints, always.
//!
//! *Larger* is the next whole step where all is whole; among real numbers it is a millionth of the intervals.

mod text;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use text::ConstraintTextError;

use crate::space::{Dimension, Kind, round_half_up};

/// `sum of larger > sum of smaller + margin`, or `>=`. As text: `2 rook >= bishop + knight - 10`, with any of `<`, `<=`, `>`, `>=`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// The side that must be large enough: dimension and factor of every term.
    pub larger: Vec<(String, f64)>,
    /// The other side.
    pub smaller: Vec<(String, f64)>,
    /// A constant on the other side.
    pub margin: f64,
    /// Whether the sides may not be equal.
    pub strict: bool,
}

impl Constraint {
    /// `larger >= smaller[0] + smaller[1] + … + margin`.
    pub fn at_least(larger: &str, smaller: &[&str], margin: f64) -> Self {
        Self {
            larger: vec![(larger.into(), 1.0)],
            smaller: smaller.iter().map(|&name| (name.into(), 1.0)).collect(),
            margin,
            strict: false,
        }
    }

    /// The names of both sides, the larger one's first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.larger
            .iter()
            .chain(&self.smaller)
            .map(|(name, _)| name.as_str())
    }

    /// The same relation between dimensions of other names.
    #[must_use]
    pub fn renamed(&self, other: impl Fn(&str) -> String) -> Self {
        let side = |terms: &[(String, f64)]| {
            terms
                .iter()
                .map(|(name, factor)| (other(name), *factor))
                .collect()
        };
        Self {
            larger: side(&self.larger),
            smaller: side(&self.smaller),
            ..*self
        }
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
    /// It relates one dimension to a number, or none.
    #[error("constraint {text:?} relates fewer than two dimensions: a bound of one is its interval")]
    NoRelation {
        /// The constraint.
        text: String,
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

impl ConstraintError {
    /// The same of a constraint as somebody wrote it, by the text that it has here.
    #[must_use]
    pub fn with_text<'a>(mut self, written: impl Fn(&str) -> Option<&'a str>) -> Self {
        let (Self::Unknown { text, .. }
        | Self::NoRelation { text }
        | Self::NotFinite { text }
        | Self::Impossible { text }) = &mut self;
        if let Some(written) = written(text) {
            written.clone_into(text);
        }
        self
    }
}

/// `sum of larger >= sum of smaller + margin` with indices for names: every dimension once, every factor above 0.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Linear {
    larger: Vec<(usize, f64)>,
    smaller: Vec<(usize, f64)>,
    margin: f64,
}

fn sum(terms: &[(usize, f64)], vector: &[f64]) -> f64 {
    terms.iter().map(|&(k, factor)| factor * vector[k]).sum()
}

impl Linear {
    /// What the larger side must come to.
    fn target(&self, vector: &[f64]) -> f64 {
        self.margin + sum(&self.smaller, vector)
    }

    /// Real dimensions get a crumb of tolerance: their sums are not exact.
    pub(crate) fn holds(&self, vector: &[f64]) -> bool {
        let target = self.target(vector);
        sum(&self.larger, vector) >= target - 1e-9 * (1.0 + target.abs())
    }

    /// Raises the larger side, then lowers the other.
    fn lift(&self, dimensions: &[Dimension], vector: &mut [f64]) {
        self.raise(dimensions, vector);
        let missing = self.target(vector) - sum(&self.larger, vector);
        let floor = |k: usize| dimensions[k].min;
        for (k, moved) in shared(&self.smaller, dimensions, vector, missing, floor) {
            vector[k] = down(&dimensions[k], moved).max(floor(k));
        }
    }

    fn raise(&self, dimensions: &[Dimension], vector: &mut [f64]) {
        let target = self.target(vector);
        if let [(k, factor)] = self.larger[..] {
            // Alone, it goes exactly where it must.
            if !dimensions[k].frozen {
                let needed = up(&dimensions[k], target / factor).min(dimensions[k].max);
                vector[k] = needed.max(vector[k]);
            }
            return;
        }
        let missing = target - sum(&self.larger, vector);
        let ceiling = |k: usize| dimensions[k].max;
        for (k, moved) in shared(&self.larger, dimensions, vector, missing, ceiling) {
            vector[k] = up(&dimensions[k], moved).min(ceiling(k));
        }
    }

    /// Moves both sides the shortest way, inside their intervals, until rounding can no longer break the constraint.
    fn project(&self, dimensions: &[Dimension], vector: &mut [f64]) {
        let terms = || {
            let smaller = self.smaller.iter().map(|&(k, factor)| (k, -factor));
            smaller.chain(self.larger.iter().copied())
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
        for _ in 0..self.larger.len() + self.smaller.len() {
            let missing = self.target(vector) + room - sum(&self.larger, vector);
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

/// Where the free terms of a side come to when they give what is missing, each the same share of its way to `end`.
fn shared(
    terms: &[(usize, f64)],
    dimensions: &[Dimension],
    vector: &[f64],
    missing: f64,
    end: impl Fn(usize) -> f64,
) -> Vec<(usize, f64)> {
    let free = || terms.iter().filter(|&&(k, _)| !dimensions[k].frozen);
    let available: f64 = free()
        .map(|&(k, factor)| factor * (vector[k] - end(k)).abs())
        .sum();
    if missing <= 0.0 || available <= 0.0 {
        return Vec::new();
    }
    let share = (missing / available).min(1.0);
    free()
        .map(|&(k, _)| (k, vector[k] + share * (end(k) - vector[k])))
        .collect()
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

/// Turns names into indices. Like terms are taken together, and each stands on the side where its factor is above 0.
pub(crate) fn resolve(
    constraints: &[Constraint],
    dimensions: &[Dimension],
) -> Result<Vec<Linear>, ConstraintError> {
    constraints
        .iter()
        .map(|constraint| linear(constraint, dimensions))
        .collect()
}

fn linear(constraint: &Constraint, dimensions: &[Dimension]) -> Result<Linear, ConstraintError> {
    let text = || constraint.to_string();
    let mut terms: Vec<(usize, f64)> = Vec::new();
    let smaller = constraint.smaller.iter().map(|(name, factor)| (name, -factor));
    let larger = constraint.larger.iter().map(|(name, factor)| (name, *factor));
    for (name, factor) in larger.chain(smaller) {
        let found = dimensions.iter().position(|d| d.name == *name);
        let k = found.ok_or_else(|| ConstraintError::Unknown {
            text: text(),
            name: name.clone(),
        })?;
        match terms.iter_mut().find(|(known, _)| *known == k) {
            Some((_, known)) => *known += factor,
            None => terms.push((k, factor)),
        }
    }
    terms.retain(|&(_, factor)| factor != 0.0);
    let numbers = terms.iter().map(|&(_, factor)| factor).chain([constraint.margin]);
    if !numbers.clone().all(f64::is_finite) {
        return Err(ConstraintError::NotFinite { text: text() });
    }
    if terms.len() < 2 {
        return Err(ConstraintError::NoRelation { text: text() });
    }
    let margin = if constraint.strict {
        next_above(constraint.margin, &terms, dimensions)
    } else {
        constraint.margin
    };
    let side = |sign: f64| {
        let of_side = terms.iter().filter(|(_, factor)| factor * sign > 0.0);
        of_side.map(|&(k, factor)| (k, factor * sign)).collect()
    };
    Ok(Linear {
        larger: side(1.0),
        smaller: side(-1.0),
        margin,
    })
}

/// The smallest value above the margin that the terms can come to; where they are real, a little above it.
fn next_above(margin: f64, terms: &[(usize, f64)], dimensions: &[Dimension]) -> f64 {
    let width: f64 = terms
        .iter()
        .map(|&(k, factor)| factor.abs() * dimensions[k].width())
        .sum();
    let is_whole = terms.iter().all(|&(k, _)| dimensions[k].kind == Kind::Integer);
    match step(terms).filter(|_| is_whole) {
        Some(step) => ((margin / step + 1e-9).floor() + 1.0) * step,
        None => margin + 1e-6 * width,
    }
}

/// The greatest number of which all factors are multiples, if they have at most three decimals.
fn step(terms: &[(usize, f64)]) -> Option<f64> {
    const DECIMALS: f64 = 1000.0;
    let mut step = 0;
    for &(_, factor) in terms {
        let scaled = (factor.abs() * DECIMALS).round();
        if (scaled - factor.abs() * DECIMALS).abs() > 1e-6 || scaled > 1e15 {
            return None;
        }
        step = greatest_divisor(step, scaled as u64);
    }
    (step > 0).then(|| step as f64 / DECIMALS)
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
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
