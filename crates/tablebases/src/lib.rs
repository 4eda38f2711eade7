//! Tablebases: what positions with few pieces are worth, known for certain.
//!
//! | to | use |
//! | --- | --- |
//! | ask what a position is worth | [`Tablebases`], over our own ([`Library`]) and Syzygy's ([`Syzygy`]) |
//! | find the moves that keep the result | [`Tablebases::classify_moves`], [`Tablebases::keeping`] |
//! | make tablebases of up to four pieces | [`make()`], [`make_in_memory`] |
//! | read and write a file | [`Tablebase`] |
//!
//! King and pawn against king is built in: it needs no file and no time to begin.
//!
//! This is a crate of its own, and not part of the formats, because searches use it and have no business with games
//! and test suites, and because those who read games have none with the Syzygy library.

mod ending;
mod generate;
mod kings;
mod layout;
mod library;
mod make;
mod positions;
mod root;
mod syzygy;
mod tablebase;
mod tablebases;
mod wdl;

pub use ending::{Ending, EndingError, MAX_PIECES};
pub use library::{EXTENSION, Library, OpenError, read};
pub use make::{Made, MakeError, endings, file_of, make, make_in_memory};
pub use root::{ClassifiedMove, Keeping, has_repeated};
pub use syzygy::{DistanceToZeroing, FiftyWdl, Syzygy, SyzygyError};
pub use tablebase::{Counts, FileError, Tablebase};
pub use tablebases::Tablebases;
pub use wdl::Wdl;
