//! The evolutionary algorithm that [boskovic-2010] compares with, after [fogel-2004]: real vectors that carry their
//! own step sizes.
//!
//! Parents `x ~ U(min, max)`, steps `s ~ U(0, (max - min) / 4)`. Every parent makes one child,
//! `s' = max(eps, s tau exp(N(0, 1)))`, `x' = x + N(0, s')`, component by component. Parents and children all play
//! `games` games against uniformly drawn others; the points of its own games are a vector's fitness, and the best
//! half become parents (equal fitness: parents before children, then by place). Values are rounded only to play.
//!
//! With a history put in ([`crate::history`]; what [boskovic-2010] asks for next), remembered vectors return in place
//! of random children and take over the child's steps.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report, centroid, ranked};
use crate::contest::{Contest, Form, Record, Subject};
use crate::history::{self, History};
use crate::method::Searcher;
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::purpose::Purpose;
use crate::space::Vector;
use vidmar_rng::Rng;

/// The algorithm's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Parents, and as many children.
    pub parents: usize,
    /// The factor of step sizes.
    pub tau: f64,
    /// The smallest step size.
    pub eps: f64,
    /// The share of every interval, around the start, that the first parents fill, and of the step sizes; 1 is all of it.
    pub spread: f64,
    /// The history, if it is put in.
    pub history: Option<history::Settings>,
}

impl Settings {
    /// The published settings.
    pub fn published() -> Self {
        Self {
            parents: 10,
            tau: 0.5,
            eps: 0.5,
            spread: 1.0,
            history: None,
        }
    }

    /// These settings with the history put in.
    pub fn remembering(self) -> Self {
        Self {
            history: Some(history::Settings::default()),
            ..self
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Individual {
    /// Real, inside the intervals.
    x: Vector,
    /// One step size per dimension.
    s: Vector,
    record: Record,
}

/// The algorithm's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Evolution {
    settings: Settings,
    parents: Vec<Individual>,
    children: Vec<Individual>,
    history: History,
    /// Everyone of the last generation that played.
    last: Vec<Champion>,
    generation: u64,
}

impl Searcher for Evolution {
    type Settings = Settings;

    fn new(_: &Setup, settings: Settings) -> Result<Self, SetupError> {
        SetupError::unless(settings.parents > 0, "parents", settings.parents, "at least 1")?;
        SetupError::unless(
            settings.tau > 0.0 && settings.tau.is_finite(),
            "tau",
            settings.tau,
            "above 0",
        )?;
        SetupError::unless(
            settings.eps >= 0.0 && settings.eps.is_finite(),
            "eps",
            settings.eps,
            "at least 0",
        )?;
        SetupError::check_spread(settings.spread)?;
        let (parents, children, last) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self {
            settings,
            parents,
            children,
            history: History::default(),
            last,
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
        if self.parents.is_empty() {
            let first = |i| first(context, self.settings.spread, i);
            self.parents = (0..self.settings.parents).map(first).collect();
        }
        let child = |(i, parent)| self.child(context, parent, &mut context.rng(Purpose::Mutation, i));
        self.children = self.parents.iter().enumerate().map(child).collect();
        self.inject(context);
        let everyone = || self.parents.iter().chain(&self.children);
        let players: Vec<Vector> = everyone().map(|x| context.settled(&x.x)).collect();
        let known = everyone().map(|x| x.record.known()).collect();
        let pool: Vec<usize> = (0..players.len()).collect();
        let subjects = pool
            .iter()
            .map(|&player| Subject {
                player,
                avoids: player,
            })
            .collect();
        Round::Contest(Contest {
            players,
            known,
            form: Form::Field { subjects, pool },
        })
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        let verdict = outcome.verdict();
        let parents = self.parents.len();
        let mut everyone: Vec<Individual> = self.parents.drain(..).chain(self.children.drain(..)).collect();
        for (index, (individual, &played)) in everyone.iter_mut().zip(&verdict.records).enumerate() {
            individual.record.add(played);
            if let Some(settings) = self.settings.history {
                let vector = context.settled(&individual.x);
                if index < parents {
                    let beginning = context.entry_in_history(settings, individual.record, played);
                    self.history.add_current(&vector, played, beginning);
                } else {
                    self.history.update(&vector, played);
                }
            }
        }
        self.last = everyone
            .iter()
            .map(|x| Champion::new(context.settled(&x.x), x.record))
            .collect();
        let mut order: Vec<usize> = (0..everyone.len()).collect();
        order.sort_by(|&a, &b| verdict.scores[b].total_cmp(&verdict.scores[a]).then(a.cmp(&b)));
        self.parents = order
            .iter()
            .take(parents)
            .map(|&index| everyone[index].clone())
            .collect();
        self.generation += 1;
    }

    fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool {
        let individuals = || self.parents.iter().chain(&self.children);
        let sizes = [0, self.settings.parents];
        sizes.contains(&self.parents.len())
            && sizes.contains(&self.children.len())
            && open.is_none_or(|evaluated| individuals().count() == evaluated)
            && individuals().all(|it| wide(&it.x) && wide(&it.s))
            && self.last.iter().all(|champion| wide(&champion.vector))
            && self.history.vectors().all(wide)
    }

    fn report(&self, context: &Context<'_>) -> Report {
        let mean = if self.parents.is_empty() {
            context.space().start().to_vec()
        } else {
            centroid(self.parents.iter().map(|p| &p.x), context.space().len())
        };
        Report {
            by_efficiency: self.finalists(context, 1).into_iter().next(),
            by_rating: None,
            by_value: None,
            centroid: context.settled(&mean),
        }
    }

    fn population(&self, context: &Context<'_>) -> Vec<Champion> {
        self.parents
            .iter()
            .map(|p| Champion::new(context.settled(&p.x), p.record))
            .collect()
    }

    fn finalists(&self, _: &Context<'_>, most: usize) -> Vec<Champion> {
        if self.settings.history.is_some() {
            return self.history.champions(most);
        }
        let records = self.last.iter().map(|c| Record {
            games: c.games,
            points: c.score * f64::from(c.games),
        });
        let records: Vec<Record> = records.collect();
        ranked(&records)
            .iter()
            .map(|&index| self.last[index].clone())
            .collect()
    }

    fn respace(&mut self, context: &Context<'_>) {
        for parent in &mut self.parents {
            let before = parent.x.clone();
            context.confine(&mut parent.x);
            if parent.x != before {
                parent.record = Record::default();
            }
        }
        self.last
            .retain(|champion| context.space().contains(&champion.vector));
        self.history.keep(|vector| context.space().contains(vector));
    }
}

/// A first parent: all of `x`, then all of `s`, one draw per dimension.
fn first(context: &Context<'_>, spread: f64, i: usize) -> Individual {
    let mut rng = context.rng(Purpose::Initial, i);
    let dimensions = context.space().dimensions();
    let mut x: Vector = dimensions.iter().map(|d| rng.uniform(d.min, d.max)).collect();
    let s = dimensions
        .iter()
        .map(|d| spread * rng.uniform(0.0, d.width() / 4.0))
        .collect();
    context.gather(&mut x, spread);
    context.confine(&mut x);
    Individual {
        x,
        s,
        record: Record::default(),
    }
}

impl Evolution {
    /// Two normal draws per dimension: the step's, then the value's.
    fn child(&self, context: &Context<'_>, parent: &Individual, rng: &mut Rng) -> Individual {
        let Settings { tau, eps, .. } = self.settings;
        let mut child = Individual {
            x: parent.x.clone(),
            s: parent.s.clone(),
            record: Record::default(),
        };
        for (x, s) in child.x.iter_mut().zip(&mut child.s) {
            *s = (*s * tau * libm::exp(rng.normal())).max(eps);
            *x += *s * rng.normal();
        }
        context.confine(&mut child.x);
        child
    }

    fn inject(&mut self, context: &Context<'_>) {
        let Some(settings) = self.settings.history else {
            return;
        };
        let vectors =
            |who: &[Individual]| -> Vec<Vector> { who.iter().map(|x| context.settled(&x.x)).collect() };
        let (currents, trials) = (vectors(&self.parents), vectors(&self.children));
        let currents: Vec<&[f64]> = currents.iter().map(Vec::as_slice).collect();
        let trials: Vec<&[f64]> = trials.iter().map(Vec::as_slice).collect();
        let mut rng = context.rng(Purpose::Injection, 0);
        for (entry, index) in self.history.inject(settings, &currents, &trials, &mut rng) {
            self.children[index].x = entry.vector;
            self.children[index].record = entry.record;
        }
    }
}
