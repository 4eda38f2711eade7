//! Simulated annealing (spec 2.6): a better vector is kept, a worse one with a probability that falls.
//!
//! A worse candidate is kept with probability exp(Δ / T), Δ the difference of scores. T falls geometrically with the
//! budget and is measured in units of the mean |Δ| met so far, so that the same temperatures fit points, centipawns
//! or log-losses.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report};
use crate::contest::{Contest, Form, Record};
use crate::method::Searcher;
use crate::neighbour::Neighbourhood;
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::random::Purpose;
use crate::space::Vector;

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
    point: Vector,
    record: Record,
    candidate: Vector,
    /// Sum of all |Δ| so far.
    differences: f64,
    generation: u64,
}

impl Searcher for Annealing {
    type Settings = Settings;

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
        let point = setup.space.start().to_vec();
        let record = Record::default();
        Ok(Self {
            settings,
            point,
            record,
            candidate: Vec::new(),
            differences: 0.0,
            generation: 0,
        })
    }

    fn settings(&self) -> Settings {
        self.settings
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn plan(&mut self, context: &Context<'_>) -> Round {
        let mut stream = context.stream(Purpose::Mutation, 0);
        self.candidate = self
            .settings
            .neighbourhood
            .neighbour(&self.point, context, &mut stream);
        Round::Contest(Contest {
            players: vec![self.candidate.clone(), self.point.clone()],
            known: vec![None, self.record.known()],
            form: Form::Duels(vec![(0, 1)]),
        })
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        let verdict = outcome.verdict();
        self.record.add(verdict.records[1]);
        let (candidate, point) = verdict.duels[0].scores;
        let difference = candidate - point;
        self.differences += difference.abs();
        self.generation += 1;
        let usual = self.differences / self.generation as f64;
        let luck = context.stream(Purpose::Acceptance, 0).unit();
        if difference > 0.0 || luck < self.acceptance(difference, usual, context.progress) {
            self.point = std::mem::take(&mut self.candidate);
            self.record = verdict.records[0];
        }
    }

    fn report(&self, context: &Context<'_>) -> Report {
        let best = self.population(context).into_iter().next();
        Report {
            by_efficiency: best,
            by_rating: None,
            by_value: None,
            centroid: self.point.clone(),
        }
    }

    fn population(&self, _: &Context<'_>) -> Vec<Champion> {
        vec![Champion::new(self.point.clone(), self.record)]
    }

    fn finalists(&self, context: &Context<'_>, _: usize) -> Vec<Champion> {
        self.population(context)
    }

    fn respace(&mut self, context: &Context<'_>) {
        let settled = context.settled(&self.point);
        if settled != self.point {
            self.point = settled;
            self.record = Record::default();
        }
    }
}

impl Annealing {
    fn acceptance(&self, difference: f64, usual: f64, progress: f64) -> f64 {
        let Settings { hot, cold, .. } = self.settings;
        let temperature = hot * libm::pow(cold / hot, progress);
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
    use crate::space::{Dimension, Repair, Space};
    use crate::{Budget, Evidence};

    /// Halfway from 0.5 to 0.02 the temperature is sqrt(0.5 * 0.02) = 0.1; a loss of the usual size is then kept
    /// with probability exp(-10).
    #[test]
    fn acceptance_by_hand() {
        let setup = Setup {
            space: Space::new(vec![Dimension::integer("a", 0, 9)]).unwrap(),
            evidence: Evidence::Values { noisy: false },
            budget: Budget::Jobs(10),
            seed: 0,
            repair: Repair::Clamp,
        };
        let annealing = Annealing::new(&setup, Settings::usual()).unwrap();
        assert!((annealing.acceptance(-3.0, 3.0, 0.5) - (-10.0_f64).exp()).abs() < 1e-15);
        assert!((annealing.acceptance(-3.0, 3.0, 0.0) - (-2.0_f64).exp()).abs() < 1e-15);
        assert!((annealing.acceptance(0.0, 3.0, 1.0) - 1.0).abs() < 1e-15);
    }
}
