//! FEN text: read leniently where the world is lenient, written in one way.
//!
//! Castling rights are read in all three forms in use: `KQkq` (in Chess960 meaning the outermost
//! rook, X-FEN), file letters (`HAha`, Shredder-FEN), or both mixed. Written are the X-FEN letters,
//! which for standard chess are the plain ones; [`Setup::shredder_fen`] writes file letters. The
//! last two fields may be missing, as in EPD.

use std::fmt::{self, Write};
use std::num::NonZeroU16;
use std::str::FromStr;

use thiserror::Error;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::setup::{Setup, SetupError};
use crate::square::{File, Rank, Square};
use vidmar_text::Excerpt;

/// The text is no FEN, or the position that it describes is impossible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum FenError {
    #[error("the FEN is empty")]
    Empty,
    #[error(
        "the FEN lacks its {0} field (expected: board, side to move, castling, en passant, two counters)"
    )]
    Missing(&'static str),
    #[error("'{0}' follows the six fields of the FEN")]
    Trailing(Excerpt),
    #[error("{0:?} in the board of the FEN (expected a piece letter, a digit 1-8 or '/')")]
    Board(char),
    #[error("rank {0} of the FEN's board has {1} squares instead of 8")]
    RankLength(Rank, usize),
    #[error("the FEN's board has {0} ranks instead of 8")]
    RankCount(usize),
    #[error("side to move '{0}' in the FEN (expected w or b)")]
    Turn(Excerpt),
    #[error("castling field '{0}' in the FEN (expected '-' or letters of KQkq or of files)")]
    Castling(Excerpt),
    #[error("en-passant field '{0}' in the FEN (expected '-' or a square)")]
    EnPassant(Excerpt),
    #[error("'{1}' as the FEN's {0} (expected a number up to 65535)")]
    Counter(&'static str, Excerpt),
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut setup = Setup {
            board: parse_board(fields.next().ok_or(FenError::Empty)?)?,
            ..Setup::default()
        };
        let turn = fields.next().ok_or(FenError::Missing("side to move"))?;
        let mut letters = turn.chars();
        setup.turn = match (letters.next().and_then(Color::from_char), letters.next()) {
            (Some(color), None) => color,
            _ => return Err(FenError::Turn(turn.into())),
        };
        setup.castling = parse_castling(&setup, fields.next().ok_or(FenError::Missing("castling"))?)?;
        setup.en_passant = match fields.next().ok_or(FenError::Missing("en-passant"))? {
            "-" => None,
            square => Some(square.parse().map_err(|_| FenError::EnPassant(square.into()))?),
        };
        if let Some(count) = fields.next() {
            setup.halfmoves = parse_counter("half-move clock", count)?;
        }
        if let Some(count) = fields.next() {
            // Move number 0 is a common slip for 1.
            setup.fullmoves =
                NonZeroU16::new(parse_counter("move number", count)?).unwrap_or(NonZeroU16::MIN);
        }
        match fields.next() {
            Some(more) => Err(FenError::Trailing(more.into())),
            None => Ok(setup),
        }
    }
}

fn parse_counter(name: &'static str, text: &str) -> Result<u16, FenError> {
    text.parse().map_err(|_| FenError::Counter(name, text.into()))
}

fn parse_board(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let mut board = [None; 64];
    let ranks = text.split('/').count();
    if ranks != 8 {
        // A strange letter tells more than a wrong count.
        return Err(match text.chars().find(|&c| !is_board_char(c)) {
            Some(c) => FenError::Board(c),
            None => FenError::RankCount(ranks),
        });
    }
    for (row, rank) in text.split('/').zip(Rank::ALL.into_iter().rev()) {
        let mut file = 0;
        for c in row.chars() {
            if let Some(digit @ 1..=8) = c.to_digit(10) {
                file += digit as usize;
            } else {
                let piece = Piece::from_char(c).ok_or(FenError::Board(c))?;
                if file < 8 {
                    board[rank.index() * 8 + file] = Some(piece);
                }
                file += 1;
            }
        }
        if file != 8 {
            return Err(FenError::RankLength(rank, file));
        }
    }
    Ok(board)
}

fn is_board_char(c: char) -> bool {
    matches!(c, '1'..='8' | '/') || Piece::from_char(c).is_some()
}

fn parse_castling(setup: &Setup, text: &str) -> Result<Bitboard, FenError> {
    if text == "-" {
        return Ok(Bitboard::EMPTY);
    }
    let mut rooks = Bitboard::EMPTY;
    for c in text.chars() {
        let color = if c.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let rank = Rank::back(color);
        let rook = match c.to_ascii_lowercase() {
            'k' => outermost_rook(setup, color, true).unwrap_or(Square::at(File::H, rank)),
            'q' => outermost_rook(setup, color, false).unwrap_or(Square::at(File::A, rank)),
            letter => match File::from_char(letter) {
                Some(file) => Square::at(file, rank),
                None => return Err(FenError::Castling(text.into())),
            },
        };
        if rooks.contains(rook) {
            return Err(FenError::Castling(text.into()));
        }
        rooks = rooks.with(rook);
    }
    Ok(rooks)
}

/// The rook of the back rank that is furthest from its king on one wing.
fn outermost_rook(setup: &Setup, color: Color, short: bool) -> Option<Square> {
    let home = Bitboard::of_rank(Rank::back(color));
    let king = (setup.pieces(color, Role::King) & home).first()?;
    let rooks = setup.pieces(color, Role::Rook) & home;
    if short {
        rooks.last().filter(|&rook| rook > king)
    } else {
        rooks.first().filter(|&rook| rook < king)
    }
}

impl Setup {
    /// The FEN with file letters for castling, as Shredder and most Chess960 tools write it.
    pub fn shredder_fen(&self) -> String {
        let mut text = String::new();
        self.write_fen(&mut text, true)
            .expect("writing to a string does not fail");
        text
    }

    /// The first four fields, which is how an EPD begins.
    pub fn epd(&self) -> String {
        let mut text = String::new();
        self.write_epd(&mut text, false)
            .expect("writing to a string does not fail");
        text
    }

    fn write_fen(&self, out: &mut impl Write, shredder: bool) -> fmt::Result {
        self.write_epd(out, shredder)?;
        write!(out, " {} {}", self.halfmoves, self.fullmoves)
    }

    fn write_epd(&self, out: &mut impl Write, shredder: bool) -> fmt::Result {
        self.write_board(out)?;
        write!(out, " {} ", self.turn.char())?;
        self.write_castling(out, shredder)?;
        match self.en_passant {
            Some(square) => write!(out, " {square}"),
            None => out.write_str(" -"),
        }
    }

    fn write_board(&self, out: &mut impl Write) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.board[Square::at(file, rank).index()] {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(out, "{empty}")?;
                        }
                        out.write_char(piece.char())?;
                        empty = 0;
                    }
                }
            }
            if empty > 0 {
                write!(out, "{empty}")?;
            }
            if rank != Rank::First {
                out.write_char('/')?;
            }
        }
        Ok(())
    }

    fn write_castling(&self, out: &mut impl Write, shredder: bool) -> fmt::Result {
        if self.castling.is_empty() {
            return out.write_char('-');
        }
        for color in Color::ALL {
            let rooks = self.castling & Rank::back(color).into();
            for rook in File::ALL
                .into_iter()
                .rev()
                .map(|file| Square::at(file, Rank::back(color)))
            {
                if !rooks.contains(rook) {
                    continue;
                }
                let letter = if shredder {
                    rook.file().char()
                } else if outermost_rook(self, color, true) == Some(rook) {
                    'k'
                } else if outermost_rook(self, color, false) == Some(rook) {
                    'q'
                } else {
                    rook.file().char()
                };
                out.write_char(if color == Color::White {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                })?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, false)
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        Ok(text.parse::<Setup>()?.position()?)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup().fmt(f)
    }
}
