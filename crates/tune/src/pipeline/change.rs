//! What may be changed of a run between two sessions: its budget, and the space it searches.

use std::str::FromStr;

use vidmar_optim::{Dimension, Space};
use vidmar_text::did_you_mean;

use crate::config::Budget;
use crate::parameters::ParametersError;
use crate::run::RunError;

/// What is different from now on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The end is that of a run that was begun with it.
    pub budget: Option<Budget>,
    /// Holds from the next generation on; a generation that was begun is finished first.
    pub space: Vec<SpaceChange>,
}

/// What is done to a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum SpaceChange {
    /// Let a frozen parameter move again.
    Thaw {
        /// Its name.
        name: String,
    },
    /// Give it another interval.
    Widen {
        /// Its name.
        name: String,
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// Hold it where the population's mean is, or at a value.
    Freeze {
        /// Its name.
        name: String,
        /// The value.
        value: Option<f64>,
    },
}

impl SpaceChange {
    /// The space after all changes; `centre` is the population's mean.
    pub(super) fn apply_all(
        changes: &[SpaceChange],
        space: &Space,
        centre: &[f64],
    ) -> Result<Space, RunError> {
        let mut dimensions = space.dimensions().to_vec();
        for change in changes {
            change.apply(&mut dimensions, centre)?;
        }
        Ok(Space::constrained(dimensions, space.constraints().to_vec())?)
    }

    fn apply(&self, dimensions: &mut [Dimension], centre: &[f64]) -> Result<(), RunError> {
        match self {
            SpaceChange::Thaw { name } => {
                let index = index_of(dimensions, name, "--thaw")?;
                dimensions[index].frozen = false;
            }
            SpaceChange::Widen { name, min, max } => {
                let index = index_of(dimensions, name, "--widen")?;
                let dimension = &mut dimensions[index];
                (dimension.min, dimension.max) = (*min, *max);
                if min <= max {
                    dimension.start = dimension.start.map(|start| start.max(*min).min(*max));
                }
            }
            SpaceChange::Freeze { name, value } => {
                let index = index_of(dimensions, name, "--freeze")?;
                let value = value.unwrap_or(centre[index]);
                dimensions[index] = dimensions[index].clone().frozen_at(value);
            }
        }
        Ok(())
    }

    /// Reads `NAME=MIN..MAX`; none where it is something else.
    pub fn widen(text: &str) -> Option<SpaceChange> {
        let (name, interval) = text.split_once('=')?;
        let (min, max) = interval.split_once("..")?;
        Some(SpaceChange::Widen {
            name: name.into(),
            min: number(min)?,
            max: number(max)?,
        })
    }

    /// Reads `NAME` or `NAME=NUMBER`; none where it is something else.
    pub fn freeze(text: &str) -> Option<SpaceChange> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(number(value)?)),
            None => (text, None),
        };
        Some(SpaceChange::Freeze {
            name: name.into(),
            value,
        })
    }
}

fn number(text: &str) -> Option<f64> {
    f64::from_str(text.trim()).ok()
}

fn index_of(dimensions: &[Dimension], name: &str, option: &'static str) -> Result<usize, ParametersError> {
    let found = dimensions.iter().position(|dimension| dimension.name == name);
    found.ok_or_else(|| ParametersError::Unknown {
        key: option,
        name: name.to_owned(),
        hint: did_you_mean(name, dimensions.iter().map(|dimension| dimension.name.as_str())),
    })
}
