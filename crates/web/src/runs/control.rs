//! Pausing, going on with and beginning runs: what the command line does, from the page.
//!
//! A run is a process of its own that outlives this server. Pausing it is what Ctrl-C does: it saves and ends. Only the
//! process that holds the lock of a run below the given directories is ever told anything, only this program is ever
//! started, and the lock sees to it that no run goes on twice. A new run's directory is made here, by the library: it holds
//! all that the run is, and the process is told nothing but its name.

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Path as Named, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_store::Store;
use vidmar_tune::config::{PRESETS, Preset, Request};
use vidmar_tune::run::{Run as TuningRun, STORE_FILE};

use super::library::{Entry, Kind, Library, lock};
use super::long;
use super::overview::{Run, RunState};
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// How long a process that was started may take until it writes.
const STARTING: Duration = Duration::from_secs(20);
/// How long a process that was told to stop may take until it is told again.
const STOPPING: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);

/// What a new run is told.
#[derive(Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(super) struct NewRun {
    /// One of the directories that the server was started with; the first if nothing is said.
    #[ts(optional)]
    directory: Option<String>,
    preset: String,
    /// The run's directory will have this name.
    name: String,
    #[ts(optional)]
    seed: Option<u64>,
    /// Multiplies generations and games of the validation.
    #[ts(optional)]
    scale: Option<f64>,
}

/// A preset that a new run can have.
#[derive(Debug, Serialize, TS)]
pub(super) struct RunPreset {
    name: String,
    about: String,
}

/// Every preset.
pub(super) fn presets() -> Vec<RunPreset> {
    let shown = |preset: &Preset| RunPreset {
        name: preset.name.to_owned(),
        about: preset.help.to_owned(),
    };
    PRESETS.iter().map(shown).collect()
}

/// `POST /runs/{id}/pause`: saves and ends.
pub(super) async fn pause(State(server): State<Server>, Named(id): Named<String>) -> ApiResult<Json<Run>> {
    long(server, move |library| {
        let entry = library.find(&id)?;
        let _turn = lock(&entry.control);
        interrupt(&entry)?;
        Ok(settled(&entry, STOPPING))
    })
    .await
    .map(Json)
}

/// `POST /runs/{id}/stop`: the same, and at once if that takes long; what was being played is played again later.
pub(super) async fn stop(State(server): State<Server>, Named(id): Named<String>) -> ApiResult<Json<Run>> {
    long(server, move |library| {
        let entry = library.find(&id)?;
        let _turn = lock(&entry.control);
        interrupt(&entry)?;
        let run = settled(&entry, STOPPING);
        if run.state != RunState::Running {
            return Ok(run);
        }
        interrupt(&entry)?;
        Ok(settled(&entry, STOPPING))
    })
    .await
    .map(Json)
}

/// `POST /runs/{id}/resume`
pub(super) async fn resume(State(server): State<Server>, Named(id): Named<String>) -> ApiResult<Json<Run>> {
    long(server, move |library| {
        let entry = library.find(&id)?;
        let _turn = lock(&entry.control);
        let run = entry.overview();
        match run.state {
            RunState::Running => {
                return Err(ApiError::conflict("already-running", "the run goes on already"));
            }
            RunState::Finished => return Err(ApiError::conflict("finished", "there is nothing left to do")),
            RunState::Unreadable => return Err(entry.unreadable(&run.problem.unwrap_or_default())),
            RunState::Paused | RunState::Crashed => {}
        }
        let command = match &entry.kind {
            Kind::Tuning(run) => tuning(library, &run.directory)?,
            Kind::Match(contest) => {
                is_next(&entry, contest.run)?;
                let mut command = command(library)?;
                command.args(["match", "-resume"]).arg(&contest.store);
                command
            }
        };
        start(command, entry.store())
            .map_err(|message| ApiError::conflict("cannot-resume", entry.without_paths(&message)))?;
        Ok(entry.overview())
    })
    .await
    .map(Json)
}

/// `POST /runs`
pub(super) async fn begin(
    State(server): State<Server>,
    Body(new): Body<NewRun>,
) -> ApiResult<(StatusCode, Json<Run>)> {
    let run = long(server, move |library| {
        let none = || {
            ApiError::conflict(
                "no-directory",
                "the server was started without a directory for runs",
            )
        };
        let mut directories = library.directories();
        let directory = match &new.directory {
            None => directories.next().ok_or_else(none)?,
            Some(name) => directories
                .find(|directory| directory.name == *name)
                .ok_or_else(|| {
                    let message = format!("there is no directory '{name}'");
                    ApiError::bad_request("no-such-directory", message).field("directory")
                })?,
        };
        check_name(&new.name)?;
        let path = directory.path.join(&new.name);
        if path.exists() {
            let message = format!("there is a '{}' already", new.name);
            return Err(ApiError::conflict("taken", message).field("name"));
        }
        if let Some(scale) = new.scale.filter(|scale| !(*scale > 0.0 && *scale <= 1000.0)) {
            let message = format!("{scale}: expected a number above 0, at most 1000");
            return Err(ApiError::bad_request("bad-scale", message).field("scale"));
        }
        let cannot_begin = |message: String| {
            let message = message.replace(&*path.to_string_lossy(), &new.name);
            ApiError::conflict("cannot-begin", message)
        };
        let request = Request {
            preset: Some(new.preset.clone()),
            seed: new.seed,
            scale: new.scale,
            ..Request::default()
        };
        let config = request
            .config()
            .map_err(|error| ApiError::bad_request("no-such-preset", error.to_string()).field("preset"))?;
        let command = tuning(library, &path)?;
        // The directory holds all that a run is: it is made here, and the process is told nothing but its name.
        let run = TuningRun::create(&path, &config).map_err(|error| cannot_begin(error.to_string()))?;
        drop(run);
        let store = path.join(STORE_FILE);
        if let Err(message) = start(command, &store) {
            // Nobody is at it and nothing was played: what was made here goes, as if nobody had asked.
            let _ = std::fs::remove_dir_all(&path);
            return Err(cannot_begin(message));
        }
        appeared(library, &store).ok_or_else(|| ApiError::conflict("cannot-begin", "the run did not begin"))
    })
    .await?;
    Ok((StatusCode::CREATED, Json(run)))
}

/// The run of a store that is being made at this moment.
fn appeared(library: &Library, store: &Path) -> Option<Run> {
    let begun = Instant::now();
    while begun.elapsed() < STARTING {
        library.refresh();
        let found = library.list().into_iter().find(|entry| entry.store() == store);
        let run = found.map(|entry| entry.overview());
        if let Some(run) = run.filter(|run| run.state != RunState::Unreadable) {
            return Some(run);
        }
        std::thread::sleep(LOOK);
    }
    None
}

/// Letters, digits and a few signs: a folder of this name is a plain one on every system.
fn check_name(name: &str) -> ApiResult<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if begins && name.len() <= 64 && name.chars().all(plain) && !name.ends_with('.') {
        return Ok(());
    }
    let message = "expected up to 64 letters, digits, '-', '_' and '.', a letter or digit first";
    Err(ApiError::bad_request("bad-name", message).field("name"))
}

/// A match goes on from its store, which takes the last one that is not finished.
fn is_next(entry: &Entry, run: vidmar_store::RunId) -> ApiResult<()> {
    let runs = Store::read(entry.store(), |store| store.runs());
    let runs = runs.map_err(|error: vidmar_store::StoreError| entry.unreadable(&error))?;
    let unfinished = |other: &&vidmar_store::Run| other.kind == "match" && other.state != "finished";
    if runs.iter().rev().find(unfinished).map(|other| other.id) == Some(run) {
        return Ok(());
    }
    let message = "a later match of the same file goes on first";
    Err(ApiError::conflict("not-next", message))
}

/// This program, in a group of its own, so that a Ctrl-C meant for the server does not reach it.
fn command(library: &Library) -> ApiResult<Command> {
    let unknown = || ApiError::conflict("no-program", "it is not known where this program is");
    let mut command = Command::new(library.program.as_ref().ok_or_else(unknown)?);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok(command)
}

/// The process that goes on with a tuning run, begun or not.
fn tuning(library: &Library, directory: &Path) -> ApiResult<Command> {
    let mut command = command(library)?;
    command.args(["tune", "resume", "--quiet", "--"]).arg(directory);
    Ok(command)
}

/// Starts it and waits until it has its store, or has ended.
fn start(mut command: Command, store: &Path) -> Result<(), String> {
    let mut errors = tempfile::tempfile().map_err(|error| error.to_string())?;
    command.stderr(errors.try_clone().map_err(|error| error.to_string())?);
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let begun = Instant::now();
    while begun.elapsed() < STARTING {
        if Store::writing_process(store) == Some(child.id()) {
            break;
        }
        if let Ok(Some(status)) = child.try_wait() {
            if status.success() {
                return Ok(());
            }
            return Err(last_words(&mut errors));
        }
        std::thread::sleep(LOOK);
    }
    wait_for(child);
    Ok(())
}

/// Takes note of its end, whenever that is, so that nothing of it stays behind.
fn wait_for(mut child: Child) {
    std::thread::spawn(move || {
        // Only its end matters; what it came to is in its directory.
        let _ = child.wait();
    });
}

/// The last lines that it wrote.
fn last_words(errors: &mut File) -> String {
    let mut text = String::new();
    let read = errors.rewind().and_then(|()| errors.read_to_string(&mut text));
    match (read, text.trim()) {
        (Ok(_), words) if !words.is_empty() => {
            let skip = words.chars().count().saturating_sub(500);
            words.chars().skip(skip).collect()
        }
        _ => "it ended at once".to_owned(),
    }
}

/// What Ctrl-C does.
fn interrupt(entry: &Entry) -> ApiResult<()> {
    let idle = || ApiError::conflict("not-running", "nobody is at this run");
    if entry.overview().state != RunState::Running {
        return Err(idle());
    }
    // A process writes its number right after it has taken the lock: one that is seen twice is not a leftover.
    let seen = Store::writing_process(entry.store()).ok_or_else(idle)?;
    std::thread::sleep(LOOK);
    let process = Store::writing_process(entry.store()).ok_or_else(idle)?;
    if process != seen || process <= 1 || process == std::process::id() {
        return Err(ApiError::conflict(
            "unknown-process",
            "it is not known which process is at this run",
        ));
    }
    signal(process)
}

#[cfg(unix)]
fn signal(process: u32) -> ApiResult<()> {
    use rustix::process::{Pid, Signal, kill_process};
    let told = i32::try_from(process)
        .ok()
        .and_then(Pid::from_raw)
        .map(|pid| kill_process(pid, Signal::INT));
    match told {
        Some(Ok(())) => Ok(()),
        Some(Err(error)) => {
            let message = format!("the process of this run cannot be told: {error}");
            Err(ApiError::conflict("cannot-pause", message))
        }
        None => Err(ApiError::conflict(
            "unknown-process",
            "it is not known which process is at this run",
        )),
    }
}

#[cfg(not(unix))]
fn signal(_: u32) -> ApiResult<()> {
    let message = "runs cannot be paused from here on this system: press Ctrl-C where it was started";
    Err(ApiError::conflict("cannot-pause", message))
}

/// Waits until nobody is at it any more.
fn settled(entry: &Entry, timeouts: Duration) -> Run {
    let begun = Instant::now();
    loop {
        let run = entry.overview();
        if run.state != RunState::Running || begun.elapsed() > timeouts {
            return run;
        }
        std::thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs_are_plain() {
        for name in ["a", "narrow-1", "x_2.b", &"n".repeat(64)] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "-x",
            ".x",
            "a b",
            "a\0",
            "é",
            "a.",
            &"n".repeat(65),
        ] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
