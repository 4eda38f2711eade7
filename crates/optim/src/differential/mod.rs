//! Differential evolution, composed from named parts.
//!
//! | part | choices |
//! | --- | --- |
//! | [`Mutation`] and [`Crossover`] | the ten classic strategies, `best-z/1`, `current-to-pbest/1` |
//! | [`Control`] of F and `C_r` | fixed, jDE's, L-SHADE's |
//! | [`Opposition`] | at the start, dynamic |
//! | [`Memory`] | none, the [history mechanism](crate::history) of [boskovic-2010], the [rated database](crate::rated) of [erk-2008] |
//! | population | of constant size, or shrinking to `reduce_to` as the budget is used (L-SHADE) |
//!
//! One generation (Algorithm 3.10) is: breed trials, perhaps turn them into opposites, inject what is remembered, let
//! currents and trials play, update the memory, select. The rows of [`crate::method`] are settings of this one engine.

mod control;
mod crossover;
mod generation;
mod mutation;
mod opposition;

use serde::{Deserialize, Serialize};

pub use control::Control;
pub use crossover::Crossover;
pub(crate) use generation::Differential;
pub use mutation::Mutation;
pub use opposition::{Opposite, Opposition};

use crate::history;
use crate::optimizer::SetupError;

/// What is remembered beyond the population.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Memory {
    /// Nothing.
    None,
    /// The history mechanism of [boskovic-2010].
    History,
    /// The rated database of [erk-2008], which also supplies the opponents.
    Ratings,
}

/// Who stays when trial and current are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// The current individual: a trial must be strictly better.
    Current,
    /// The trial: populations drift over plateaus.
    Trial,
}

/// All settings of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// `N_p`.
    pub population: usize,
    /// How mutants are made.
    pub mutation: Mutation,
    /// What trials take from them.
    pub crossover: Crossover,
    /// The factor of differences, or where its adaptation starts.
    pub f: f64,
    /// The crossover rate, or where its adaptation starts.
    pub cr: f64,
    /// The pull of `rand-to-best/1`.
    pub lambda: f64,
    /// How F and `C_r` change.
    pub control: Control,
    /// When opposites are tried.
    pub opposition: Opposition,
    /// What is remembered.
    pub memory: Memory,
    /// How many may return, and how often.
    pub history: history::Settings,
    /// The population at the end of the budget, if it shrinks.
    pub reduce_to: Option<usize>,
    /// Who stays when equal.
    pub ties: Ties,
    /// The share of every interval, around the start, that the first population fills; 1 is all of it.
    pub spread: f64,
}

impl Settings {
    /// DE/rand/1/bin without anything else.
    pub fn classic() -> Self {
        Self {
            population: 20,
            mutation: Mutation::Rand1,
            crossover: Crossover::Binomial,
            f: 0.5,
            cr: 0.9,
            lambda: 0.5,
            control: Control::Fixed,
            opposition: Opposition::NONE,
            memory: Memory::None,
            history: history::Settings::default(),
            reduce_to: None,
            ties: Ties::Current,
            spread: 1.0,
        }
    }

    /// The published tuning algorithm: `best-z/1` with opposition and history ([boskovic-2010], Algorithm 3.10,
    /// narrow intervals).
    pub fn with_history() -> Self {
        let opposition = Opposition {
            start: true,
            rate: 0.1,
            opposite: Opposite::Trial,
        };
        Self {
            mutation: Mutation::BestZ1,
            memory: Memory::History,
            opposition,
            ..Self::classic()
        }
    }

    /// The published algorithm with its history switched off: DE/best/1/bin ([boskovic-2010], experiments).
    pub fn without_history() -> Self {
        Self {
            mutation: Mutation::Best1,
            memory: Memory::None,
            ..Self::with_history()
        }
    }

    /// The rated variant ([erk-2008]).
    pub fn rated() -> Self {
        Self {
            mutation: Mutation::Rand1,
            memory: Memory::Ratings,
            cr: 0.8,
            ..Self::with_history()
        }
    }

    /// jDE.
    pub fn jde() -> Self {
        Self {
            control: Control::SelfAdaptive,
            ..Self::classic()
        }
    }

    /// L-SHADE, with a population for noisy budgets instead of 18 per dimension.
    pub fn l_shade() -> Self {
        Self {
            population: 40,
            mutation: Mutation::CurrentToPbest1,
            cr: 0.5,
            control: Control::SuccessHistory,
            reduce_to: Some(4),
            ties: Ties::Trial,
            ..Self::classic()
        }
    }

    /// These settings with the history put in.
    pub fn remembering(self) -> Self {
        Self {
            memory: Memory::History,
            ..self
        }
    }

    pub(crate) fn check(&self) -> Result<(), SetupError> {
        let needed = self.mutation.needs() + 1;
        let expected = || format!("at least {needed} for this mutation");
        SetupError::unless(
            self.population >= needed,
            "population",
            self.population,
            expected(),
        )?;
        if let Some(least) = self.reduce_to {
            SetupError::unless(least >= needed, "reduce_to", least, expected())?;
            SetupError::unless(
                least <= self.population,
                "reduce_to",
                least,
                "at most the population",
            )?;
        }
        SetupError::unless((0.0..=2.0).contains(&self.f), "f", self.f, "0 to 2")?;
        SetupError::unless((0.0..=1.0).contains(&self.cr), "cr", self.cr, "0 to 1")?;
        SetupError::unless(
            (0.0..=2.0).contains(&self.lambda),
            "lambda",
            self.lambda,
            "0 to 2",
        )?;
        let rate = self.opposition.rate;
        SetupError::unless((0.0..=1.0).contains(&rate), "opposition.rate", rate, "0 to 1")?;
        SetupError::check_spread(self.spread)?;
        let remembers = self.memory != Memory::None;
        SetupError::unless(
            remembers || self.mutation != Mutation::BestZ1,
            "memory",
            "none",
            "history for best-z/1",
        )?;
        SetupError::unless(
            !remembers || self.history.size > 0,
            "history.size",
            self.history.size,
            "at least 1",
        )?;
        SetupError::unless(
            !self.history.count_trials || self.memory == Memory::History,
            "history.count_trials",
            true,
            "memory = history: elsewhere no games are left out",
        )
    }
}
