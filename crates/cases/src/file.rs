//! Case bases as files: the games in few bytes, with a version and a checksum.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `vidcases` |
//! | 4 | version, 1 |
//! | 8 | length of the body |
//! | 4 | CRC-32 of the body |
//! | rest | the body |
//!
//! The body is the expert's name, the texts that occur (each once), and the games. Numbers in it are little-endian groups
//! of seven bits, the last without the top bit; a text is its length and UTF-8. A game is the indices of its texts
//! (White, Black, event, date, FEN of the start or 0), a byte (bit 0: the expert had Black; bits 1 and 2: the result), the
//! expert's rating or 0, the number of plies, and two bytes for each move: [`Move::word`], 0 for a null move. Cases are
//! not stored: a case takes 32 bytes and its moves 4, and replaying checks every one of them.

use std::collections::HashMap;
use std::num::NonZeroU16;

use thiserror::Error;
use vidmar_chess::{ByColor, Color, Move, Outcome};

use crate::base::{CaseBase, ReplayError, SourceGame};

const MAGIC: &[u8; 8] = b"vidcases";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 8 + 4;

/// A file of cases cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CaseFileError {
    /// Something else.
    #[error("not a file of cases (expected 'vidcases' at its beginning)")]
    NotCases,
    /// Made by a later program.
    #[error("version {0} of the format is not known (expected {VERSION})")]
    Version(u32),
    /// Cut short, or with something behind it.
    #[error("the body has {found} bytes (expected {expected})")]
    Length {
        /// As the header says.
        expected: u64,
        /// As it is.
        found: u64,
    },
    /// Changed on the way.
    #[error("the checksum is {found:08x} (expected {expected:08x}): the file is damaged")]
    Checksum {
        /// As the header says.
        expected: u32,
        /// As it is.
        found: u32,
    },
    /// The right checksum of something wrong.
    #[error("byte {at}: {what}")]
    Body {
        /// Where in the file.
        at: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// A move that is none.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl CaseBase {
    /// The base as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = encode(self);
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<CaseBase, CaseFileError> {
        let (header, body) = bytes.split_at_checked(HEADER).ok_or(CaseFileError::NotCases)?;
        let (magic, rest) = header.split_at(8);
        let (version, rest) = rest.split_at(4);
        let (length, checksum) = rest.split_at(8);
        if magic != MAGIC {
            return Err(CaseFileError::NotCases);
        }
        let word = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte))
        };
        let (version, expected, checksum) = (word(version) as u32, word(length), word(checksum) as u32);
        if version != VERSION {
            return Err(CaseFileError::Version(version));
        }
        if expected != body.len() as u64 {
            return Err(CaseFileError::Length {
                expected,
                found: body.len() as u64,
            });
        }
        let found = crc32fast::hash(body);
        if found != checksum {
            return Err(CaseFileError::Checksum {
                expected: checksum,
                found,
            });
        }
        let (expert, games) = Decoder { body, at: 0 }.base()?;
        Ok(CaseBase::new(&expert, games)?)
    }
}

const RESULTS: [Option<Outcome>; 4] = [
    None,
    Some(Outcome::WHITE_WINS),
    Some(Outcome::BLACK_WINS),
    Some(Outcome::Draw),
];

/// Texts, each with an index; the empty one has index 0.
struct Texts {
    all: Vec<String>,
    indices: HashMap<String, usize>,
}

impl Texts {
    fn new() -> Texts {
        Texts {
            all: vec![String::new()],
            indices: HashMap::from([(String::new(), 0)]),
        }
    }

    fn index(&mut self, text: &str) -> usize {
        if let Some(&index) = self.indices.get(text) {
            return index;
        }
        self.all.push(text.to_owned());
        self.indices.insert(text.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

fn encode(base: &CaseBase) -> Vec<u8> {
    let mut texts = Texts::new();
    let mut games = Vec::new();
    for game in base.games() {
        let start = game.start.as_ref().map_or_else(String::new, ToString::to_string);
        let [white, black] = Color::ALL.map(|color| game.players[color].as_str());
        for text in [white, black, &game.event, &game.date, &start] {
            put_number(&mut games, texts.index(text));
        }
        let result = RESULTS.iter().position(|&result| result == game.result);
        games.push(u8::from(game.expert_is_black) | (result.unwrap_or(0) as u8) << 1);
        put_number(&mut games, game.elo.map_or(0, |elo| usize::from(elo.get())));
        put_number(&mut games, game.moves.len());
        for m in &game.moves {
            games.extend(m.map_or(0, Move::word).to_le_bytes());
        }
    }
    let mut body = Vec::new();
    put_text(&mut body, base.expert());
    put_number(&mut body, texts.all.len());
    for text in &texts.all {
        put_text(&mut body, text);
    }
    put_number(&mut body, base.games().len());
    body.extend(games);
    body
}

fn put_number(body: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        body.push(number as u8 | 0x80);
        number >>= 7;
    }
    body.push(number as u8);
}

fn put_text(body: &mut Vec<u8>, text: &str) {
    put_number(body, text.len());
    body.extend(text.as_bytes());
}

struct Decoder<'b> {
    body: &'b [u8],
    at: usize,
}

impl<'b> Decoder<'b> {
    fn error(&self, what: &'static str) -> CaseFileError {
        CaseFileError::Body {
            at: HEADER + self.at,
            what,
        }
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], CaseFileError> {
        let rest = &self.body[self.at..];
        let taken = rest
            .get(..count)
            .ok_or_else(|| self.error("the file ends too early"))?;
        self.at += count;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, CaseFileError> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Result<usize, CaseFileError> {
        let mut number = 0_u64;
        for shift in (0..).step_by(7).take(5) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number as usize);
            }
        }
        Err(self.error("a number is too large"))
    }

    fn text(&mut self) -> Result<String, CaseFileError> {
        let length = self.number()?;
        let bytes = self.take(length)?;
        let text = str::from_utf8(bytes).map_err(|_| self.error("a text is not UTF-8"))?;
        Ok(text.to_owned())
    }

    fn base(mut self) -> Result<(String, Vec<SourceGame>), CaseFileError> {
        let expert = self.text()?;
        // Counts are not believed before there are as many bytes.
        let mut texts = Vec::new();
        for _ in 0..self.number()? {
            texts.push(self.text()?);
        }
        let mut games = Vec::new();
        for _ in 0..self.number()? {
            games.push(self.game(&texts)?);
        }
        if self.at < self.body.len() {
            return Err(self.error("something follows the last game"));
        }
        Ok((expert, games))
    }

    fn game(&mut self, texts: &[String]) -> Result<SourceGame, CaseFileError> {
        let text = |decoder: &mut Self| -> Result<String, CaseFileError> {
            let index = decoder.number()?;
            let found = texts.get(index).cloned();
            found.ok_or_else(|| decoder.error("there is no such text"))
        };
        let (white, black) = (text(self)?, text(self)?);
        let (event, date, start) = (text(self)?, text(self)?, text(self)?);
        let start = match start.as_str() {
            "" => None,
            fen => Some(Box::new(
                fen.parse().map_err(|_| self.error("a start position is none"))?,
            )),
        };
        let flags = self.byte()?;
        let result = *RESULTS
            .get(usize::from(flags >> 1))
            .ok_or_else(|| self.error("there is no such result"))?;
        let elo = u16::try_from(self.number()?).map_err(|_| self.error("a rating is too large"))?;
        let plies = self.number()?;
        let words = self.take(plies.saturating_mul(2))?;
        Ok(SourceGame {
            players: ByColor::new(white, black),
            event,
            date,
            result,
            expert_is_black: flags & 1 == 1,
            elo: NonZeroU16::new(elo),
            start,
            moves: words
                .as_chunks::<2>()
                .0
                .iter()
                .map(|&word| Move::from_word(u16::from_le_bytes(word)))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::build;
    use crate::names::PlayerName;

    const GAMES: &str = "[Event \"One\"]\n[Date \"1911.02.20\"]\n[White \"Vidmar,M\"]\n[Black \"Teichmann,R\"]\n\
        [WhiteElo \"2600\"]\n\n1. d4 d5 2. c4 e6 1-0\n\n\
        [Event \"Two\"]\n[White \"Lasker\"]\n[Black \"Vidmar,Milan\"]\n[SetUp \"1\"]\n\
        [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 30\"]\n\n30. e4 Ke7 31. -- Kd6 1/2-1/2\n";

    fn base() -> CaseBase {
        let files = [("games".to_owned(), GAMES.as_bytes().to_vec())];
        build(&files, &PlayerName::new("Vidmar").unwrap()).unwrap().0
    }

    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(crc32fast::hash(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn what_is_written_is_read() {
        let base = base();
        let bytes = base.to_bytes();
        let read = CaseBase::from_bytes(&bytes).unwrap();
        assert_eq!(read.games(), base.games());
        assert_eq!(read.expert(), base.expert());
        assert_eq!(read.to_bytes(), bytes);
        for color in Color::ALL {
            assert_eq!(read.list(color).len(), 2);
            for index in 0..2 {
                assert_eq!(read.list(color).board(index), base.list(color).board(index));
            }
        }
    }

    #[test]
    fn every_damage_is_seen() {
        let bytes = base().to_bytes();
        for at in 0..bytes.len() {
            for bit in [1, 0x80] {
                let mut damaged = bytes.clone();
                damaged[at] ^= bit;
                assert!(CaseBase::from_bytes(&damaged).is_err(), "byte {at}");
            }
            assert!(CaseBase::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(matches!(
            CaseBase::from_bytes(&longer),
            Err(CaseFileError::Length { .. })
        ));
        assert_eq!(CaseBase::from_bytes(b"").unwrap_err(), CaseFileError::NotCases);
        let mut later = bytes;
        later[8] = 2;
        assert_eq!(
            CaseBase::from_bytes(&later).unwrap_err(),
            CaseFileError::Version(2)
        );
    }

    /// A body that somebody has changed together with its checksum.
    #[test]
    fn a_wrong_body_is_an_error_and_no_panic() {
        let bytes = base().to_bytes();
        let mut odd = 0;
        for at in HEADER..bytes.len() {
            for flip in [0x01, 0x10, 0x40, 0x80, 0xFF] {
                let mut forged = bytes.clone();
                forged[at] ^= flip;
                let checksum = crc32fast::hash(&forged[HEADER..]);
                forged[20..24].copy_from_slice(&checksum.to_le_bytes());
                odd += usize::from(CaseBase::from_bytes(&forged).is_err());
            }
        }
        assert!(odd > 100);
    }
}
