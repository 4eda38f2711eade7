//! An Elo difference with its 95 % interval, and what it proves.
//!
//! Elo is the logarithm of odds: the interval of a lopsided score reaches farther on the side away from zero, and has no
//! end there where (nearly) everything was won or lost. So it is carried as two ends, in every type, table and file; half
//! its width (`error`) is for those who compare it with the ± of other programs, and decides nothing.

use std::fmt;

use serde::Serialize;
use ts_rs::TS;

/// An Elo difference between the ends of its 95 % interval; what has no end is infinite.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct EloInterval {
    /// The difference that the mean score stands for; infinite where everything was won or lost.
    pub elo: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What an interval proves.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub enum Verdict {
    /// It lies above zero.
    #[serde(rename = "gain proven")]
    Gain,
    /// It lies below zero.
    #[serde(rename = "loss proven")]
    Loss,
    /// Zero is in it.
    #[serde(rename = "nothing proven")]
    Nothing,
    /// There are no games.
    #[serde(rename = "not played")]
    NotPlayed,
}

impl Verdict {
    /// In two words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Gain => "gain proven",
            Verdict::Loss => "loss proven",
            Verdict::Nothing => "nothing proven",
            Verdict::NotPlayed => "not played",
        }
    }
}

impl EloInterval {
    /// The interval of a row, in which what is infinite or unknown is nothing; none where nothing is known.
    pub fn of_row(elo: Option<f64>, low: Option<f64>, high: Option<f64>) -> Option<EloInterval> {
        let elo = match (elo, low, high) {
            (Some(elo), _, _) => elo,
            (None, Some(_), None) => f64::INFINITY,
            (None, None, Some(_)) => f64::NEG_INFINITY,
            _ => return None,
        };
        Some(EloInterval {
            elo,
            low: low.unwrap_or(f64::NEG_INFINITY),
            high: high.unwrap_or(f64::INFINITY),
        })
    }

    /// One that reaches as far to both sides.
    pub fn symmetric(elo: f64, error: f64) -> EloInterval {
        EloInterval {
            elo,
            low: elo - error,
            high: elo + error,
        }
    }

    /// Half its width, where it has two ends.
    pub fn error(&self) -> Option<f64> {
        crate::finite((self.high - self.low) / 2.0)
    }

    /// What it proves.
    pub fn verdict(&self) -> Verdict {
        if self.low > 0.0 {
            Verdict::Gain
        } else if self.high < 0.0 {
            Verdict::Loss
        } else {
            Verdict::Nothing
        }
    }

    /// Its ends in a sentence: `95 % between +51.5 and +646.9`, `95 % above +140.2`.
    pub(crate) fn ends(&self) -> String {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => format!("95 % between {:+.1} and {:+.1}", self.low, self.high),
            (true, false) => format!("95 % above {:+.1}", self.low),
            (false, true) => format!("95 % below {:+.1}", self.high),
            (false, false) => "too few games for a bound".to_owned(),
        }
    }
}

/// As a table shows it: `+214.8 (+51.5 to +646.9)`, and where it has no end a bound, `> +140.2`.
impl fmt::Display for EloInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => format!("{:+.1} to {:+.1}", self.low, self.high),
            (true, false) => format!("> {:+.1}", self.low),
            (false, true) => format!("< {:+.1}", self.high),
            (false, false) => "no bound".to_owned(),
        };
        if self.elo.is_finite() {
            f.pad(&format!("{:+.1} ({bound})", self.elo))
        } else {
            f.pad(&bound)
        }
    }
}

/// The interval of a row as a table shows it; a dash where nothing is known.
pub fn elo_text(interval: Option<EloInterval>) -> String {
    interval.map_or_else(|| "–".to_owned(), |interval| interval.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_verdicts() {
        let inf = f64::INFINITY;
        for (elo, low, high, text, verdict) in [
            (214.85, 51.48, 646.91, "+214.8 (+51.5 to +646.9)", Verdict::Gain),
            (-3.0, -20.0, 14.0, "-3.0 (-20.0 to +14.0)", Verdict::Nothing),
            (-30.0, -50.0, -10.0, "-30.0 (-50.0 to -10.0)", Verdict::Loss),
            (inf, 183.0, inf, "> +183.0", Verdict::Gain),
            (inf, -15.0, inf, "> -15.0", Verdict::Nothing),
            (-inf, -inf, -183.0, "< -183.0", Verdict::Loss),
            (420.0, 120.0, inf, "+420.0 (> +120.0)", Verdict::Gain),
            (0.0, -inf, inf, "+0.0 (no bound)", Verdict::Nothing),
        ] {
            let interval = EloInterval { elo, low, high };
            assert_eq!(
                (interval.to_string().as_str(), interval.verdict()),
                (text, verdict)
            );
            let finite = crate::finite;
            assert_eq!(
                EloInterval::of_row(finite(elo), finite(low), finite(high)),
                Some(interval),
                "{text}"
            );
        }
        assert_eq!(EloInterval::of_row(None, None, None), None);
        assert_eq!(elo_text(None), "–");
        assert_eq!(EloInterval::symmetric(10.0, 4.0).error(), Some(4.0));
    }
}
