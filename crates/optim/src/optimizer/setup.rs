//! What a run is set up with, and why it cannot be.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::method::Settings;
use crate::protocol::Evidence;
use crate::space::{Repair, Space};

/// How long a run is meant to be. Schedules that cool, shrink or decay follow it; the owner decides when to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Budget {
    /// So many generations after the first population.
    Generations(u64),
    /// So many games or values.
    Jobs(u64),
}

/// What all methods need to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// What is searched.
    pub space: Space,
    /// What can be asked.
    pub evidence: Evidence,
    /// How long the run is meant to be.
    pub budget: Budget,
    /// The run's seed.
    pub seed: u64,
    /// How components come back into their intervals.
    #[serde(default)]
    pub repair: Repair,
}

/// Why an optimiser cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SetupError {
    /// A setting that this method cannot work with.
    #[error("{setting} = {value}, expected {expected}")]
    Setting {
        /// The setting's name.
        setting: &'static str,
        /// Its value.
        value: String,
        /// What it should have been.
        expected: String,
    },
    /// A dimension's own gain that cannot be kept.
    #[error("dimension {dimension:?} has {gain} = {value}: expected {expected}")]
    Gain {
        /// The dimension.
        dimension: String,
        /// Which gain.
        gain: &'static str,
        /// What it is.
        value: f64,
        /// What it should have been.
        expected: String,
    },
    /// A name that the space does not have.
    #[error("unknown dimension {name:?} in the settings")]
    UnknownDimension {
        /// The name.
        name: String,
    },
}

impl SetupError {
    /// An error unless it holds.
    #[expect(clippy::needless_pass_by_value, reason = "numbers and words at the call")]
    pub(crate) fn unless(
        holds: bool,
        setting: &'static str,
        value: impl ToString,
        expected: impl ToString,
    ) -> Result<(), Self> {
        let error = || Self::Setting {
            setting,
            value: value.to_string(),
            expected: expected.to_string(),
        };
        if holds { Ok(()) } else { Err(error()) }
    }

    /// The gains that dimensions have of their own: only where the method heeds them, and only such as it can follow.
    pub(super) fn check_gains(space: &Space, settings: &Settings) -> Result<(), Self> {
        let (method, heeded) = (settings.method().name(), settings.own_gains());
        let is_step = |c: f64, width: f64| c > 0.0 && c <= width;
        for d in space.dimensions().iter().filter(|d| !d.frozen) {
            let step = format!("above 0, at most the interval's width {}", d.width());
            let gains = [
                (
                    "c_end",
                    d.c_end,
                    heeded.c_end,
                    is_step(d.c_end.unwrap_or(0.0), d.width()),
                    step,
                ),
                (
                    "r_end",
                    d.r_end,
                    heeded.r_end,
                    d.r_end.is_some_and(|r| r >= 0.0 && r.is_finite()),
                    "at least 0".into(),
                ),
            ];
            for (gain, value, is_heeded, is_sound, sound) in gains {
                let expected = if is_heeded {
                    sound
                } else {
                    format!("none, {method} does not use it")
                };
                if let Some(value) = value.filter(|_| !(is_heeded && is_sound)) {
                    let dimension = d.name.clone();
                    return Err(Self::Gain {
                        dimension,
                        gain,
                        value,
                        expected,
                    });
                }
            }
        }
        Ok(())
    }

    /// The share of the intervals that a first population fills.
    pub(crate) fn check_spread(spread: f64) -> Result<(), Self> {
        Self::unless(
            spread > 0.0 && spread <= 1.0,
            "spread",
            spread,
            "above 0, at most 1",
        )
    }
}
