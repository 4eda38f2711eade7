//! The vectors of a tuning run: the population as it is, and the history, both with ratings and error bars.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_optim::{Champion, Optimizer};
use vidmar_rows::{VectorRow, rounded};
use vidmar_tune::rows::vector_row;
use vidmar_tune::run::RunError;

use super::quick;
use super::series::unit;
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
    rows: Vec<VectorRow>,
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
                    .map(|champion| rounded_row(vector_row(champion, time_series, &ratings)))
                    .collect()
            })?,
        })
    }
}

/// As many digits as an eye can tell apart: a page of vectors is long.
fn rounded_row(row: VectorRow) -> VectorRow {
    VectorRow {
        score: row.score.map(rounded),
        elo: row.elo.map(rounded),
        error: row.error.map(rounded),
        low: row.low.map(rounded),
        high: row.high.map(rounded),
        values: row.values.into_iter().map(rounded).collect(),
        ..row
    }
}
