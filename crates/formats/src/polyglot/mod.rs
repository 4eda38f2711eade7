//! Opening books in the PolyGlot format: a sorted file of 16-byte entries, each a position's key, a move in it, a
//! weight and a number for learning, all big-endian (Fabien Letouzey's PolyGlot; described by Michel Van
//! den Bergh at <http://hgm.nubati.net/book_format.html>).
//!
//! A position's key is [`Position::key`](vidmar_chess::Position::key). A book is trusted with nothing: its order is
//! checked when it is read, and a move only counts if it is legal.
//!
//! ```
//! use vidmar_chess::Position;
//! use vidmar_formats::pgn::Reader;
//! use vidmar_formats::polyglot::{BookMaker, MakeOptions};
//!
//! let mut maker = BookMaker::new(MakeOptions { min_games: 1, ..MakeOptions::default() });
//! maker.read(&mut Reader::new("1. e4 e5 1-0".as_bytes()))?;
//! let book = maker.finish();
//! let start = Position::default();
//! assert_eq!(book.moves(&start)[0].played, start.parse_uci("e2e4").expect("legal"));
//! # Ok::<(), vidmar_formats::pgn::PgnError>(())
//! ```

mod book;
mod entry;
mod maker;

pub use book::{Book, BookError, BookMove};
pub use entry::Entry;
pub use maker::{BookMaker, MakeOptions};
