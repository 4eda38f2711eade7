//! Openings: lines to begin games with.
//!
//! An opening is a start position and moves, so that a game from it has a past and a complete PGN. A file of them is
//! EPD: each record is the position after the moves, which is all that most match runners want, with the moves in
//! operations of our own beside it:
//!
//! | operation | says |
//! | --- | --- |
//! | `moves "e2e4 e7e5"` | the line in UCI notation, castling as the king's step (Chess960: as the king taking its rook) |
//! | `start "FEN"` | where it begins, if not in the usual start position |
//! | `ce`, `acd` | the score for the side to move and the depth that gave it |
//!
//! | `id "C50 Italian Game"` | what people call it |
//!
//! A record without `moves` is an opening of no moves. [`BuiltIn`] are such files inside the program; [`opening_name`] says
//! what people call a position.

mod built_in;
mod candidates;
mod file;
mod names;

use vidmar_chess::{Move, Position};

pub use built_in::BuiltIn;
pub use candidates::{Candidates, Source};
pub use file::OpeningError;
pub use names::{NamedLine, OpeningName, line_name, named_lines, opening_name};

/// A line to begin games with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where it begins.
    pub start: Position,
    /// What is played.
    pub moves: Vec<Move>,
    /// What an engine thought of the position after the moves.
    pub score: Option<OpeningScore>,
    /// What it is called, its code first: `C50 Italian Game`; empty if it has no name.
    pub name: String,
}

/// A score and how it was found.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct OpeningScore {
    /// For the side to move, in hundredths of a pawn.
    pub centipawns: i32,
    /// Plies of the search.
    pub depth: u32,
}

impl Opening {
    /// A line of legal moves.
    pub const fn new(start: Position, moves: Vec<Move>) -> Opening {
        Opening {
            start,
            moves,
            score: None,
            name: String::new(),
        }
    }

    /// The position after the moves.
    pub fn end(&self) -> Position {
        let mut position = self.start.clone();
        for &m in &self.moves {
            position.play(m);
        }
        position
    }
}
