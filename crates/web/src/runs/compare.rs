//! Several runs side by side.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::contest::MatchView;
use super::library::{Entry, Kind};
use super::overview::Run;
use super::quick;
use super::series::Convergence;
use super::verification::Verification;
use crate::body::Asked;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// The most runs of a comparison.
const MOST: usize = 8;
/// Points of each line.
const POINTS: usize = 400;

/// Which runs.
#[derive(Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(super) struct Ids {
    /// Two to eight, with commas between them.
    ids: String,
}

/// A run beside others.
#[derive(Debug, Serialize, TS)]
#[ts(rename = "ComparedRun")]
pub(super) struct Compared {
    run: Run,
    convergence: Option<Convergence>,
    verification: Option<Verification>,
    contest: Option<MatchView>,
}

/// `GET /runs/compare`
pub(super) async fn compare(
    State(server): State<Server>,
    Asked(asked): Asked<Ids>,
) -> ApiResult<Json<Vec<Compared>>> {
    quick(server, move |library| {
        let ids: Vec<&str> = asked.ids.split(',').filter(|id| !id.is_empty()).collect();
        if ids.is_empty() || ids.len() > MOST {
            let message = format!("{} runs: expected one to {MOST}", ids.len());
            return Err(ApiError::bad_request("bad-query", message).field("ids"));
        }
        ids.into_iter()
            .map(|id| {
                let entry = library.find(id)?;
                library.keep(&entry);
                compared(&entry)
            })
            .collect()
    })
    .await
}

fn compared(entry: &Entry) -> ApiResult<Compared> {
    let run = entry.overview();
    let mut compared = Compared {
        run,
        convergence: None,
        verification: None,
        contest: None,
    };
    match &entry.kind {
        Kind::Match(contest) => {
            let table = contest.table().map_err(|error| entry.unreadable(&error))?;
            compared.contest = Some((*table).clone());
        }
        Kind::Tuning(tuning) => {
            let failed = |error| entry.unreadable(&error);
            compared.convergence = Convergence::rated(tuning, POINTS).map_err(failed)?;
            compared.verification = Some(Verification::of(tuning).map_err(failed)?);
        }
    }
    Ok(compared)
}
