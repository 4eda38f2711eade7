//! Processors that games are bound to, one game a processor.
//!
//! A thread of the executor is bound, and with it whatever it starts: a process begins on the processors of the thread that
//! starts it. Both players of a game share one, as only one of them thinks at a time.

use std::str::FromStr;

use thiserror::Error;
use vidmar_text::Excerpt;

/// More than any machine has; a set of the system holds no more.
const MOST_PROCESSORS: usize = 1024;

/// Processors by number, in the order in which games take them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Processors(Vec<usize>);

/// Why games cannot be bound.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AffinityError {
    /// Not a list.
    #[error("'{0}': expected processors such as 0,2,4-7")]
    Syntax(Excerpt),
    /// Not ours to use.
    #[error("processor {0} is not one that this program may use")]
    NotOurs(usize),
    /// Two games on one processor would be worse than no binding at all.
    #[error("{games} games at a time need {games} processors, and there are {processors}")]
    TooFew {
        /// Games at a time.
        games: usize,
        /// Processors.
        processors: usize,
    },
    /// The system has no such thing, or refuses it.
    #[error("games cannot be bound to processors here: {0}")]
    System(String),
}

impl FromStr for Processors {
    type Err = AffinityError;

    fn from_str(text: &str) -> Result<Processors, AffinityError> {
        let wrong = || AffinityError::Syntax(Excerpt::from(text));
        let number = |word: &str| {
            let number = word.parse().ok().filter(|&number| number < MOST_PROCESSORS);
            number.ok_or_else(wrong)
        };
        let mut found: Vec<usize> = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(wrong());
            }
            for processor in first..=last {
                if !found.contains(&processor) {
                    found.push(processor);
                }
            }
        }
        Ok(Processors(found))
    }
}

impl Processors {
    /// All that this program may use.
    pub fn all() -> Result<Processors, AffinityError> {
        system::allowed().map(Processors)
    }

    /// These, if this program may use them and there are enough for so many games.
    pub fn checked(self, games: usize) -> Result<Processors, AffinityError> {
        let allowed = system::allowed()?;
        if let Some(&other) = self.0.iter().find(|processor| !allowed.contains(processor)) {
            return Err(AffinityError::NotOurs(other));
        }
        if self.0.len() < games {
            return Err(AffinityError::TooFew {
                games,
                processors: self.0.len(),
            });
        }
        Ok(self)
    }

    /// Binds this thread, and what it will start, to the processor of a game.
    pub(super) fn bind(&self, index: usize) -> Result<(), AffinityError> {
        match self.0.get(index) {
            Some(&processor) => system::bind(processor),
            None => Ok(()),
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::{AffinityError, MOST_PROCESSORS};

    fn failed(error: rustix::io::Errno) -> AffinityError {
        AffinityError::System(error.to_string())
    }

    pub(super) fn allowed() -> Result<Vec<usize>, AffinityError> {
        let set = sched_getaffinity(None).map_err(failed)?;
        let most = MOST_PROCESSORS.min(CpuSet::MAX_CPU);
        Ok((0..most).filter(|&processor| set.is_set(processor)).collect())
    }

    pub(super) fn bind(processor: usize) -> Result<(), AffinityError> {
        let mut set = CpuSet::new();
        set.set(processor);
        sched_setaffinity(None, &set).map_err(failed)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::AffinityError;

    fn none() -> AffinityError {
        AffinityError::System("only Linux lets a program choose".to_owned())
    }

    pub(super) fn allowed() -> Result<Vec<usize>, AffinityError> {
        Err(none())
    }

    pub(super) fn bind(_: usize) -> Result<(), AffinityError> {
        Err(none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let read = |text: &str| text.parse::<Processors>().map(|list| list.0);
        assert_eq!(read("3,5,7-9,8,13"), Ok(vec![3, 5, 7, 8, 9, 13]));
        for wrong in ["", "a", "1,", "3-1", "-1", "1-", "0-99999999999", "1 2"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_is_refused() {
        let all = Processors::all().unwrap();
        let processors = all.0.len();
        assert_eq!(all.clone().checked(processors), Ok(all.clone()));
        let games = processors + 1;
        assert_eq!(
            all.checked(games),
            Err(AffinityError::TooFew { games, processors })
        );
        let beyond = MOST_PROCESSORS - 1;
        assert_eq!(
            Processors(vec![beyond]).checked(1),
            Err(AffinityError::NotOurs(beyond))
        );
    }
}
