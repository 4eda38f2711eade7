//! An optimiser that was written down: it goes on only if its parts fit together.

use std::collections::VecDeque;

use serde::Deserialize;
use thiserror::Error;

use super::{Open, Optimizer, Setup, SetupError};
use crate::champion::Champion;
use crate::contest::Contest;
use crate::method::State;
use crate::protocol::Ask;
use crate::space::Vector;

/// What a saved optimiser says, before it is known to fit together.
#[derive(Deserialize)]
pub(super) struct Saved {
    setup: Setup,
    state: State,
    round: u64,
    jobs: u64,
    open: Option<Open>,
    #[serde(default)]
    ahead: VecDeque<Open>,
    best: Option<Champion>,
    initial: Option<Champion>,
}

/// Why a saved optimiser is none.
#[derive(Clone, Debug, PartialEq, Error)]
pub(super) enum SavedError {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("{0} does not fit what is searched")]
    Misfit(&'static str),
}

impl TryFrom<Saved> for Optimizer {
    type Error = SavedError;

    fn try_from(saved: Saved) -> Result<Self, SavedError> {
        let Saved {
            setup,
            state,
            round,
            jobs,
            open,
            ahead,
            best,
            initial,
        } = saved;
        // What cannot be begun cannot be continued.
        Self::new(setup.clone(), state.settings())?;
        let wide = |vector: &Vector| vector.len() == setup.space.len();
        let champions = best.iter().chain(&initial);
        let contenders = |open: &Open| open.contest.as_ref().map(Contest::contenders_count);
        let mut open_rounds = open.iter().chain(&ahead).enumerate();
        let number = |index: usize| round.saturating_add(index as u64);
        let fits_state = match open {
            None => state.is_sound(&wide, None),
            Some(_) => open
                .iter()
                .chain(&ahead)
                .all(|open| state.is_sound(&wide, contenders(open))),
        };
        for (is_sound, what) in [
            (champions.map(|it| &it.vector).all(wide), "a best vector"),
            (
                open_rounds.all(|(index, open)| open.is_sound(&setup, number(index), &wide))
                    && (open.is_some() || ahead.is_empty())
                    && open.iter().all(Open::is_waited_for),
                "the open round",
            ),
            (fits_state, "the method's state"),
        ] {
            if !is_sound {
                return Err(SavedError::Misfit(what));
            }
        }
        Ok(Self {
            setup,
            state,
            round,
            jobs,
            open,
            ahead,
            best,
            initial,
        })
    }
}

impl Open {
    /// Whether every player and every answer is there that something refers to.
    fn is_sound(&self, setup: &Setup, round: u64, wide: &dyn Fn(&Vector) -> bool) -> bool {
        let rates = match (&self.batch.ask, &self.contest) {
            (Ask::Rate { players, games }, None) => games.iter().all(|it| it.white.max(it.black) < *players),
            (_, contest) => contest.iter().any(|contest| contest.is_sound(setup, &self.batch)),
        };
        let mut told = self.answers.iter().enumerate();
        rates
            && self.batch.round == round
            && self.batch.players.iter().all(wide)
            && self.answers.len() == self.batch.ask.jobs()
            && self.missing == self.answers.iter().filter(|answer| answer.is_none()).count()
            && told.all(|(job, answer)| answer.iter().all(|it| self.batch.check(job, it).is_ok()))
    }
}
