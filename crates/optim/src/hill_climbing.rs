//! Hill climbing, named by [boskovic-2010] among the other tuning methods: a small change, kept if it is better.
//!
//! The changed vector plays the present one; it takes its place only if it scores more than half.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report};
use crate::method::Searcher;
use crate::neighbour::Neighbourhood;
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::space::Vector;
use crate::walker::Walker;

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
    #[serde(flatten)]
    walker: Walker,
}

impl Searcher for HillClimbing {
    type Settings = Settings;

    fn plans_ahead(_: &Settings) -> bool {
        true
    }

    fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
        settings.neighbourhood.check()?;
        Ok(Self {
            settings,
            walker: Walker::new(setup),
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

    fn learn(&mut self, _: &Context<'_>, outcome: &Outcome<'_>) {
        self.walker.learn(outcome, |duel| duel.net() > 0.0);
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
