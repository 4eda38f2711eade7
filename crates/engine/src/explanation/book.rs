//! The reasons of a move from an opening book: what the book holds, and how it was chosen among that.

use std::fmt;

use serde::Serialize;
use vidmar_chess::Position;
use vidmar_formats::polyglot::BookMove;

/// What a book knows of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BookExplanation {
    /// The position.
    pub fen: String,
    /// The moves, the heaviest first.
    pub moves: Vec<ExplainedBookMove>,
    /// Whether the heaviest is always taken, instead of one by its weight.
    pub takes_best: bool,
}

/// A move of a book.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedBookMove {
    /// In SAN.
    pub r#move: String,
    /// In UCI notation.
    pub uci: String,
    /// Its weight; 0 is "never".
    pub weight: u16,
}

impl BookExplanation {
    /// What the book holds, as legal moves of a position.
    pub fn new(position: &Position, moves: &[BookMove], takes_best: bool) -> BookExplanation {
        let notation = position.castling_notation();
        let mut explained: Vec<ExplainedBookMove> = moves
            .iter()
            .map(|found| ExplainedBookMove {
                r#move: position.san(found.played).to_string(),
                uci: found.played.uci(notation).to_string(),
                weight: found.weight,
            })
            .collect();
        explained.sort_by_key(|found| std::cmp::Reverse(found.weight));
        BookExplanation {
            fen: position.to_string(),
            moves: explained,
            takes_best,
        }
    }
}

/// `from the opening book, by weight: e4 3, d4 1`.
impl fmt::Display for BookExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.takes_best {
            "the heaviest move"
        } else {
            "by weight"
        };
        write!(f, "from the opening book, {how}:")?;
        for (index, found) in self.moves.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma} {} {}", found.r#move, found.weight)?;
        }
        Ok(())
    }
}
