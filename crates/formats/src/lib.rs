//! Chess files: EPD test suites, perft suites, and games in PGN.
//!
//! | module | reads | writes |
//! | --- | --- | --- |
//! | [`pgn`] | games, streaming, every move checked | games, wrapped, strict |
//! | [`epd`] | positions with operations, leniently, with warnings | records, strictly |
//! | [`perft_suite`] | perft counts in both forms in use | – |

pub mod epd;
pub mod perft_suite;
pub mod pgn;
mod text;

pub use text::Text;
