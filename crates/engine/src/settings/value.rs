//! The value of a setting, and why one does not fit.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use vidmar_text::Excerpt;
use vidmar_text::did_you_mean;

/// The value of a setting. A choice is its word, a button is a switch that is on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A whole number.
    Integer(i64),
    /// A word, a text, a path.
    Text(String),
    /// A vector of parameters in the order of its table.
    Numbers(Vec<i32>),
}

impl Value {
    /// The switch, if it is one.
    pub fn as_switch(&self) -> Option<bool> {
        match self {
            Value::Switch(on) => Some(*on),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// As specifications have it: `on`, `16`, `like-pieces`, `12/-3/40`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(on) => f.write_str(if *on { "on" } else { "off" }),
            Value::Integer(number) => number.fmt(f),
            Value::Text(text) => f.write_str(text),
            Value::Numbers(numbers) => {
                for (index, number) in numbers.iter().enumerate() {
                    let slash = if index == 0 { "" } else { "/" };
                    write!(f, "{slash}{number}")?;
                }
                Ok(())
            }
        }
    }
}

impl From<bool> for Value {
    fn from(on: bool) -> Value {
        Value::Switch(on)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Integer(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<&[i32]> for Value {
    fn from(numbers: &[i32]) -> Value {
        Value::Numbers(numbers.to_vec())
    }
}

/// Why a setting was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// There is no such setting.
    #[error("there is no setting '{key}'{hint}")]
    Unknown {
        /// What was to be set.
        key: Excerpt,
        /// What may have been meant.
        hint: String,
    },
    /// The value does not fit the row.
    #[error("{name}: '{value}' is not {expected}")]
    Value {
        /// The setting.
        name: String,
        /// What it was to be.
        value: Excerpt,
        /// What it can be.
        expected: String,
    },
    /// The value fits, and cannot be used for another reason.
    #[error("{name}: {reason}")]
    Refused {
        /// The setting.
        name: String,
        /// Why not.
        reason: String,
    },
}

impl SettingError {
    /// There is no such setting among the known ones.
    pub fn unknown<'a>(key: &str, known: impl IntoIterator<Item = &'a str>) -> SettingError {
        SettingError::Unknown {
            key: key.into(),
            hint: did_you_mean(key, known),
        }
    }

    /// A value that cannot be used; control characters, which a file's name may hold, become spaces.
    pub fn refused(name: &str, reason: impl fmt::Display) -> SettingError {
        SettingError::Refused {
            name: name.to_owned(),
            reason: reason.to_string().replace(char::is_control, " "),
        }
    }

    /// The same under the name by which the reader knows the setting.
    #[must_use]
    pub fn named(self, reader: impl Into<String>) -> SettingError {
        match self {
            SettingError::Unknown { .. } => self,
            SettingError::Value { value, expected, .. } => SettingError::Value {
                name: reader.into(),
                value,
                expected,
            },
            SettingError::Refused { reason, .. } => SettingError::Refused {
                name: reader.into(),
                reason,
            },
        }
    }
}
