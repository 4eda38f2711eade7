//! Extended position descriptions: a position and operations on it, one a line, as test suites have them.
//!
//! Read leniently, because real suites need it, with a [`Warning`] for each liberty; written strictly
//! (PGN standard, 16.2). Moves are read in the position: what is kept of `bm` and `am` is legal.
//!
//! ```
//! use vidmar_formats::epd;
//! let (epd, warnings) = epd::parse_line("8/8/8/8/8/5k2/5p2/5K2 b - - 0 1 bm #2; id \"a; b\"")?;
//! assert_eq!((epd.mate(), epd.id()), (Some(2), Some("a; b")));
//! assert_eq!(warnings.len(), 2); // six fields, no semicolon at the end
//! assert_eq!(epd.to_string(), "8/8/8/8/8/5k2/5p2/5K2 b - - bm #2; id \"a; b\";");
//! # Ok::<(), epd::EpdError>(())
//! ```

mod opcode;
mod parse;
mod reader;
mod write;

use vidmar_chess::{Move, Position};

pub use parse::{EpdError, Warning, parse_line};
pub use reader::Reader;

/// A position with its operations, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position, counters included: the operations `hmvc` and `fmvn` are read into it and written from
    /// it.
    pub position: Position,
    /// The operations.
    pub operations: Vec<Operation>,
}

/// An operation: `bm Nf3;` or `id "WAC.001";`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What is said.
    pub opcode: String,
    /// What is said about it.
    pub value: Value,
}

/// The operands of an operation, as its opcode asks for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Moves in the position, each by itself (`bm`, `am`, `pm`, `sm`).
    Moves(Vec<Move>),
    /// Moves one after the other (`pv`).
    Line(Vec<Move>),
    /// `#3` in the place of a best move: mate in so many moves, negative if against the mover.
    Mate(i32),
    /// A number (`acd`, `ce`, `dm`, …).
    Number(i64),
    /// A text in quotes (`id`, `c0` to `c9`).
    Text(String),
    /// Anything else: the operands of an unknown opcode, or of a known one that does not parse.
    Words(Vec<Operand>),
}

/// A word or a text in quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The text.
    pub text: String,
    /// Whether it stands in quotes.
    pub quoted: bool,
}

impl Epd {
    /// A position without operations.
    pub const fn new(position: Position) -> Epd {
        Epd {
            position,
            operations: Vec::new(),
        }
    }

    /// The operands of an opcode.
    pub fn get(&self, opcode: &str) -> Option<&Value> {
        let found = self
            .operations
            .iter()
            .find(|operation| operation.opcode == opcode)?;
        Some(&found.value)
    }

    /// Sets an operation; one that was there is replaced.
    pub fn set(&mut self, opcode: &str, value: Value) {
        match self
            .operations
            .iter_mut()
            .find(|operation| operation.opcode == opcode)
        {
            Some(operation) => operation.value = value,
            None => self.operations.push(Operation {
                opcode: opcode.to_owned(),
                value,
            }),
        }
    }

    /// `bm`: the best moves; empty if there are none.
    pub fn best_moves(&self) -> &[Move] {
        self.moves("bm")
    }

    /// `am`: the moves to avoid; empty if there are none.
    pub fn avoid_moves(&self) -> &[Move] {
        self.moves("am")
    }

    /// `pv`: the moves that a program expected, one after the other.
    pub fn variation(&self) -> &[Move] {
        self.moves("pv")
    }

    fn moves(&self, opcode: &str) -> &[Move] {
        match self.get(opcode) {
            Some(Value::Moves(moves) | Value::Line(moves)) => moves,
            _ => &[],
        }
    }

    /// `bm #N` or `dm N`: mate in so many moves, negative if against the side to move.
    pub fn mate(&self) -> Option<i32> {
        match (self.get("bm"), self.get("dm")) {
            (Some(Value::Mate(moves)), _) => Some(*moves),
            (_, Some(Value::Number(moves))) => i32::try_from(*moves).ok(),
            _ => None,
        }
    }

    /// `id`: the name of the position.
    pub fn id(&self) -> Option<&str> {
        self.text("id")
    }

    /// A text, for example a comment `c0`.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        match self.get(opcode)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number, for example `acd` or `ce`.
    pub fn number(&self, opcode: &str) -> Option<i64> {
        match self.get(opcode)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }
}
