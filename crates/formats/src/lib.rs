//! Chess files: EPD test suites, perft suites, and games in PGN.
//!
//! | module | reads | writes |
//! | --- | --- | --- |
//! | [`pgn`] | games, streaming, every move checked | games, wrapped, strict |
//! | [`results`] | who played whom and how it ended, nothing else, very fast | – |
//! | [`epd`] | positions with operations, leniently, with warnings | records, strictly |
//! | [`perft_suite`] | perft counts in both forms in use | – |

pub mod epd;
pub mod perft_suite;
pub mod pgn;
pub mod results;
mod text;

pub use text::Text;
