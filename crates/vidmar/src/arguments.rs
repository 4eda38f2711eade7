//! Arguments that several commands share, read from the tables of the libraries.

use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::builder::{PossibleValue, PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use vidmar_chess::Position;
use vidmar_engine::settings::{MAX_HASH, MAX_THREADS, Value};
use vidmar_engine::{ChosenEvaluation, FlagshipThinker};
use vidmar_search::MAX_DEPTH;
use vidmar_text::Named;

/// The start position, or the one that the user gave.
pub(crate) fn position(fen: Option<&str>) -> anyhow::Result<Position> {
    match fen {
        None => Ok(Position::default()),
        Some(fen) => fen.parse().context("--fen"),
    }
}

/// The evaluation of the engine that the user gave by name or file, or its default.
pub(crate) fn evaluation(option: &str, text: Option<&str>) -> anyhow::Result<ChosenEvaluation> {
    let setting = FlagshipThinker::all_settings()
        .iter()
        .find(|row| row.key == "eval");
    let value = Value::from(text.unwrap_or_default());
    if let Some(setting) = setting {
        setting
            .check(&value)
            .map_err(|error| anyhow!(error.named(option)))?;
    }
    ChosenEvaluation::read(&value).map_err(|reason| anyhow!("{option}: {reason}"))
}

/// A time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number = text
        .parse()
        .ok()
        .and_then(|number| Duration::try_from_secs_f64(number).ok());
    number
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a positive number of seconds".to_owned())
}

/// A number of threads, as far as players take it.
pub(crate) fn threads<T: TryFrom<u64> + Clone + Send + Sync + 'static>() -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(1..=MAX_THREADS.unsigned_abs())
}

/// Plies, as far as a search goes.
pub(crate) fn depth<T: TryFrom<u64> + Clone + Send + Sync + 'static>() -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(1..=u64::from(MAX_DEPTH))
}

/// The size of a table in mebibytes, as far as players take it.
pub(crate) fn hash<T: TryFrom<u64> + Clone + Send + Sync + 'static>() -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(1..=MAX_HASH.unsigned_abs())
}

/// One of a table of names; `--help` lists them with a line each.
pub(crate) fn named<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    some_of(T::ALL.iter().copied())
}

/// The same for some rows of a table.
pub(crate) fn some_of<T: Named + Send + Sync>(
    rows: impl Iterator<Item = T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(rows.map(|row| PossibleValue::new(row.name()).help(row.help())))
        .try_map(|name| name.parse::<T>())
}
