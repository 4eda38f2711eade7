//! A point that walks: what hill climbing and annealing have in common. They differ in when they take the step.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report};
use crate::contest::{Contest, DuelScore, Form, Record};
use crate::neighbour::Neighbourhood;
use crate::optimizer::{Context, Outcome, Round, Setup};
use crate::purpose::Purpose;
use crate::space::Vector;

/// Where a walk stands, what it knows of that place, and where it might go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Walker {
    point: Vector,
    record: Record,
    candidate: Vector,
    generation: u64,
}

impl Walker {
    pub(crate) fn new(setup: &Setup) -> Self {
        Self {
            point: setup.space.start().to_vec(),
            record: Record::default(),
            candidate: Vec::new(),
            generation: 0,
        }
    }

    /// Steps considered, taken or not.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// A neighbour plays the point.
    pub(crate) fn plan(&mut self, neighbourhood: &Neighbourhood, context: &Context<'_>) -> Round {
        let mut rng = context.rng(Purpose::Mutation, 0);
        self.candidate = neighbourhood.neighbour(&self.point, context, &mut rng);
        Round::Contest(Contest {
            players: vec![self.candidate.clone(), self.point.clone()],
            known: vec![None, self.record.known()],
            form: Form::Duels(vec![(0, 1)]),
        })
    }

    /// Goes to the candidate if `takes`, given how it did against the point, says so.
    pub(crate) fn learn(&mut self, outcome: &Outcome<'_>, takes: impl FnOnce(&DuelScore) -> bool) {
        let verdict = outcome.verdict();
        self.record.add(verdict.records[1]);
        self.generation += 1;
        if takes(&verdict.duels[0]) {
            self.point = std::mem::take(&mut self.candidate);
            self.record = verdict.records[0];
        }
    }

    pub(crate) fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool {
        // Between two rounds there may be no candidate.
        let is_candidate = wide(&self.candidate) || (self.candidate.is_empty() && open.is_none());
        wide(&self.point) && is_candidate && open.is_none_or(|duels| duels == 1)
    }

    pub(crate) fn report(&self) -> Report {
        Report {
            by_efficiency: Some(self.champion()),
            by_rating: None,
            by_value: None,
            centroid: self.point.clone(),
        }
    }

    pub(crate) fn champion(&self) -> Champion {
        Champion::new(self.point.clone(), self.record)
    }

    pub(crate) fn respace(&mut self, context: &Context<'_>) {
        let settled = context.settled(&self.point);
        if settled != self.point {
            self.point = settled;
            self.record = Record::default();
        }
    }
}
