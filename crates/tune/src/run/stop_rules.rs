//! What ends a run before its budget is used up: time, or games that say that nothing is gained.
//!
//! The rule of the gain is looked at between two rounds, after every so many games, and the store knows how often it was: a run that is
//! killed and resumed looks at it after the same rounds, and ends where it would have ended. Time is no function of the
//! games, so a run that it ends is not repeatable; nothing of it is lost.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Run, RunError, Taken};
use crate::learned::Learned;

/// Why a run ended before its budget was used up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// `stop.seconds`.
    Time {
        /// What it took.
        seconds: f64,
    },
    /// `stop.no_gain_after`.
    NoGain {
        /// Games until then.
        games: u64,
        /// What they say was gained.
        elo: f64,
        /// Half the width of its 95 % interval.
        error: f64,
    },
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ended::Time { seconds } => {
                write!(
                    f,
                    "after {}, as stop.seconds says",
                    vidmar_text::duration(*seconds)
                )
            }
            Ended::NoGain { games, elo, error } => write!(
                f,
                "after {games} games, which say {elo:+.0} ± {error:.0} Elo: less than its error, as stop.no_gain_after says"
            ),
        }
    }
}

impl Run {
    /// Whether there is nothing left to tune.
    pub(super) fn is_over(&self) -> bool {
        self.ended.is_some() || self.optimizer.is_finished()
    }

    /// Looks at the rules between two rounds.
    pub(super) fn look_at_rules(&mut self, taken: Taken) -> Result<(), RunError> {
        let (rules, jobs) = (self.config.stop, self.optimizer.jobs());
        if jobs == 0 || self.is_over() {
            return Ok(());
        }
        if rules.seconds > 0 && taken.seconds >= rules.seconds as f64 {
            let seconds = taken.seconds;
            return self.end(self.journal.looked()?, Ended::Time { seconds });
        }
        let games = jobs * u64::from(self.config.objective.games_per_job());
        let due = games.checked_div(rules.no_gain_after).unwrap_or(0);
        if due == 0 || due <= self.journal.looked()? {
            return Ok(());
        }
        let learned = Learned::of(self.journal.store(), self.journal.run(), &self.optimizer, None)?;
        match learned.gain() {
            Some(gain) if gain.error().is_some_and(|error| gain.elo < error) => {
                let (elo, error) = (gain.elo, gain.error().unwrap_or_default());
                self.end(due, Ended::NoGain { games, elo, error })
            }
            _ => self.journal.note_looked(due, None),
        }
    }

    fn end(&mut self, looked: u64, ended: Ended) -> Result<(), RunError> {
        self.journal.note_looked(looked, Some(&ended))?;
        self.ended = Some(ended);
        Ok(())
    }
}
