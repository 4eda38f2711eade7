//! The knock-out evolution with dynamic bounds that [urminsky-2007] describes, after [nasreddine-2006].
//!
//! In one generation individual 1 meets a random one of those behind it, then individual 2 does, and so on, so that
//! the best ends last. Only wins count. The winner is copied over the loser, and the copy that stays in the front
//! place — no one meets it again in this generation — is the clone that is mutated. Where both won as often, both
//! stay as they are.
//!
//! A dimension with a *half-range* h has moving bounds: its value ± h, wherever the value is now (and always inside
//! its interval in the space); one without has its interval. The mutation is Deb's polynomial one with index `eta`.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report, centroid, ranked};
use crate::contest::{Contest, Form, Record};
use crate::method::Searcher;
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::purpose::Purpose;
use crate::space::{Repair, Vector};
use vidmar_rng::Rng;

/// How one dimension is mutated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The dimension.
    pub name: String,
    /// Probability that it is mutated.
    pub probability: f64,
    /// Its bounds are its value ± this; without it, its interval.
    pub half_range: Option<f64>,
}

/// The algorithm's settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Individuals.
    pub population: usize,
    /// The distribution index: large means small steps.
    pub eta: f64,
    /// Mutation probability of dimensions without a rule.
    pub probability: f64,
    /// Half-range of dimensions without a rule, as a share of their interval.
    pub half_range: f64,
    /// Dimensions that are treated otherwise.
    pub rules: Vec<Rule>,
    /// The share of every interval, around the start, that the first population fills; 1 is all of it.
    pub spread: f64,
}

impl Settings {
    /// The published settings, without rules for named dimensions.
    pub fn published() -> Self {
        Self {
            population: 5,
            eta: 20.0,
            probability: 0.25,
            half_range: 0.2,
            rules: Vec::new(),
            spread: 1.0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Individual {
    x: Vector,
    record: Record,
}

/// The algorithm's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DynamicBounds {
    settings: Settings,
    population: Vec<Individual>,
    /// Whose turn it is, and against whom.
    turn: usize,
    opponent: usize,
    generation: u64,
}

impl Searcher for DynamicBounds {
    type Settings = Settings;

    fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
        let probable = |p: f64| SetupError::unless((0.0..=1.0).contains(&p), "probability", p, "0 to 1");
        let positive = |name, v: f64| SetupError::unless(v > 0.0 && v.is_finite(), name, v, "above 0");
        SetupError::unless(
            settings.population >= 2,
            "population",
            settings.population,
            "at least 2",
        )?;
        SetupError::check_spread(settings.spread)?;
        positive("eta", settings.eta)?;
        positive("half_range", settings.half_range)?;
        probable(settings.probability)?;
        for rule in &settings.rules {
            if setup.space.dimensions().iter().all(|d| d.name != rule.name) {
                return Err(SetupError::UnknownDimension {
                    name: rule.name.clone(),
                });
            }
            probable(rule.probability)?;
            rule.half_range
                .map_or(Ok(()), |half| positive("half_range", half))?;
        }
        Ok(Self {
            settings,
            population: Vec::new(),
            turn: 0,
            opponent: 0,
            generation: 0,
        })
    }

    fn settings(&self) -> Settings {
        self.settings.clone()
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn plan(&mut self, context: &Context<'_>) -> Round {
        if self.population.is_empty() {
            let first = |i| {
                let mut x = context.space().random(&mut context.rng(Purpose::Initial, i));
                context.gather(&mut x, self.settings.spread);
                context.settle(&mut x);
                Individual {
                    x,
                    record: Record::default(),
                }
            };
            self.population = (0..self.settings.population).map(first).collect();
        }
        let behind = self.population.len() - 1 - self.turn;
        self.opponent = self.turn + 1 + context.rng(Purpose::Opponent, self.turn).index(behind);
        let pair = [&self.population[self.turn], &self.population[self.opponent]];
        Round::Contest(Contest {
            players: pair.map(|x| context.settled(&x.x)).to_vec(),
            known: pair.map(|x| x.record.known()).to_vec(),
            form: Form::Duels(vec![(0, 1)]),
        })
    }

    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
        let verdict = outcome.verdict();
        let (first, second) = (self.turn, self.opponent);
        self.population[first].record.add(verdict.records[0]);
        self.population[second].record.add(verdict.records[1]);
        let duel = verdict.duels[0];
        if duel.wins > duel.losses {
            self.population[second] = self.population[first].clone();
        }
        // With exact values two copies of one vector would be equal for ever: there, one of them is spare.
        let spare = context.is_valued() && self.population[first].x == self.population[second].x;
        if duel.wins != duel.losses || spare {
            let mut rng = context.rng(Purpose::Mutation, first);
            let clone = self.mutant(context, &self.population[second].x, &mut rng);
            self.population[first] = Individual {
                x: clone,
                record: Record::default(),
            };
        }
        self.turn += 1;
        if self.turn + 1 == self.population.len() {
            self.turn = 0;
            self.generation += 1;
        }
    }

    fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool {
        let population = self.population.len();
        (population == 0 && open.is_none()
            || population == self.settings.population
                && self.turn + 1 < population
                && self.opponent < population)
            && self.population.iter().all(|it| wide(&it.x))
    }

    fn report(&self, context: &Context<'_>) -> Report {
        let mean = if self.population.is_empty() {
            context.space().start().to_vec()
        } else {
            centroid(self.population.iter().map(|p| &p.x), context.space().len())
        };
        // The knock-out leaves its winner in the last place; its points per game say less.
        let last = self
            .population
            .last()
            .map(|p| Champion::new(context.settled(&p.x), p.record));
        Report {
            by_efficiency: last,
            by_rating: None,
            by_value: None,
            centroid: context.settled(&mean),
        }
    }

    fn population(&self, context: &Context<'_>) -> Vec<Champion> {
        self.population
            .iter()
            .map(|p| Champion::new(context.settled(&p.x), p.record))
            .collect()
    }

    fn finalists(&self, context: &Context<'_>, _: usize) -> Vec<Champion> {
        let records: Vec<Record> = self.population.iter().map(|p| p.record).collect();
        let everyone = self.population(context);
        ranked(&records)
            .iter()
            .map(|&place| everyone[place].clone())
            .collect()
    }

    fn respace(&mut self, context: &Context<'_>) {
        for individual in &mut self.population {
            let before = individual.x.clone();
            context.space().keep(&mut individual.x, context.setup.repair);
            if individual.x != before {
                individual.record = Record::default();
            }
        }
    }
}

impl DynamicBounds {
    /// Two draws per dimension, whether or not it changes: does it, and by how much.
    fn mutant(&self, context: &Context<'_>, x: &[f64], rng: &mut Rng) -> Vector {
        let mut mutant = x.to_vec();
        for (value, d) in mutant.iter_mut().zip(context.space().dimensions()) {
            let rule = self.settings.rules.iter().find(|rule| rule.name == d.name);
            let probability = rule.map_or(self.settings.probability, |rule| rule.probability);
            let half = rule.map_or(Some(self.settings.half_range * d.width()), |rule| rule.half_range);
            let (lower, upper) = half.map_or((d.min, d.max), |half| (*value - half, *value + half));
            let (changes, r) = (rng.chance(probability), rng.unit());
            if changes {
                *value = polynomial(*value, lower, upper, self.settings.eta, r, context.setup.repair);
            }
        }
        context.space().keep(&mut mutant, context.setup.repair);
        mutant
    }
}

/// Polynomial mutation of `x` within its bounds by the random number `r`.
fn polynomial(x: f64, lower: f64, upper: f64, eta: f64, r: f64, repair: Repair) -> f64 {
    let power = 1.0 / (eta + 1.0);
    let delta = if r < 0.5 {
        libm::pow(2.0 * r, power) - 1.0
    } else {
        1.0 - libm::pow(2.0 * (1.0 - r), power)
    };
    repair.apply(x + (upper - lower) * delta, lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// eta = 1: r = 1/8 gives sqrt(1/4) - 1 = -1/2, r = 7/8 gives 1 - sqrt(1/4) = 1/2, r = 1/2 nothing.
    #[test]
    fn polynomial_mutation_by_hand() {
        let mutate = |r, repair| polynomial(5.0, 3.0, 7.0, 1.0, r, repair);
        assert_eq!(mutate(0.125, Repair::Clamp), 3.0);
        assert_eq!(mutate(0.875, Repair::Clamp), 7.0);
        assert_eq!(mutate(0.5, Repair::Clamp), 5.0);
        // r = 0 is a whole range down, 5 - 4 = 1: clamped to 3, mirrored to 3 + 2.
        assert_eq!(mutate(0.0, Repair::Clamp), 3.0);
        assert_eq!(mutate(0.0, Repair::Mirror), 5.0);
        // eta = 20, r = 1/4: 0.5^(1/21) - 1 = -0.032468... of the range.
        let published = polynomial(9.0, 7.0, 11.0, 20.0, 0.25, Repair::Clamp);
        assert!(
            (published - (9.0 - 4.0 * 0.032_468_2)).abs() < 1e-6,
            "{published}"
        );
    }
}
