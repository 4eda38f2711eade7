//! Openings as EPD records and as PGN games.

use thiserror::Error;
use vidmar_chess::{CastlingNotation, FenError, Position, UciMoveError};
use vidmar_text::Excerpt;

use super::{Opening, OpeningScore};
use crate::epd::{Epd, Operand, Value};
use crate::pgn::{Game, Ply};

/// An EPD record says something else about its line than its line says.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The operation `start` is no position.
    #[error("operation start: {0}")]
    Start(#[from] FenError),
    /// The operation `moves` has a move that is none.
    #[error("operation moves: {0}")]
    Move(#[from] UciMoveError),
    /// The moves lead elsewhere.
    #[error("operation moves: '{0}' does not lead to the position of the record")]
    Elsewhere(Excerpt),
}

const MOVES: &str = "moves";
const START: &str = "start";

impl Opening {
    /// Reads an opening from a record.
    pub fn from_epd(epd: &Epd) -> Result<Opening, OpeningError> {
        let score = epd.number("ce").map(|centipawns| OpeningScore {
            centipawns: centipawns.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            depth: epd
                .number("acd")
                .and_then(|depth| u32::try_from(depth).ok())
                .unwrap_or(0),
        });
        let start = match text(epd, START) {
            Some(fen) => fen.parse()?,
            None if text(epd, MOVES).is_some() => Position::default(),
            None => epd.position.clone(),
        };
        let words = text(epd, MOVES).unwrap_or_default();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for word in words.split_ascii_whitespace() {
            let m = position.parse_uci(word)?;
            position.play(m);
            moves.push(m);
        }
        if position.setup().epd() != epd.position.setup().epd() {
            return Err(OpeningError::Elsewhere(words.as_str().into()));
        }
        Ok(Opening {
            start,
            moves,
            score,
            name: epd.id().unwrap_or_default().to_owned(),
        })
    }

    /// The opening as a record.
    pub fn to_epd(&self) -> Epd {
        let mut epd = Epd::new(self.end());
        if let Some(score) = self.score {
            epd.set("ce", Value::Number(score.centipawns.into()));
            epd.set("acd", Value::Number(score.depth.into()));
        }
        if !self.name.is_empty() {
            epd.set("id", Value::Text(self.name.clone()));
        }
        if !self.moves.is_empty() {
            epd.set(MOVES, quoted(self.uci()));
            if self.start != Position::default() {
                epd.set(START, quoted(self.start.setup().to_string()));
            }
        }
        epd
    }

    /// The moves in UCI notation, a blank between two.
    pub fn uci(&self) -> String {
        let notation = if self.is_chess960() {
            CastlingNotation::Chess960
        } else {
            CastlingNotation::Standard
        };
        let words: Vec<String> = self.moves.iter().map(|m| m.uci(notation).to_string()).collect();
        words.join(" ")
    }

    /// The opening as a game without a result.
    pub fn to_game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        game.main.plies = self.moves.iter().map(|&m| Ply::new(Some(m))).collect();
        if let Some((eco, name)) = self.name.split_once(' ') {
            game.tags.set("ECO", eco);
            game.tags.set("Opening", name);
        }
        game
    }

    fn is_chess960(&self) -> bool {
        self.start.castling_notation() == CastlingNotation::Chess960
    }
}

/// A text of an operation that the standard does not know.
fn text(epd: &Epd, opcode: &str) -> Option<String> {
    match epd.get(opcode)? {
        Value::Words(operands) => {
            let words: Vec<&str> = operands.iter().map(|operand| operand.text.as_str()).collect();
            Some(words.join(" "))
        }
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

fn quoted(text: String) -> Value {
    Value::Words(vec![Operand { text, quoted: true }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::epd::parse_line;

    fn read(line: &str) -> Result<Opening, OpeningError> {
        Opening::from_epd(&parse_line(line).expect("a record").0)
    }

    #[test]
    fn an_opening_is_written_and_read_back() {
        let castling: Position = "4k3/8/8/8/8/8/8/1RK5 w B - 3 9".parse().expect("legal");
        for (start, words) in [
            (Position::default(), "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1"),
            (castling, "c1b1 e8f8"),
            (Position::default(), ""),
        ] {
            let mut opening = Opening::new(start.clone(), Vec::new());
            for word in words.split_ascii_whitespace() {
                opening.moves.push(opening.end().parse_uci(word).expect("legal"));
            }
            opening.score = Some(OpeningScore {
                centipawns: -17,
                depth: 8,
            });
            "C50 King's Game".clone_into(&mut opening.name);
            assert_eq!(opening.uci(), words);
            let line = opening.to_epd().to_string();
            assert_eq!(read(&line).expect("an opening"), opening, "{line}");
        }
        assert_eq!(
            Opening::new(
                Position::default(),
                vec![Position::default().parse_uci("e2e4").expect("legal")]
            )
            .to_epd()
            .to_string(),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - moves \"e2e4\";"
        );
    }

    #[test]
    fn a_record_that_contradicts_itself_is_refused() {
        let end = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        assert_eq!(read(end).map(|opening| opening.moves), Ok(vec![]));
        let error = |operations: &str| read(&format!("{end} {operations}")).unwrap_err().to_string();
        assert_eq!(
            error("moves \"d2d4\";"),
            "operation moves: 'd2d4' does not lead to the position of the record"
        );
        assert_eq!(
            error("moves \"e2e4 e7e6 e4e6\";"),
            "operation moves: the move e4e6 is not legal here"
        );
        assert!(error("start \"8/8\"; moves \"e2e4\";").starts_with("operation start: "));
    }
}
