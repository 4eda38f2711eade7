//! The plots of a tuning run: convergence, and the band of every parameter, thinned out where they are long.
//!
//! Everything is a list by generation, one list for each line: that is what plots are made of.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_optim::{Champion, Dimension, Optimizer, Space};
use vidmar_rows::{finite, rounded};
use vidmar_tune::config::Config;
use vidmar_tune::ratings::RatedPlayer;
use vidmar_tune::run::RunError;
use vidmar_tune::time_series::{Band, Course, TimeSeries};

use super::quick;
use super::tuning::{Tuning, space};
use crate::body::Asked;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// The most points that are given, however many are asked for.
const MOST_POINTS: usize = 4000;

/// How many points are wanted, and of which parameters.
#[derive(Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(super) struct Points {
    points: Option<usize>,
}

impl Points {
    fn most(&self, usual: usize) -> usize {
        self.points.unwrap_or(usual).clamp(2, MOST_POINTS)
    }
}

/// Scores over the generations.
#[derive(Debug, Default, Serialize, TS)]
pub(super) struct Convergence {
    /// What a score is: `points per game`, `Elo` or `value`.
    unit: String,
    generation: Vec<u64>,
    games: Vec<u64>,
    /// Of the population; none for methods that move one point and score nothing.
    best: Vec<Option<f64>>,
    upper: Vec<Option<f64>>,
    median: Vec<Option<f64>>,
    mean: Vec<Option<f64>>,
    lower: Vec<Option<f64>>,
    worst: Vec<Option<f64>>,
    /// The highest score of a result vector until then.
    champion: Vec<Option<f64>>,
    /// What the best of the generation has scored in all games of the run.
    best_again: Vec<Option<f64>>,
    best_again_games: Vec<Option<u64>>,
    /// The rating of the best of the generation from all games of the run, and the ends of its 95 % interval; nothing where
    /// no games are played, or where the method has no best of a generation.
    elo: Vec<Option<f64>>,
    elo_low: Vec<Option<f64>>,
    elo_high: Vec<Option<f64>>,
    /// What has 0 Elo there: the vector that the run began with if it has played, else the mean of all that played.
    #[ts(type = "'start' | 'mean'")]
    elo_zero: &'static str,
    /// The distance of the quartiles, mean over the parameters, in shares of the intervals.
    spread: Vec<f64>,
    /// The distance of the middle from the start, in the same way.
    moved: Vec<f64>,
}

/// `GET /runs/{id}/convergence`
pub(super) async fn convergence(
    State(server): State<Server>,
    Path(id): Path<String>,
    Asked(points): Asked<Points>,
) -> ApiResult<Json<Convergence>> {
    quick(server, move |library| {
        let entry = library.find(&id)?;
        library.keep(&entry);
        let lines = Convergence::rated(entry.tuning()?, points.most(1000));
        Ok(lines
            .map_err(|error| entry.unreadable(&error))?
            .unwrap_or_default())
    })
    .await
}

/// What the scores of a population are.
pub(super) fn unit(config: &Config, optimizer: &Optimizer) -> &'static str {
    match config.evidence() {
        vidmar_optim::Evidence::Values { noisy: false } => "value",
        _ if optimizer.report().by_rating.is_some() => "Elo",
        _ => "points per game",
    }
}

impl Convergence {
    /// The lines of a run, with Elo where its games tell; none before it has begun.
    pub(super) fn rated(tuning: &Tuning, most: usize) -> Result<Option<Convergence>, RunError> {
        let optimizer = tuning.optimizer()?;
        let Some(optimizer) = optimizer.as_ref() else {
            return Ok(None);
        };
        let unit = unit(tuning.config()?, optimizer);
        let ratings = match unit {
            "value" => Arc::default(),
            _ => tuning.ratings()?,
        };
        let elos: Vec<f64> = ratings.iter().map(|player| player.elo).collect();
        let by_rating = Some(&*elos).filter(|_| unit == "Elo");
        let lines = |time_series: &TimeSeries| {
            let mut lines = Convergence::of(time_series, optimizer, unit, most, by_rating);
            lines.rate(time_series, &optimizer.setup().space, most, &ratings);
            lines
        };
        tuning.follow(lines).map(Some)
    }

    fn of(
        time_series: &TimeSeries,
        optimizer: &Optimizer,
        unit: &str,
        most: usize,
        ratings: Option<&[f64]>,
    ) -> Convergence {
        let mut lines = Convergence {
            unit: unit.to_owned(),
            ..Convergence::default()
        };
        for point in time_series.convergence(&optimizer.setup().space, most, ratings) {
            let of = |field: fn(&Band) -> f64| point.scores.as_ref().map(|band| rounded(field(band)));
            lines.generation.push(point.generation);
            lines.games.push(point.games);
            lines.best.push(of(|band| band.max));
            lines.upper.push(of(|band| band.upper));
            lines.median.push(of(|band| band.median));
            lines.mean.push(of(|band| band.mean));
            lines.lower.push(of(|band| band.lower));
            lines.worst.push(of(|band| band.min));
            lines.champion.push(point.champion.map(rounded));
            // The exact value of a vector does not change when it is worked out again.
            let again = point.best_again.filter(|_| unit != "value");
            lines.best_again.push(again.map(rounded));
            lines.best_again_games.push(point.best_again_games);
            lines.spread.push(rounded(point.spread));
            lines.moved.push(rounded(point.moved));
        }
        lines
    }

    /// The best of every generation by its rating; above the start where that has played.
    fn rate(&mut self, time_series: &TimeSeries, space: &Space, most: usize, ratings: &[RatedPlayer]) {
        let start = Champion {
            vector: space.start().to_vec(),
            score: 0.0,
            games: 0,
        };
        let start = time_series.index_of(&start).map(|index| index as usize);
        let start = start
            .and_then(|index| ratings.get(index))
            .filter(|start| start.games > 0);
        let zero = start.map_or(0.0, |start| start.elo);
        self.elo_zero = if start.is_some() { "start" } else { "mean" };
        let line = |end: fn(&RatedPlayer) -> f64| {
            let values: Vec<f64> = ratings.iter().map(|player| end(player) - zero).collect();
            let points = time_series.convergence(space, most, Some(&values));
            points
                .iter()
                .map(|point| point.best_again.and_then(finite).map(rounded))
                .collect()
        };
        self.elo = line(|player| player.elo);
        self.elo_low = line(|player| player.interval.map_or(f64::NAN, |interval| interval.low));
        self.elo_high = line(|player| player.interval.map_or(f64::NAN, |interval| interval.high));
    }
}

/// Every parameter over the generations.
#[derive(Debug, Default, Serialize, TS)]
#[ts(rename = "ParameterCourses")]
pub(super) struct Parameters {
    generation: Vec<u64>,
    parameters: Vec<Parameter>,
}

/// A parameter over the generations.
#[derive(Debug, Serialize, TS)]
#[ts(rename = "ParameterCourse")]
pub(super) struct Parameter {
    name: String,
    min: f64,
    max: f64,
    start: f64,
    frozen: bool,
    lowest: Vec<f64>,
    lower: Vec<f64>,
    median: Vec<f64>,
    mean: Vec<f64>,
    upper: Vec<f64>,
    highest: Vec<f64>,
}

/// `GET /runs/{id}/parameters`
pub(super) async fn parameters(
    State(server): State<Server>,
    Path(id): Path<String>,
    Asked(points): Asked<Points>,
) -> ApiResult<Json<Parameters>> {
    quick(server, move |library| {
        let entry = library.find(&id)?;
        library.keep(&entry);
        let tuning = entry.tuning()?;
        let optimizer = tuning.optimizer().map_err(|error| entry.unreadable(&error))?;
        let Some(space) = space(optimizer.as_ref().as_ref()) else {
            return Ok(Parameters::default());
        };
        let most = points.most(60);
        let read = |time_series: &TimeSeries| Parameters {
            generation: time_series
                .course(0, most)
                .iter()
                .map(|point| point.generation)
                .collect(),
            parameters: space
                .dimensions()
                .iter()
                .zip(space.start())
                .enumerate()
                .map(|(at, (dimension, start))| {
                    Parameter::of(dimension, *start, &time_series.course(at, most))
                })
                .collect(),
        };
        tuning.follow(read).map_err(|error| entry.unreadable(&error))
    })
    .await
}

/// `GET /runs/{id}/parameters/{name}`: one, in detail.
pub(super) async fn parameter(
    State(server): State<Server>,
    Path((id, name)): Path<(String, String)>,
    Asked(points): Asked<Points>,
) -> ApiResult<Json<Parameters>> {
    quick(server, move |library| {
        let entry = library.find(&id)?;
        library.keep(&entry);
        let tuning = entry.tuning()?;
        let optimizer = tuning.optimizer().map_err(|error| entry.unreadable(&error))?;
        let unknown = || ApiError::not_found("no-such-parameter", format!("there is no parameter '{name}'"));
        let space = space(optimizer.as_ref().as_ref()).ok_or_else(unknown)?;
        let dimensions = space.dimensions();
        let at = dimensions
            .iter()
            .position(|dimension| dimension.name == name)
            .ok_or_else(unknown)?;
        let most = points.most(1000);
        let course = tuning
            .follow(|time_series| time_series.course(at, most))
            .map_err(|error| entry.unreadable(&error))?;
        Ok(Parameters {
            generation: course.iter().map(|point| point.generation).collect(),
            parameters: vec![Parameter::of(&dimensions[at], space.start()[at], &course)],
        })
    })
    .await
}

impl Parameter {
    fn of(dimension: &Dimension, start: f64, course: &[Course]) -> Parameter {
        let line = |field: fn(&Band) -> f64| course.iter().map(|point| rounded(field(&point.band))).collect();
        Parameter {
            name: dimension.name.clone(),
            min: dimension.min,
            max: dimension.max,
            start,
            frozen: dimension.frozen,
            lowest: line(|band| band.min),
            lower: line(|band| band.lower),
            median: line(|band| band.median),
            mean: line(|band| band.mean),
            upper: line(|band| band.upper),
            highest: line(|band| band.max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_six_digits() {
        let cases = [
            (0.0, 0.0),
            (1.0 / 3.0, 0.333_333),
            (-1_234.567_89, -1_234.57),
            (987_654_321.0, 987_654_000.0),
            (100.0, 100.0),
        ];
        for (value, expected) in cases {
            assert!(
                (rounded(value) - expected).abs() <= 1e-9 * expected.abs(),
                "{value}"
            );
        }
        assert!(rounded(f64::INFINITY).is_infinite());
    }
}
