//! The published experiments, begun from the page: `vidmar reproduce` lists them and runs them.
//!
//! Its steps are ordinary tuning runs and matches in the folder `reproduce` of a directory, and appear among the runs as they begin; to pause the one that
//! goes on stops the experiment, and to begin it again goes on with it. One experiment goes on at a time: it uses all processors.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::control::{Started, command, directory};
use super::library::Library;
use super::{long, queue};
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// Where experiments are, below a directory of runs.
const FOLDER: &str = "reproduce";
/// An experiment that still goes on after this has begun well.
const BEGUN_WELL: Duration = Duration::from_secs(3);
/// The scales and numbers of seeds that the command takes.
const SCALES: std::ops::RangeInclusive<f64> = 0.001..=100.0;
const SEEDS: std::ops::RangeInclusive<u64> = 1..=1000;

/// A published experiment, what it costs here, and how far it is.
#[derive(Debug, Serialize, Deserialize, TS)]
pub(super) struct Reproduction {
    name: String,
    /// The work that it is from.
    source: String,
    what: String,
    seeds: u64,
    scale: f64,
    steps: u64,
    games: u64,
    searches: u64,
    /// Processor hours on this machine, at this scale.
    cpu_hours: f64,
    /// `not begun`, `finished`, or how far it is.
    state: String,
    /// What does not come with the program and is not here: such steps are left out.
    missing: Vec<String>,
}

/// What is to be reproduced.
#[derive(Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub(super) struct NewReproduction {
    /// One of the directories that the server was started with; the first if nothing is said.
    #[serde(default)]
    directory: Option<String>,
    /// The experiment; none lists them, with what they would cost.
    #[serde(default)]
    name: Option<String>,
    /// What generations, games, rounds and positions are multiplied by; for what was begun, as it was begun.
    #[serde(default)]
    scale: Option<f64>,
    /// Independent runs; as published if nothing is said.
    #[serde(default)]
    seeds: Option<u64>,
}

/// Whether an experiment goes on that this server has begun.
#[derive(Clone, Default)]
pub(super) struct Reproducing(Arc<AtomicBool>);

impl NewReproduction {
    /// The words of the command.
    fn words(&self) -> ApiResult<Vec<String>> {
        let mut words = vec!["reproduce".to_owned()];
        if let Some(scale) = self.scale {
            if !SCALES.contains(&scale) {
                let message = "expected a number from 0.001 to 100";
                return Err(ApiError::bad_request("bad-scale", message).field("scale"));
            }
            words.extend(["--scale".to_owned(), scale.to_string()]);
        }
        if let Some(seeds) = self.seeds {
            if !SEEDS.contains(&seeds) {
                let message = "expected a whole number from 1 to 1000";
                return Err(ApiError::bad_request("bad-seeds", message).field("seeds"));
            }
            words.extend(["--seeds".to_owned(), seeds.to_string()]);
        }
        Ok(words)
    }

    fn folder(&self, library: &Library) -> ApiResult<PathBuf> {
        Ok(directory(library, self.directory.as_deref())?.path.join(FOLDER))
    }

    /// All experiments, by the command itself.
    fn list(&self, library: &Library) -> ApiResult<Vec<Reproduction>> {
        let mut command = command(library)?;
        command
            .args(self.words()?)
            .arg("--json")
            .arg("--out")
            .arg(self.folder(library)?);
        let failed = |message: String| ApiError::conflict("cannot-list", message);
        let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output();
        let output = output.map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            return Err(failed(super::control::shown(&String::from_utf8_lossy(
                &output.stderr,
            ))));
        }
        let lines = String::from_utf8_lossy(&output.stdout);
        let read = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        read.map_err(|error| failed(error.to_string()))
    }
}

/// `POST /runs/reproductions/list`: what there is, at a scale.
pub(super) async fn list(
    State(server): State<Server>,
    Body(wanted): Body<NewReproduction>,
) -> ApiResult<Json<Vec<Reproduction>>> {
    long(server, move |library| wanted.list(library)).await.map(Json)
}

/// `POST /runs/reproductions`: begins one, or goes on with it.
pub(super) async fn begin(
    State(server): State<Server>,
    Body(wanted): Body<NewReproduction>,
) -> ApiResult<StatusCode> {
    let here = server.clone();
    long(server, move |library| {
        let unknown = || {
            let message = "expected the name of an experiment";
            ApiError::bad_request("no-such-experiment", message).field("name")
        };
        let name = wanted.name.clone().ok_or_else(unknown)?;
        let known = wanted.list(library)?;
        if known.iter().all(|experiment| experiment.name != name) {
            return Err(unknown());
        }
        let mut command = command(library)?;
        command
            .args(wanted.words()?)
            .arg("--out")
            .arg(wanted.folder(library)?)
            .arg(name);
        queue::start_now(&here, || {
            let goes_on = library.reproducing.clone();
            if goes_on.0.swap(true, Ordering::Relaxed) {
                let message = "an experiment goes on already; pause its run, or wait until it has ended";
                return Err(ApiError::conflict("already-running", message));
            }
            let ended = goes_on.clone();
            let started = Started::new(command).and_then(|started| {
                started.lasts(BEGUN_WELL, move || ended.0.store(false, Ordering::Relaxed))
            });
            started.map_err(|message| {
                goes_on.0.store(false, Ordering::Relaxed);
                ApiError::conflict("cannot-begin", message)
            })
        })
    })
    .await?;
    Ok(StatusCode::ACCEPTED)
}
