//! What is shown of a match, a game, a vector: each row is declared once, here.
//!
//! A row is plain data. Whoever counts makes it (`arena` from a scoreboard, `tune` from a run), and whoever shows it takes
//! it as it is: the terminal, `--json`, CSV files, the page (its TypeScript comes from the same declaration). So a column
//! cannot mean one thing here and another there, and a new one is a new field.
//!
//! | rows | of |
//! | --- | --- |
//! | [`MatchTable`], [`PlayerRow`], [`SprtRow`] | a match |
//! | [`GameRow`], [`FaultRow`] | a game, and what went wrong in it |
//! | [`VectorRow`], [`ResultVectorRow`], [`ValidationRow`], [`GauntletRow`], [`ParameterRow`] | a tuning run |
//! | [`EloInterval`], [`Verdict`] | a difference in Elo and what it proves; in a sentence: [`match_statement`], [`validation_statement`] |
//! | [`Table`] | any of them as CSV or JSON |

mod elo;
mod games;
mod matches;
mod statement;
mod table;
mod tuning;

pub use elo::{EloInterval, Verdict, elo_text};
pub use games::{FaultRow, GameRow};
pub use matches::{MatchPoint, MatchTable, PlayerRow, SprtRow, TerminationRow};
pub use statement::{match_statement, more_games, validation_statement};
pub use table::{Format, Row, Table, whole};
pub use tuning::{Effect, GauntletRow, ParameterRow, ResultVectorRow, ValidationRow, VectorRow};

/// Declares a row: a struct whose fields are its columns.
macro_rules! row {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$meaning:meta])* pub $column:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, ts_rs::TS)]
        pub struct $name {
            $($(#[$meaning])* pub $column: $type,)*
        }

        impl $crate::table::Row for $name {
            const COLUMNS: &'static [&'static str] = &[$(stringify!($column)),*];

            fn cells(&self) -> Vec<serde_json::Value> {
                vec![$($crate::table::cell(&self.$column)),*]
            }
        }
    };
}
pub(crate) use row;

/// A number that JSON can carry: infinities and what is not a number are nothing.
pub fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

/// Six digits: what an eye or a plot can tell apart, in a third of the bytes.
pub fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let digits = 5 - value.abs().log10().floor() as i32;
    let scale = 10_f64.powi(digits.clamp(-12, 12));
    (value * scale).round() / scale
}
