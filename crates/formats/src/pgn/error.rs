//! What can be wrong with a game, and where.

use std::io;

use thiserror::Error;
use vidmar_chess::{FenError, SanError};
use vidmar_text::Excerpt;

use super::buffer::Location;

/// Reading a game failed. After a [`PgnError::Game`] the reader stands at the next game.
#[derive(Debug, Error)]
pub enum PgnError {
    /// The source could not be read; nothing follows.
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// One game is broken.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// One game of a file is broken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game} ({location}): {fault}")]
pub struct GameError {
    /// The number of the game in the file, from 1, broken ones included.
    pub game: u64,
    /// Where the fault stands.
    pub location: Location,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// Not a move, or not a legal one.
    #[error(transparent)]
    Move(#[from] SanError),
    /// A null move in check.
    #[error("the null move {0} is not allowed in check")]
    NullMove(Excerpt),
    /// A start position that is none.
    #[error("the FEN tag is wrong: {0}")]
    Fen(FenError),
    /// A game with other rules.
    #[error("the variant '{0}' is not chess or Chess960")]
    Variant(Excerpt),
    /// Not a tag pair.
    #[error("'{0}' is not a tag (expected for example [White \"Name\"])")]
    Tag(Excerpt),
    /// Something that does not belong in a game.
    #[error("unexpected '{0}' (expected a move, a comment, a variation or a result)")]
    Unexpected(Excerpt),
    /// A number after `$` is missing or too large.
    #[error("'{0}' is not an annotation glyph (expected $0 to $255)")]
    Nag(Excerpt),
    /// The file, or the game, ends inside a comment.
    #[error("the comment that begins here is not closed (expected '}}')")]
    UnclosedComment,
    /// A comment, a tag or a word is longer than any sane file has it.
    #[error("the {what} that begins here is longer than {limit} bytes")]
    TooLong {
        /// What it is.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The game is larger than the reader was told to read ([`Limits`](super::Limits)).
    #[error("the game has more than {limit} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The game ends inside a variation.
    #[error("the game ends inside {0} open variations (expected ')')")]
    UnclosedVariation(usize),
    /// A closing parenthesis without its partner.
    #[error("')' without an open variation")]
    UnopenedVariation,
    /// A variation of no move.
    #[error("a variation before the first move of its line")]
    EarlyVariation,
    /// Variations in variations without end.
    #[error("variations are nested more than {0} deep")]
    TooDeep(usize),
}
