//! Scores: hundredths of a pawn or the distance to mate, and for whom.
//!
//! The point of view is part of the type. A [`Score`] speaks for the side to move (of the position that it is about, or
//! of the one in which a move was chosen), as in UCI; a [`WhiteScore`] speaks for White, as in `[%eval]` of a game file
//! and on a page. Each becomes the other only where somebody says who was to move.
//!
//! In JSON a score is `{"cp": 31}` or `{"mate": -3}`.

use std::fmt;
use std::ops::Neg;

use serde::{Deserialize, Serialize};

use crate::color::Color;

/// A score for the side to move.
///
/// ```
/// use vidmar_chess::{Color, Score, WhiteScore};
/// let score = Score::Centipawns(31);
/// assert_eq!(score.to_string(), "cp 31");
/// assert_eq!(score.for_white(Color::Black), WhiteScore(Score::Centipawns(-31)));
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Score {
    /// Hundredths of a pawn.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Mate in so many moves of the mating side; negative if the side to move is mated, 0 if it is already.
    #[serde(rename = "mate")]
    Mate(i32),
}

impl Score {
    /// Whether the side to move mates in at most that many moves.
    pub fn is_mate_within(self, moves: u32) -> bool {
        matches!(self, Score::Mate(found) if found > 0 && found.unsigned_abs() <= moves)
    }

    /// The same for White, where `turn` was to move.
    #[must_use]
    pub fn for_white(self, turn: Color) -> WhiteScore {
        WhiteScore(self.seen_from(turn))
    }

    /// The score if `side` is White, its opposite if it is Black: the way from one point of view to the other, and back.
    fn seen_from(self, side: Color) -> Score {
        match side {
            Color::White => self,
            Color::Black => -self,
        }
    }
}

impl Neg for Score {
    type Output = Score;

    /// The same for the other side.
    fn neg(self) -> Score {
        match self {
            Score::Centipawns(cp) => Score::Centipawns(cp.saturating_neg()),
            Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
        }
    }
}

/// As UCI has it: `cp 31`, `mate -3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(cp) => write!(f, "cp {cp}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// A score for White: mates are negative if Black mates, 0 if White is mated already.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WhiteScore(pub Score);

impl WhiteScore {
    /// The same for a side.
    #[must_use]
    pub fn for_side(self, side: Color) -> Score {
        self.0.seen_from(side)
    }
}

/// Which side of the true value a score lies on.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Bound {
    /// It is the value.
    #[default]
    Exact,
    /// The value is at least this: the search failed high.
    Lower,
    /// The value is at most this: the search failed low.
    Upper,
}

impl Bound {
    /// `exact`, `lower` or `upper`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_points_of_view_are_the_same_for_white_and_opposite_for_black() {
        for score in [
            Score::Centipawns(31),
            Score::Centipawns(i32::MAX),
            Score::Mate(-3),
        ] {
            assert_eq!(score.for_white(Color::White), WhiteScore(score));
            assert_eq!(score.for_white(Color::Black), WhiteScore(-score));
            for side in Color::ALL {
                assert_eq!(score.for_white(side).for_side(side), score);
            }
        }
        assert_eq!(-Score::Centipawns(i32::MIN), Score::Centipawns(i32::MAX));
    }

    #[test]
    fn json_is_that_of_the_commands() {
        for (score, json) in [
            (Score::Centipawns(-12), r#"{"cp":-12}"#),
            (Score::Mate(3), r#"{"mate":3}"#),
        ] {
            assert_eq!(serde_json::to_string(&score).expect("JSON"), json);
            assert_eq!(serde_json::to_string(&WhiteScore(score)).expect("JSON"), json);
            assert_eq!(serde_json::from_str::<Score>(json).expect("a score"), score);
        }
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            assert_eq!(serde_json::json!(bound), bound.as_str());
        }
    }

    #[test]
    fn mates_within() {
        assert!(Score::Mate(2).is_mate_within(2) && !Score::Mate(3).is_mate_within(2));
        assert!(!Score::Mate(-1).is_mate_within(9) && !Score::Mate(0).is_mate_within(9));
        assert!(!Score::Centipawns(1).is_mate_within(9));
    }
}
