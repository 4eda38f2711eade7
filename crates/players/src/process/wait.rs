//! Waiting for a move: how long, and what a silence is called.

use std::time::{Duration, Instant};

use vidmar_chess::Game;
use vidmar_engine::{Control, Limits};
use vidmar_text::Excerpt;

use super::{Line, Process, Timeouts};
use crate::fault::{Fault, FaultKind};

/// How often a wait looks whether somebody wants it to end.
const LOOK: Duration = Duration::from_millis(50);

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
        let time = allowed.map_or(timeouts.answer, |time| time.saturating_add(timeouts.overrun));
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
        let look = Instant::now() + LOOK;
        let line = process.line(self.deadline.map_or(look, |deadline| deadline.min(look)))?;
        if line
            .as_ref()
            .is_some_and(|line| line.text.starts_with(stop.answer))
        {
            return Ok(line);
        }
        let now = line.as_ref().map_or_else(Instant::now, |line| line.at);
        let overdue = self.deadline.is_some_and(|deadline| now >= deadline);
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
