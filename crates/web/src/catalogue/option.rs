//! One thing that can be chosen about a player, as the page gets it.

use serde::Serialize;
use ts_rs::TS;
use vidmar_engine::settings::Value;

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
    /// What holds if nothing is chosen; null where that is nothing, or what another option says.
    #[ts(optional = nullable, as = "Option<OptionSetting>")]
    pub default: Option<Value>,
    /// What holds if nothing is chosen and there is no default, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unset: Option<String>,
}

/// A value of an option, in TypeScript; here it is a [`Value`].
#[derive(TS)]
#[ts(untagged)]
#[allow(dead_code, missing_docs, reason = "only its shape is used")]
pub enum OptionSetting {
    Switch(bool),
    Integer(i64),
    Text(String),
}
