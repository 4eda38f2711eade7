//! The schema of one setting, and how values are held against it.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use vidmar_text::{Excerpt, NumberRow, did_you_mean};

use super::value::{SettingError, Value};

/// One thing that can be chosen about a player.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its key in player specifications, on command lines and in the page's requests; empty for a button, which has no value
    /// to be specified.
    pub key: Cow<'static, str>,
    /// The name of its UCI option; empty if it is none.
    pub uci: Cow<'static, str>,
    /// What people call it.
    pub label: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// Who sets it.
    pub role: Role,
    /// What holds as long as nobody sets it.
    pub unset: Unset,
    /// To what it belongs, without which it has no effect.
    pub needs: Option<Needs>,
}

/// What another setting must be for one to have an effect.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The key of the other.
    pub key: &'static str,
    /// What it must be.
    pub wanted: Wanted,
}

/// What a setting must be for others that belong to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Any text but none.
    Given,
    /// Any word but this.
    Not(&'static str),
    /// A larger number than this.
    Above(i64),
    /// On, or off.
    Switched(bool),
}

impl Needs {
    /// Whether the other setting, with this value, is what is needed.
    pub fn are_met(&self, value: Option<&Value>) -> bool {
        match (self.wanted, value) {
            (Wanted::Given, value) => value.is_some_and(|value| value.as_text() != Some("")),
            (Wanted::Not(word), value) => value.is_none_or(|value| value.as_text() != Some(word)),
            (Wanted::Above(number), value) => {
                value.is_some_and(|value| value.as_integer().is_some_and(|chosen| chosen > number))
            }
            (Wanted::Switched(on), value) => value.is_some_and(|value| *value == Value::Switch(on)),
        }
    }

    /// Why there is no effect, where the other has this value: `with filter=off`, `without book`.
    pub fn unmet(&self, value: Option<&Value>) -> String {
        match value.map(ToString::to_string).filter(|text| !text.is_empty()) {
            Some(value) => format!("with {}={value}", self.key),
            None => format!("without {}", self.key),
        }
    }
}

/// What the values of a setting are, and its default.
#[derive(Clone, Debug)]
pub enum Kind {
    /// On or off.
    Switch {
        /// At first.
        default: bool,
    },
    /// A whole number.
    Integer {
        /// At first.
        default: i64,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of some words.
    Choice {
        /// At first.
        default: &'static str,
        /// All words.
        values: Vec<&'static str>,
    },
    /// A text with a grammar of its own.
    Text {
        /// At first.
        default: String,
        /// What it should be, in words.
        expected: &'static str,
        /// Whether it is.
        check: Check,
    },
    /// The path of a file, a folder or a program.
    Path,
    /// A vector of parameters: the name of a known one, a file, or the numbers themselves.
    Vector {
        /// The names of the known ones, that of the default first.
        names: Vec<&'static str>,
        /// How many numbers it has.
        count: usize,
    },
    /// Something to be done.
    Button,
}

/// Whether a text fits; if not, why.
#[derive(Clone)]
pub struct Check(pub Arc<CheckText>);

/// Says why a text does not fit.
type CheckText = dyn Fn(&str) -> Result<(), String> + Send + Sync;

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Check")
    }
}

/// Who sets a setting.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Whoever wants to.
    #[default]
    Usual,
    /// The same; the seed of each game is mixed into it.
    Seed,
    /// Whoever runs the program, by a specification or a graphical interface: files, programs, timeouts. A page does not
    /// offer it.
    Operator,
    /// A tuner. There are hundreds of these: they are not shown unless asked for.
    Tuning,
}

/// What holds as long as a setting is not set.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Unset {
    /// The default of its row.
    #[default]
    Default,
    /// What the setting with this key, a preset, says.
    Preset(&'static str),
    /// Nothing: it does not count.
    Nothing,
    /// Nothing; to specify it switches on the setting with this key.
    Switch(&'static str),
    /// It must be set in a specification, such as this.
    Required(&'static str),
}

/// A number of a table as a setting: its key, its UCI name and its label are its name.
pub fn number_setting(row: &NumberRow, role: Role) -> Setting {
    Setting {
        key: row.name.into(),
        uci: row.name.into(),
        label: row.name,
        help: row.about,
        kind: Kind::Integer {
            default: row.default.into(),
            min: row.min.into(),
            max: row.max.into(),
        },
        role,
        unset: Unset::Default,
        needs: None,
    }
}

impl Setting {
    /// Reads a text for this row.
    pub fn read(&self, text: &str) -> Result<Value, SettingError> {
        let text = text.trim();
        let value = match &self.kind {
            Kind::Switch { .. } => read_switch(text).map(Value::Switch),
            Kind::Integer { .. } => text.parse().ok().map(Value::Integer),
            Kind::Choice { values, .. } => values
                .iter()
                .find(|word| word.eq_ignore_ascii_case(text))
                .map(|&word| word.into()),
            Kind::Vector { .. } => Some(read_numbers(text).unwrap_or_else(|| text.into())),
            Kind::Text { .. } | Kind::Path => Some(text.into()),
            Kind::Button => Some(Value::Switch(true)),
        };
        let value = value.ok_or_else(|| self.unfit(text))?;
        self.check(&value)?;
        Ok(value)
    }

    /// Whether a value fits this row; the error bears its key.
    pub fn check(&self, value: &Value) -> Result<(), SettingError> {
        let fits = match (&self.kind, value) {
            (Kind::Integer { min, max, .. }, Value::Integer(number)) => (min..=max).contains(&number),
            (Kind::Choice { values, .. }, Value::Text(word)) => values.contains(&word.as_str()),
            (Kind::Text { check, .. }, Value::Text(text)) => {
                return (check.0)(text).map_err(|reason| SettingError::refused(&self.key, reason));
            }
            (Kind::Vector { names, .. }, Value::Text(text)) => return self.check_vector(text, names),
            (Kind::Vector { count, .. }, Value::Numbers(numbers)) => numbers.len() == *count,
            (Kind::Path, Value::Text(_)) | (Kind::Switch { .. } | Kind::Button, Value::Switch(_)) => true,
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(self.unfit(&value.to_string()))
        }
    }

    /// A text that is no known name is taken for a path, unless it cannot be meant as one.
    fn check_vector(&self, text: &str, names: &[&'static str]) -> Result<(), SettingError> {
        let is_path = || text.contains(['/', '\\', '.']) || Path::new(text).exists();
        if text.is_empty() || names.contains(&text) {
            return Ok(());
        }
        if names.is_empty() {
            return Err(self.unfit(text));
        }
        if is_path() {
            return Ok(());
        }
        let reason = format!(
            "unknown vector '{}'{}",
            Excerpt::from(text),
            did_you_mean(text, names.iter().copied())
        );
        Err(SettingError::refused(&self.key, reason))
    }

    fn unfit(&self, text: &str) -> SettingError {
        let hint = match &self.kind {
            Kind::Choice { values, .. } => did_you_mean(text, values.iter().copied()),
            _ => String::new(),
        };
        SettingError::Value {
            name: self.key.to_string(),
            value: text.into(),
            expected: self.kind.expected() + &hint,
        }
    }

    /// What holds as long as it is not set, if that is the default of the row.
    pub fn usual_value(&self) -> Option<Value> {
        self.default_value().filter(|_| self.unset == Unset::Default)
    }

    /// The default of the row; nothing for a button.
    pub fn default_value(&self) -> Option<Value> {
        match &self.kind {
            Kind::Switch { default } => Some(Value::Switch(*default)),
            Kind::Integer { default, .. } => Some(Value::Integer(*default)),
            Kind::Choice { default, .. } => Some((*default).into()),
            Kind::Text { default, .. } => Some(default.as_str().into()),
            Kind::Path | Kind::Vector { .. } => Some("".into()),
            Kind::Button => None,
        }
    }
}

impl Kind {
    /// What a value should be, in words.
    pub fn expected(&self) -> String {
        match self {
            Kind::Switch { .. } => "true or false".to_owned(),
            Kind::Integer { min, max, .. } => format!("a number from {min} to {max}"),
            Kind::Choice { values, .. } => format!("one of {}", values.join(", ")),
            Kind::Text { expected, .. } => (*expected).to_owned(),
            Kind::Path => "a path".to_owned(),
            Kind::Vector { names, count } if names.is_empty() => {
                format!("{count} numbers with slashes between")
            }
            Kind::Vector { names, count } => {
                format!("one of {}, a file, or {count} numbers", names.join(", "))
            }
            Kind::Button => "a button".to_owned(),
        }
    }
}

fn read_switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" | "yes" => Some(true),
        "false" | "off" | "0" | "no" => Some(false),
        _ => None,
    }
}

/// Numbers with slashes between them, at least two.
fn read_numbers(text: &str) -> Option<Value> {
    let numbers: Option<Vec<i32>> = text.split('/').map(|word| word.parse().ok()).collect();
    numbers.filter(|numbers| numbers.len() > 1).map(Value::Numbers)
}

/// The setting that is the UCI option of this name; upper and lower case do not matter.
pub fn find_option<'a>(settings: &'a [Setting], name: &str) -> Option<&'a Setting> {
    let is_named = |row: &&Setting| !row.uci.is_empty() && row.uci.eq_ignore_ascii_case(name);
    settings.iter().find(is_named)
}

/// The row as the UCI protocol announces it.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.uci)?;
        match &self.kind {
            Kind::Switch { default } => write!(f, "check default {default}"),
            Kind::Integer { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Choice { default, values } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            Kind::Text { default, .. } if !default.is_empty() => write!(f, "string default {default}"),
            Kind::Text { .. } | Kind::Path | Kind::Vector { .. } => f.write_str("string default <empty>"),
            Kind::Button => f.write_str("button"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(uci: &'static str, kind: Kind) -> Setting {
        Setting {
            key: uci.to_ascii_lowercase().into(),
            uci: uci.into(),
            label: uci,
            help: "for a test",
            kind,
            role: Role::Usual,
            unset: Unset::Default,
            needs: None,
        }
    }

    #[test]
    fn texts_are_read_against_their_row() {
        let (default, min, max) = (16, 1, 64);
        let hash = setting("Hash", Kind::Integer { default, min, max });
        assert_eq!(hash.read(" 64 "), Ok(Value::Integer(64)));
        for bad in ["", "65", "0", "many", "1 2"] {
            assert!(hash.read(bad).is_err(), "{bad:?}");
        }
        assert_eq!(
            hash.read("65").unwrap_err().named("option Hash").to_string(),
            "option Hash: '65' is not a number from 1 to 64"
        );
        assert!(hash.check(&Value::Integer(65)).is_err() && hash.check(&"64".into()).is_err());
        let style = setting(
            "Style",
            Kind::Choice {
                default: "very wild",
                values: vec!["solid", "very wild"],
            },
        );
        assert_eq!(style.read("Very Wild"), Ok("very wild".into()));
        assert_eq!(
            style.read("solit").unwrap_err().to_string(),
            "style: 'solit' is not one of solid, very wild (did you mean 'solid'?)"
        );
        assert!(style.read("wild").is_err());
        assert_eq!(
            style.to_string(),
            "option name Style type combo default very wild var solid var very wild"
        );
        let file = setting("File", Kind::Path);
        assert_eq!(file.read("a b/c"), Ok("a b/c".into()));
        assert_eq!(file.to_string(), "option name File type string default <empty>");
        let ponder = setting("Ponder", Kind::Switch { default: false });
        for (text, on) in [("TRUE", true), ("on", true), ("off", false), ("0", false)] {
            assert_eq!(ponder.read(text), Ok(Value::Switch(on)));
        }
        let vector = setting("Vector", Kind::evaluation());
        assert_eq!(vector.read("guess"), Ok("guess".into()));
        assert_eq!(vector.read("a/file.txt"), Ok("a/file.txt".into()));
        assert!(vector.read("1/2").is_err(), "too few numbers");
        assert_eq!(
            vector.read("fited").unwrap_err().to_string(),
            "vector: unknown vector 'fited' (did you mean 'fitted'?)"
        );
    }

    #[test]
    fn names_are_found_in_any_case() {
        let rows = [setting("UCI_ShowWDL", Kind::Switch { default: false })];
        assert!(find_option(&rows, "uci_showwdl").is_some());
        assert!(find_option(&rows, "uci_show").is_none());
    }
}
