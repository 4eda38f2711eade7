//! The workers of a run that is played on other machines: who they are, and orders to them.
//!
//! The server asks only the NATS server that its owner named (`--on`): a run directory of somebody else makes it connect to nothing.
//! A run is known there by its path, as `vidmar tune run --on` and `vidmar match -on` name it.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_fleet::protocol::{Order, WorkerName, WorkerState};
use vidmar_fleet::roster::{self, Row};
use vidmar_fleet::{Address, FleetError, RunName};

use super::library::{Entry, Kind};
use super::long;
use crate::body::Body;
use crate::config::Fleet;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// The workers of a run.
#[derive(Debug, Serialize, TS)]
pub(super) struct RunWorkers {
    /// The NATS server.
    address: String,
    /// What the run is called there.
    run: String,
    /// Who coordinates it; none if it is not being played there.
    coordinator: Option<String>,
    /// Tasks that are issued and not answered.
    open: u64,
    /// Answers taken since the coordinator began.
    games: u64,
    /// Answers that were dropped.
    dropped: u64,
    workers: Vec<RunWorker>,
}

/// A worker.
#[derive(Debug, Serialize, TS)]
pub(super) struct RunWorker {
    name: String,
    cores: u32,
    /// Games at once.
    threads: u32,
    /// `playing`, `paused`, `draining` or `gone`.
    #[ts(type = "'playing' | 'paused' | 'draining' | 'gone'")]
    state: WorkerState,
    /// Games of it that were taken.
    games: u64,
    games_per_second: f64,
    /// Seconds since it was heard of; none if this coordinator never was.
    last_seen: Option<f64>,
    /// Spot checks that it has passed.
    checks: u64,
    /// Whether the coordinator believes it no more.
    is_shut_out: bool,
    /// Why it does not play for the run, or is not believed.
    refused: Vec<String>,
}

/// What a worker is to do.
#[derive(Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkerOrder {
    worker: String,
    order: WorkerCommand,
}

/// What workers can be told.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WorkerCommand {
    /// To finish what it has begun, and to end.
    Drain,
    /// To take no more tasks.
    Pause,
    /// To go on.
    Resume,
    /// To its coordinator: to believe it no more.
    ShutOut,
    /// To its coordinator: to let it play again.
    LetIn,
}

/// `GET /runs/{id}/workers`
pub(super) async fn workers(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> ApiResult<Json<RunWorkers>> {
    let here = server.clone();
    let found = long(server, move |library| {
        let entry = library.find(&id)?;
        let fleet = fleet(&here)?;
        ask(&entry, fleet)
    });
    found.await.map(Json)
}

/// `POST /runs/{id}/workers`: an order to one of them; the answer is how they stand then.
pub(super) async fn order(
    State(server): State<Server>,
    Path(id): Path<String>,
    Body(request): Body<WorkerOrder>,
) -> ApiResult<Json<RunWorkers>> {
    let here = server.clone();
    let done = long(server, move |library| {
        let entry = library.find(&id)?;
        let fleet = fleet(&here)?;
        tell(&entry, fleet, &request)?;
        ask(&entry, fleet)
    });
    done.await.map(Json)
}

fn fleet(server: &Server) -> ApiResult<&Fleet> {
    let missing = || {
        ApiError::conflict(
            "no-fleet",
            "the server was not told of a NATS server (vidmar web --on nats://HOST)",
        )
    };
    server.config().fleet.as_ref().ok_or_else(missing)
}

/// The address of a run.
fn address(entry: &Entry, fleet: &Fleet) -> (Address, RunName) {
    let mut address = fleet.address.clone();
    let run = address.run.take().unwrap_or_else(|| match &entry.kind {
        Kind::Tuning(tuning) => RunName::of_path(&tuning.directory, "tune"),
        Kind::Match(contest) => RunName::of_path(&contest.store, &format!("match {}", contest.run)),
    });
    address.run = Some(run.clone());
    (address, run)
}

fn failed(error: &FleetError) -> ApiError {
    ApiError::conflict("fleet", error.to_string())
}

fn ask(entry: &Entry, fleet: &Fleet) -> ApiResult<RunWorkers> {
    let (address, run) = address(entry, fleet);
    let found = roster::overview(&address, &fleet.credentials).map_err(|error| failed(&error))?;
    let coordinated = found.runs.into_iter().find(|known| known.run == run);
    let known = |name: &WorkerName| {
        let mut workers = coordinated.iter().flat_map(|known| &known.workers);
        workers.find(|worker| worker.name == *name)
    };
    let is_of_run = |row: &Row| row.runs.contains(&run) || known(&row.name).is_some();
    let workers = found.workers.into_iter().filter(is_of_run).map(|row| RunWorker {
        is_shut_out: known(&row.name).is_some_and(|worker| worker.is_shut_out),
        name: row.name.to_string(),
        cores: row.cores,
        threads: row.threads,
        state: row.state,
        games: row.games,
        games_per_second: row.games_per_second,
        last_seen: row.last_seen,
        checks: row.checks,
        refused: row.refused,
    });
    let workers = workers.collect();
    Ok(RunWorkers {
        address: fleet.address.to_string(),
        run: run.to_string(),
        open: coordinated.as_ref().map_or(0, |known| known.open),
        games: coordinated.as_ref().map_or(0, |known| known.games),
        dropped: coordinated.as_ref().map_or(0, |known| known.dropped),
        coordinator: coordinated.map(|known| known.coordinator),
        workers,
    })
}

fn tell(entry: &Entry, fleet: &Fleet, request: &WorkerOrder) -> ApiResult<()> {
    let worker: WorkerName = request
        .worker
        .parse()
        .map_err(|error: FleetError| ApiError::bad_request("worker", error.to_string()).field("worker"))?;
    let (address, run) = address(entry, fleet);
    let to_worker = match request.order {
        WorkerCommand::Drain => Order::Drain,
        WorkerCommand::Pause => Order::Pause,
        WorkerCommand::Resume => Order::Resume,
        WorkerCommand::ShutOut | WorkerCommand::LetIn => {
            let wanted = match request.order {
                WorkerCommand::ShutOut => Order::ShutOut {
                    worker,
                    reason: "from the page".to_owned(),
                },
                _ => Order::LetIn { worker },
            };
            return match roster::order_runs(&address, &fleet.credentials, &wanted) {
                Ok(0) => Err(failed(&FleetError::NoRun(run))),
                Ok(_) => Ok(()),
                Err(error) => Err(failed(&error)),
            };
        }
    };
    let told = roster::order(&address, &fleet.credentials, &worker, &to_worker);
    told.map(drop).map_err(|error| failed(&error))
}
