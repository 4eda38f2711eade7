//! One generation of differential evolution, step by step (Algorithm 3.10).

use serde::{Deserialize, Serialize};

use super::control::{Pair, Success, SuccessMemory, inherit};
use super::mutation::Parents;
use super::opposition::{extent, of_space, within};
use super::{Control, Memory, Mutation, Opposite, Settings, Ties};
use crate::champion::{Champion, Report, centroid, ranked};
use crate::contest::{Contest, Form, Record, Subject, Verdict};
use crate::history::History;
use crate::method::Searcher;
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::protocol::{Answer, Ask, Batch};
use crate::purpose::Purpose;
use crate::rated::Database;
use crate::space::Vector;

/// L-SHADE: the archive may hold so many times the population.
const ARCHIVE: f64 = 2.6;
/// L-SHADE: the share of the population that `pbest` is drawn from; at least two.
const ELITE: f64 = 0.11;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Individual {
    vector: Vector,
    record: Record,
    pair: Pair,
}

/// The engine's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Differential {
    settings: Settings,
    currents: Vec<Individual>,
    /// Those that play or are about to; empty between generations.
    trials: Vec<Individual>,
    history: History,
    database: Database,
    success: SuccessMemory,
    archive: Vec<Vector>,
    /// Games are filed but not rated yet.
    rating_due: bool,
    /// Populations that have played, the first one included.
    played: u64,
}

impl Searcher for Differential {
    type Settings = Settings;

    fn plans_ahead(settings: &Settings) -> bool {
        settings.reduce_to.is_some()
    }

    fn is_slow(settings: &Settings) -> bool {
        settings.memory == Memory::Ratings
    }

    fn new(_: &Setup, settings: Settings) -> Result<Self, SetupError> {
        settings.check()?;
        Ok(Self {
            settings,
            currents: Vec::new(),
            trials: Vec::new(),
            history: History::default(),
            database: Database::default(),
            success: SuccessMemory::new(Pair {
                f: settings.f,
                cr: settings.cr,
            }),
            archive: Vec::new(),
            rating_due: false,
            played: 0,
        })
    }

    fn settings(&self) -> Settings {
        self.settings
    }

    fn generation(&self) -> u64 {
        // A generation with ratings ends when they are in.
        self.played.saturating_sub(1 + u64::from(self.rating_due))
    }

    fn plan(&mut self, context: &Context<'_>) -> Round {
        if self.rating_due {
            return Round::Rate {
                players: self.database.entries().len(),
                games: self.database.games().to_vec(),
            };
        }
        if self.currents.is_empty() {
            self.initialise(context);
        } else {
            self.breed(context);
            self.oppose(context);
            self.inject(context);
        }
        Round::Contest(self.contest(context))
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        match outcome {
            Outcome::Ratings(ratings) => {
                self.database.rate(ratings);
                self.rating_due = false;
            }
            Outcome::Contest {
                verdict,
                batch,
                answers,
            } => {
                self.count(verdict);
                self.remember(context, verdict, batch, answers);
                self.select(verdict);
                self.shrink(context);
                self.played += 1;
            }
        }
    }

    fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool {
        let least = self.settings.reduce_to.unwrap_or(self.settings.population);
        let sizes = least.min(self.settings.population)..=self.settings.population;
        let (currents, trials) = (self.currents.len(), self.trials.len());
        let individuals = self.currents.iter().chain(&self.trials).map(|it| &it.vector);
        (currents == 0 || sizes.contains(&currents))
            && (currents > 0 || trials == 0 && self.played == 0)
            && open.is_none_or(|evaluated| !self.rating_due && currents > 0 && currents + trials == evaluated)
            && individuals.chain(&self.archive).all(wide)
            && self.history.vectors().all(wide)
            && self.database.is_sound(wide)
            && self.success.is_sound()
    }

    fn report(&self, context: &Context<'_>) -> Report {
        let allowed = |vector: &[f64]| context.space().contains(vector);
        Report {
            by_efficiency: match self.settings.memory {
                Memory::History => self.history.champions(1).pop(),
                _ => self.standings(context).into_iter().next(),
            },
            by_rating: self
                .database
                .best(1, allowed)
                .first()
                .map(|rated| rated.champion()),
            by_value: None,
            centroid: context.settled(&if self.currents.is_empty() {
                context.space().start().to_vec()
            } else {
                centroid(self.currents.iter().map(|c| &c.vector), context.space().len())
            }),
        }
    }

    fn population(&self, _: &Context<'_>) -> Vec<Champion> {
        self.currents
            .iter()
            .map(|c| Champion::new(c.vector.clone(), c.record))
            .collect()
    }

    fn finalists(&self, context: &Context<'_>, most: usize) -> Vec<Champion> {
        match self.settings.memory {
            Memory::History => self.history.champions(most),
            Memory::Ratings => self.database.champions(most),
            Memory::None => self.standings(context),
        }
    }

    fn respace(&mut self, context: &Context<'_>) {
        for current in &mut self.currents {
            let settled = context.settled(&current.vector);
            if settled != current.vector {
                *current = Individual {
                    vector: settled,
                    record: Record::default(),
                    pair: current.pair,
                };
            }
        }
        for vector in &mut self.archive {
            context.settle(vector);
        }
        self.history.keep(|vector| context.space().contains(vector));
    }
}

impl Differential {
    fn individual(&self, vector: Vector) -> Individual {
        Individual {
            vector,
            record: Record::default(),
            pair: Pair {
                f: self.settings.f,
                cr: self.settings.cr,
            },
        }
    }

    /// The first population and, with opposition, its opposite.
    fn initialise(&mut self, context: &Context<'_>) {
        let space = context.space();
        for i in 0..self.settings.population {
            let mut vector = space.random(&mut context.rng(Purpose::Initial, i));
            context.gather(&mut vector, self.settings.spread);
            context.settle(&mut vector);
            self.currents.push(self.individual(vector));
        }
        if self.settings.opposition.start {
            let opposite =
                |current: &Individual| self.individual(context.settled(&of_space(space, &current.vector)));
            self.trials = self.currents.iter().map(opposite).collect();
        }
    }

    /// A trial for every current individual: mutation, crossover, repair. Their counters are 0.
    fn breed(&mut self, context: &Context<'_>) {
        let records: Vec<Record> = self.currents.iter().map(|c| c.record).collect();
        let mut elite = ranked(&records);
        let best = match self.settings.mutation {
            Mutation::BestZ1 => self.best_remembered(context),
            _ => &self.currents[elite[0]].vector,
        };
        elite.truncate(((ELITE * records.len() as f64).round() as usize).max(2));
        let population: Vec<&[f64]> = self.currents.iter().map(|c| &c.vector[..]).collect();
        let from = Parents {
            population: &population,
            best,
            elite: &elite,
            archive: &self.archive,
        };
        let trial = |i: usize| {
            let Settings {
                mutation,
                crossover,
                lambda,
                ..
            } = self.settings;
            let pair = self.control(i, context);
            let mutant = mutation.mutant(i, pair.f, lambda, &from, &mut context.rng(Purpose::Mutation, i));
            let mut crossing = context.rng(Purpose::Crossover, i);
            let mut vector = crossover.cross(population[i], &mutant, pair.cr, context.space(), &mut crossing);
            context.settle(&mut vector);
            Individual {
                vector,
                record: Record::default(),
                pair,
            }
        };
        self.trials = (0..population.len()).map(trial).collect();
    }

    fn best_remembered(&self, context: &Context<'_>) -> &[f64] {
        let allowed = |vector: &[f64]| context.space().contains(vector);
        let found = match self.settings.memory {
            Memory::Ratings => self
                .database
                .best(1, allowed)
                .first()
                .map(|rated| &rated.vector[..]),
            _ => self.history.best().map(|entry| &entry.vector[..]),
        };
        // Only a space changed between rounds can leave the memory without an allowed vector.
        found.unwrap_or(&self.currents[0].vector)
    }

    fn control(&self, i: usize, context: &Context<'_>) -> Pair {
        let mut rng = context.rng(Purpose::Control, i);
        match self.settings.control {
            Control::Fixed => Pair {
                f: self.settings.f,
                cr: self.settings.cr,
            },
            Control::SelfAdaptive => inherit(self.currents[i].pair, &mut rng),
            Control::SuccessHistory => self.success.draw(&mut rng),
        }
    }

    /// With probability `J_r` the trials become opposites within the extent of the current population.
    fn oppose(&mut self, context: &Context<'_>) {
        let opposition = self.settings.opposition;
        if !context.rng(Purpose::Opposition, 0).chance(opposition.rate) {
            return;
        }
        let population: Vec<&[f64]> = self.currents.iter().map(|c| &c.vector[..]).collect();
        let extent = extent(&population);
        for (trial, current) in self.trials.iter_mut().zip(&self.currents) {
            let of = match opposition.opposite {
                Opposite::Trial => &trial.vector,
                Opposite::Current => &current.vector,
            };
            trial.vector = context.settled(&within(&extent, of));
        }
    }

    /// Remembered vectors return with their counters in place of random trials.
    fn inject(&mut self, context: &Context<'_>) {
        let mut rng = context.rng(Purpose::Injection, 0);
        let currents: Vec<&[f64]> = self.currents.iter().map(|c| &c.vector[..]).collect();
        let trials: Vec<&[f64]> = self.trials.iter().map(|t| &t.vector[..]).collect();
        let settings = self.settings.history;
        let returned: Vec<(Vector, Record, usize)> = match self.settings.memory {
            Memory::None => return,
            Memory::History => {
                let drawn = self.history.inject(settings, &currents, &trials, &mut rng);
                drawn
                    .into_iter()
                    .map(|(entry, index)| (entry.vector, entry.record, index))
                    .collect()
            }
            Memory::Ratings => {
                let drawn = self.database.inject(settings, &currents, &trials, &mut rng);
                drawn
                    .into_iter()
                    .map(|(entry, index)| (entry.vector, entry.record, index))
                    .collect()
            }
        };
        for (vector, record, index) in returned {
            if context.space().contains(&vector) {
                self.trials[index] = Individual {
                    vector,
                    record,
                    pair: self.trials[index].pair,
                };
            }
        }
    }

    /// Everyone plays against the current population — or against the best rated of all times ([erk-2008]).
    fn contest(&self, context: &Context<'_>) -> Contest {
        let everyone = || self.currents.iter().chain(&self.trials);
        let mut players: Vec<Vector> = everyone().map(|x| x.vector.clone()).collect();
        let mut known: Vec<Option<f64>> = everyone().map(|x| x.record.known()).collect();
        let n = self.currents.len();
        let mut pool: Vec<usize> = (0..n).collect();
        let mut avoids: Vec<usize> = (0..players.len()).map(|k| k % n).collect();
        if self.settings.memory == Memory::Ratings && !self.database.is_empty() {
            let best = self.database.best(n, |vector| context.space().contains(vector));
            if !best.is_empty() {
                pool = (0..best.len()).map(|k| players.len() + k).collect();
                let itself = |vector: &Vector| best.iter().position(|rated| rated.vector == *vector);
                avoids = players
                    .iter()
                    .map(|p| itself(p).map_or(usize::MAX, |k| pool[k]))
                    .collect();
                players.extend(best.iter().map(|rated| rated.vector.clone()));
                known.resize(players.len(), None);
            }
        }
        let subjects = avoids
            .into_iter()
            .enumerate()
            .map(|(player, avoids)| Subject { player, avoids })
            .collect();
        Contest {
            players,
            known,
            form: Form::Field { subjects, pool },
        }
    }

    /// The counters of everyone who played.
    fn count(&mut self, verdict: &Verdict) {
        for (individual, &played) in self
            .currents
            .iter_mut()
            .chain(&mut self.trials)
            .zip(&verdict.records)
        {
            individual.record.add(played);
        }
    }

    fn remember(&mut self, context: &Context<'_>, verdict: &Verdict, batch: &Batch, answers: &[Answer]) {
        match self.settings.memory {
            Memory::None => {}
            Memory::History => {
                let (current, trial) = verdict.records.split_at(self.currents.len());
                for (x, &played) in self.currents.iter().zip(current) {
                    let beginning = context.entry_in_history(self.settings.history, x.record, played);
                    self.history.add_current(&x.vector, played, beginning);
                }
                for (x, &played) in self.trials.iter().zip(trial) {
                    self.history.update(&x.vector, played);
                }
            }
            Memory::Ratings => match &batch.ask {
                Ask::Games(pairings) => {
                    self.database.add(&batch.players, pairings, answers);
                    self.rating_due = true;
                }
                _ => self.database.add_values(&batch.players, &verdict.records),
            },
        }
    }

    /// The trial replaces the current individual, counters and all, where it scored more in this generation.
    fn select(&mut self, verdict: &Verdict) {
        let (current_scores, trial_scores) = verdict.scores.split_at(self.currents.len());
        let mut successes = Vec::new();
        for (i, trial) in std::mem::take(&mut self.trials).into_iter().enumerate() {
            let gain = trial_scores[i] - current_scores[i];
            if gain > 0.0 {
                successes.push(Success {
                    pair: trial.pair,
                    gain,
                });
                self.archive.push(self.currents[i].vector.clone());
            }
            if gain > 0.0 || (gain == 0.0 && self.settings.ties == Ties::Trial) {
                self.currents[i] = trial;
            }
        }
        if self.settings.control == Control::SuccessHistory {
            self.success.learn(&successes);
        }
    }

    /// Linear reduction of the population, worst first, and of the archive, oldest first.
    fn shrink(&mut self, context: &Context<'_>) {
        if let Some(least) = self.settings.reduce_to {
            let most = self.settings.population as f64;
            let target = (most - (most - least as f64) * context.progress).round() as usize;
            while self.currents.len() > target.max(least) {
                let records: Vec<Record> = self.currents.iter().map(|c| c.record).collect();
                if let Some(&worst) = ranked(&records).last() {
                    self.currents.remove(worst);
                }
            }
        }
        let room = if self.settings.mutation == Mutation::CurrentToPbest1 {
            (ARCHIVE * self.currents.len() as f64) as usize
        } else {
            0
        };
        let excess = self.archive.len().saturating_sub(room);
        self.archive.drain(..excess);
    }

    fn standings(&self, _: &Context<'_>) -> Vec<Champion> {
        let records: Vec<Record> = self.currents.iter().map(|c| c.record).collect();
        let champion = |&i: &usize| Champion::new(self.currents[i].vector.clone(), self.currents[i].record);
        ranked(&records).iter().map(champion).collect()
    }
}
