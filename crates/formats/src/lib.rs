//! Chess files: EPD test suites, perft suites, opening books, and games in PGN.
//!
//! | module | reads | writes |
//! | --- | --- | --- |
//! | [`pgn`] | games, streaming, every move checked | games, wrapped, strict |
//! | [`results`] | who played whom and how it ended, nothing else, very fast | – |
//! | [`epd`] | positions with operations, leniently, with warnings | records, strictly |
//! | [`perft_suite`] | perft counts in both forms in use | – |
//! | [`polyglot`] | opening books | books, made from games |
//! | [`openings`] | lines to begin games with; a set is built in | EPD, PGN |

pub mod epd;
pub mod openings;
pub mod perft_suite;
pub mod pgn;
pub mod polyglot;
pub mod results;
mod text;

pub use text::Text;
