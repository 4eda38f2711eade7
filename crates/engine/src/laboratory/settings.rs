//! Everything that can be chosen about a laboratory search, as rows: a word for command lines and player specifications,
//! a name for UCI, what it may be, and how it is read and written.

use std::str::FromStr;

use vidmar_chess::BoardKind;
use vidmar_eval::Vector;
use vidmar_search::{Algorithm, Fail, NullMove, NullMoveRules, OrderingRules, Parallel, Scheme, Settings};
use vidmar_text::Excerpt;

use super::leaf::LeafKind;
use crate::options::{OptionError, OptionKind};

/// How a laboratory search is set up.
#[derive(Clone, Debug, PartialEq)]
pub struct LaboratorySettings {
    /// The board representation.
    pub board: BoardKind,
    /// The evaluation of the leaves.
    pub leaf: LeafKind,
    /// The parameters of the full evaluation.
    pub vector: Vector,
    /// The search itself.
    pub search: Settings,
}

impl Default for LaboratorySettings {
    fn default() -> LaboratorySettings {
        LaboratorySettings {
            board: BoardKind::Bitboard,
            leaf: LeafKind::Simple,
            vector: Vector::default(),
            search: Settings::default(),
        }
    }
}

/// One thing that can be chosen.
pub struct SettingRow {
    /// The word that command lines and specifications use.
    pub word: &'static str,
    /// The name of the UCI option.
    pub option: &'static str,
    /// One line about it.
    pub help: &'static str,
    kind: fn() -> OptionKind,
    get: fn(&LaboratorySettings) -> String,
    set: fn(&mut LaboratorySettings, &str) -> Result<(), String>,
}

const MOST_MEBIBYTES: i64 = 1 << 16;
const MOST_THREADS: i64 = 512;

/// A row whose values have names.
macro_rules! choice {
    ($word:literal, $option:literal, $help:literal, $table:ty, $($field:ident).+) => {
        SettingRow {
            word: $word,
            option: $option,
            help: $help,
            kind: || {
                let default = LaboratorySettings::default().$($field).+;
                OptionKind::Combo {
                    default: <$table>::ALL.iter().position(|&row| row == default).unwrap_or_default(),
                    values: <$table>::ALL.iter().map(|row| row.name()).collect(),
                }
            },
            get: |settings| settings.$($field).+.name().to_owned(),
            set: |settings, text| read::<$table>(text).map(|value| settings.$($field).+ = value),
        }
    };
}

/// A row that is on or off.
macro_rules! switch {
    ($word:literal, $option:literal, $help:literal, $field:ident) => {
        SettingRow {
            word: $word,
            option: $option,
            help: $help,
            kind: || OptionKind::Check(LaboratorySettings::default().search.$field),
            get: |settings| if settings.search.$field { "on" } else { "off" }.to_owned(),
            set: |settings, text| {
                settings.search.$field = match text {
                    "on" | "true" => true,
                    "off" | "false" => false,
                    _ => return Err(format!("'{}' is not on or off", Excerpt::from(text))),
                };
                Ok(())
            },
        }
    };
}

/// A row that is a number from 1 on.
macro_rules! number {
    ($word:literal, $option:literal, $help:literal, $field:ident, $most:expr) => {
        SettingRow {
            word: $word,
            option: $option,
            help: $help,
            kind: || OptionKind::Spin {
                default: LaboratorySettings::default().search.$field as i64,
                min: 1,
                max: $most,
            },
            get: |settings| settings.search.$field.to_string(),
            set: |settings, text| {
                let number = text.parse().ok().filter(|number| (1..=$most).contains(number));
                settings.search.$field = number
                    .ok_or_else(|| format!("'{}' is not a number from 1 to {}", Excerpt::from(text), $most))?
                    as usize;
                Ok(())
            },
        }
    };
}

/// Every row.
pub const SETTINGS: &[SettingRow] = &[
    choice!(
        "algorithm",
        "Algorithm",
        "how the value is found",
        Algorithm,
        search.algorithm
    ),
    choice!("board", "Board", "the board representation", BoardKind, board),
    choice!("eval", "Evaluation", "evaluation of the leaves", LeafKind, leaf),
    SettingRow {
        word: "vector",
        option: "Vector",
        help: "parameters of the full evaluation, by name",
        kind: || OptionKind::Text(String::new()),
        get: |settings| vector_name(&settings.vector),
        set: |settings, text| {
            settings.vector = if text.is_empty() {
                Vector::default()
            } else {
                Vector::named(text).map_err(|error| error.to_string())?
            };
            Ok(())
        },
    },
    choice!(
        "table",
        "Table",
        "which entries the table keeps",
        Scheme,
        search.table
    ),
    number!(
        "table-mib",
        "Hash",
        "size of the table in mebibytes",
        table_mib,
        MOST_MEBIBYTES
    ),
    SettingRow {
        word: "ordering",
        option: "Ordering",
        help: "what moves are ordered by: all, none, or names with commas between",
        kind: || OptionKind::Text(OrderingRules::ALL.to_string()),
        get: |settings| settings.search.ordering.to_string(),
        set: |settings, text| read(text).map(|rules| settings.search.ordering = rules),
    },
    switch!(
        "quiescence",
        "Quiescence",
        "leaves are searched on until they are quiet",
        quiescence
    ),
    choice!(
        "null-move",
        "Null Move",
        "cut off where a pass would be good enough",
        NullMove,
        search.null_move
    ),
    SettingRow {
        word: "null-move-without",
        option: "Null Move Without",
        help: "null-move rules to leave out, names with commas between",
        kind: || OptionKind::Text(String::new()),
        get: |settings| settings.search.null_move_rules.left_out(),
        set: |settings, text| {
            let rules = NullMoveRules::without(text).map_err(|error| error.to_string())?;
            settings.search.null_move_rules = rules;
            Ok(())
        },
    },
    switch!(
        "futility",
        "Futility",
        "hopeless quiet moves near the leaves are left out",
        futility
    ),
    choice!(
        "fail",
        "Fail",
        "what a node returns outside its window",
        Fail,
        search.fail
    ),
    switch!(
        "iterative",
        "Iterative",
        "depth 1, 2, ... first, or the depth at once",
        iterative
    ),
    switch!(
        "exact",
        "Exact",
        "the very value of minimax where the algorithm can",
        exact
    ),
    choice!(
        "parallel",
        "Parallel",
        "how threads share the search",
        Parallel,
        search.parallel
    ),
    number!("threads", "Threads", "threads", threads, MOST_THREADS),
];

fn read<T: FromStr>(text: &str) -> Result<T, String>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn vector_name(vector: &Vector) -> String {
    vidmar_eval::VECTORS
        .iter()
        .find(|named| named.vector() == *vector)
        .map_or_else(String::new, |named| named.name.to_owned())
}

impl SettingRow {
    /// What it may be set to, and its default.
    pub fn kind(&self) -> OptionKind {
        (self.kind)()
    }

    /// Its value as a text that [`set`](SettingRow::set) reads.
    pub fn get(&self, settings: &LaboratorySettings) -> String {
        (self.get)(settings)
    }

    /// Reads a value.
    pub fn set(&self, settings: &mut LaboratorySettings, text: &str) -> Result<(), OptionError> {
        (self.set)(settings, text).map_err(|reason| OptionError::Refused {
            name: self.word.to_owned(),
            reason,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_reads_what_it_writes() {
        let mut settings = LaboratorySettings::default();
        for row in SETTINGS {
            let text = row.get(&settings);
            row.set(&mut settings, &text).expect(row.word);
            assert!(row.set(&mut settings, "no such value").is_err(), "{}", row.word);
        }
        assert_eq!(settings, LaboratorySettings::default());
        let set = |settings: &mut LaboratorySettings, word: &str, text: &str| {
            let row = SETTINGS.iter().find(|row| row.word == word).expect(word);
            row.set(settings, text).map(|()| row.get(settings))
        };
        for (word, text) in [
            ("algorithm", "mtdf"),
            ("board", "0x88"),
            ("eval", "full"),
            ("vector", "fitted"),
            ("table", "deep"),
            ("table-mib", "3"),
            ("ordering", "mvv-lva,killers"),
            ("quiescence", "off"),
            ("null-move", "r3"),
            ("null-move-without", "not-twice,not-at-the-root"),
            ("futility", "on"),
            ("fail", "hard"),
            ("iterative", "off"),
            ("exact", "on"),
            ("parallel", "lazy"),
            ("threads", "2"),
        ] {
            assert_eq!(set(&mut settings, word, text).as_deref(), Ok(text));
        }
        assert_eq!(
            set(&mut settings, "table-mib", "0").unwrap_err().to_string(),
            "option table-mib: '0' is not a number from 1 to 65536"
        );
    }
}
