//! The bounds of a sequential test, as configurations write them: `0,5` or `0,5,0.05,0.05`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use vidmar_arena::{Sprt, SprtModel};

/// `elo0,elo1[,alpha,beta]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SprtBounds(Sprt);

/// Chances of error where none are stated, as match runners have them.
const USUAL: f64 = 0.05;

impl SprtBounds {
    /// The test.
    pub const fn test(self) -> Sprt {
        self.0
    }
}

impl FromStr for SprtBounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("'{text}' is no test: expected elo0,elo1 or elo0,elo1,alpha,beta");
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
        let (elo0, elo1, alpha, beta) = match numbers.map_err(|_| expected())?[..] {
            [elo0, elo1] => (elo0, elo1, USUAL, USUAL),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(expected()),
        };
        Sprt::new(elo0, elo1, alpha, beta, SprtModel::Normalised)
            .map(SprtBounds)
            .map_err(|error| error.to_string())
    }
}

impl TryFrom<String> for SprtBounds {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<SprtBounds> for String {
    fn from(bounds: SprtBounds) -> String {
        bounds.to_string()
    }
}

impl fmt::Display for SprtBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((elo0, elo1), (alpha, beta)) = (self.0.hypotheses(), self.0.errors());
        write!(f, "{elo0},{elo1}")?;
        if (alpha, beta) != (USUAL, USUAL) {
            write!(f, ",{alpha},{beta}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_and_written() {
        for text in ["0,5", "-3,1", "0,5,0.01,0.1"] {
            assert_eq!(text.parse::<SprtBounds>().unwrap().to_string(), text);
        }
        for (text, expected) in [
            ("5", "'5' is no test: expected elo0,elo1 or elo0,elo1,alpha,beta"),
            (
                "a,b",
                "'a,b' is no test: expected elo0,elo1 or elo0,elo1,alpha,beta",
            ),
            ("5,0", "elo0 is 5 and elo1 is 0: expected elo0 below elo1"),
            (
                "0,5,0.7,0.05",
                "alpha is 0.7: expected a number above 0 and below 0.5",
            ),
        ] {
            assert_eq!(text.parse::<SprtBounds>().unwrap_err(), expected);
        }
    }
}
