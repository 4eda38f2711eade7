//! Waiting for a move: how long, and what a silence is called.

use std::time::{Duration, Instant};

use vidmar_chess::Game;
use vidmar_engine::{Control, Limits};
use vidmar_text::Excerpt;

use super::{Line, Process, Timeouts};
use crate::fault::{Fault, FaultKind};

/// How a protocol asks for a move at once.
pub(crate) struct Stop {
    /// The line that asks.
    pub(crate) line: &'static str,
    /// The word that answers.
    pub(crate) answer: &'static str,
}

/// A wait for the answer to one question.
pub(crate) struct Wait {
    /// None is a time too far away to be one.
    deadline: Option<Instant>,
    timeouts: Timeouts,
    stopped: bool,
    /// The last line that is none of the protocol.
    unknown: Option<Excerpt>,
}

impl Wait {
    /// A question was asked at that time.
    pub(crate) fn new(started: Instant, game: &Game, limits: &Limits, timeouts: Timeouts) -> Wait {
        let clock = limits.clocks[game.position().turn()].map(|clock| clock.remaining);
        let allowed = clock.into_iter().chain(limits.move_time).min();
        let time = match allowed {
            Some(time) => time.saturating_add(timeouts.overrun),
            None => timeouts.answer.unwrap_or_else(|| usual(limits)),
        };
        Wait {
            deadline: started.checked_add(time),
            timeouts,
            stopped: false,
            unknown: None,
        }
    }

    /// The next line, if there was one until the next look around; a fault when it has taken too long. An engine that is
    /// told to stop has [`Timeouts::stop`] to answer.
    pub(crate) fn line(
        &mut self,
        process: &mut Process,
        control: &Control,
        stop: &Stop,
    ) -> Result<Option<Line>, Fault> {
        let far = Instant::now() + Duration::from_hours(1);
        let line = process.look(self.deadline.map_or(far, |deadline| process.extended(deadline)))?;
        if line
            .as_ref()
            .is_some_and(|line| line.text.starts_with(stop.answer))
        {
            return Ok(line);
        }
        let now = line.as_ref().map_or_else(Instant::now, |line| line.at);
        let overdue = self
            .deadline
            .is_some_and(|deadline| now >= process.extended(deadline));
        if !self.stopped && (overdue || control.is_stopped()) {
            process.send(stop.line)?;
            self.stopped = true;
            self.deadline = Some(Instant::now() + self.timeouts.stop);
        } else if overdue {
            return Err(self.fault(stop.answer));
        }
        Ok(line)
    }

    /// A line that means nothing.
    pub(crate) fn not_understood(&mut self, line: &Line) {
        self.unknown = Some(Excerpt::from(line.text.as_str()));
    }

    fn fault(&self, answer: &str) -> Fault {
        match &self.unknown {
            Some(line) => Fault::new(FaultKind::Garbage, format!("'{line}' and no {answer}")),
            None => Fault::new(
                FaultKind::Hang,
                format!("no {answer}, not even when told to stop"),
            ),
        }
    }
}

/// The longest that an engine may take over a move under limits that are not of time, unless told otherwise.
const LONGEST: Duration = Duration::from_mins(10);
/// For a search of a few plies; twice as much for every ply more.
const FEW_PLIES: (u32, Duration) = (8, Duration::from_mins(1));
/// For a number of nodes, at the speed of a very slow engine.
const NODES: (Duration, u64) = (Duration::from_secs(10), 1_000);

/// How long an engine may take over a move where nothing is said, by limits that are not of time: what the slowest engine
/// needs on a busy machine, and not much longer, since a silent one is waited for as long, game after game.
fn usual(limits: &Limits) -> Duration {
    let by_depth = limits.depth.map(|depth| {
        let doublings = depth.saturating_sub(FEW_PLIES.0).min(8);
        FEW_PLIES.1 * 2_u32.pow(doublings)
    });
    let by_nodes = limits
        .nodes
        .map(|nodes| NODES.0.saturating_add(Duration::from_secs(nodes / NODES.1)));
    let shorter = by_depth.into_iter().chain(by_nodes).min();
    shorter.map_or(LONGEST, |time| time.min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silence_is_as_long_as_the_limit_explains() {
        let depth = |plies| usual(&Limits::depth(plies)).as_secs();
        assert_eq!(
            [1, 8, 9, 10, 11, 12, 100].map(depth),
            [60, 60, 120, 240, 480, 600, 600]
        );
        let nodes = |nodes| usual(&Limits::nodes(nodes)).as_secs();
        assert_eq!([1, 10_000, 100_000, u64::MAX].map(nodes), [10, 20, 110, 600]);
        let both = Limits {
            depth: Some(20),
            ..Limits::nodes(5_000)
        };
        assert_eq!(usual(&both).as_secs(), 15);
        assert_eq!(usual(&Limits::none()), LONGEST);
    }
}
