//! Who won.
//!
//! A game that is not finished, or whose result nobody knows, has none: `Option<Outcome>`, of which game files write
//! `*`. Why it ended is a [`Termination`](crate::Termination).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use vidmar_text::Excerpt;

use crate::color::Color;

/// The result of a game.
///
/// ```
/// use vidmar_chess::{Color, Outcome};
/// let outcome: Outcome = "0-1".parse()?;
/// assert_eq!((outcome, outcome.winner()), (Outcome::BLACK_WINS, Some(Color::Black)));
/// assert_eq!(Outcome::text(None), "*");
/// # Ok::<(), vidmar_chess::UnknownOutcome>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Outcome {
    /// One side has won.
    Decisive {
        /// Which one.
        winner: Color,
    },
    /// Nobody has.
    Draw,
}

impl Outcome {
    /// `1-0`
    pub const WHITE_WINS: Outcome = Outcome::Decisive { winner: Color::White };
    /// `0-1`
    pub const BLACK_WINS: Outcome = Outcome::Decisive { winner: Color::Black };

    /// White's win, Black's win, the draw.
    pub const ALL: [Outcome; 3] = [Outcome::WHITE_WINS, Outcome::BLACK_WINS, Outcome::Draw];

    /// A win of this side.
    pub const fn win(winner: Color) -> Outcome {
        Outcome::Decisive { winner }
    }

    /// The side that has won.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Decisive { winner } => Some(winner),
            Outcome::Draw => None,
        }
    }

    /// What a side got, in half points: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self, side: Color) -> u8 {
        match self.winner() {
            Some(winner) => 2 * u8::from(winner == side),
            None => 1,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::WHITE_WINS => "1-0",
            Outcome::BLACK_WINS => "0-1",
            Outcome::Draw => "1/2-1/2",
        }
    }

    /// The text of a result that may be unknown: `*`.
    pub fn text(outcome: Option<Outcome>) -> &'static str {
        outcome.map_or(UNKNOWN, Outcome::as_str)
    }

    /// Reads what [`text`](Outcome::text) writes.
    pub fn from_text(text: &str) -> Result<Option<Outcome>, UnknownOutcome> {
        match text {
            UNKNOWN => Ok(None),
            _ => text.parse().map(Some),
        }
    }
}

/// The result of a game that has none.
const UNKNOWN: &str = "*";

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Outcome> for &'static str {
    fn from(outcome: Outcome) -> &'static str {
        outcome.as_str()
    }
}

impl FromStr for Outcome {
    type Err = UnknownOutcome;

    fn from_str(text: &str) -> Result<Outcome, UnknownOutcome> {
        Outcome::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == text)
            .ok_or_else(|| UnknownOutcome(text.into()))
    }
}

impl TryFrom<String> for Outcome {
    type Error = UnknownOutcome;

    fn try_from(text: String) -> Result<Outcome, UnknownOutcome> {
        text.parse()
    }
}

/// Text that is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a result: expected 1-0, 0-1 or 1/2-1/2")]
pub struct UnknownOutcome(pub Excerpt);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_back() {
        for outcome in Outcome::ALL.map(Some).into_iter().chain([None]) {
            assert_eq!(Outcome::from_text(Outcome::text(outcome)), Ok(outcome));
            let json = serde_json::to_string(&outcome).expect("JSON");
            assert_eq!(
                serde_json::from_str::<Option<Outcome>>(&json).expect(&json),
                outcome
            );
        }
        for wrong in ["", "1", "1-0 ", "1/2", "½-½", "white"] {
            assert!(Outcome::from_text(wrong).is_err(), "{wrong}");
        }
        assert_eq!(serde_json::json!(Outcome::Draw), "1/2-1/2");
    }

    #[test]
    fn points_add_up_to_one() {
        for outcome in Outcome::ALL {
            let [white, black] = Color::ALL.map(|side| outcome.half_points(side));
            assert_eq!(
                (white + black, white > black),
                (2, outcome == Outcome::WHITE_WINS)
            );
        }
    }
}
