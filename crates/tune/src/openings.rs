//! Where tuning games begin, and where those of the validation do: never in the same place.
//!
//! A list of openings, built in or from a file, is split: every fifth one is kept for the validation. *Walks* need no list:
//! random moves from the start position, taken again until their end is quiet (no check, no capture that wins anything
//! for either side) and level to the static eye. A walk is a function of its number, and its number of a game's seed.
//! Where the kept openings are used up, or nothing can be kept (the start position), the validation goes on with walks of a
//! seed of its own: a deterministic game that is played twice is no more evidence than once.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use thiserror::Error;
use vidmar_arena::{Opening, Openings, OpeningsError, Walk};
use vidmar_chess::{Position, SIMPLE_VALUES};
use vidmar_eval::{FullEvaluation, Vector};
use vidmar_formats::polyglot::{self, BookMove};
use vidmar_rng::Rng;

use crate::config::{OpeningBook, OpeningSource};

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum BookError {
    /// A file is wanted and none is named.
    #[error("openings.source needs a file, but openings.file is not set")]
    NoFile,
    /// The book cannot be used.
    #[error("{}: {fault}", path.display())]
    Book {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: polyglot::BookError,
    },
    /// The book does not know the start position.
    #[error("{}: holds no move for the start position", path.display())]
    NoMoves {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be used.
    #[error("{}: {fault}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: OpeningsError,
    },
    /// Too few to keep some for the validation.
    #[error("{}: {count} openings, expected at least {KEPT} so that some can be kept for the validation", path.display())]
    TooFew {
        /// The file.
        path: PathBuf,
        /// How many there are.
        count: u64,
    },
    /// A walk of no or too many moves.
    #[error("openings.plies is {0}, expected 1 to 40 for walks")]
    Plies(usize),
}

/// One of so many openings of a file is kept for the validation.
const KEPT: u64 = 5;

/// The supply of a run.
pub struct Book {
    supply: Supply,
    seed: u64,
    plies: usize,
}

enum Supply {
    Start,
    Walks,
    Polyglot(polyglot::Book),
    List { openings: Openings, count: u64 },
}

impl Book {
    /// The supply that a configuration describes.
    pub fn new(config: &OpeningBook, seed: u64) -> Result<Book, BookError> {
        let plies = config.plies;
        let supply = match config.source {
            OpeningSource::Start => Supply::Start,
            OpeningSource::BuiltIn => built_in(plies),
            OpeningSource::Walks if (1..=40).contains(&plies) => Supply::Walks,
            OpeningSource::Walks => return Err(BookError::Plies(plies)),
            OpeningSource::File => {
                let path = config.file.clone().ok_or(BookError::NoFile)?;
                file(path, plies)?
            }
            OpeningSource::Book => {
                let path = config.file.clone().ok_or(BookError::NoFile)?;
                book(path)?
            }
        };
        Ok(Book { supply, seed, plies })
    }

    /// The opening of a tuning game with this seed.
    pub fn tuning(&self, game_seed: u64) -> Opening {
        match &self.supply {
            Supply::Start => Opening::default(),
            Supply::Walks => self.walk(*b"tuning--", game_seed),
            Supply::Polyglot(book) => self.drawn(book, *b"tuning--", game_seed),
            Supply::List { openings, count } => {
                let usable = count - count / KEPT;
                let index = Rng::new(self.seed, b"tuning--", game_seed, 0).below(usable);
                // Places 4, 9, 14, … are skipped.
                openings.get(index + index / (KEPT - 1))
            }
        }
    }

    /// The opening of that number for games that must all be different: the whole list from a place that the seed
    /// draws, then walks.
    pub fn different(&self, number: u64) -> Opening {
        match &self.supply {
            Supply::List { openings, count } if number < count - count / KEPT => {
                let usable = count - count / KEPT;
                let first = Rng::new(self.seed, b"differ--", 0, 0).below(usable);
                let index = (first + number) % usable;
                openings.get(index + index / (KEPT - 1))
            }
            Supply::Polyglot(book) => self.drawn(book, *b"tuning--", number),
            _ => self.walk(*b"tuning--", number),
        }
    }

    /// The opening of that number for the validation; all are different, but for chance in short walks.
    pub fn validation(&self, number: u64) -> Opening {
        match &self.supply {
            Supply::List { openings, count } if number < count / KEPT => {
                let kept = count / KEPT;
                let first = Rng::new(self.seed, b"proof---", 0, 0).below(kept);
                openings.get((first + number) % kept * KEPT + KEPT - 1)
            }
            Supply::Polyglot(book) => self.drawn(book, *b"proof---", number),
            _ => self.walk(*b"proof---", number),
        }
    }

    /// For a validation whose own openings are used up: longer walks, of which there are more than enough.
    pub(crate) fn spare(&self, number: u64) -> Opening {
        let walks = BalancedWalks {
            plies: 10,
            seed: self.seed,
            purpose: *b"spare---",
        };
        walks.opening(number)
    }

    /// A line of the book.
    fn drawn(&self, book: &polyglot::Book, purpose: [u8; 8], number: u64) -> Opening {
        let mut rng = Rng::new(self.seed, &purpose, number, 0);
        let mut position = Position::default();
        let mut moves = Vec::new();
        while moves.len() < self.plies {
            let Some(m) = BookMove::draw(&book.moves(&position), &mut rng) else {
                break;
            };
            position.play(m);
            moves.push(m);
        }
        Opening {
            moves,
            ..Opening::default()
        }
    }

    fn walk(&self, purpose: [u8; 8], number: u64) -> Opening {
        let walks = BalancedWalks {
            plies: if (1..=40).contains(&self.plies) {
                self.plies
            } else {
                8
            },
            seed: self.seed,
            purpose,
        };
        walks.opening(number)
    }
}

fn file(path: PathBuf, plies: usize) -> Result<Supply, BookError> {
    let attempt = || {
        let source = BufReader::new(File::open(&path)?);
        let is_pgn = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        if is_pgn {
            Openings::pgn(source)
        } else {
            Openings::epd(source)
        }
    };
    let openings = match attempt() {
        Ok(openings) => openings.cut_at(plies),
        Err(fault) => return Err(BookError::File { path, fault }),
    };
    let count = openings.count().unwrap_or(0) as u64;
    if count < KEPT {
        return Err(BookError::TooFew { path, count });
    }
    Ok(Supply::List { openings, count })
}

fn book(path: PathBuf) -> Result<Supply, BookError> {
    match polyglot::Book::open(&path) {
        Ok(book) if BookMove::best(&book.moves(&Position::default())).is_none() => {
            Err(BookError::NoMoves { path })
        }
        Ok(book) => Ok(Supply::Polyglot(book)),
        Err(fault) => Err(BookError::Book { path, fault }),
    }
}

fn built_in(plies: usize) -> Supply {
    let of = |opening: &vidmar_formats::openings::Opening| Opening {
        start: opening.start.clone(),
        moves: opening.moves.clone(),
        name: String::new(),
    };
    let all: Vec<Opening> = vidmar_formats::openings::BuiltIn::Random
        .openings()
        .iter()
        .map(of)
        .collect();
    let count = all.len() as u64;
    let openings = Openings::list(all).expect("the built-in openings are not empty");
    Supply::List {
        openings: openings.cut_at(plies),
        count,
    }
}

/// Random walks to quiet, level positions.
struct BalancedWalks {
    plies: usize,
    seed: u64,
    purpose: [u8; 8],
}

/// How far from level the static value may be, in hundredths of a pawn.
const LEVEL: i32 = 50;

/// Walks are taken again so often: one in a dozen or so is good, so this is never reached.
const ATTEMPTS: u64 = 10_000;

impl Walk for BalancedWalks {
    fn opening(&self, number: u64) -> Opening {
        thread_local! {
            static EVALUATION: FullEvaluation = FullEvaluation::new(&Vector::guess());
        }
        let attempt = |attempt| {
            let mut rng = Rng::new(self.seed, &self.purpose, number, attempt);
            let mut position = Position::default();
            let mut moves = Vec::with_capacity(self.plies);
            while moves.len() < self.plies {
                let &m = rng.pick(&position.legal_moves())?;
                position.play(m);
                moves.push(m);
            }
            let is_level = || EVALUATION.with(|evaluation| evaluation.evaluate(&position).abs() <= LEVEL);
            (is_quiet(&position) && is_level()).then(|| Opening {
                moves,
                ..Opening::default()
            })
        };
        (0..ATTEMPTS).find_map(attempt).unwrap_or_default()
    }
}

/// No check, and neither side wins anything by a capture.
fn is_quiet(position: &Position) -> bool {
    if position.in_check() || position.legal_moves().is_empty() {
        return false;
    }
    let gains = |position: &Position| {
        let moves = position.legal_moves();
        moves
            .iter()
            .any(|&m| position.is_capture(m) && position.see_ge(m, 1, &SIMPLE_VALUES))
    };
    let mut passed = position.clone();
    passed.play_null();
    !gains(position) && !gains(&passed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::io::Write as _;

    fn book(source: OpeningSource, file: Option<PathBuf>) -> Result<Book, BookError> {
        let plies = if file.is_some() { 4 } else { 8 };
        Book::new(&OpeningBook { source, plies, file }, 3)
    }

    fn end(opening: &Opening) -> String {
        let mut position = opening.start.clone();
        opening.moves.iter().for_each(|&m| position.play(m));
        position.to_string()
    }

    #[test]
    fn walks_are_quiet_level_many_and_repeatable() {
        let book = book(OpeningSource::Walks, None).unwrap();
        let evaluation = FullEvaluation::new(&Vector::guess());
        let mut seen = HashSet::new();
        for number in 0..300 {
            let opening = book.tuning(number);
            assert_eq!(opening.moves.len(), 8);
            assert_eq!(opening.moves, book.tuning(number).moves);
            let position: Position = end(&opening).parse().unwrap();
            assert!(!position.in_check() && evaluation.evaluate(&position).abs() <= LEVEL);
            let wins = |m: &vidmar_chess::Move| position.see(*m, &SIMPLE_VALUES) > 0;
            assert!(!position.legal_moves().iter().any(wins), "{position}");
            seen.insert(end(&opening));
            assert!(
                seen.insert(end(&book.validation(number))),
                "the validation begins where tuning did"
            );
        }
        assert!(seen.len() >= 599, "{}", seen.len());
    }

    #[test]
    fn files_are_split_between_tuning_and_validation() {
        let mut file = tempfile::Builder::new().suffix(".epd").tempfile().unwrap();
        for number in 0..23 {
            let start = Position::default().to_string().replace("0 1", "");
            writeln!(file, "{start} id \"{number}\";").unwrap();
        }
        let book = book(OpeningSource::File, Some(file.path().to_owned())).unwrap();
        let tuning: HashSet<String> = (0..2000).map(|seed| book.tuning(seed).name).collect();
        let validation: HashSet<String> = (0..4).map(|pair| book.validation(pair).name).collect();
        assert_eq!((tuning.len(), validation.len()), (19, 4));
        assert!(tuning.is_disjoint(&validation));
        assert_eq!(validation, ["4", "9", "14", "19"].map(str::to_owned).into());
        // Then walks, all different.
        let walks: HashSet<String> = (4..40).map(|pair| end(&book.validation(pair))).collect();
        assert_eq!(walks.len(), 36);
    }

    #[test]
    fn the_built_in_list_is_split_too() {
        let book = book(OpeningSource::BuiltIn, None).unwrap();
        let tuning: HashSet<String> = (0..20_000).map(|seed| end(&book.tuning(seed))).collect();
        let validation: HashSet<String> = (0..400).map(|pair| end(&book.validation(pair))).collect();
        assert_eq!((tuning.len(), validation.len()), (1600, 400));
        assert!(tuning.is_disjoint(&validation));
    }

    #[test]
    fn a_book_is_drawn_from_by_its_weights() {
        let start = Position::default();
        let entry =
            |uci: &str, weight| polyglot::Entry::new(start.key(), start.parse_uci(uci).unwrap(), weight);
        let entries = vec![entry("e2e4", 30), entry("d2d4", 10), entry("a2a4", 0)];
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), polyglot::Book::from_entries(entries).to_bytes()).unwrap();
        let book = book(OpeningSource::Book, Some(file.path().to_owned())).unwrap();
        let first = |seed: u64| {
            book.tuning(seed).moves[0]
                .uci(start.castling_notation())
                .to_string()
        };
        let count = |uci: &str| (0..4000).filter(|&seed| first(seed) == uci).count();
        let (king, queen) = (count("e2e4"), count("d2d4"));
        assert!(
            (2900..3100).contains(&king) && king + queen == 4000,
            "{king} {queen}"
        );
        assert_eq!(book.tuning(1).moves.len(), 1, "out of book");
    }

    #[test]
    fn mistakes_are_named() {
        let message = |result: Result<Book, BookError>| result.err().unwrap().to_string();
        assert!(message(book(OpeningSource::File, None)).contains("openings.file is not set"));
        let missing = book(OpeningSource::File, Some("no/such.epd".into()));
        assert!(message(missing).starts_with("no/such.epd: cannot be read"));
        let none = OpeningBook {
            source: OpeningSource::Walks,
            plies: 0,
            file: None,
        };
        assert!(message(Book::new(&none, 1)).contains("openings.plies is 0"));
    }
}
