//! One thing that can be chosen about a player, and the values that fit.

use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_engine::OptionKind as EngineOption;

use crate::error::{ApiError, ApiResult};

/// What an option's values are.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum OptionKind {
    /// One of `values`.
    Combo,
    /// A whole number from `min` to `max`.
    Integer,
    /// A short text.
    Text,
    /// True or false.
    Switch,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum OptionSetting {
    /// Of a switch.
    Switch(bool),
    /// Of an integer.
    Integer(i64),
    /// Of a combo or a text.
    Text(String),
}

impl fmt::Display for OptionSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionSetting::Switch(on) => f.write_str(if *on { "on" } else { "off" }),
            OptionSetting::Integer(number) => number.fmt(f),
            OptionSetting::Text(text) => f.write_str(text),
        }
    }
}

/// One thing that can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(optional_fields)]
pub struct SeatOption {
    /// The name that a seat uses.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// One line about it.
    pub help: String,
    /// What its values are.
    #[serde(rename = "type")]
    pub kind: OptionKind,
    /// The values of a combo.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>")]
    pub values: Vec<String>,
    /// The least of an integer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The most of an integer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// What holds if nothing is chosen; null where that is "no limit".
    #[ts(optional = nullable)]
    pub default: Option<OptionSetting>,
}

/// The longest text.
const LONGEST: usize = 100;

/// The characters of a text. No sign of equality: a value can never become a setting of its own.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | ',' | '.' | '/' | ' ')
}

impl SeatOption {
    fn new(name: &str, help: &str, kind: OptionKind) -> SeatOption {
        let mut label = name.replace('-', " ");
        if let Some(first) = label.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        SeatOption {
            name: name.to_owned(),
            label,
            help: help.to_owned(),
            kind,
            values: Vec::new(),
            min: None,
            max: None,
            default: None,
        }
    }

    /// One of some words; the first one unless another is made the default.
    pub(crate) fn combo(name: &str, help: &str, values: Vec<String>) -> SeatOption {
        SeatOption {
            default: values.first().cloned().map(OptionSetting::Text),
            values,
            ..SeatOption::new(name, help, OptionKind::Combo)
        }
    }

    /// A number, none at first.
    pub(crate) fn integer(name: &str, help: &str, min: i64, max: i64) -> SeatOption {
        SeatOption {
            min: Some(min),
            max: Some(max),
            ..SeatOption::new(name, help, OptionKind::Integer)
        }
    }

    /// From a row of a player's own table. Numbers end at `most` at the latest.
    pub(crate) fn from_row(name: &str, help: &str, row: &EngineOption, most: i64) -> SeatOption {
        match row {
            EngineOption::Check(on) => {
                SeatOption::new(name, help, OptionKind::Switch).with_default(OptionSetting::Switch(*on))
            }
            EngineOption::Spin { default, min, max } => {
                SeatOption::integer(name, help, *min, (*max).min(most))
                    .with_default(OptionSetting::Integer(*default))
            }
            EngineOption::Combo { default, values } => {
                let first = values.get(*default).copied().unwrap_or_default();
                let values = values.iter().map(|&word| word.to_owned()).collect();
                SeatOption::combo(name, help, values).with_default(OptionSetting::Text(first.to_owned()))
            }
            EngineOption::Button => SeatOption::new(name, help, OptionKind::Switch),
            EngineOption::Text(default) => SeatOption::new(name, help, OptionKind::Text)
                .with_default(OptionSetting::Text(default.clone())),
        }
    }

    /// The same with a default.
    pub(crate) fn with_default(mut self, default: OptionSetting) -> SeatOption {
        self.default = Some(default);
        self
    }

    /// The same under another label.
    pub(crate) fn labelled(mut self, label: &str) -> SeatOption {
        label.clone_into(&mut self.label);
        self
    }

    /// Whether a value fits; if not, what was expected.
    pub(crate) fn check(&self, value: &OptionSetting) -> ApiResult<()> {
        let fits = match (self.kind, value) {
            (OptionKind::Combo, OptionSetting::Text(text)) => self.values.contains(text),
            (OptionKind::Integer, OptionSetting::Integer(number)) => {
                self.min.is_none_or(|min| *number >= min) && self.max.is_none_or(|max| *number <= max)
            }
            (OptionKind::Text, OptionSetting::Text(text)) => {
                text.len() <= LONGEST && text.chars().all(is_plain)
            }
            (OptionKind::Switch, OptionSetting::Switch(_)) => true,
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let expected = match self.kind {
            OptionKind::Combo => format!("one of {}", self.values.join(", ")),
            OptionKind::Integer => {
                let (min, max) = (self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX));
                format!("a whole number from {min} to {max}")
            }
            OptionKind::Text => format!("a text of at most {LONGEST} letters, digits and -,./"),
            OptionKind::Switch => "true or false".to_owned(),
        };
        let message = format!("{}: expected {expected}", self.label);
        Err(ApiError::bad_request("bad-option", message).field(format!("options.{}", self.name)))
    }
}
