//! Where games begin: the lines of a file, or walks that are made as they are needed.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use thiserror::Error;
use vidmar_chess::{BitboardBoard, Board, Position};
use vidmar_formats::epd::{self, EpdError};
use vidmar_formats::pgn::{PgnError, Reader};
use vidmar_rng::Rng;

use crate::opening::Opening;

/// In which order the openings of a list are played.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they stand.
    #[default]
    Sequential,
    /// Shuffled by a seed; every one comes once before any comes again.
    Random {
        /// The seed.
        seed: u64,
    },
}

/// Something that makes an opening for every number: a book, a generator.
pub trait Walk: Send + Sync {
    /// The opening of that number; the same one whenever it is asked for.
    fn opening(&self, number: u64) -> Opening;
}

/// A supply of openings.
pub struct Openings {
    source: Source,
    /// The indices of a list in the order of play.
    order: Vec<u32>,
    /// The index in that order of opening 0.
    start: u64,
    /// How much of a line is played.
    plies: Option<usize>,
}

enum Source {
    /// The text of a file, and where its records are: millions of positions fit into memory that way.
    Epd {
        text: String,
        records: Vec<Range<usize>>,
    },
    List(Vec<Opening>),
    Walk(Box<dyn Walk>),
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The source could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A line of an EPD file is wrong.
    #[error("line {line}: {fault}")]
    Epd {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: EpdError,
    },
    /// A game of a PGN file is wrong.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// A line of play is wrong.
    #[error("opening {number}: {fault}")]
    Line {
        /// The line of play, from 1.
        number: usize,
        /// What is wrong with it.
        fault: vidmar_chess::SanError,
    },
    /// No opening at all.
    #[error("holds no opening")]
    Empty,
    /// More than can be counted here.
    #[error("holds more than {} openings", u32::MAX)]
    TooMany,
}

impl Openings {
    /// The start position, again and again.
    pub fn none() -> Openings {
        Openings {
            source: Source::List(vec![Opening::default()]),
            order: vec![0],
            start: 0,
            plies: None,
        }
    }

    /// A list in its order.
    pub fn list(openings: Vec<Opening>) -> Result<Openings, OpeningsError> {
        let count = openings.len();
        Openings::with(Source::List(openings), count)
    }

    /// Openings that are made as they are needed.
    pub fn walk(walk: impl Walk + 'static) -> Openings {
        Openings {
            source: Source::Walk(Box::new(walk)),
            order: Vec::new(),
            start: 0,
            plies: None,
        }
    }

    /// The positions of an EPD file, or of a file of FENs. Blank lines and lines that begin with `#` are passed over; every
    /// other line is read here, so that a broken one is known before the first game.
    pub fn epd(mut source: impl BufRead) -> Result<Openings, OpeningsError> {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes)?;
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let mut records = Vec::new();
        let mut begin = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let record = line.trim_start_matches('\u{feff}').trim();
            if !record.is_empty() && !record.starts_with('#') {
                epd::parse_line(record).map_err(|fault| OpeningsError::Epd {
                    line: index + 1,
                    fault,
                })?;
                let offset = begin + (record.as_ptr() as usize - line.as_ptr() as usize);
                records.push(offset..offset + record.len());
            }
            begin += line.len();
        }
        let count = records.len();
        Openings::with(Source::Epd { text, records }, count)
    }

    /// The games of a PGN file: where each begins, and its moves, up to a null move.
    pub fn pgn(source: impl Read) -> Result<Openings, OpeningsError> {
        let mut openings = Vec::new();
        for game in Reader::new(source).games() {
            let game = game?;
            openings.push(Opening {
                start: game.start().clone(),
                moves: game.moves().map_while(|m| m).collect(),
                name: name_of(&game.tags),
            });
        }
        Openings::list(openings)
    }

    /// Lines of play in SAN, with or without move numbers, from the start position.
    pub fn lines<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Openings, OpeningsError> {
        let read = |(index, line): (usize, &str)| {
            let mut now = Position::default();
            let mut moves = Vec::new();
            for word in line.split_whitespace() {
                let word = word
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .trim_start_matches('.');
                if word.is_empty() {
                    continue;
                }
                let m = now.parse_san(word).map_err(|fault| OpeningsError::Line {
                    number: index + 1,
                    fault,
                })?;
                now.play(m);
                moves.push(m);
            }
            Ok(Opening {
                moves,
                ..Opening::default()
            })
        };
        let openings: Result<Vec<Opening>, OpeningsError> = lines.into_iter().enumerate().map(read).collect();
        Openings::list(openings?)
    }

    fn with(source: Source, count: usize) -> Result<Openings, OpeningsError> {
        if count == 0 {
            return Err(OpeningsError::Empty);
        }
        let count = u32::try_from(count).map_err(|_| OpeningsError::TooMany)?;
        Ok(Openings {
            source,
            order: (0..count).collect(),
            start: 0,
            plies: None,
        })
    }

    /// The same in another order. Walks have none: their numbers are their order.
    pub fn in_order(mut self, order: Order) -> Openings {
        self.order.sort_unstable();
        if let Order::Random { seed } = order {
            Rng::new(seed, b"openings", 0, 0).shuffle(&mut self.order);
        }
        self
    }

    /// Begins with another one of the order, from 0.
    pub fn starting_at(self, start: u64) -> Openings {
        Openings { start, ..self }
    }

    /// Plays no more than so many plies of each line.
    pub fn cut_at(self, plies: usize) -> Openings {
        Openings {
            plies: Some(plies),
            ..self
        }
    }

    /// How many there are; none of walks, which do not end.
    pub fn count(&self) -> Option<usize> {
        match self.source {
            Source::Walk(_) => None,
            _ => Some(self.order.len()),
        }
    }

    /// The opening of that number. After the last of a list comes the first again.
    pub fn get(&self, number: u64) -> Opening {
        let number = self.start.wrapping_add(number);
        let index = || self.order[(number % self.order.len() as u64) as usize] as usize;
        let mut opening = match &self.source {
            Source::Walk(walk) => walk.opening(number),
            Source::List(list) => list[index()].clone(),
            Source::Epd { text, records } => of_record(&text[records[index()].clone()]),
        };
        if let Some(plies) = self.plies {
            opening.moves.truncate(plies);
        }
        opening
    }
}

fn of_record(record: &str) -> Opening {
    let (epd, _) = epd::parse_line(record).expect("every record was read before");
    Opening {
        name: epd.id().unwrap_or_default().to_owned(),
        start: epd.position,
        moves: Vec::new(),
    }
}

/// As much of a name as the tags have.
fn name_of(tags: &vidmar_formats::pgn::Tags) -> String {
    let known = |name: &str| tags.get(name).filter(|value| !value.is_empty() && *value != "?");
    let parts: Vec<&str> = ["ECO", "Opening", "Variation"]
        .into_iter()
        .filter_map(known)
        .collect();
    parts.join(" ")
}

/// Random moves from the start position: openings that nobody has prepared. A walk into the end of a game is taken again.
#[derive(Copy, Clone, Debug)]
pub struct RandomWalks {
    /// The length of every walk.
    pub plies: usize,
    /// Another seed, other walks.
    pub seed: u64,
}

/// Walks that end games are taken again so often; no opening is so long that this matters.
const ATTEMPTS: u64 = 1000;

impl Walk for RandomWalks {
    fn opening(&self, number: u64) -> Opening {
        let walk = |attempt| {
            let mut rng = Rng::new(self.seed, b"walks---", number, attempt);
            let mut board = BitboardBoard::new(&Position::default());
            let mut moves = Vec::with_capacity(self.plies);
            while moves.len() < self.plies {
                let &m = rng.pick(&board.legal_moves())?;
                board.make(m);
                moves.push(m);
            }
            let goes_on = board.termination_with_claims().is_none();
            goes_on.then(|| Opening {
                moves,
                ..Opening::default()
            })
        };
        (0..ATTEMPTS).find_map(walk).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EPD: &str = "# three openings\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"one\";\r\n\
        \n\
        rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
        4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 40; id \"three\";";

    fn names(openings: &Openings, count: u64) -> Vec<String> {
        (0..count).map(|number| openings.get(number).name).collect()
    }

    #[test]
    fn the_lines_of_a_file_come_in_order_and_again() {
        let openings = Openings::epd(EPD.as_bytes()).unwrap();
        assert_eq!(openings.count(), Some(3));
        assert_eq!(names(&openings, 4), ["one", "", "three", "one"]);
        let third = openings.get(2).start;
        assert_eq!((third.halfmoves(), third.fullmoves().get()), (3, 40));
        assert_eq!(names(&openings.starting_at(2), 2), ["three", "one"]);
    }

    #[test]
    fn a_broken_line_is_named_before_any_game() {
        let broken = EPD.replace("4K2R", "4K2X");
        let error = Openings::epd(broken.as_bytes()).err().unwrap().to_string();
        assert!(error.starts_with("line 5: "), "{error}");
        assert_eq!(
            Openings::epd("# nothing\n".as_bytes()).err().unwrap().to_string(),
            "holds no opening"
        );
        let pgn = "1. e4 e5 2. Nf3 *\n\n[Event \"?\"]\n\n1. e4 e5 2. Ke3 *\n";
        let error = Openings::pgn(pgn.as_bytes()).err().unwrap().to_string();
        assert!(error.starts_with("game 2 (line 5"), "{error}");
        let error = Openings::lines(["e4 e5", "1. d4 d4"]).err().unwrap().to_string();
        assert!(error.starts_with("opening 2: "), "{error}");
    }

    #[test]
    fn a_random_order_is_the_seeds_and_leaves_nothing_out() {
        let lines: Vec<String> = ["a3", "a4", "b3", "b4", "c3", "c4", "d3", "d4"]
            .iter()
            .map(|san| format!("1. {san} e5"))
            .collect();
        let shuffled = |seed| {
            let openings = Openings::lines(lines.iter().map(String::as_str)).unwrap();
            let openings = openings.in_order(Order::Random { seed }).cut_at(1);
            let moves: Vec<String> = (0..8)
                .map(|number| {
                    let opening = openings.get(number);
                    assert_eq!(opening.moves.len(), 1);
                    opening.start.san(opening.moves[0]).to_string()
                })
                .collect();
            moves
        };
        // Golden: another version of a dependency must not change a match.
        assert_eq!(shuffled(1).join(" "), GOLDEN);
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(3);
        sorted.sort();
        assert_eq!(sorted, ["a3", "a4", "b3", "b4", "c3", "c4", "d3", "d4"]);
    }

    const GOLDEN: &str = "d3 d4 a3 b4 c4 a4 b3 c3";

    #[test]
    fn games_of_a_file_are_played_up_to_a_length() {
        let pgn = "[ECO \"C40\"]\n[Opening \"King's knight\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n\
            [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O *\n";
        let openings = Openings::pgn(pgn.as_bytes()).unwrap().cut_at(3);
        assert_eq!(openings.count(), Some(2));
        assert_eq!(openings.get(0).moves.len(), 3);
        assert_eq!(openings.get(0).name, "C40 King's knight");
        assert!(openings.get(1).moves[0].is_castling());
    }

    #[test]
    fn walks_are_the_seeds_and_lead_into_games() {
        let walks = RandomWalks { plies: 8, seed: 1 };
        let openings = Openings::walk(walks);
        assert_eq!(openings.count(), None);
        assert_eq!(openings.get(5).moves, walks.opening(5).moves);
        assert_ne!(openings.get(5).moves, openings.get(6).moves);
        assert!((0..100).all(|number| openings.get(number).moves.len() == 8));
    }
}
