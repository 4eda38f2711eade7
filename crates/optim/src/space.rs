//! The box that is searched: named dimensions, integer or real, each with its interval.
//!
//! A vector always has one `f64` per dimension, also for integer and frozen ones, so a vector means the same thing
//! everywhere. Two degrees of being in the space:
//!
//! * [`Space::confine`]: inside the intervals, frozen dimensions at their value — what an optimiser that thinks in
//!   real numbers keeps inside;
//! * [`Space::settle`]: integers are whole as well, and declared [constraints](crate::constraint) hold — what may
//!   play. Every vector of a proposed batch is settled.
//!
//! A component outside its interval comes back by [`Repair`] ([boskovic-2010], classic differential evolution).

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::constraint::{self, Constraint, Linear};
use vidmar_rng::Rng;

/// A point of the space.
pub type Vector = Vec<f64>;

/// Whole or real numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Only whole numbers play.
    #[default]
    Integer,
    /// Any number of the interval plays.
    Real,
}

/// How a component outside its interval comes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// To the nearer bound.
    Clamp,
    /// Mirrored at the bound it crossed, as often as it takes.
    #[default]
    Mirror,
}

impl Repair {
    /// The component, brought back into `min..=max`.
    ///
    /// ```
    /// use vidmar_optim::space::Repair;
    /// assert_eq!(Repair::Mirror.apply(-3.0, 0.0, 10.0), 3.0);
    /// assert_eq!(Repair::Mirror.apply(24.0, 0.0, 10.0), 4.0); // 24 → -4 → 4
    /// assert_eq!(Repair::Clamp.apply(24.0, 0.0, 10.0), 10.0);
    /// ```
    pub fn apply(self, value: f64, min: f64, max: f64) -> f64 {
        if self == Self::Clamp || max <= min || !value.is_finite() {
            return if value.is_nan() {
                min
            } else {
                value.max(min).min(max)
            };
        }
        let mut value = value;
        for _ in 0..8 {
            if value < min {
                value = min + (min - value);
            } else if value > max {
                value = max - (value - max);
            } else {
                return value;
            }
        }
        // Far outside: fold by whole periods instead of one bound at a time.
        let width = max - min;
        let fold = (value - min).rem_euclid(2.0 * width);
        (min + if fold > width { 2.0 * width - fold } else { fold })
            .max(min)
            .min(max)
    }
}

/// One named parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dimension {
    /// Unique in its space.
    pub name: String,
    /// Whole or real numbers.
    #[serde(default)]
    pub kind: Kind,
    /// Smallest value allowed.
    pub min: f64,
    /// Largest value allowed.
    pub max: f64,
    /// Where methods that begin at a point begin; the middle of the interval if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Held at `start`: no optimiser moves it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub frozen: bool,
    /// With which perturbation SPSA is to end here, in the dimension's own unit, instead of the method's share of the interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c_end: Option<f64>,
    /// With which learning rate SPSA is to end here, instead of the method's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r_end: Option<f64>,
}

impl Dimension {
    /// A free integer dimension.
    pub fn integer(name: impl Into<String>, min: i64, max: i64) -> Self {
        Self {
            kind: Kind::Integer,
            ..Self::real(name, min as f64, max as f64)
        }
    }

    /// A free real dimension.
    pub fn real(name: impl Into<String>, min: f64, max: f64) -> Self {
        Self {
            name: name.into(),
            kind: Kind::Real,
            min,
            max,
            start: None,
            frozen: false,
            c_end: None,
            r_end: None,
        }
    }

    /// The same dimension with a starting value.
    pub fn starting_at(mut self, start: f64) -> Self {
        self.start = Some(start);
        self
    }

    /// The same dimension, held at `value`.
    pub fn frozen_at(mut self, value: f64) -> Self {
        self.start = Some(value);
        self.frozen = true;
        self
    }

    /// The width of the interval.
    pub fn width(&self) -> f64 {
        self.max - self.min
    }

    fn origin(&self) -> f64 {
        self.start.unwrap_or(self.min + self.width() / 2.0)
    }

    fn check(&self) -> Result<(), SpaceError> {
        let name = || self.name.clone();
        for value in [self.min, self.max].into_iter().chain(self.start) {
            if !value.is_finite() {
                return Err(SpaceError::NotFinite { name: name(), value });
            }
            if self.kind == Kind::Integer && (value.fract() != 0.0 || value.abs() > MAX_INTEGER) {
                return Err(SpaceError::NotWhole { name: name(), value });
            }
        }
        if self.min > self.max {
            return Err(SpaceError::Reversed {
                name: name(),
                min: self.min,
                max: self.max,
            });
        }
        if !self.width().is_finite() {
            return Err(SpaceError::NotFinite {
                name: name(),
                value: self.width(),
            });
        }
        match self.start {
            Some(start) if start < self.min || start > self.max => Err(SpaceError::StartOutside {
                name: name(),
                start,
                min: self.min,
                max: self.max,
            }),
            None if self.frozen => Err(SpaceError::FrozenNowhere { name: name() }),
            _ => Ok(()),
        }
    }
}

/// Beyond this a whole `f64` times two is no longer exact.
const MAX_INTEGER: f64 = (1_u64 << 52) as f64;

/// floor(v + 1/2): the rounding of the published mutation, also for negative numbers.
pub fn round_half_up(value: f64) -> f64 {
    (value + 0.5).floor()
}

/// Why dimensions and constraints do not make a space.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SpaceError {
    /// No dimension, or none that is free.
    #[error("the space has no free dimension")]
    Empty,
    /// Two dimensions of one name.
    #[error("dimension {name:?} is declared twice")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// The interval is the wrong way round.
    #[error("dimension {name:?} has min {min} > max {max}")]
    Reversed {
        /// The dimension.
        name: String,
        /// Its min.
        min: f64,
        /// Its max.
        max: f64,
    },
    /// A bound, a width or a start is NaN or infinite.
    #[error("dimension {name:?} has {value} where a finite number is expected")]
    NotFinite {
        /// The dimension.
        name: String,
        /// The number.
        value: f64,
    },
    /// An integer dimension with a broken or too large bound or start.
    #[error("integer dimension {name:?} has {value} where a whole number below 2^52 is expected")]
    NotWhole {
        /// The dimension.
        name: String,
        /// The number.
        value: f64,
    },
    /// The start is not in the interval.
    #[error("dimension {name:?} starts at {start}, outside {min}..={max}")]
    StartOutside {
        /// The dimension.
        name: String,
        /// The start.
        start: f64,
        /// Its min.
        min: f64,
        /// Its max.
        max: f64,
    },
    /// Frozen without a value to be frozen at.
    #[error("dimension {name:?} is frozen but has no start value")]
    FrozenNowhere {
        /// The dimension.
        name: String,
    },
    /// A constraint that cannot be kept.
    #[error(transparent)]
    Constraint(#[from] constraint::ConstraintError),
}

impl SpaceError {
    /// The same with a constraint as somebody wrote it, by the text that it has here.
    #[must_use]
    pub fn with_constraints<'a>(self, written: impl Fn(&str) -> Option<&'a str>) -> Self {
        match self {
            Self::Constraint(error) => Self::Constraint(error.with_text(written)),
            other => other,
        }
    }
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    dimensions: Vec<Dimension>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<Constraint>,
}

/// The searched box. Checked when made or read: every `Space` is sound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Declared", into = "Declared")]
pub struct Space {
    dimensions: Vec<Dimension>,
    constraints: Vec<Constraint>,
    linear: Vec<Linear>,
    /// A settled vector: the start, as near as the constraints allow.
    anchor: Vector,
}

impl TryFrom<Declared> for Space {
    type Error = SpaceError;

    fn try_from(declared: Declared) -> Result<Self, SpaceError> {
        Self::constrained(declared.dimensions, declared.constraints)
    }
}

impl From<Space> for Declared {
    fn from(space: Space) -> Self {
        Self {
            dimensions: space.dimensions,
            constraints: space.constraints,
        }
    }
}

impl Space {
    /// A space without constraints.
    pub fn new(dimensions: Vec<Dimension>) -> Result<Self, SpaceError> {
        Self::constrained(dimensions, Vec::new())
    }

    /// A space whose settled vectors keep the constraints.
    pub fn constrained(dimensions: Vec<Dimension>, constraints: Vec<Constraint>) -> Result<Self, SpaceError> {
        if dimensions.iter().all(|d| d.frozen) {
            return Err(SpaceError::Empty);
        }
        for (index, dimension) in dimensions.iter().enumerate() {
            dimension.check()?;
            if dimensions[..index]
                .iter()
                .any(|other| other.name == dimension.name)
            {
                return Err(SpaceError::Duplicate {
                    name: dimension.name.clone(),
                });
            }
        }
        let linear = constraint::resolve(&constraints, &dimensions)?;
        let origin: Vector = dimensions.iter().map(Dimension::origin).collect();
        let mut space = Self {
            dimensions,
            constraints,
            linear,
            anchor: origin,
        };
        let mut anchor = space.anchor.clone();
        space.whole(&mut anchor);
        constraint::enforce(&space.linear, &space.dimensions, &mut anchor).map_err(|index| {
            constraint::ConstraintError::Impossible {
                text: space.constraints[index].to_string(),
            }
        })?;
        space.anchor = anchor;
        Ok(space)
    }

    /// The dimensions in their order.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// The declared constraints.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// How many components a vector has.
    #[expect(clippy::len_without_is_empty, reason = "a space is never empty")]
    pub fn len(&self) -> usize {
        self.dimensions.len()
    }

    /// The dimensions that may move.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        self.dimensions
            .iter()
            .enumerate()
            .filter(|(_, d)| !d.frozen)
            .map(|(index, _)| index)
    }

    /// How many dimensions may move.
    pub fn degrees(&self) -> usize {
        self.free().count()
    }

    /// The settled starting vector.
    pub fn start(&self) -> &[f64] {
        &self.anchor
    }

    /// Brings every component into its interval; frozen ones to their value. Integers may stay broken.
    pub fn confine(&self, vector: &mut [f64], repair: Repair) {
        for (value, d) in vector.iter_mut().zip(&self.dimensions) {
            *value = if d.frozen {
                d.origin()
            } else {
                repair.apply(*value, d.min, d.max)
            };
        }
    }

    /// Inside the intervals with all constraints kept, but integers may stay broken.
    pub(crate) fn keep(&self, vector: &mut [f64], repair: Repair) {
        self.confine(vector, repair);
        if constraint::enforce(&self.linear, &self.dimensions, vector).is_err() {
            vector.copy_from_slice(&self.anchor);
        }
    }

    /// Makes the vector one that may play: whole where it must be, inside its intervals, all constraints kept.
    pub fn settle(&self, vector: &mut [f64], repair: Repair) {
        self.whole(vector);
        self.keep(vector, repair);
    }

    /// A settled copy.
    pub fn settled(&self, vector: &[f64], repair: Repair) -> Vector {
        let mut copy = vector.to_vec();
        self.settle(&mut copy, repair);
        copy
    }

    /// Whether this vector may play as it is.
    pub fn contains(&self, vector: &[f64]) -> bool {
        vector.len() == self.len()
            && vector.iter().zip(&self.dimensions).all(|(&value, d)| {
                value >= d.min
                    && value <= d.max
                    && (d.kind == Kind::Real || value.fract() == 0.0)
                    && (!d.frozen || value == d.origin())
            })
            && self.linear.iter().all(|c| c.holds(vector))
    }

    /// A uniformly random vector inside the intervals, not yet settled; one draw per dimension, frozen or not.
    pub fn random(&self, rng: &mut Rng) -> Vector {
        let draw = |d: &Dimension| match d.kind {
            _ if d.frozen => d.origin(),
            Kind::Integer => d.min + rng.index(d.width() as usize + 1) as f64,
            Kind::Real => rng.uniform(d.min, d.max),
        };
        self.dimensions.iter().map(draw).collect()
    }

    fn whole(&self, vector: &mut [f64]) {
        for (value, d) in vector.iter_mut().zip(&self.dimensions) {
            if d.kind == Kind::Integer {
                *value = round_half_up(*value);
            }
        }
    }
}
