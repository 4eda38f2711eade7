//! Why a game ended.
//!
//! Each reason has one text, which stores, game files and pages show and from which it is read back exactly; and a value
//! of PGN's `Termination` tag. Who won is an [`Outcome`]: some reasons tell it, for others a match's rules decide.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use vidmar_text::Excerpt;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::outcome::Outcome;
use crate::piece::Role;
use crate::square::Square;

/// Why a game ended: by the rules of chess, or by those of a match.
///
/// ```
/// use vidmar_chess::{Color, Outcome, Termination};
/// let termination: Termination = "white loses on time".parse()?;
/// assert_eq!(termination, Termination::TimeForfeit(Color::White));
/// assert_eq!(termination.pgn_tag(), Some("time forfeit"));
/// assert_eq!(Termination::Stalemate.outcome(), Some(Outcome::Draw));
/// # Ok::<(), vidmar_chess::UnknownTermination>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Termination {
    /// The side to move is in check and has no move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no move.
    Stalemate,
    /// No sequence of moves leads to a mate.
    InsufficientMaterial,
    /// The position occurred for the third time: a draw if a player claims it.
    ThreefoldRepetition,
    /// The position occurred for the fifth time.
    FivefoldRepetition,
    /// 50 moves of each side without a capture or pawn move: a draw if a player claims it.
    FiftyMoves,
    /// 75 moves of each side without a capture or pawn move.
    SeventyFiveMoves,
    /// A player gave up, or both (or one, if asked) saw a decided game for long enough.
    Resignation,
    /// Both sides saw a level game for long enough.
    DrawAdjudication,
    /// The longest game allowed.
    MaxMoves,
    /// An endgame tablebase knows the result.
    Tablebase,
    /// The flag of this side fell.
    TimeForfeit(Color),
    /// This side misbehaved: a crash, an illegal move, silence.
    Fault(Color),
    /// The match was stopped.
    Stopped,
}

impl Termination {
    /// Every reason, with either side where it names one.
    pub const ALL: [Termination; 17] = [
        Termination::Checkmate { winner: Color::White },
        Termination::Checkmate { winner: Color::Black },
        Termination::Stalemate,
        Termination::InsufficientMaterial,
        Termination::ThreefoldRepetition,
        Termination::FivefoldRepetition,
        Termination::FiftyMoves,
        Termination::SeventyFiveMoves,
        Termination::Resignation,
        Termination::DrawAdjudication,
        Termination::MaxMoves,
        Termination::Tablebase,
        Termination::TimeForfeit(Color::White),
        Termination::TimeForfeit(Color::Black),
        Termination::Fault(Color::White),
        Termination::Fault(Color::Black),
        Termination::Stopped,
    ];

    /// The text that stores keep and people read. It is part of the stores' layout: it does not change.
    pub const fn as_str(self) -> &'static str {
        match self {
            Termination::Checkmate { winner: Color::White } => "white mates",
            Termination::Checkmate { winner: Color::Black } => "black mates",
            Termination::Stalemate => "stalemate",
            Termination::InsufficientMaterial => "insufficient material",
            Termination::ThreefoldRepetition => "threefold repetition",
            Termination::FivefoldRepetition => "fivefold repetition",
            Termination::FiftyMoves => "50-move rule",
            Termination::SeventyFiveMoves => "75-move rule",
            Termination::Resignation => "resignation",
            Termination::DrawAdjudication => "draw by adjudication",
            Termination::MaxMoves => "maximum number of moves",
            Termination::Tablebase => "endgame bases",
            Termination::TimeForfeit(Color::White) => "white loses on time",
            Termination::TimeForfeit(Color::Black) => "black loses on time",
            Termination::Fault(Color::White) => "fault of white",
            Termination::Fault(Color::Black) => "fault of black",
            Termination::Stopped => "stopped",
        }
    }

    /// The value of PGN's `Termination` tag (its standard, 9.8.1); nothing for games that ended on the board.
    pub const fn pgn_tag(self) -> Option<&'static str> {
        match self {
            Termination::Checkmate { .. }
            | Termination::Stalemate
            | Termination::InsufficientMaterial
            | Termination::ThreefoldRepetition
            | Termination::FivefoldRepetition
            | Termination::FiftyMoves
            | Termination::SeventyFiveMoves => None,
            Termination::Resignation
            | Termination::DrawAdjudication
            | Termination::MaxMoves
            | Termination::Tablebase => Some("adjudication"),
            Termination::TimeForfeit(_) => Some("time forfeit"),
            Termination::Fault(_) => Some("abandoned"),
            Termination::Stopped => Some("unterminated"),
        }
    }

    /// Who won, where the reason alone tells: not for a resignation or a tablebase, which do not name the side, nor for
    /// time and faults, of which the rules of a match say what they cost.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Termination::Checkmate { winner } => Some(Outcome::Decisive { winner }),
            Termination::Stalemate
            | Termination::InsufficientMaterial
            | Termination::ThreefoldRepetition
            | Termination::FivefoldRepetition
            | Termination::FiftyMoves
            | Termination::SeventyFiveMoves
            | Termination::DrawAdjudication
            | Termination::MaxMoves => Some(Outcome::Draw),
            Termination::Resignation
            | Termination::Tablebase
            | Termination::TimeForfeit(_)
            | Termination::Fault(_)
            | Termination::Stopped => None,
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Termination> for &'static str {
    fn from(termination: Termination) -> &'static str {
        termination.as_str()
    }
}

impl FromStr for Termination {
    type Err = UnknownTermination;

    fn from_str(text: &str) -> Result<Termination, UnknownTermination> {
        Termination::ALL
            .into_iter()
            .find(|termination| termination.as_str() == text)
            .ok_or_else(|| UnknownTermination(text.into()))
    }
}

impl TryFrom<String> for Termination {
    type Error = UnknownTermination;

    fn try_from(text: String) -> Result<Termination, UnknownTermination> {
        text.parse()
    }
}

/// Text that is no reason for a game to end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no known termination of a game")]
pub struct UnknownTermination(pub Excerpt);

/// Bare kings, a single minor piece, or any number of bishops that all stand on one colour of squares.
pub(crate) fn insufficient_material(board: &impl Board) -> bool {
    let count = |role| board.count(Color::White, role) + board.count(Color::Black, role);
    if count(Role::Pawn) + count(Role::Rook) + count(Role::Queen) > 0 {
        return false;
    }
    match (count(Role::Knight), count(Role::Bishop)) {
        (0 | 1, 0) | (0, 1) => true,
        (0, _) => {
            let bishops: Bitboard = Square::ALL
                .into_iter()
                .filter(|&square| {
                    board
                        .piece_at(square)
                        .is_some_and(|piece| piece.role == Role::Bishop)
                })
                .collect();
            (bishops & Bitboard::LIGHT).is_empty() || (bishops & Bitboard::DARK).is_empty()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_read_back_and_no_two_are_the_same() {
        for (index, termination) in Termination::ALL.into_iter().enumerate() {
            assert_eq!(termination.as_str().parse(), Ok(termination));
            let json = serde_json::json!(termination);
            assert_eq!(json, termination.as_str());
            assert_eq!(
                serde_json::from_value::<Termination>(json).expect("one"),
                termination
            );
            let first = Termination::ALL.iter().position(|&other| other == termination);
            assert_eq!(first, Some(index));
        }
        for wrong in [
            "",
            "on time",
            "red loses on time",
            "fault",
            "White mates",
            "stopped ",
        ] {
            assert_eq!(
                wrong.parse::<Termination>(),
                Err(UnknownTermination(wrong.into()))
            );
        }
    }

    /// Stores hold these texts.
    #[test]
    fn the_texts_stay_what_they_are() {
        let texts = Termination::ALL.map(Termination::as_str).join(", ");
        assert_eq!(
            texts,
            "white mates, black mates, stalemate, insufficient material, threefold repetition, fivefold repetition, \
             50-move rule, 75-move rule, resignation, draw by adjudication, maximum number of moves, endgame bases, \
             white loses on time, black loses on time, fault of white, fault of black, stopped"
        );
    }

    #[test]
    fn what_ended_on_the_board_has_a_result_and_no_tag() {
        for termination in Termination::ALL {
            if termination.pgn_tag().is_none() {
                assert!(termination.outcome().is_some(), "{termination}");
            }
        }
        assert_eq!(
            Termination::Checkmate { winner: Color::Black }.outcome(),
            Some(Outcome::BLACK_WINS)
        );
    }
}
