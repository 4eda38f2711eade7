//! Moves in the notation of the UCI protocol: `e2e4`, `e7e8q`, and castling in two ways.
//!
//! Standard games write castling as the king's own move (`e1g1`), Chess960 games as the king taking its
//! rook (`e1h1`). Both are read wherever they name one move.

use std::fmt;

use thiserror::Error;

use crate::bitboards::castling_targets;
use crate::moves::Move;
use crate::piece::{Promotion, Role};
use crate::position::Position;
use crate::square::{File, Square};
use vidmar_text::Excerpt;

/// How castling is written.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingNotation {
    /// The king's own squares, `e1g1`.
    #[default]
    Standard,
    /// The king takes its rook, `e1h1`.
    Chess960,
}

/// The text is no move in UCI notation, or not a legal one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UciMoveError {
    /// Not the shape of a move.
    #[error("'{0}' is not a move in UCI notation (expected for example e2e4 or e7e8q)")]
    Syntax(Excerpt),
    /// A move that the position does not allow.
    #[error("the move {0} is not legal here")]
    Illegal(Excerpt),
}

/// A move as UCI text; made by [`Move::uci`].
#[derive(Copy, Clone, Debug)]
pub struct UciMove {
    from: Square,
    to: Square,
    promotion: Option<Promotion>,
}

impl Move {
    /// The move in UCI notation.
    pub fn uci(self, castling: CastlingNotation) -> UciMove {
        let (from, mut to) = (self.from(), self.to());
        if self.is_castling() && castling == CastlingNotation::Standard {
            (to, _) = castling_targets(from, to);
        }
        UciMove {
            from,
            to,
            promotion: self.promotion(),
        }
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(promotion) => write!(f, "{}", promotion.role().char()),
            None => Ok(()),
        }
    }
}

impl Position {
    /// Reads a legal move in UCI notation, castling in either form.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let UciMove { from, to, promotion } = parse(text).ok_or_else(|| UciMoveError::Syntax(text.into()))?;
        self.legal_move(from, to, promotion)
            .ok_or_else(|| UciMoveError::Illegal(text.into()))
    }

    /// The legal move from one square to another. Castling is the king taking its rook, or going where it ends.
    pub fn legal_move(&self, from: Square, to: Square, promotion: Option<Promotion>) -> Option<Move> {
        let moves = self.legal_moves();
        let fits = |m: &&Move| m.from() == from && m.promotion() == promotion;
        // A king's plain step comes before castling: in Chess960 the same squares may say both, and
        // there castling has a name of its own.
        let plain = moves.iter().filter(fits).find(|m| m.to() == to);
        let castling = || {
            moves
                .iter()
                .filter(fits)
                .find(|m| m.is_castling() && castling_targets(from, m.to()).0 == to)
        };
        plain.or_else(castling).copied()
    }

    /// The notation of castling that this position needs: Chess960's if a king or a rook that may
    /// castle stands elsewhere than in standard chess.
    pub fn castling_notation(&self) -> CastlingNotation {
        let standard = self.castling().into_iter().all(|rook| {
            let kings = self.role(Role::King) & rook.rank().into();
            matches!(rook.file(), File::A | File::H) && kings.contains(Square::at(File::E, rook.rank()))
        });
        if standard {
            CastlingNotation::Standard
        } else {
            CastlingNotation::Chess960
        }
    }
}

fn parse(text: &str) -> Option<UciMove> {
    if !text.is_ascii() || !(4..=5).contains(&text.len()) {
        return None;
    }
    let promotion = match text[4..].chars().next() {
        None => None,
        Some(letter) => Some(Promotion::from_role(Role::from_char(letter)?)?),
    };
    Some(UciMove {
        from: text[..2].parse().ok()?,
        to: text[2..4].parse().ok()?,
        promotion,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::MoveKind;

    fn position(fen: &str) -> Position {
        fen.parse().expect("legal")
    }

    #[test]
    fn castling_is_read_in_both_forms_and_written_as_asked() {
        let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let short = position.parse_uci("e1g1").expect("legal");
        assert_eq!(position.parse_uci("e1h1"), Ok(short));
        assert_eq!(short.kind(), MoveKind::Castling);
        assert_eq!(short.uci(CastlingNotation::Standard).to_string(), "e1g1");
        assert_eq!(short.uci(CastlingNotation::Chess960).to_string(), "e1h1");
        assert_eq!(position.castling_notation(), CastlingNotation::Standard);
    }

    #[test]
    fn in_chess960_a_kings_step_is_a_step() {
        let position = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
        assert_eq!(
            position.parse_uci("f1g1"),
            Ok(Move::normal(Square::F1, Square::G1))
        );
        assert_eq!(position.parse_uci("f1h1").map(Move::kind), Ok(MoveKind::Castling));
        assert_eq!(position.castling_notation(), CastlingNotation::Chess960);
    }

    #[test]
    fn junk_is_told_from_illegal() {
        let position = Position::default();
        for junk in [
            "", "e2", "e2e9", "e2e4qq", "e7e8k", "e7e8p", "0000", "e2é4", "\0\0\0\0",
        ] {
            assert_eq!(
                position.parse_uci(junk),
                Err(UciMoveError::Syntax(junk.into())),
                "{junk}"
            );
        }
        for illegal in ["e2e5", "e7e5", "e1g1", "e2e4q"] {
            assert_eq!(
                position.parse_uci(illegal),
                Err(UciMoveError::Illegal(illegal.into())),
                "{illegal}"
            );
        }
    }
}
