//! Games in Portable Game Notation.
//!
//! [`Reader`] streams games from any source into a [`Visitor`], checking every move, without allocating
//! for one; or gives each as a [`Game`], a tree in memory. [`Writer`] writes games that read back equal.
//! What real files do is read: any encoding, missing tags or results, no move numbers, null moves,
//! UCI moves, tags and moves on one line. What is broken is a [`GameError`] with its location, and the
//! next game follows.
//!
//! | file | holds |
//! | --- | --- |
//! | `buffer`, `bytes`, `lexer`, `tag` | bytes to words, with their locations |
//! | `replay`, `reader`, `visitor` | words to legal moves |
//! | `game`, `tags`, `comment`, `annotation` | a game in memory |
//! | `writer`, `wrapped` | a game to text |

mod annotation;
mod buffer;
mod bytes;
mod comment;
mod error;
mod game;
mod lexer;
mod nag;
mod reader;
mod replay;
pub(crate) mod result;
mod tag;
mod tags;
mod variant;
mod visitor;
mod wrapped;
mod writer;

pub use annotation::{Annotations, EngineScore, Evaluation};
pub use buffer::Location;
pub use comment::Comment;
pub use error::{Fault, GameError, PgnError};
pub use game::{Game, Games, Line, Ply};
pub use nag::Nag;
pub use reader::{Limits, Reader};
pub use tag::TagValue;
pub use tags::Tags;
pub use visitor::{Moves, Visitor};
pub use writer::{WriteError, Writer};
