//! What a run hands over: several champions, because under noise the "best" is often the luckiest.
//!
//! The vector with the most points per game has been chosen *for* its luck among hundreds; the mean of the population
//! has not, and averages out what each of its members has wrong. All are reported, one is recommended, and a match on
//! fresh openings decides (that is the owner's part).

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::contest::Record;
use crate::space::Vector;

/// A vector and what it has shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Champion {
    /// A settled vector.
    pub vector: Vector,
    /// Points per game, value or rating.
    pub score: f64,
    /// How many games or values that rests on.
    pub games: u32,
}

impl Champion {
    pub(crate) fn new(vector: Vector, record: Record) -> Self {
        Self {
            vector,
            score: record.efficiency(),
            games: record.games,
        }
    }
}

/// Which of the report's vectors is recommended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pick {
    /// The best exact value.
    Value,
    /// The centroid.
    Centroid,
}

/// The vectors that could be handed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Most points per game (mean value) among all that the method remembers.
    pub by_efficiency: Option<Champion>,
    /// Highest rating, where the method rates.
    pub by_rating: Option<Champion>,
    /// Highest exact value ever told.
    pub by_value: Option<Champion>,
    /// The settled mean of the population, or the point that the method moves.
    pub centroid: Vector,
}

impl Report {
    /// An exact value is believed; where results are noisy the centroid is.
    pub fn pick(&self) -> Pick {
        if self.by_value.is_some() {
            Pick::Value
        } else {
            Pick::Centroid
        }
    }

    /// The recommended vector.
    pub fn recommended(&self) -> Champion {
        match &self.by_value {
            Some(best) => best.clone(),
            None => Champion {
                vector: self.centroid.clone(),
                score: 0.0,
                games: 0,
            },
        }
    }
}

/// Best first: efficiency, then more games, then the earlier one ([boskovic-2010], efficiency).
pub(crate) fn ranked(records: &[Record]) -> Vec<usize> {
    foremost(records.len(), usize::MAX, by_efficiency(|index| records[index]))
}

/// The order of [boskovic-2010], ties by index left open. Who has no games comes last: values may be below 0.
pub(crate) fn by_efficiency(record: impl Fn(usize) -> Record) -> impl Fn(usize, usize) -> Ordering {
    move |a, b| {
        let (a, b) = (record(a), record(b));
        let evidence = (b.games > 0).cmp(&(a.games > 0));
        let efficiency = b.efficiency().total_cmp(&a.efficiency());
        evidence.then(efficiency).then(b.games.cmp(&a.games))
    }
}

/// The first `most` of the indices `0..length` in that order, then by index. Only they are sorted.
pub(crate) fn foremost(length: usize, most: usize, order: impl Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let order = |a: &usize, b: &usize| order(*a, *b).then(a.cmp(b));
    let mut indices: Vec<usize> = (0..length).collect();
    if most < length {
        indices.select_nth_unstable_by(most, order);
        indices.truncate(most);
    }
    indices.sort_unstable_by(order);
    indices
}

/// The mean of some vectors, component by component.
pub(crate) fn centroid<'a>(vectors: impl ExactSizeIterator<Item = &'a Vector>, length: usize) -> Vector {
    let count = vectors.len().max(1) as f64;
    let mut sum = vec![0.0; length];
    for vector in vectors {
        for (total, value) in sum.iter_mut().zip(vector) {
            *total += value;
        }
    }
    sum.iter().map(|total| total / count).collect()
}
