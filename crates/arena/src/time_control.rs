//! What a side may use for its moves, and clocks as match runners write them: `40/60+0.6`, `2+0.02`, `0:30+1`, `inf`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// What a side may use for its moves: whichever of the limits is set.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time at the start.
    pub base: Option<Duration>,
    /// What every move adds.
    pub increment: Duration,
    /// Moves until `base` is added again.
    pub moves: Option<u32>,
    /// Time for every move.
    pub move_time: Option<Duration>,
    /// Plies for every move.
    pub depth: Option<u32>,
    /// Positions for every move.
    pub nodes: Option<u64>,
    /// How far the flag may be overstepped before it falls.
    pub margin: Duration,
}

impl TimeControl {
    /// Its clock.
    pub fn clock(&self) -> Clock {
        Clock {
            moves: self.moves,
            base: self.base,
            increment: self.increment,
        }
    }
}

/// The clock of a [`TimeControl`], as a text has it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Moves until the time is added again.
    pub moves: Option<u32>,
    /// Time; none if there is no clock.
    pub base: Option<Duration>,
    /// What a move adds.
    pub increment: Duration,
}

/// A text that is no clock.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a time control: expected [MOVES/]TIME[+INCREMENT], for example 40/60, 2+0.02 or inf")]
pub struct ClockError(String);

impl FromStr for Clock {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<Clock, ClockError> {
        let wrong = || ClockError(text.to_owned());
        if matches!(text, "inf" | "infinite") {
            return Ok(Clock::default());
        }
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (
                Some(moves.parse().ok().filter(|&n| n > 0).ok_or_else(wrong)?),
                rest,
            ),
            None => (None, text),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (base, seconds(increment).ok_or_else(wrong)?),
            None => (rest, Duration::ZERO),
        };
        let base = clock_time(base).ok_or_else(wrong)?;
        if base.is_zero() && increment.is_zero() {
            return Err(wrong());
        }
        Ok(Clock {
            moves,
            base: Some(base),
            increment,
        })
    }
}

/// As it is read; none is `inf`.
impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(base) = self.base else {
            return f.write_str("inf");
        };
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl Serialize for Clock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Clock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Clock, D::Error> {
        /// A text, or a number of seconds that nobody put in quotes.
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a time control such as \"40/60\" or \"2+0.02\"")]
        enum Written<'a> {
            Text(Cow<'a, str>),
            Whole(u64),
            Broken(f64),
        }

        let text = match Written::deserialize(deserializer)? {
            Written::Text(text) => text,
            Written::Whole(seconds) => seconds.to_string().into(),
            Written::Broken(seconds) => seconds.to_string().into(),
        };
        text.parse().map_err(D::Error::custom)
    }
}

/// `seconds`, `minutes:seconds` or `hours:minutes:seconds`.
fn clock_time(text: &str) -> Option<Duration> {
    let parts: Vec<&str> = text.split(':').collect();
    let (last, before) = parts.split_last()?;
    if before.len() > 2 {
        return None;
    }
    let mut total = seconds(last)?;
    for (part, unit) in before.iter().rev().zip([60, 3600]) {
        let number: u32 = part.parse().ok()?;
        total += Duration::from_secs(u64::from(number) * unit);
    }
    Some(total)
}

/// A plain decimal number of seconds, up to a year.
pub fn seconds(text: &str) -> Option<Duration> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = text.parse().ok().filter(|_| plain)?;
    (number <= 31_536_000.0).then(|| Duration::from_secs_f64(number))
}

/// As PGN's tag `TimeControl` and tables show it.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let control = self;
        if control.base.is_some() {
            parts.push(control.clock().to_string());
        }
        if let Some(time) = control.move_time {
            parts.push(format!("{} s a move", time.as_secs_f64()));
        }
        if let Some(nodes) = control.nodes {
            parts.push(format!("{nodes} nodes"));
        }
        if let Some(depth) = control.depth {
            parts.push(format!("depth {depth}"));
        }
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_in_use() {
        let clock = |moves, milliseconds, increment| {
            Ok(Clock {
                moves,
                base: Some(Duration::from_millis(milliseconds)),
                increment: Duration::from_millis(increment),
            })
        };
        for (text, expected) in [
            ("40/60+0.6", clock(Some(40), 60_000, 600)),
            ("2+0.02", clock(None, 2000, 20)),
            ("0:30+1", clock(None, 30_000, 1000)),
            ("40/1:30", clock(Some(40), 90_000, 0)),
            ("1:00:00", clock(None, 3_600_000, 0)),
            ("0.5", clock(None, 500, 0)),
            ("0+1", clock(None, 0, 1000)),
            ("inf", Ok(Clock::default())),
        ] {
            assert_eq!(text.parse::<Clock>(), expected, "{text}");
            let again = expected.as_ref().map(Clock::to_string).unwrap_or_default();
            assert_eq!(again.parse::<Clock>(), expected, "{text}: {again}");
        }
        for text in [
            "",
            "x",
            "0",
            "40/",
            "0/60",
            "-5",
            "1e3",
            "60+",
            "60+x",
            "1:2:3:4",
            "60++1",
            "nan",
            "99999999999",
            "é",
        ] {
            assert!(text.parse::<Clock>().is_err(), "{text}");
        }
    }

    #[test]
    fn shown_as_it_was_said() {
        let shown = |limits: TimeControl| limits.to_string();
        let clock = TimeControl {
            base: Some(Duration::from_mins(1)),
            moves: Some(40),
            increment: Duration::from_millis(600),
            ..TimeControl::default()
        };
        assert_eq!(shown(clock), "40/60+0.6");
        let fixed = TimeControl {
            nodes: Some(5000),
            depth: Some(6),
            ..TimeControl::default()
        };
        assert_eq!(shown(fixed), "5000 nodes, depth 6");
    }
}
