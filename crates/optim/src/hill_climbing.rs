//! Hill climbing (spec 2.6): a small change, kept if it is better.
//!
//! The changed vector plays the present one; it takes its place only if it scores more than half.

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
}

impl Settings {
    /// A quarter of the parameters by up to a tenth of their intervals.
    pub fn usual() -> Self {
        Self {
            neighbourhood: Neighbourhood {
                step: 0.1,
                last_step: 0.02,
                rate: 0.25,
            },
        }
    }
}

/// The method's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HillClimbing {
    settings: Settings,
    point: Vector,
    record: Record,
    candidate: Vector,
    generation: u64,
}

impl Searcher for HillClimbing {
    type Settings = Settings;

    fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
        settings.neighbourhood.check()?;
        let point = setup.space.start().to_vec();
        Ok(Self {
            settings,
            point,
            record: Record::default(),
            candidate: Vec::new(),
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

    fn learn(&mut self, _: &Context<'_>, outcome: &Outcome<'_>) {
        let verdict = outcome.verdict();
        self.record.add(verdict.records[1]);
        if verdict.duels[0].net() > 0.0 {
            self.point = std::mem::take(&mut self.candidate);
            self.record = verdict.records[0];
        }
        self.generation += 1;
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
