//! The vectors of a tuning run: the population as it is, and the history, both with ratings and error bars.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_optim::{Champion, Optimizer};
use vidmar_tune::ratings::RatedPlayer;
use vidmar_tune::run::RunError;
use vidmar_tune::time_series::TimeSeries;

use super::quick;
use super::series::{rounded, unit};
use super::tuning::Tuning;
use crate::body::Asked;
use crate::error::ApiResult;
use crate::server::Server;

/// The most vectors of an answer.
const MOST: usize = 500;

/// How many are wanted, and from which one on.
#[derive(Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    from: Option<usize>,
    limit: Option<usize>,
}

/// Some vectors.
#[derive(Debug, Default, Serialize, TS)]
#[ts(rename = "RunVectors")]
pub(super) struct Vectors {
    /// What a score is: `points per game`, `Elo` or `value`.
    unit: String,
    /// The names of the values.
    parameters: Vec<String>,
    /// How many there are altogether.
    total: usize,
    rows: Vec<Vector>,
}

/// A vector with all that is known of it.
#[derive(Debug, Serialize, TS)]
#[ts(rename = "RunVector")]
pub(super) struct Vector {
    /// Its number among the players of the run, if it has played.
    player: Option<u32>,
    /// What the method goes by, and how many games or values that rests on.
    score: Option<f64>,
    score_games: u32,
    /// Its rating from all games of the run, with half the 95 % interval.
    elo: Option<f64>,
    error: Option<f64>,
    /// All its games and points.
    games: u32,
    points: f64,
    values: Vec<f64>,
}

/// `GET /runs/{id}/population`
pub(super) async fn population(
    State(server): State<Server>,
    Path(id): Path<String>,
    Asked(part): Asked<Part>,
) -> ApiResult<Json<Vectors>> {
    vectors(server, id, part, Optimizer::population).await
}

/// `GET /runs/{id}/history`
pub(super) async fn history(
    State(server): State<Server>,
    Path(id): Path<String>,
    Asked(part): Asked<Part>,
) -> ApiResult<Json<Vectors>> {
    vectors(server, id, part, |optimizer| optimizer.finalists(usize::MAX)).await
}

async fn vectors(
    server: Server,
    id: String,
    part: Part,
    which: fn(&Optimizer) -> Vec<Champion>,
) -> ApiResult<Json<Vectors>> {
    quick(server, move |library| {
        let entry = library.find(&id)?;
        library.keep(&entry);
        Vectors::of(entry.tuning()?, &part, which).map_err(|error| entry.unreadable(&error))
    })
    .await
}

impl Vectors {
    fn of(tuning: &Tuning, part: &Part, which: fn(&Optimizer) -> Vec<Champion>) -> Result<Vectors, RunError> {
        let optimizer = tuning.optimizer()?;
        let Some(optimizer) = optimizer.as_ref() else {
            return Ok(Vectors::default());
        };
        let ratings = tuning.ratings()?;
        let champions = which(optimizer);
        let (from, limit) = (part.from.unwrap_or(0), part.limit.unwrap_or(100).min(MOST));
        let shown = champions.iter().skip(from).take(limit);
        let dimensions = optimizer.setup().space.dimensions();
        Ok(Vectors {
            unit: unit(tuning.config()?, optimizer).to_owned(),
            parameters: dimensions
                .iter()
                .map(|dimension| dimension.name.clone())
                .collect(),
            total: champions.len(),
            rows: tuning.follow(|time_series| {
                shown
                    .map(|champion| Vector::of(champion, time_series, &ratings))
                    .collect()
            })?,
        })
    }
}

impl Vector {
    fn of(champion: &Champion, time_series: &TimeSeries, ratings: &[RatedPlayer]) -> Vector {
        let player = time_series.place(champion);
        let rated = player.and_then(|place| ratings.get(place as usize)).copied();
        let played = rated.filter(|rated| rated.games > 0);
        Vector {
            player,
            score: Some(champion.score)
                .filter(|score| champion.games > 0 && score.is_finite())
                .map(rounded),
            score_games: champion.games,
            elo: played.map(|rated| rounded(rated.elo)),
            error: played.and_then(|rated| rated.error).map(rounded),
            games: played.map_or(0, |rated| rated.games),
            points: played.map_or(0.0, |rated| rated.points),
            values: champion.vector.iter().map(|value| rounded(*value)).collect(),
        }
    }
}
