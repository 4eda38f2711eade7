//! The result vectors of a tuning run, and whether they are better than what it began with.

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use ts_rs::TS;
use vidmar_rows::{ResultVectorRow, ValidationRow, validation_statement};
use vidmar_tune::run::{ResultVectors, RunError};
use vidmar_tune::verify::validations;

use super::quick;
use super::stamp::Stamp;
use super::tuning::{Tuning, space};
use crate::error::ApiResult;
use crate::server::Server;

/// The result of a tuning run.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub(super) struct Verification {
    /// The names of the values.
    parameters: Vec<String>,
    /// The ends of their intervals.
    min: Vec<f64>,
    max: Vec<f64>,
    /// Where everything began: the start of the run, or of the first one of a chain.
    start: Vec<f64>,
    /// The result vectors, and what they are compared with.
    vectors: Vec<ResultVectorRow>,
    /// The matches of the validation.
    validations: Vec<ValidationRow>,
    /// What they prove of the recommended vector, in a sentence.
    statement: Option<String>,
    /// Games planned for each of them.
    games_each: u64,
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
        // Where the run recommends what it began with there is nothing to be played, and that is the result.
        let is_unchanged = results.recommended().vector == results.beginning().vector;
        let is_over = config.verify.pairs > 0 && state.is_finished();
        Ok(Verification {
            parameters: space
                .dimensions()
                .iter()
                .map(|dimension| dimension.name.clone())
                .collect(),
            min: space.dimensions().iter().map(|dimension| dimension.min).collect(),
            max: space.dimensions().iter().map(|dimension| dimension.max).collect(),
            start: results.beginning().vector.clone(),
            vectors: results.rows().collect(),
            statement: (!validations.is_empty() || is_unchanged && is_over)
                .then(|| validation_statement(&validations)),
            validations,
            games_each: 2 * config.verify.pairs,
        })
    }
}
