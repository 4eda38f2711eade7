//! How a behaviour reasons: one table of settings, from which come the UCI options, the words of a player's
//! specification and the documentation.

use std::fmt;

use thiserror::Error;
use vidmar_engine::{OptionKind, OptionRow};
use vidmar_text::Excerpt;

use crate::weights::{Fraction, Weights};

/// Declares an enum of named choices.
macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($(#[$row:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$row])* $variant),* }

        impl $name {
            /// Every choice, the default first.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// Its word.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }
    };
}

choices! {
    /// What makes boards alike.
    Metric {
        /// The same on the same square.
        #[default]
        Squares = "squares",
        /// Like pieces near each other.
        LikePieces = "like-pieces",
    }
}

choices! {
    /// What is done about a move after which the board is one that has been before.
    Cycles {
        /// It is played like any other.
        #[default]
        Allow = "allow",
        /// It is played only if there is no other.
        Avoid = "avoid",
        /// The same, unless the behaviour has less material: then a draw is welcome.
        Unwanted = "unwanted",
    }
}

choices! {
    /// Whether the behaviour's own solutions become cases.
    Learn {
        /// They do not.
        #[default]
        Off = "off",
        /// Until the next game begins.
        Game = "game",
        /// For good, or until the file of cases is set again.
        Session = "session",
    }
}

choices! {
    /// Whether cases only suggest moves among which a search chooses.
    Filter {
        /// The cases choose.
        #[default]
        Off = "off",
        /// A search chooses among the suggestions of the k nearest cases.
        Root = "root",
        /// The same, and the search itself follows only suggestions in the behaviour's own positions.
        Tree = "tree",
    }
}

/// How a behaviour reasons. The default is the published study's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CaseSettings {
    /// The weights of the adaptation.
    pub weights: Weights,
    /// The seed of the behaviour.
    pub seed: u64,
    /// How many cases are looked at.
    pub k: usize,
    /// With several cases: what a board that is not alike costs, against a move that is not alike.
    pub penalty: Fraction,
    /// How much the solution counts in the similarity of a case.
    pub solution: Fraction,
    /// What makes boards alike.
    pub metric: Metric,
    /// Whether boards may be alike after a step of the whole board.
    pub shift: bool,
    /// Whether cases of the other colour are used, mirrored.
    pub mirror: bool,
    /// What is done about cycles.
    pub cycles: Cycles,
    /// Whether it learns.
    pub learn: Learn,
    /// Variations on every clearly good capture.
    pub captures: usize,
    /// Whether a search chooses.
    pub filter: Filter,
    /// The depth of that search.
    pub depth: u32,
}

impl Default for CaseSettings {
    fn default() -> CaseSettings {
        CaseSettings {
            weights: Weights::default(),
            seed: 0,
            k: 1,
            penalty: Fraction::ZERO,
            solution: Fraction::ZERO,
            metric: Metric::Squares,
            shift: false,
            mirror: false,
            cycles: Cycles::Allow,
            learn: Learn::Off,
            captures: 0,
            filter: Filter::Off,
            depth: 4,
        }
    }
}

/// A setting was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// No such setting.
    #[error("'{name}' is no setting of a case-based player (expected one of {expected})")]
    Unknown {
        /// The word.
        name: Excerpt,
        /// What there is.
        expected: String,
    },
    /// A value that does not fit.
    #[error("{name}: '{value}' is not {expected}")]
    Value {
        /// The setting.
        name: &'static str,
        /// The value.
        value: Excerpt,
        /// What it can be.
        expected: String,
    },
}

/// One setting.
pub struct SettingRow {
    /// Its word in a player's specification.
    pub key: &'static str,
    /// Its UCI option.
    pub option: &'static str,
    /// What it does.
    pub help: &'static str,
    kind: Kind,
    get: fn(&CaseSettings) -> String,
    /// False if the text does not fit.
    set: fn(&mut CaseSettings, &str) -> bool,
}

enum Kind {
    Check,
    Spin(i64, i64),
    Words(fn() -> Vec<&'static str>),
    /// A text, with what is expected of it.
    Text(&'static str),
}

const MOST_CASES: i64 = 10_000;
const MOST_VARIATIONS: i64 = 64;
const MOST_PLIES: i64 = 30;
const FRACTION: Kind = Kind::Text("a number from 0 to 1 with at most three decimals");

fn put<T>(place: &mut T, value: Option<T>) -> bool {
    match value {
        Some(value) => {
            *place = value;
            true
        }
        None => false,
    }
}

fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" | "yes" => Some(true),
        "false" | "off" | "0" | "no" => Some(false),
        _ => None,
    }
}

fn number(text: &str, min: i64, max: i64) -> Option<i64> {
    text.parse().ok().filter(|number| (min..=max).contains(number))
}

/// The rows of a setting that is one of some words.
macro_rules! words {
    ($key:literal, $option:literal, $help:literal, $field:ident, $type:ident) => {
        SettingRow {
            key: $key,
            option: $option,
            help: $help,
            kind: Kind::Words(|| $type::ALL.iter().map(|choice| choice.word()).collect()),
            get: |settings| settings.$field.word().to_owned(),
            set: |settings, text| {
                let choice = $type::ALL
                    .iter()
                    .find(|choice| choice.word().eq_ignore_ascii_case(text));
                put(&mut settings.$field, choice.copied())
            },
        }
    };
}

/// Every setting.
pub static SETTINGS: [SettingRow; 13] = [
    SettingRow {
        key: "weights",
        option: "Weights",
        help: "weights of the adaptation: squares against pieces, from against to as squares, from against to as pieces",
        kind: Kind::Text("three weights from 0 to 1 with slashes between them"),
        get: |settings| settings.weights.to_string(),
        set: |settings, text| put(&mut settings.weights, text.parse().ok()),
    },
    SettingRow {
        key: "seed",
        option: "Seed",
        help: "seed of every choice among equals",
        kind: Kind::Spin(0, u32::MAX as i64),
        get: |settings| settings.seed.to_string(),
        set: |settings, text| {
            put(
                &mut settings.seed,
                number(text, 0, u32::MAX as i64).map(|n| n as u64),
            )
        },
    },
    SettingRow {
        key: "k",
        option: "K",
        help: "nearest cases among which the one with the best adapted move is taken; 1: one of the nearest, by lot",
        kind: Kind::Spin(1, MOST_CASES),
        get: |settings| settings.k.to_string(),
        set: |settings, text| put(&mut settings.k, number(text, 1, MOST_CASES).map(|n| n as usize)),
    },
    SettingRow {
        key: "penalty",
        option: "Penalty",
        help: "with k above 1, what a wholly unlike board costs a move",
        kind: FRACTION,
        get: |settings| settings.penalty.to_string(),
        set: |settings, text| put(&mut settings.penalty, text.parse().ok()),
    },
    SettingRow {
        key: "solution",
        option: "SolutionWeight",
        help: "share of the solution in the similarity of a case: how well its move fits a legal one",
        kind: FRACTION,
        get: |settings| settings.solution.to_string(),
        set: |settings, text| put(&mut settings.solution, text.parse().ok()),
    },
    words!("metric", "Metric", "what makes boards alike", metric, Metric),
    SettingRow {
        key: "shift",
        option: "Shift",
        help: "boards may be alike after a step of the whole board",
        kind: Kind::Check,
        get: |settings| settings.shift.to_string(),
        set: |settings, text| put(&mut settings.shift, switch(text)),
    },
    SettingRow {
        key: "mirror",
        option: "Mirror",
        help: "cases of the other colour are used too, turned round",
        kind: Kind::Check,
        get: |settings| settings.mirror.to_string(),
        set: |settings, text| put(&mut settings.mirror, switch(text)),
    },
    words!(
        "cycles",
        "Cycles",
        "what is done about a board that has been before",
        cycles,
        Cycles
    ),
    words!(
        "learn",
        "Learn",
        "whether its own solutions become cases",
        learn,
        Learn
    ),
    SettingRow {
        key: "captures",
        option: "Captures",
        help: "variations added for every clearly good capture",
        kind: Kind::Spin(0, MOST_VARIATIONS),
        get: |settings| settings.captures.to_string(),
        set: |settings, text| {
            put(
                &mut settings.captures,
                number(text, 0, MOST_VARIATIONS).map(|n| n as usize),
            )
        },
    },
    words!(
        "filter",
        "Filter",
        "whether a search chooses among what the k nearest cases suggest",
        filter,
        Filter
    ),
    SettingRow {
        key: "filter-depth",
        option: "FilterDepth",
        help: "plies of that search",
        kind: Kind::Spin(1, MOST_PLIES),
        get: |settings| settings.depth.to_string(),
        set: |settings, text| put(&mut settings.depth, number(text, 1, MOST_PLIES).map(|n| n as u32)),
    },
];

impl SettingRow {
    fn expected(&self) -> String {
        match &self.kind {
            Kind::Check => "true or false".to_owned(),
            Kind::Spin(min, max) => format!("a number from {min} to {max}"),
            Kind::Words(words) => format!("one of {}", words().join(", ")),
            Kind::Text(expected) => (*expected).to_owned(),
        }
    }

    /// The setting in some settings, as text.
    pub fn value(&self, settings: &CaseSettings) -> String {
        (self.get)(settings)
    }

    /// What values it takes, in words.
    pub fn values(&self) -> String {
        self.expected()
    }

    /// The same as a UCI option.
    pub fn option_row(&self) -> OptionRow {
        let default = (self.get)(&CaseSettings::default());
        let kind = match &self.kind {
            Kind::Check => OptionKind::Check(default == "true"),
            &Kind::Spin(min, max) => OptionKind::Spin {
                default: default.parse().unwrap_or(min),
                min,
                max,
            },
            Kind::Words(words) => OptionKind::Combo {
                default: words().iter().position(|word| *word == default).unwrap_or(0),
                values: words(),
            },
            Kind::Text(_) => OptionKind::Text(default),
        };
        OptionRow::new(self.option, kind)
    }
}

impl CaseSettings {
    /// Sets what a word of a specification, or the name of an option, stands for.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let is_named =
            |row: &&SettingRow| row.key.eq_ignore_ascii_case(name) || row.option.eq_ignore_ascii_case(name);
        let Some(row) = SETTINGS.iter().find(is_named) else {
            return Err(SettingError::Unknown {
                name: name.into(),
                expected: SETTINGS.each_ref().map(|row| row.key).join(", "),
            });
        };
        if (row.set)(self, value.trim()) {
            Ok(())
        } else {
            Err(SettingError::Value {
                name: row.key,
                value: value.into(),
                expected: row.expected(),
            })
        }
    }
}

/// What differs from the default, as a specification has it.
impl fmt::Display for CaseSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = CaseSettings::default();
        let mut comma = "";
        for row in &SETTINGS {
            let value = row.value(self);
            if value != row.value(&default) {
                write!(f, "{comma}{}={value}", row.key)?;
                comma = ",";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_reads_what_it_writes() {
        let mut settings = CaseSettings::default();
        assert_eq!(settings.to_string(), "");
        for (name, value) in [
            ("weights", "0.8/0.2/0.5"),
            ("seed", "7"),
            ("K", "10"),
            ("penalty", "0.25"),
            ("SolutionWeight", "0.5"),
            ("metric", "like-pieces"),
            ("shift", "true"),
            ("mirror", "on"),
            ("cycles", "avoid"),
            ("learn", "game"),
            ("captures", "4"),
            ("filter", "root"),
            ("FilterDepth", "6"),
        ] {
            settings.set(name, value).unwrap();
        }
        let text = settings.to_string();
        assert_eq!(text.split(',').count(), SETTINGS.len(), "{text}");
        let mut again = CaseSettings::default();
        for pair in text.split(',') {
            let (key, value) = pair.split_once('=').unwrap();
            again.set(key, value).unwrap();
        }
        assert_eq!(again, settings);
    }

    #[test]
    fn bad_settings_are_told_with_what_was_expected() {
        let mut settings = CaseSettings::default();
        for (name, value, message) in [
            (
                "kk",
                "1",
                "'kk' is no setting of a case-based player (expected one of weights, seed, k,",
            ),
            ("k", "0", "k: '0' is not a number from 1 to 10000"),
            ("filter", "all", "filter: 'all' is not one of off, root, tree"),
            ("weights", "1", "weights: '1' is not three weights"),
            ("penalty", "2", "penalty: '2' is not a number from 0 to 1"),
            ("mirror", "maybe", "mirror: 'maybe' is not true or false"),
        ] {
            let error = settings.set(name, value).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        assert_eq!(settings, CaseSettings::default());
    }
}
