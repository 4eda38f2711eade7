//! The way that a run has taken, generation by generation, for plots: read once, then only what is new.
//!
//! A generation is kept as five numbers and a mean for its scores and for every parameter, not as its population, so
//! that a long run takes little room. The best of a generation is known by its index in the store too: what it scored
//! when it was chosen is flattered by luck, what it has scored in all games of the run, before and after, is less so.

use std::collections::HashMap;

use serde::Serialize;
use vidmar_chess::Color;
use vidmar_optim::{Champion, Space};
use vidmar_store::{RunId, Store};

use crate::run::{Generation, RunError, generations_from};

/// How some values are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Band {
    /// The smallest.
    pub min: f64,
    /// A quarter is below.
    pub lower: f64,
    /// Half is below.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// A quarter is above.
    pub upper: f64,
    /// The largest.
    pub max: f64,
}

impl Band {
    /// Of some values; none without any. Quartiles lie between two values where they fall there (R's type 7).
    pub fn of(mut values: Vec<f64>) -> Option<Band> {
        values.sort_by(f64::total_cmp);
        let (&min, &max) = (values.first()?, values.last()?);
        let at = |share: f64| {
            let index = share * (values.len() - 1) as f64;
            let (below, above) = (values[index.floor() as usize], values[index.ceil() as usize]);
            below + (above - below) * index.fract()
        };
        Some(Band {
            min,
            lower: at(0.25),
            median: at(0.5),
            mean: values.iter().sum::<f64>() / values.len() as f64,
            upper: at(0.75),
            max,
        })
    }

    /// Several as one: the farthest ends, the means of the others.
    fn merged(bands: &[Band]) -> Option<Band> {
        let count = bands.len() as f64;
        let mean = |field: fn(&Band) -> f64| bands.iter().map(field).sum::<f64>() / count;
        Some(Band {
            min: bands.iter().map(|band| band.min).reduce(f64::min)?,
            lower: mean(|band| band.lower),
            median: mean(|band| band.median),
            mean: mean(|band| band.mean),
            upper: mean(|band| band.upper),
            max: bands.iter().map(|band| band.max).reduce(f64::max)?,
        })
    }
}

/// What a generation came to.
#[derive(Clone, Debug)]
struct Step {
    generation: u64,
    games: u64,
    scores: Option<Band>,
    /// The best by score, as the store describes it, until it is found there.
    best: Option<String>,
    best_place: Option<u32>,
    champion: Option<f64>,
    parameters: Vec<Band>,
}

impl Step {
    fn of(generation: &Generation) -> Step {
        let scored = || generation.population.iter().filter(|champion| champion.games > 0);
        let best = scored().max_by(|a, b| a.score.total_cmp(&b.score));
        let band = |j: usize| {
            let values: Vec<f64> = generation.population.iter().map(|c| c.vector[j]).collect();
            Band::of(values).or_else(|| Band::of(vec![generation.centroid[j]]))
        };
        let standing_out = generation
            .by_value
            .as_ref()
            .or(generation.by_rating.as_ref())
            .or(generation.by_efficiency.as_ref());
        Step {
            generation: generation.generation,
            games: generation.games,
            scores: Band::of(scored().map(|champion| champion.score).collect()),
            best: best.and_then(described),
            best_place: None,
            champion: standing_out.map(|champion| champion.score),
            parameters: (0..generation.centroid.len()).filter_map(band).collect(),
        }
    }
}

fn described(champion: &Champion) -> Option<String> {
    serde_json::to_string(&champion.vector).ok()
}

/// A generation, or some in a row, as a point of the plot of convergence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Convergence {
    /// The last one.
    pub generation: u64,
    /// Games or values until then.
    pub games: u64,
    /// Scores of the population, where it has some.
    pub scores: Option<Band>,
    /// The highest score of a result vector until then.
    pub champion: Option<f64>,
    /// What the best of the generation has scored in all games of the run.
    pub best_again: Option<f64>,
    /// How many games those are.
    pub best_again_games: Option<u64>,
    /// How far the population is spread: the mean over the parameters of the quartiles' distance, in shares of the
    /// intervals.
    pub spread: f64,
    /// How far its middle is from the start, in the same way.
    pub moved: f64,
}

/// A generation, or some in a row, as a point of a parameter's plot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Course {
    /// The last one.
    pub generation: u64,
    /// Its values.
    pub band: Band,
}

/// The way of a run so far.
#[derive(Clone, Debug, Default)]
pub struct TimeSeries {
    steps: Vec<Step>,
    indices: HashMap<String, u32>,
    /// Half points and games of every player, by index.
    tallies: Vec<(u64, u64)>,
    mark: i64,
}

impl TimeSeries {
    /// Reads what is new.
    pub fn update(&mut self, store: &Store, run: RunId) -> Result<(), RunError> {
        let first = self.steps.last().map_or(0, |step| step.generation + 1);
        for player in store.players_from(run, self.indices.len() as u32)? {
            self.indices.insert(player.description, player.number);
        }
        let (games, mark) = store.results_after(run, self.mark)?;
        self.mark = mark;
        for game in games {
            let Some(result) = game.result else { continue };
            let white = u64::from(result.half_points(Color::White));
            self.score(game.white, white);
            self.score(game.black, 2 - white);
        }
        let new = generations_from(store, run, first)?;
        self.steps.extend(new.iter().map(Step::of));
        for step in &mut self.steps {
            let found = step.best.as_ref().and_then(|best| self.indices.get(best));
            if let Some(&index) = found {
                step.best_place = Some(index);
                step.best = None;
            }
        }
        Ok(())
    }

    fn score(&mut self, index: u32, half_points: u64) {
        let index = index as usize;
        if self.tallies.len() <= index {
            self.tallies.resize(index + 1, (0, 0));
        }
        let tally = &mut self.tallies[index];
        *tally = (tally.0 + half_points, tally.1 + 1);
    }

    /// How many generations there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Points and games of a player, by index.
    pub fn tally(&self, index: u32) -> (f64, u64) {
        let found = self.tallies.get(index as usize);
        found.map_or((0.0, 0), |&(half, games)| (half as f64 / 2.0, games))
    }

    /// The index of a vector among the run's players.
    pub fn index_of(&self, champion: &Champion) -> Option<u32> {
        self.indices.get(&described(champion)?).copied()
    }

    /// The plot of convergence in at most so many points. With `ratings`, by index, the best is shown again by those
    /// instead of points per game.
    pub fn convergence(&self, space: &Space, most: usize, ratings: Option<&[f64]>) -> Vec<Convergence> {
        thinned(&self.steps, most, |steps| {
            // Vectors of another length than what is searched: nothing to be said of its parameters.
            let last = steps.last().filter(|last| last.parameters.len() == space.len())?;
            let scores: Vec<Band> = steps.iter().filter_map(|step| step.scores).collect();
            let again = steps.iter().rev().find_map(|step| step.best_place);
            let (points, games) = again.map_or((0.0, 0), |index| self.tally(index));
            let again = match ratings {
                Some(ratings) => again.and_then(|index| ratings.get(index as usize).copied()),
                None => Some(points / games as f64),
            };
            let start = space.start();
            Some(Convergence {
                generation: last.generation,
                games: last.games,
                scores: Band::merged(&scores),
                champion: last.champion,
                best_again: again.filter(|_| games > 0),
                best_again_games: Some(games).filter(|&games| games > 0),
                spread: mean_share(space, |j| last.parameters[j].upper - last.parameters[j].lower),
                moved: mean_share(space, |j| (last.parameters[j].mean - start[j]).abs()),
            })
        })
    }

    /// The plot of a parameter in at most so many points.
    pub fn course(&self, parameter: usize, most: usize) -> Vec<Course> {
        thinned(&self.steps, most, |steps| {
            let bands: Vec<Band> = steps
                .iter()
                .filter_map(|step| step.parameters.get(parameter).copied())
                .collect();
            Some(Course {
                generation: steps.last()?.generation,
                band: Band::merged(&bands)?,
            })
        })
    }
}

/// The mean over the free parameters of some length in shares of their intervals.
fn mean_share(space: &Space, length: impl Fn(usize) -> f64) -> f64 {
    let shares: Vec<f64> = space
        .free()
        .filter(|&j| space.dimensions()[j].width() > 0.0)
        .map(|j| length(j) / space.dimensions()[j].width())
        .collect();
    shares.iter().sum::<f64>() / shares.len().max(1) as f64
}

/// At most so many points, each of as many neighbours as the others.
fn thinned<S, P>(steps: &[S], most: usize, point: impl Fn(&[S]) -> Option<P>) -> Vec<P> {
    let each = steps.len().div_ceil(most.max(1)).max(1);
    steps.chunks(each).filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R: quantile(c(1, 2, 4, 8), type = 7) is 1, 1.75, 3, 5, 8.
    #[test]
    fn quartiles_are_those_of_r() {
        let band = Band::of(vec![8.0, 1.0, 4.0, 2.0]).unwrap();
        let expected = Band {
            min: 1.0,
            lower: 1.75,
            median: 3.0,
            mean: 3.75,
            upper: 5.0,
            max: 8.0,
        };
        assert_eq!(band, expected);
        assert_eq!(Band::of(vec![]), None);
        let one = Band::of(vec![7.0]).unwrap();
        assert_eq!((one.min, one.median, one.upper, one.max), (7.0, 7.0, 7.0, 7.0));
    }

    #[test]
    fn thinning_keeps_the_ends_and_the_last_generation() {
        let band = |x: f64| Band {
            min: x,
            lower: x,
            median: x,
            mean: x,
            upper: x,
            max: x,
        };
        let step = |generation: u64| Step {
            generation,
            games: 10 * generation,
            scores: None,
            best: None,
            best_place: None,
            champion: None,
            parameters: vec![band(generation as f64)],
        };
        let time_series = TimeSeries {
            steps: (0..100_000).map(step).collect(),
            ..TimeSeries::default()
        };
        let course = time_series.course(0, 1000);
        assert_eq!(course.len(), 1000);
        let (first, last) = (course[0].band, course[999]);
        assert_eq!((first.min, first.mean, first.max), (0.0, 49.5, 99.0));
        assert_eq!((last.generation, last.band.max), (99_999, 99_999.0));
        assert_eq!(time_series.course(0, 1_000_000).len(), 100_000);
        assert_eq!(time_series.course(1, 10), []);
    }
}
