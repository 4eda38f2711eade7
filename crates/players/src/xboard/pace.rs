//! How long an xboard engine may think: `level`, `st`, `sd`, `time` and `otim`.

use std::time::Duration;

use vidmar_chess::Color;
use vidmar_engine::Limits;

use crate::fault::{Fault, FaultKind};
use crate::move_limits::MoveLimits;

/// What is said once a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    /// The time control.
    pub(super) line: Option<String>,
    /// The deepest search.
    pub(super) depth: Option<u32>,
}

impl Pace {
    /// The pace of a game from the limits of its first move.
    pub(super) fn of(limits: &Limits, turn: Color) -> Result<Pace, Fault> {
        check_limits(&MoveLimits::of_game(limits))?;
        let line = match (limits.clocks[turn], limits.move_time) {
            (Some(clock), _) => {
                let moves = limits.moves_to_go.unwrap_or(0);
                let base = minutes(clock.remaining);
                Some(format!("level {moves} {base} {}", seconds(clock.increment)))
            }
            // The protocol has whole seconds; shorter times are a control of one move, with `time` to be exact.
            (None, Some(time)) if time.subsec_millis() == 0 => Some(format!("st {}", time.as_secs())),
            (None, Some(time)) => Some(format!("level 1 {} 0", minutes(time))),
            (None, None) => None,
        };
        Ok(Pace {
            line,
            depth: limits.depth,
        })
    }
}

/// An error if there are limits that the protocol has no word for.
pub(crate) fn check_limits(limits: &MoveLimits) -> Result<(), Fault> {
    if limits.nodes.is_none() {
        return Ok(());
    }
    let detail = "an xboard engine cannot be held to a number of nodes";
    Err(Fault::new(FaultKind::Start, detail))
}

/// What is said before every move: both clocks in hundredths of a second.
pub(super) fn clocks(limits: &Limits, turn: Color) -> Option<String> {
    let centiseconds = |time: Duration| (time.as_millis() / 10).max(1);
    let own = limits.clocks[turn].map(|clock| clock.remaining);
    let own = own.or(limits.move_time)?;
    let other = limits.clocks[!turn].map_or(own, |clock| clock.remaining);
    Some(format!(
        "time {}\notim {}",
        centiseconds(own),
        centiseconds(other)
    ))
}

/// Minutes and seconds, at least one.
fn minutes(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000).max(1);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Seconds, with a fraction where there is one: engines that know none read the whole part.
fn seconds(time: Duration) -> String {
    if time.subsec_millis() == 0 {
        time.as_secs().to_string()
    } else {
        format!("{:.3}", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use vidmar_chess::ByColor;
    use vidmar_engine::Clock;

    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn every_kind_of_control_is_written() {
        let clock = |remaining, increment| {
            Some(Clock {
                remaining: ms(remaining),
                increment: ms(increment),
            })
        };
        let limits = Limits {
            clocks: ByColor::new(clock(61_500, 500), clock(2_000, 0)),
            moves_to_go: Some(40),
            ..Limits::none()
        };
        let line = |limits: &Limits, side| Pace::of(limits, side).unwrap().line;
        assert_eq!(
            line(&limits, Color::White).as_deref(),
            Some("level 40 1:02 0.500")
        );
        assert_eq!(line(&limits, Color::Black).as_deref(), Some("level 40 0:02 0"));
        assert_eq!(
            clocks(&limits, Color::White).as_deref(),
            Some("time 6150\notim 200")
        );
        let limits = Limits {
            move_time: Some(ms(2000)),
            ..Limits::none()
        };
        assert_eq!(line(&limits, Color::White).as_deref(), Some("st 2"));
        let limits = Limits {
            move_time: Some(ms(150)),
            ..Limits::none()
        };
        assert_eq!(line(&limits, Color::White).as_deref(), Some("level 1 0:01 0"));
        assert_eq!(clocks(&limits, Color::Black).as_deref(), Some("time 15\notim 15"));
        let deep = Pace::of(&Limits::depth(4), Color::White).unwrap();
        assert_eq!((deep.line, deep.depth), (None, Some(4)));
        assert!(Pace::of(&Limits::nodes(4), Color::White).is_err());
    }
}
