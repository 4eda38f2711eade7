//! The result vectors of a tuning run, and whether they are better than what it began with.

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use ts_rs::TS;
use vidmar_tune::run::{ResultVectors, RunError};
use vidmar_tune::verify::{Validation, validations};

use super::quick;
use super::series::rounded;
use super::stamp::Stamp;
use super::tuning::{Tuning, space};
use crate::error::ApiResult;
use crate::server::Server;

/// The result of a tuning run.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub(super) struct Verification {
    /// The names of the values.
    parameters: Vec<String>,
    /// Where tuning started.
    start: Vec<f64>,
    /// The result vectors, and what they are compared with.
    vectors: Vec<ResultVector>,
    /// The matches of the validation.
    validations: Vec<Match>,
    /// Games planned for each of them.
    games_each: u64,
}

/// A result vector.
#[derive(Clone, Debug, Serialize, TS)]
pub(super) struct ResultVector {
    /// `efficiency`, `rating`, `value`, `centroid`; `initial` and `start` for what they are compared with.
    name: String,
    recommended: bool,
    score: Option<f64>,
    games: u32,
    values: Vec<f64>,
}

/// A match of the validation.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(rename = "ValidationMatch")]
pub(super) struct Match {
    vector: String,
    recommended: bool,
    against: String,
    depth: u32,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    elo: Option<f64>,
    /// Half the width of the 95 % interval.
    error: Option<f64>,
    /// `better`, `worse`, `no difference is proven` or `nothing is known`.
    verdict: String,
}

/// `GET /runs/{id}/verification`
pub(super) async fn verification(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> ApiResult<Json<Verification>> {
    quick(server, move |library| {
        let entry = library.find(&id)?;
        library.keep(&entry);
        let found = Verification::of(entry.tuning()?).map_err(|error| entry.unreadable(&error))?;
        Ok(found)
    })
    .await
}

impl Verification {
    /// The newest one, or one of some seconds ago while the run goes on.
    pub(super) fn of(tuning: &Tuning) -> Result<Verification, RunError> {
        let found = tuning
            .verification
            .get(Stamp::of(&tuning.store), || Verification::read(tuning))?;
        Ok((*found).clone())
    }

    fn read(tuning: &Tuning) -> Result<Verification, RunError> {
        let config = tuning.config()?;
        let optimizer = tuning.optimizer()?;
        let (Some(space), Some(state)) = (space(optimizer.as_ref().as_ref()), optimizer.as_ref()) else {
            return Ok(Verification::default());
        };
        let (results, validations) = tuning
            .read(|store, run| Ok((ResultVectors::of(store, run, state)?, validations(store, config)?)))?;
        let shown = |vector: &vidmar_tune::run::ResultVector| ResultVector {
            name: vector.name.to_owned(),
            recommended: vector.name == results.recommended,
            score: vector.score.filter(|score| score.is_finite()).map(rounded),
            games: vector.games,
            values: vector.vector.iter().map(|value| rounded(*value)).collect(),
        };
        Ok(Verification {
            parameters: space
                .dimensions()
                .iter()
                .map(|dimension| dimension.name.clone())
                .collect(),
            start: space.start().iter().map(|value| rounded(*value)).collect(),
            vectors: results
                .vectors
                .iter()
                .chain(&results.references)
                .map(shown)
                .collect(),
            validations: validations
                .iter()
                .map(|validation| Match::of(validation, config.engine.depth))
                .collect(),
            games_each: 2 * config.verify.pairs,
        })
    }
}

impl Match {
    fn of(validation: &Validation, depth: u32) -> Match {
        let finite = |value: f64| Some(value).filter(|value| value.is_finite()).map(rounded);
        Match {
            vector: validation.vector.clone(),
            recommended: validation.recommended,
            against: validation.against.clone(),
            depth: depth + validation.deeper,
            games: validation.games,
            wins: validation.wins,
            draws: validation.draws,
            losses: validation.losses,
            elo: finite(validation.elo),
            error: finite(validation.error),
            verdict: validation.verdict().to_owned(),
        }
    }
}
