//! Simulated annealing, named by [boskovic-2010] among the other tuning methods: a better vector is kept, a worse one
//! with a probability that falls.
//!
//! A worse candidate is kept with probability exp(Δ / T), Δ the difference of scores. T falls geometrically with the
//! budget and is measured in units of the mean |Δ| met so far, so that the same temperatures fit points, centipawns
//! or log-losses.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report};
use crate::method::Searcher;
use crate::neighbour::Neighbourhood;
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::purpose::Purpose;
use crate::space::Vector;
use crate::walker::Walker;

/// The method's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What a change is.
    pub neighbourhood: Neighbourhood,
    /// The temperature at the start.
    pub hot: f64,
    /// The temperature at the end of the budget.
    pub cold: f64,
}

impl Settings {
    /// From "half of the usual losses are taken" to "hardly any".
    pub fn usual() -> Self {
        let neighbourhood = Neighbourhood {
            step: 0.1,
            last_step: 0.02,
            rate: 0.25,
        };
        Self {
            neighbourhood,
            hot: 0.5,
            cold: 0.02,
        }
    }
}

/// The method's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Annealing {
    settings: Settings,
    #[serde(flatten)]
    walker: Walker,
    /// Sum of all |Δ| so far.
    differences: f64,
}

impl Searcher for Annealing {
    type Settings = Settings;

    fn plans_ahead(_: &Settings) -> bool {
        true
    }

    fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
        settings.neighbourhood.check()?;
        for (name, temperature) in [("hot", settings.hot), ("cold", settings.cold)] {
            SetupError::unless(
                temperature > 0.0 && temperature.is_finite(),
                name,
                temperature,
                "above 0",
            )?;
        }
        Ok(Self {
            settings,
            walker: Walker::new(setup),
            differences: 0.0,
        })
    }

    fn settings(&self) -> Settings {
        self.settings
    }

    fn generation(&self) -> u64 {
        self.walker.generation()
    }

    fn plan(&mut self, context: &Context<'_>) -> Round {
        self.walker.plan(&self.settings.neighbourhood, context)
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        let Self {
            settings,
            walker,
            differences,
        } = self;
        let met = (walker.generation() + 1) as f64;
        walker.learn(outcome, |duel| {
            let difference = duel.scores.0 - duel.scores.1;
            *differences += difference.abs();
            let luck = context.rng(Purpose::Acceptance, 0).unit();
            difference > 0.0 || luck < settings.acceptance(difference, *differences / met, context.progress)
        });
    }

    fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool {
        self.walker.is_sound(wide, open)
    }

    fn report(&self, _: &Context<'_>) -> Report {
        self.walker.report()
    }

    fn population(&self, _: &Context<'_>) -> Vec<Champion> {
        vec![self.walker.champion()]
    }

    fn finalists(&self, context: &Context<'_>, _: usize) -> Vec<Champion> {
        self.population(context)
    }

    fn respace(&mut self, context: &Context<'_>) {
        self.walker.respace(context);
    }
}

impl Settings {
    /// The probability to take a step by which the score changes so, where |Δ| is `usual`.
    fn acceptance(&self, difference: f64, usual: f64, progress: f64) -> f64 {
        let temperature = self.hot * libm::pow(self.cold / self.hot, progress);
        if usual > 0.0 {
            libm::exp(difference / (temperature * usual))
        } else {
            1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Halfway from 0.5 to 0.02 the temperature is sqrt(0.5 * 0.02) = 0.1; a loss of the usual size is then kept
    /// with probability exp(-10).
    #[test]
    fn acceptance_by_hand() {
        let settings = Settings::usual();
        assert!((settings.acceptance(-3.0, 3.0, 0.5) - (-10.0_f64).exp()).abs() < 1e-15);
        assert!((settings.acceptance(-3.0, 3.0, 0.0) - (-2.0_f64).exp()).abs() < 1e-15);
        assert!((settings.acceptance(0.0, 3.0, 1.0) - 1.0).abs() < 1e-15);
    }
}
