//! The options of a player as a table of rows, and the values that fit them.
//!
//! A text from outside is read against its row once; what a player is told is always a value of the right
//! kind within its range.

use std::borrow::Cow;
use std::fmt;

use thiserror::Error;
use vidmar_text::Excerpt;

/// One option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// Its name; upper and lower case do not matter to users.
    pub name: Cow<'static, str>,
    /// What it may be set to.
    pub kind: OptionKind,
    /// A number for tuners, of which there are hundreds: not shown unless asked for.
    pub tuning: bool,
}

/// What an option may be set to, and its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check(bool),
    /// A number.
    Spin {
        /// At first.
        default: i64,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of some words.
    Combo {
        /// The place of the first choice.
        default: usize,
        /// All words.
        values: Vec<&'static str>,
    },
    /// Something to be done.
    Button,
    /// A text.
    Text(String),
}

/// A value that fits its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// On or off.
    Check(bool),
    /// A number in range.
    Spin(i64),
    /// The place of a word.
    Combo(usize),
    /// Do it.
    Button,
    /// A text; empty for "none".
    Text(String),
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No row has this name.
    #[error("no option '{0}'")]
    Unknown(Excerpt),
    /// The text does not fit.
    #[error("option {name}: '{value}' is not {expected}")]
    Value {
        /// The option.
        name: String,
        /// What it was to be.
        value: Excerpt,
        /// What it can be.
        expected: String,
    },
    /// The value fits, and cannot be used for another reason.
    #[error("option {name}: {reason}")]
    Refused {
        /// The option.
        name: String,
        /// Why not.
        reason: String,
    },
}

impl OptionRow {
    /// A row with a name and a kind.
    pub const fn new(name: &'static str, kind: OptionKind) -> OptionRow {
        OptionRow {
            name: Cow::Borrowed(name),
            kind,
            tuning: false,
        }
    }

    /// A number.
    pub const fn spin(name: &'static str, default: i64, min: i64, max: i64) -> OptionRow {
        OptionRow::new(name, OptionKind::Spin { default, min, max })
    }

    /// A number for tuners.
    pub fn tuning(name: &'static str, default: i64, min: i64, max: i64) -> OptionRow {
        OptionRow {
            tuning: true,
            ..OptionRow::spin(name, default, min, max)
        }
    }

    /// A switch.
    pub const fn check(name: &'static str, default: bool) -> OptionRow {
        OptionRow::new(name, OptionKind::Check(default))
    }

    /// Reads a text for this row.
    pub fn read(&self, text: Option<&str>) -> Result<OptionValue, OptionError> {
        let text = text.unwrap_or_default().trim();
        let value = match &self.kind {
            OptionKind::Check(_) => read_switch(text).map(OptionValue::Check),
            OptionKind::Spin { min, max, .. } => text
                .parse()
                .ok()
                .filter(|number| (min..=max).contains(&number))
                .map(OptionValue::Spin),
            OptionKind::Combo { values, .. } => values
                .iter()
                .position(|word| word.eq_ignore_ascii_case(text))
                .map(OptionValue::Combo),
            OptionKind::Button => Some(OptionValue::Button),
            OptionKind::Text(_) if text == "<empty>" => Some(OptionValue::Text(String::new())),
            OptionKind::Text(_) => Some(OptionValue::Text(text.to_owned())),
        };
        value.ok_or_else(|| OptionError::Value {
            name: self.name.to_string(),
            value: text.into(),
            expected: self.kind.expected(),
        })
    }
}

impl OptionKind {
    fn expected(&self) -> String {
        match self {
            OptionKind::Check(_) => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            OptionKind::Combo { values, .. } => format!("one of {}", values.join(", ")),
            OptionKind::Button | OptionKind::Text(_) => "a text".to_owned(),
        }
    }
}

fn read_switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" => Some(true),
        "false" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// The row with this name.
pub fn find<'a>(rows: &'a [OptionRow], name: &str) -> Option<&'a OptionRow> {
    rows.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// The row as the UCI protocol announces it.
impl fmt::Display for OptionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check(default) => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, values } => {
                write!(f, "combo default {}", values.get(*default).unwrap_or(&""))?;
                values.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text(default) if default.is_empty() => f.write_str("string default <empty>"),
            OptionKind::Text(default) => write!(f, "string default {default}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_against_their_row() {
        let hash = OptionRow::spin("Hash", 16, 1, 64);
        assert_eq!(hash.read(Some(" 64 ")), Ok(OptionValue::Spin(64)));
        for bad in [None, Some(""), Some("65"), Some("0"), Some("many"), Some("1 2")] {
            assert!(hash.read(bad).is_err(), "{bad:?}");
        }
        assert_eq!(
            hash.read(Some("65")).unwrap_err().to_string(),
            "option Hash: '65' is not a number from 1 to 64"
        );
        let style = OptionRow::new(
            "Style",
            OptionKind::Combo {
                default: 1,
                values: vec!["solid", "very wild"],
            },
        );
        assert_eq!(style.read(Some("Very Wild")), Ok(OptionValue::Combo(1)));
        assert!(style.read(Some("wild")).is_err());
        assert_eq!(
            style.to_string(),
            "option name Style type combo default very wild var solid var very wild"
        );
        let file = OptionRow::new("File", OptionKind::Text(String::new()));
        assert_eq!(
            file.read(Some("a b/c")),
            Ok(OptionValue::Text("a b/c".to_owned()))
        );
        assert_eq!(file.read(Some("<empty>")), Ok(OptionValue::Text(String::new())));
        assert_eq!(
            OptionRow::check("Ponder", false).read(Some("TRUE")),
            Ok(OptionValue::Check(true))
        );
    }

    #[test]
    fn names_are_found_in_any_case() {
        let rows = [OptionRow::check("UCI_ShowWDL", false)];
        assert!(find(&rows, "uci_showwdl").is_some());
        assert!(find(&rows, "uci_show").is_none());
    }
}
