//! Arguments that several commands share, read from the tables of the libraries.

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use vidmar_chess::Position;
use vidmar_text::Named;

/// The start position, or the one that the user gave.
pub(crate) fn position(fen: Option<&str>) -> anyhow::Result<Position> {
    match fen {
        None => Ok(Position::default()),
        Some(fen) => fen.parse().context("--fen"),
    }
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
