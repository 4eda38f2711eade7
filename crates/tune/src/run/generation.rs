//! What a generation came to: kept for ever, for plots, tables and the choice at the end.

use serde::{Deserialize, Serialize};
use vidmar_optim::{Champion, Optimizer, Space, Vector};

use crate::objective::texel::Fit;

/// A population and what stands out of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number; 0 is the first population.
    pub generation: u64,
    /// Games or values so far.
    pub games: u64,
    /// Everyone, with games and score.
    pub population: Vec<Champion>,
    /// The rounded mean.
    pub centroid: Vector,
    /// Most points per game so far.
    pub by_efficiency: Option<Champion>,
    /// Highest rating so far.
    pub by_rating: Option<Champion>,
    /// Highest exact value so far.
    pub by_value: Option<Champion>,
    /// How well the best value's vector predicts results, where that is what vectors are evaluated by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<Fit>,
    /// One standard deviation of every parameter of that vector, at the end of a run whose objective tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vector>,
}

impl Generation {
    /// What the optimiser has come to.
    pub fn of(optimizer: &Optimizer) -> Generation {
        let report = optimizer.report();
        Generation {
            generation: optimizer.generation(),
            games: optimizer.jobs(),
            population: optimizer.population(),
            centroid: report.centroid,
            by_efficiency: report.by_efficiency,
            by_rating: report.by_rating,
            by_value: report.by_value,
            fit: None,
            errors: None,
        }
    }

    /// Whether all its vectors have the same length.
    pub(crate) fn is_sound(&self) -> bool {
        let champions = [&self.by_efficiency, &self.by_rating, &self.by_value];
        let champions = champions.into_iter().flatten().chain(&self.population);
        let mut vectors = champions.map(|champion| &champion.vector).chain(&self.errors);
        vectors.all(|vector| vector.len() == self.centroid.len())
    }

    /// What would be recommended now: the best exact value, or the centroid.
    pub fn best(&self) -> &[f64] {
        self.by_value.as_ref().map_or(&self.centroid, |best| &best.vector)
    }

    /// Mean and standard deviation (divided by the population's size) of every parameter.
    pub fn moments(&self) -> Vec<(f64, f64)> {
        let count = self.population.len().max(1) as f64;
        let of = |j: usize| {
            let values = || self.population.iter().map(move |champion| champion.vector[j]);
            let mean = values().sum::<f64>() / count;
            let variance = values().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
            (mean, variance.sqrt())
        };
        (0..self.centroid.len()).map(of).collect()
    }

    /// The mean over the free parameters of their standard deviation in shares of their interval.
    pub fn spread(&self, space: &Space) -> f64 {
        let moments = self.moments();
        let shares: Vec<f64> = space
            .free()
            .filter(|&j| space.dimensions()[j].width() > 0.0)
            .map(|j| moments[j].1 / space.dimensions()[j].width())
            .collect();
        shares.iter().sum::<f64>() / shares.len().max(1) as f64
    }

    /// The best and the mean score of those that have one.
    pub fn scores(&self) -> Option<(f64, f64)> {
        let scores: Vec<f64> = self
            .population
            .iter()
            .filter(|c| c.games > 0)
            .map(|c| c.score)
            .collect();
        let best = scores.iter().copied().reduce(f64::max)?;
        Some((best, scores.iter().sum::<f64>() / scores.len() as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_of_the_population_as_it_is() {
        let champion = |x: f64, score| Champion {
            vector: vec![x, 5.0],
            score,
            games: 1,
        };
        let generation = Generation {
            generation: 3,
            games: 9,
            population: vec![champion(1.0, 0.25), champion(3.0, 0.75)],
            centroid: vec![2.0, 5.0],
            by_efficiency: None,
            by_rating: None,
            by_value: None,
            fit: None,
            errors: None,
        };
        assert_eq!(generation.moments(), [(2.0, 1.0), (5.0, 0.0)]);
        assert_eq!(generation.scores(), Some((0.75, 0.5)));
        let dimensions = ["a", "b"].map(|name| vidmar_optim::Dimension::integer(name, 0, 10));
        let space = Space::new(dimensions.to_vec()).unwrap();
        assert!((generation.spread(&space) - 0.05).abs() < 1e-12);
    }
}
