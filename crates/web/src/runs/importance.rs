//! Which parameters of a tuning run matter, by a regression on all its games.

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use ts_rs::TS;
use vidmar_rows::ParameterRow;
use vidmar_tune::learned::Learned;
use vidmar_tune::run::RunError;
use vidmar_tune::status::View;

use super::long;
use super::stamp::Stamp;
use super::tuning::Tuning;
use crate::error::ApiResult;
use crate::server::Server;

/// What the games of a run say of its parameters.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub(super) struct Importance {
    /// Games between different vectors that were looked at.
    games: u64,
    /// Every free parameter, the one that is worth most first.
    parameters: Vec<ParameterRow>,
    /// What to make of it, in sentences.
    statements: Vec<String>,
    /// What the errors of the values are.
    uncertainty: Option<String>,
}

/// `GET /runs/{id}/importance`
pub(super) async fn importance(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> ApiResult<Json<Importance>> {
    let found = long(server, move |library| {
        let entry = library.find(&id)?;
        library.keep(&entry);
        let tuning = entry.tuning()?;
        let found = tuning
            .importance
            .get(Stamp::of(&tuning.store), || Importance::read(tuning))
            .map_err(|error| entry.unreadable(&error))?;
        Ok((*found).clone())
    })
    .await?;
    Ok(Json(found))
}

impl Importance {
    fn read(tuning: &Tuning) -> Result<Importance, RunError> {
        let learned = View::look(&tuning.directory, |view| view.learned())?;
        Ok(learned.map(Importance::from).unwrap_or_default())
    }
}

impl From<Learned> for Importance {
    fn from(learned: Learned) -> Importance {
        let mut parameters = learned.parameters;
        let worth = |row: &ParameterRow| row.elo.unwrap_or_default();
        parameters.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        Importance {
            games: learned.games,
            parameters,
            statements: learned.statements,
            uncertainty: learned.uncertainty.map(|kind| kind.explained().to_owned()),
        }
    }
}
