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
    /// Where tuning started.
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
        Ok(Verification {
            parameters: space
                .dimensions()
                .iter()
                .map(|dimension| dimension.name.clone())
                .collect(),
            start: space.start().to_vec(),
            vectors: results.rows().collect(),
            statement: (!validations.is_empty()).then(|| validation_statement(&validations)),
            validations,
            games_each: 2 * config.verify.pairs,
        })
    }
}
