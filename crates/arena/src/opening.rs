//! Where one game begins.

use serde::{Deserialize, Serialize};
use vidmar_chess::{FenError, Move, Position, UciMoveError};
use vidmar_formats::openings;

/// A position, moves that are played from it before the players take over, and a name.
///
/// As data it is text: a FEN and moves in UCI notation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "OpeningText", try_from = "OpeningText")]
pub struct Opening {
    /// The position before the opening moves.
    pub start: Position,
    /// Moves that are played before the players take over.
    pub moves: Vec<Move>,
    /// A name, for tables and PGN tags; may be empty.
    pub name: String,
}

/// An opening as text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpeningText {
    fen: String,
    moves: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
}

/// Text that is no opening.
#[derive(Debug, thiserror::Error)]
enum OpeningError {
    #[error("start position '{fen}': {reason}")]
    Fen { fen: String, reason: FenError },
    #[error("opening move: {0}")]
    Move(#[from] UciMoveError),
}

impl From<&openings::Opening> for Opening {
    fn from(line: &openings::Opening) -> Opening {
        Opening {
            start: line.start.clone(),
            moves: line.moves.clone(),
            name: line.name.clone(),
        }
    }
}

impl From<Opening> for OpeningText {
    fn from(opening: Opening) -> OpeningText {
        let notation = opening.start.castling_notation();
        OpeningText {
            fen: opening.start.to_string(),
            moves: opening
                .moves
                .iter()
                .map(|m| m.uci(notation).to_string())
                .collect(),
            name: opening.name,
        }
    }
}

impl TryFrom<OpeningText> for Opening {
    type Error = OpeningError;

    fn try_from(text: OpeningText) -> Result<Opening, OpeningError> {
        let start: Position = text.fen.parse().map_err(|reason| OpeningError::Fen {
            fen: text.fen.clone(),
            reason,
        })?;
        let mut now = start.clone();
        let mut moves = Vec::with_capacity(text.moves.len());
        for word in &text.moves {
            let m = now.parse_uci(word)?;
            now.play(m);
            moves.push(m);
        }
        Ok(Opening {
            start,
            moves,
            name: text.name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_back_and_nonsense_is_named() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "rk5r/8/8/8/8/8/8/RK5R w KQkq - 3 9",
        ] {
            let start: Position = fen.parse().unwrap();
            let castling = start.legal_moves().into_iter().find(|m| m.is_castling());
            let opening = Opening {
                start,
                moves: castling.into_iter().collect(),
                name: "a \"name\"".to_owned(),
            };
            assert_eq!(opening.moves.len(), 1);
            let json = serde_json::to_string(&opening).unwrap();
            assert_eq!(serde_json::from_str::<Opening>(&json).unwrap(), opening, "{json}");
        }
        let plain = serde_json::to_string(&Opening::default()).unwrap();
        assert_eq!(
            serde_json::from_str::<Opening>(&plain).unwrap(),
            Opening::default()
        );
        for (broken, expected) in [
            (plain.replace("KQkq", "KQxq"), "start position"),
            (plain.replace("[]", "[\"e2e5\"]"), "e2e5"),
        ] {
            let error = serde_json::from_str::<Opening>(&broken).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
