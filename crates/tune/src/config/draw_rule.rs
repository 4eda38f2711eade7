//! When games are drawn, as configurations write it and as match runners do: `movenumber=40 movecount=8 score=10`.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use vidmar_arena::DrawRule;

/// A rule in the words of match runners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Level(DrawRule);

impl Level {
    /// The rule.
    pub const fn rule(self) -> DrawRule {
        self.0
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let mut rule = DrawRule {
            from_move: 0,
            moves: 1,
            score: 0,
        };
        let expected = || format!("'{text}' is no rule: expected movenumber=N movecount=N score=CENTIPAWNS");
        let mut words = text.split_whitespace().peekable();
        words.peek().ok_or_else(expected)?;
        for word in words {
            let (name, number) = word.split_once('=').ok_or_else(expected)?;
            let number: u16 = number.parse().map_err(|_| expected())?;
            match name {
                "movenumber" => rule.from_move = number.into(),
                "movecount" if number > 0 => rule.moves = number.into(),
                "score" => rule.score = number.into(),
                _ => return Err(expected()),
            }
        }
        Ok(Level(rule))
    }
}

impl TryFrom<String> for Level {
    type Error = String;

    fn try_from(text: String) -> Result<Level, String> {
        text.parse()
    }
}

impl From<Level> for String {
    fn from(level: Level) -> String {
        level.0.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_written() {
        let text = "movenumber=40 movecount=8 score=10";
        let read = |text: &str| text.parse::<Level>();
        assert_eq!(read(text).unwrap().rule().to_string(), text);
        assert_eq!(read("score=5").unwrap().rule().moves, 1);
        for text in ["", "40", "movenumber=-1", "movecount=0", "score=1e9", "moves=8"] {
            assert!(
                read(text).unwrap_err().contains("expected movenumber=N"),
                "{text}"
            );
        }
    }
}
