//! Arguments that several commands share, read from the tables of the libraries.

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use vidmar_chess::{BoardKind, Position};

/// The start position, or the one that the user gave.
pub(crate) fn position(fen: Option<&str>) -> anyhow::Result<Position> {
    match fen {
        None => Ok(Position::default()),
        Some(fen) => fen.parse().context("--fen"),
    }
}

/// The name of a board; `--help` lists them with a line each.
pub(crate) fn board() -> impl TypedValueParser<Value = BoardKind> {
    let rows = BoardKind::ALL
        .iter()
        .map(|kind| PossibleValue::new(kind.name()).help(kind.help()));
    PossibleValuesParser::new(rows).try_map(|name| name.parse::<BoardKind>())
}
