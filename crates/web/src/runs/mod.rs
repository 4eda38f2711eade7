//! Tuning runs and matches: what the directories hold that the server was started with.
//!
//! This is a viewer of what lies on the disk: it reads stores while others write them, never makes them wait, leaves no
//! trace, and keeps nothing that it could not read again. So a run that goes on, one that crashed and one that is
//! finished are shown the same way, and a server that is started anew shows what the old one did. What changes a run
//! ([`control`]) is done by processes of this program, as on the command line.
//!
//! | module | answers |
//! | --- | --- |
//! | `library`, `stamp` | which runs there are; whether anything has changed |
//! | `overview` | where a run stands |
//! | `listing` | all of it for those who are not the page |
//! | `tuning`, `series`, `vectors`, `verification`, `importance` | a tuning run: its plots, vectors, validation, what matters |
//! | `contest` | a match: its table and its test |
//! | `result`, `notes` | what a run has come to; what people say about it |
//! | `settings` | how a run is played |
//! | `games`, `files` | games and faults; what can be taken away |
//! | `compare` | several runs side by side |
//! | `control`, `queue`, `new_match`, `removal` | pause, stop, resume, begin; runs that wait; deleting |
//! | `workers` | those that play a run on other machines |
//! | `programs` | what a run would start, and whether anybody allowed it |

mod compare;
mod contest;
mod control;
mod explorer;
mod files;
mod games;
mod importance;
mod library;
mod listing;
mod new_match;
mod notes;
mod overview;
mod programs;
mod queue;
mod removal;
mod reproduction;
mod result;
mod series;
mod settings;
mod stamp;
mod tuning;
mod vectors;
mod verification;
mod workers;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::IntoResponse;
use axum::response::sse::Event;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Serialize;
use tokio::time::MissedTickBehavior;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::IntervalStream;
use ts_rs::TS;

pub(crate) use library::Library;
pub use listing::{ListedRun, list_runs};
pub use notes::RunNotes;
pub use overview::{Run, RunKind, RunPhase, RunState};
pub use result::RunElo;

use self::contest::MatchView;
use self::library::Kind;
use crate::error::{ApiError, ApiResult};
use crate::events;
use crate::server::Server;
use vidmar_rows::{
    Effect, GameRow, MatchPoint, ParameterRow, PlayerRow, ResultVectorRow, SprtRow, TerminationRow,
    ValidationRow, VectorRow, Verdict,
};

/// How often a run that somebody watches is looked at.
const POLL: Duration = Duration::from_secs(1);

/// The endpoints of runs, below `/api/v1`.
pub(crate) fn routes() -> Router<Server> {
    Router::new()
        .route("/runs", get(list).post(control::begin))
        .route("/runs/compare", get(compare::compare))
        .route("/runs/matches", post(new_match::begin))
        .route("/runs/reproductions", post(reproduction::begin))
        .route("/runs/reproductions/list", post(reproduction::list))
        .route("/runs/{id}", get(detail).delete(removal::remove))
        .route("/runs/{id}/notes", post(notes::write))
        .route("/runs/{id}/events", get(follow))
        .route("/runs/{id}/convergence", get(series::convergence))
        .route("/runs/{id}/parameters", get(series::parameters))
        .route("/runs/{id}/parameters/{name}", get(series::parameter))
        .route("/runs/{id}/population", get(vectors::population))
        .route("/runs/{id}/history", get(vectors::history))
        .route("/runs/{id}/verification", get(verification::verification))
        .route("/runs/{id}/importance", get(importance::importance))
        .route("/runs/{id}/games", get(games::games))
        .route("/runs/{id}/games/{number}", get(games::game))
        .route("/runs/{id}/explorer", post(explorer::explore))
        .route("/runs/{id}/faults", get(games::faults))
        .route("/runs/{id}/files", get(files::files))
        .route("/runs/{id}/files/{name}", get(files::file))
        .route("/runs/{id}/pause", post(control::pause))
        .route("/runs/{id}/stop", post(control::stop))
        .route("/runs/{id}/resume", post(control::resume))
        .route("/runs/{id}/programs", get(programs::programs))
        .route("/runs/{id}/workers", get(workers::workers).post(workers::order))
}

/// The types of these endpoints as TypeScript; each declaration without `export`.
pub(crate) fn declarations(config: &ts_rs::Config) -> Vec<String> {
    crate::types::declarations![config;
        Run, RunElo, RunNotes, RunKind, RunState, RunPhase, RunList, RunDetail, settings::RunSetting,
        series::Convergence, series::Parameters, series::Parameter,
        vectors::Vectors, VectorRow,
        verification::Verification, ResultVectorRow, ValidationRow, Verdict,
        importance::Importance, ParameterRow, Effect,
        MatchView, PlayerRow, SprtRow, TerminationRow, MatchPoint,
        games::RunPart, games::RunGames, GameRow, games::Replay, games::ReplayPly, games::RunFaults, games::RunFault,
        reproduction::Reproduction, reproduction::NewReproduction,
        explorer::Explorer, explorer::ExplorerMove, explorer::ExplorerRequest,
        files::RunFile, compare::Compared, control::NewRun, new_match::NewMatch, new_match::MatchLimit, control::ResumeRequest, control::RunPreset, programs::RunPrograms,
        workers::RunWorkers, workers::RunWorker, workers::WorkerOrder, workers::WorkerCommand,
    ]
}

/// Everything there is, and what a new run can be.
#[derive(Debug, Serialize, TS)]
pub(crate) struct RunList {
    runs: Vec<Run>,
    /// Directories, by name, in which a run can begin.
    directories: Vec<String>,
    presets: Vec<control::RunPreset>,
}

/// A run with what does not change, and the table if it is a match.
#[derive(Debug, Serialize, TS)]
pub(crate) struct RunDetail {
    run: Run,
    /// How it is played, as far as it was told.
    settings: Vec<settings::RunSetting>,
    contest: Option<MatchView>,
    /// Whether the server knows of a NATS server, and its workers can be asked for.
    has_fleet: bool,
}

/// `GET /runs`
async fn list(State(server): State<Server>) -> ApiResult<Json<RunList>> {
    quick(server, |library| {
        Ok(RunList {
            runs: library.overviews().into_iter().map(|(_, run)| run).collect(),
            directories: library
                .directories()
                .map(|directory| directory.name.clone())
                .collect(),
            presets: control::presets(),
        })
    })
    .await
}

/// `GET /runs/{id}`
async fn detail(State(server): State<Server>, Path(id): Path<String>) -> ApiResult<Json<RunDetail>> {
    let has_fleet = server.config().fleet.is_some();
    quick(server, move |library| {
        let entry = library.find(&id)?;
        let unreadable = |error| entry.unreadable(&error);
        let (contest, settings) = match &entry.kind {
            Kind::Match(contest) => {
                let table = contest.table().map_err(unreadable)?;
                (
                    Some((*table).clone()),
                    settings::of_match(contest).map_err(unreadable)?,
                )
            }
            Kind::Tuning(tuning) => (
                None,
                tuning.config().map_or_else(|_| Vec::new(), settings::of_tuning),
            ),
        };
        Ok(RunDetail {
            run: entry.overview(),
            settings,
            contest,
            has_fleet,
        })
    })
    .await
}

/// `GET /runs/{id}/events`: the run whenever it has changed, at most once a second.
async fn follow(State(server): State<Server>, Path(id): Path<String>) -> ApiResult<impl IntoResponse> {
    let entry = blocking(&server, false, move |library| library.find(&id)).await?;
    let mut ticks = tokio::time::interval(POLL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let shown = Arc::new(AtomicU64::new(0));
    let news = IntervalStream::new(ticks).then(move |_| {
        let (server, entry, shown) = (server.clone(), Arc::clone(&entry), Arc::clone(&shown));
        async move {
            let run = blocking(&server, false, move |_| Ok(entry.overview()))
                .await
                .ok()?;
            let is_new = shown.swap(run.version, Ordering::Relaxed) != run.version;
            is_new
                .then(|| Event::default().event("run").json_data(&run).ok())
                .flatten()
        }
    });
    events::answer(news.filter_map(|event| event))
}

/// Answers a request that takes a moment; see [`blocking`].
async fn quick<T: Send + 'static>(
    server: Server,
    answer: impl FnOnce(&Library) -> ApiResult<T> + Send + 'static,
) -> ApiResult<Json<T>> {
    blocking(&server, false, answer).await.map(Json)
}

/// Answers a request that writes out a whole run.
async fn long<T: Send + 'static>(
    server: Server,
    answer: impl FnOnce(&Library) -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    blocking(&server, true, answer).await
}

/// Reads files on a thread that may wait, not too many at a time.
async fn blocking<T: Send + 'static>(
    server: &Server,
    is_long: bool,
    answer: impl FnOnce(&Library) -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let failed = || ApiError::conflict("no-answer", "the answer could not be made");
    let runs = server.runs();
    let desk = Arc::clone(if is_long { &runs.long } else { &runs.quick });
    let permit = desk.acquire_owned().await.map_err(|_| failed())?;
    let server = server.clone();
    let work = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        answer(server.runs())
    });
    work.await.unwrap_or_else(|_| Err(failed()))
}
