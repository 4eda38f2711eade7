//! The tables with their columns, each named once, and the checksum that every row carries.
//!
//! SQLite notices a torn page of a tree, not a digit that somebody or something changed inside a value: a saved state with one
//! other digit is a saved state, and a run that goes on from it ends elsewhere without a word. So every row has the
//! CRC-32 of its values, with their types and lengths, written by the statement that writes the row. What a run changes
//! while it goes on, its state, is not in it. Nulls at the end count for nothing: a column that is added later, and is null in
//! the rows before it, leaves their checksums as they are.

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

/// The name of the function in statements.
const CHECKSUM: &str = "row_checksum";

/// A table whose rows have a checksum.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// The columns that the checksum covers, in its order.
    columns: &'static [&'static str],
    /// How many of them at the beginning say which row it is.
    keys: usize,
}

pub(crate) const RUN: Table = Table {
    name: "run",
    columns: &["kind", "config"],
    keys: 1,
};
pub(crate) const PLAYER: Table = Table {
    name: "player",
    columns: &["run", "number", "name", "description"],
    keys: 2,
};
pub(crate) const GAME: Table = Table {
    name: "game",
    columns: &[
        "run",
        "number",
        "round",
        "white",
        "black",
        "result",
        "termination",
        "opening",
        "start",
        "given",
        "moves",
        "thoughts",
        "clock_scale",
        "pvs",
    ],
    keys: 2,
};
pub(crate) const FAULT: Table = Table {
    name: "fault",
    columns: &["run", "game", "attempt", "player", "kind", "detail"],
    keys: 3,
};
pub(crate) const CHECKPOINT: Table = Table {
    name: "checkpoint",
    columns: &["run", "generation", "name", "data"],
    keys: 3,
};

pub(crate) const TABLES: [&Table; 5] = [&RUN, &PLAYER, &GAME, &FAULT, &CHECKPOINT];

impl Table {
    /// The statement that adds a row, its values numbered in the order of the columns.
    pub(crate) fn insert(&self, verb: &str) -> String {
        let values: Vec<String> = (1..=self.columns.len())
            .map(|index| format!("?{index}"))
            .collect();
        let values = values.join(", ");
        format!(
            "{verb} INTO {} ({}, checksum) VALUES ({values}, {CHECKSUM}({values}))",
            self.name,
            self.columns.join(", ")
        )
    }

    /// An expression: whether a row is as it was written.
    pub(crate) fn is_whole(&self) -> String {
        format!("checksum = {}", self.checksum())
    }

    /// The statement that gives every row its checksum.
    pub(crate) fn seal(&self) -> String {
        self.seal_without(&[])
    }

    /// The statement that gave every row its checksum in version 2, before there were these columns.
    pub(crate) fn seal_without(&self, later: &[&str]) -> String {
        let columns: Vec<&str> = (self.columns.iter().copied())
            .filter(|column| !later.contains(column))
            .collect();
        format!(
            "UPDATE {} SET checksum = {CHECKSUM}({})",
            self.name,
            columns.join(", ")
        )
    }

    /// The first row that is not as it was written, in words.
    pub(crate) fn find_changed(&self, connection: &Connection) -> rusqlite::Result<Option<String>> {
        let keys = &self.columns[..self.keys];
        let sql = format!(
            "SELECT {}, {} FROM {}",
            keys.join(", "),
            self.is_whole(),
            self.name
        );
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if row.get_ref(self.keys)? != ValueRef::Integer(1) {
                return Ok(Some(self.describe(row)));
            }
        }
        Ok(None)
    }

    /// "game: run 1, number 7".
    fn describe(&self, row: &Row<'_>) -> String {
        let keys = self.columns[..self.keys].iter().enumerate();
        let named = keys.map(|(index, column)| match row.get_ref(index) {
            Ok(ValueRef::Integer(number)) => format!("{column} {number}"),
            Ok(ValueRef::Text(text)) => format!("{column} {}", String::from_utf8_lossy(text)),
            _ => format!("{column} ?"),
        });
        format!("{}: {}", self.name, named.collect::<Vec<_>>().join(", "))
    }

    fn checksum(&self) -> String {
        format!("{CHECKSUM}({})", self.columns.join(", "))
    }
}

/// Teaches a connection the function that the statements above use.
pub(crate) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function(CHECKSUM, -1, flags, |values| Ok(checksum(values)))
}

/// The CRC-32 of values, each with its type and length.
fn checksum(values: &Context<'_>) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    let is_null = |index: &usize| values.get_raw(*index) == ValueRef::Null;
    let end = (0..values.len()).rfind(|index| !is_null(index));
    for index in 0..end.map_or(0, |last| last + 1) {
        let number;
        let (kind, bytes): (u8, &[u8]) = match values.get_raw(index) {
            ValueRef::Null => (0, &[]),
            ValueRef::Integer(value) => {
                number = value.to_le_bytes();
                (1, &number)
            }
            ValueRef::Real(value) => {
                number = value.to_le_bytes();
                (2, &number)
            }
            ValueRef::Text(text) => (3, text),
            ValueRef::Blob(blob) => (4, blob),
        };
        crc.update(&[kind]);
        crc.update(&(bytes.len() as u64).to_le_bytes());
        crc.update(bytes);
    }
    crc.finalize()
}
