//! The openings of a match: those built in, or a file's.

use std::path::{Path, PathBuf};

use thiserror::Error;
use vidmar_chess::Position;
use vidmar_formats::openings::{BuiltIn, Candidates, Source};
use vidmar_formats::polyglot::{Book, BookError};
use vidmar_text::named_enum;

use crate::opening::Opening;
use crate::openings::{Openings, OpeningsError, Order};

named_enum! {
    /// What a file of openings can be, by the usual extension of such files.
    pub enum OpeningFormat: "format of openings";
    Epd, "epd", "positions, as EPD or FEN";
    Pgn, "pgn", "games";
    Bin, "bin", "a PolyGlot book";
}

impl OpeningFormat {
    /// What a file is by its name.
    pub fn of_file(path: &Path) -> Option<OpeningFormat> {
        match path.extension()?.to_str()? {
            "fen" | "txt" => Some(OpeningFormat::Epd),
            extension => extension.parse().ok(),
        }
    }
}

/// A file of openings, and how it is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningFile {
    /// The file.
    pub file: PathBuf,
    /// What it is; by its name if not said.
    pub format: Option<OpeningFormat>,
    /// Shuffled by the seed of the match, instead of in its order.
    pub random: bool,
    /// How much of each line is played.
    pub plies: Option<usize>,
    /// The first one, from 0.
    pub start: u64,
}

/// Why a file gives no openings.
#[derive(Debug, Error)]
pub enum OpeningFileError {
    /// Its name says nothing.
    #[error("{}: expected format=epd, format=pgn or format=bin", .0.display())]
    Format(PathBuf),
    /// It is not there, or may not be read.
    #[error("cannot open {}: {reason}", file.display())]
    Open {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// It is no book.
    #[error("{}: {reason}", file.display())]
    Book {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: BookError,
    },
    /// It holds something else, or nothing.
    #[error("{}: {reason}", file.display())]
    Contents {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: OpeningsError,
    },
}

/// Plies of a book's lines where nothing is said.
const BOOK_PLIES: usize = 8;

/// The most lines that are taken from a book.
const MOST_BOOK_LINES: u64 = 100_000;

/// The built-in openings in an order of a seed, and a number that changes when they do.
pub(crate) fn built_in(seed: u64) -> Result<(Openings, u64), OpeningsError> {
    let list = BuiltIn::Book.openings().iter().map(Opening::from).collect();
    let shuffled = Openings::list(list)?.in_order(Order::Random { seed });
    Ok((shuffled, digest(BuiltIn::Book.text().as_bytes())))
}

impl OpeningFile {
    /// Reads so many openings or more, and a number that changes when they do.
    pub(crate) fn read(&self, needed: u64, seed: u64) -> Result<(Openings, u64), OpeningFileError> {
        let file = || self.file.clone();
        let contents = |reason| OpeningFileError::Contents { file: file(), reason };
        let opened = |reason| OpeningFileError::Open { file: file(), reason };
        let format = self
            .format
            .or_else(|| OpeningFormat::of_file(&self.file))
            .ok_or_else(|| OpeningFileError::Format(file()))?;
        let bytes = std::fs::read(&self.file).map_err(opened)?;
        let openings = match format {
            OpeningFormat::Epd => Openings::epd(&bytes[..]).map_err(contents)?,
            OpeningFormat::Pgn => {
                let games = Openings::pgn(&bytes[..]).map_err(contents)?;
                self.plies.into_iter().fold(games, Openings::cut_at)
            }
            OpeningFormat::Bin => self.lines_of_book(needed, seed)?,
        };
        let order = if self.random {
            Order::Random { seed }
        } else {
            Order::Sequential
        };
        Ok((openings.in_order(order).starting_at(self.start), digest(&bytes)))
    }

    fn lines_of_book(&self, needed: u64, seed: u64) -> Result<Openings, OpeningFileError> {
        let file = || self.file.clone();
        let book =
            Book::open(&self.file).map_err(|reason| OpeningFileError::Book { file: file(), reason })?;
        let plies = self.plies.unwrap_or(BOOK_PLIES);
        let most = (needed + self.start).min(MOST_BOOK_LINES) as usize;
        let lines = Candidates::new(Source::Book(&book), Position::default(), plies, seed)
            .take(most)
            .map(|line| Opening::from(&line))
            .collect();
        Openings::list(lines).map_err(|reason| OpeningFileError::Contents { file: file(), reason })
    }
}

/// Fowler, Noll and Vo's hash (FNV-1a): enough to see that a file was changed.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
