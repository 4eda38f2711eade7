//! The weights of the adaptation, in thousandths, so that its arithmetic is exact.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;
use vidmar_text::Excerpt;

/// A number from 0 to 1 in thousandths.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fraction(u16);

/// The text is not a fraction.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a number from 0 to 1 with at most three decimals")]
pub struct FractionError(Excerpt);

impl Fraction {
    /// Nothing.
    pub const ZERO: Fraction = Fraction(0);
    /// Everything.
    pub const ONE: Fraction = Fraction(1000);

    /// So many thousandths, at most 1000.
    pub const fn from_thousandths(thousandths: u16) -> Fraction {
        Fraction(if thousandths > 1000 { 1000 } else { thousandths })
    }

    /// In thousandths.
    pub const fn thousandths(self) -> i64 {
        self.0 as i64
    }

    /// What is missing to 1, in thousandths.
    pub const fn rest(self) -> i64 {
        1000 - self.0 as i64
    }
}

impl FromStr for Fraction {
    type Err = FractionError;

    fn from_str(text: &str) -> Result<Fraction, FractionError> {
        let error = || FractionError(text.into());
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(decimals) || decimals.len() > 3 || (whole.len() + decimals.len()) == 0 {
            return Err(error());
        }
        let number = |part: &str| -> Result<u32, FractionError> {
            if part.is_empty() {
                return Ok(0);
            }
            part.parse().map_err(|_| error())
        };
        let decimals = number(&format!("{decimals:0<3}"))?;
        let thousandths = number(whole)?.saturating_mul(1000).saturating_add(decimals);
        match u16::try_from(thousandths) {
            Ok(thousandths @ 0..=1000) => Ok(Fraction(thousandths)),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = format!("{:03}", self.0 % 1000);
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{}", self.0 / 1000),
            decimals => write!(f, "{}.{decimals}", self.0 / 1000),
        }
    }
}

impl Serialize for Fraction {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 1000.0)
    }
}

/// The three weights of the similarity of moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Weights {
    /// Squares (1) against pieces (0).
    pub squares: Fraction,
    /// The square that a piece leaves (1) against the one it reaches (0), as squares.
    pub from_square: Fraction,
    /// The same two as pieces: what stands on them.
    pub from_piece: Fraction,
}

/// The text is not three weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// Not three parts.
    #[error("'{0}' is not three weights (expected for example 0.5/0.5/0.5)")]
    Count(Excerpt),
    /// A part is no weight.
    #[error(transparent)]
    Fraction(#[from] FractionError),
}

impl Weights {
    /// Weights from thousandths.
    pub const fn from_thousandths(squares: u16, from_square: u16, from_piece: u16) -> Weights {
        Weights {
            squares: Fraction::from_thousandths(squares),
            from_square: Fraction::from_thousandths(from_square),
            from_piece: Fraction::from_thousandths(from_piece),
        }
    }
}

impl Default for Weights {
    /// Everything counts the same.
    fn default() -> Weights {
        Weights::from_thousandths(500, 500, 500)
    }
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Weights, WeightsError> {
        let mut parts = text.trim().split('/');
        let (Some(one), Some(two), Some(three), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(WeightsError::Count(text.into()));
        };
        Ok(Weights {
            squares: one.parse()?,
            from_square: two.parse()?,
            from_piece: three.parse()?,
        })
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.squares, self.from_square, self.from_piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_and_written() {
        for (text, thousandths) in [
            ("0", 0),
            ("1", 1000),
            ("0.5", 500),
            (".25", 250),
            ("1.000", 1000),
            ("0.125", 125),
        ] {
            let fraction: Fraction = text.parse().unwrap();
            assert_eq!(fraction.thousandths(), thousandths, "{text}");
            assert_eq!(fraction.to_string().parse::<Fraction>(), Ok(fraction));
        }
        for bad in [
            "",
            ".",
            "1.001",
            "2",
            "-0.5",
            "0.5555",
            "a",
            "0,5",
            "4294967296",
            "1e-1",
            "1910127028.04",
            "+1",
        ] {
            assert!(bad.parse::<Fraction>().is_err(), "{bad}");
        }
        let weights: Weights = "0.8/0.2/0.5".parse().unwrap();
        assert_eq!(weights, Weights::from_thousandths(800, 200, 500));
        assert_eq!(weights.to_string(), "0.8/0.2/0.5");
        for bad in ["", "0.5", "0.5/0.5", "0.5/0.5/0.5/0.5", "0.5/x/0.5"] {
            assert!(bad.parse::<Weights>().is_err(), "{bad}");
        }
    }
}
