//! A number, or several of which the run takes the one that proves best.

use serde::{Deserialize, Serialize};

/// In a file: `0.8`, or `[1, 0.9, 0.8]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number, or a list of numbers to choose from"
)]
pub enum OneOf {
    /// Just this.
    Given(f64),
    /// One of these.
    Several(Vec<f64>),
}

impl OneOf {
    /// All that may be taken.
    pub fn all(&self) -> &[f64] {
        match self {
            OneOf::Given(number) => std::slice::from_ref(number),
            OneOf::Several(numbers) => numbers,
        }
    }

    /// The first, which an empty list does not have.
    pub(crate) fn first(&self) -> f64 {
        self.all().first().copied().unwrap_or_default()
    }
}

impl From<f64> for OneOf {
    fn from(number: f64) -> OneOf {
        OneOf::Given(number)
    }
}

impl std::fmt::Display for OneOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OneOf::Given(number) => number.fmt(f),
            OneOf::Several(numbers) => write!(f, "{numbers:?}"),
        }
    }
}
