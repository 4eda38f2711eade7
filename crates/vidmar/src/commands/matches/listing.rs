//! The arguments of `vidmar match` as data, from their table.

use serde::Serialize;

use super::arguments::{Idle, ROWS, Row, Shape};

/// An argument of a match.
#[derive(Serialize)]
pub(crate) struct MatchArgument {
    name: &'static str,
    /// What stands behind it: `nothing`, `word` (or none), `words`, `keys`.
    shape: &'static str,
    /// What the word or words look like.
    value: Option<&'static str>,
    /// Of `key=value`.
    keys: Vec<KeyRow>,
}

#[derive(Serialize)]
struct KeyRow {
    name: &'static str,
    /// Empty for a key that stands alone.
    value: &'static str,
}

/// All of them.
pub(crate) fn match_arguments() -> Vec<MatchArgument> {
    ROWS.iter().map(argument).collect()
}

fn argument(row: &Row) -> MatchArgument {
    let (shape, value) = match row.shape {
        Shape::Flag(_) | Shape::Idle(Idle::Nothing) => ("nothing", None),
        Shape::Word(value, _)
        | Shape::MaybeWord(value, _)
        | Shape::Idle(Idle::Word(value) | Idle::MaybeWord(value)) => ("word", Some(value)),
        Shape::Words(value, _) | Shape::Idle(Idle::Words(value)) => ("words", Some(value)),
        Shape::Keys(_) => ("keys", None),
    };
    let keys = match row.shape {
        Shape::Keys(group) => group.help(),
        _ => Vec::new(),
    };
    let keys = keys.into_iter().map(|key| KeyRow {
        name: key.name,
        value: key.value,
    });
    MatchArgument {
        name: row.name,
        shape,
        value,
        keys: keys.collect(),
    }
}
