//! Games in Portable Game Notation.

mod buffer;
mod error;
mod game_result;
mod lexer;
mod nag;
mod reader;
mod replay;
mod tag;
mod variant;
mod visitor;

pub use buffer::Place;
pub use error::{Fault, GameError, PgnError};
pub use game_result::GameResult;
pub use nag::Nag;
pub use reader::Reader;
pub use tag::TagValue;
pub use visitor::{Moves, Visitor};
