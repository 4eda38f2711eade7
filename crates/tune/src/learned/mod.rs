//! What a run has learned: every parameter before (in a chain, where its first run began) and after with an uncertainty, and what all games of the run say it is worth.
//!
//! | to know | read |
//! | --- | --- |
//! | what a parameter is worth in Elo | `worth`: a regression on all games between different vectors |
//! | how sure a value is | [`Uncertainty`]: three kinds, by the method |
//! | what to make of it | `statement`: what matters, what does not, what is at its bound, whether there is more than noise |
//!
//! It is made from the store when somebody asks, also while the run goes on. The work is bounded: of very many games an even
//! selection is looked at.

mod statement;
mod worth;

use serde::Serialize;
use vidmar_optim::{Dimension, Optimizer, Space};
use vidmar_rows::{EloInterval, ParameterRow};
use vidmar_store::{RunId, Store};

use crate::run::{Generation, ResultVectors, RunError};
use worth::{ParameterWorth, Worth, negligible};

/// 95 % of a normal distribution is within so many standard deviations.
pub(crate) const SIGMAS: f64 = 1.96;

/// What the uncertainty of a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Uncertainty {
    /// Of a fit to results, from how much its games differ.
    StandardError,
    /// How far chance alone may have moved a point that goes by the results of its games.
    Chance,
    /// How much the members of the population differ.
    Population,
}

impl Uncertainty {
    /// In a sentence, for the foot of a table.
    pub const fn explained(self) -> &'static str {
        match self {
            Uncertainty::StandardError => "± is the 95 % interval that the games leave",
            Uncertainty::Chance => "± is how far chance alone may have moved it (95 %)",
            Uncertainty::Population => "± is how much the members of the last population differ (95 %)",
        }
    }
}

/// What a run has learned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Learned {
    /// Games between different vectors that were looked at.
    pub games: u64,
    /// What the change from the start to the recommended vector is worth in Elo, by these games; none without any.
    pub gain: Option<f64>,
    /// Half the width of its 95 % interval.
    pub gain_error: Option<f64>,
    /// What the errors of the values are; none where a method has none.
    pub uncertainty: Option<Uncertainty>,
    /// Every free parameter, in the order of the parameters.
    pub parameters: Vec<ParameterRow>,
    /// What to make of it, in sentences.
    pub statements: Vec<String>,
}

impl Learned {
    /// From the store of a run, its optimiser and its last generation.
    pub(crate) fn of(
        store: &Store,
        run: RunId,
        optimizer: &Optimizer,
        last: Option<&Generation>,
    ) -> Result<Learned, RunError> {
        let results = ResultVectors::of(store, run, optimizer)?;
        let space = &optimizer.setup().space;
        let worth = Worth::of(store, run, optimizer)?;
        let before = &results.beginning().vector;
        let after = &results.recommended().vector;
        Ok(Learned::from(
            space,
            (before, after),
            errors(optimizer, last),
            worth.as_ref(),
        ))
    }

    fn from(
        space: &Space,
        (before, after): (&[f64], &[f64]),
        errors: Option<(Uncertainty, Vec<f64>)>,
        worth: Option<&Worth>,
    ) -> Learned {
        let free: Vec<usize> = space.free().collect();
        let of = |worth: &Worth| -> Vec<ParameterWorth> {
            let known = |&j: &usize| worth.parameter(j, before[j], after[j]);
            free.iter().map(known).collect()
        };
        let worths = worth.map(of);
        let negligible = worths.as_deref().map_or(0.0, negligible);
        let row = |(index, &j): (usize, &usize)| {
            let (d, before, after) = (&space.dimensions()[j], before[j], after[j]);
            let known = worths.as_ref().map(|worths| worths[index]);
            ParameterRow {
                parameter: d.name.clone(),
                before,
                after,
                // Nothing can be further off than its interval is wide.
                error: errors.as_ref().map(|(_, sds)| (SIGMAS * sds[j]).min(d.width())),
                min: d.min,
                max: d.max,
                at_bound: is_at_bound(d, after),
                tried_min: known.and_then(|known| Some(known.tried?.0)),
                tried_max: known.and_then(|known| Some(known.tried?.1)),
                elo: known.map(|known| known.elo.0),
                elo_error: known.map(|known| known.elo.1),
                gain: known.map(|known| known.gain.0),
                gain_error: known.map(|known| known.gain.1),
                effect: known.map(|known| known.effect(negligible)),
            }
        };
        let parameters: Vec<ParameterRow> = free.iter().enumerate().map(row).collect();
        let gain = worth.map(|worth| worth.gain(before, after));
        let games = worth.map_or(0, Worth::games);
        Learned {
            statements: statement::statements(games, gain, &parameters, negligible),
            games,
            gain: gain.map(|gain| gain.elo),
            gain_error: gain.and_then(|gain| gain.error()),
            uncertainty: errors.map(|(kind, _)| kind),
            parameters,
        }
    }

    /// What the change from the start to the recommended vector is worth, with its 95 % interval.
    pub fn gain(&self) -> Option<EloInterval> {
        Some(EloInterval::symmetric(self.gain?, self.gain_error?))
    }
}

fn is_at_bound(d: &Dimension, now: f64) -> bool {
    d.width() > 0.0 && (now <= d.min || now >= d.max)
}

/// One standard deviation of every value, and of what kind; none for a method that has none.
fn errors(optimizer: &Optimizer, last: Option<&Generation>) -> Option<(Uncertainty, Vec<f64>)> {
    if let Some(errors) = last
        .and_then(|last| last.errors.clone())
        .or_else(|| optimizer.errors())
    {
        return Some((Uncertainty::StandardError, errors));
    }
    if let Some(chance) = optimizer.chance() {
        return Some((Uncertainty::Chance, chance));
    }
    let last = last.filter(|last| last.population.len() > 1)?;
    let sds = last.moments().into_iter().map(|(_, sd)| sd).collect();
    Some((Uncertainty::Population, sds))
}

#[cfg(test)]
mod tests;
