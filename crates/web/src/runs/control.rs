//! Pausing, going on with and beginning runs: what the command line does, from the page.
//!
//! A run is a process of its own that outlives this server; so many go on at once, and others wait ([`queue`](super::queue)).
//! Pausing it is what Ctrl-C does: it saves and ends. Only the
//! process that holds the lock of a run below the given directories is ever told anything, only this program is ever
//! started, and the lock sees to it that no run goes on twice. A new run's directory is made here, by the library: it holds
//! all that the run is, and the process is told nothing but its name.

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
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
use super::{programs, queue};
use crate::body::{Body, MaybeBody};
use crate::config::NamedDirectory;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// How long a process that was started may take until it writes.
pub(super) const STARTING: Duration = Duration::from_secs(20);
/// How long a process that was told to stop may take until it is told again.
const STOPPING: Duration = Duration::from_secs(10);
pub(super) const LOOK: Duration = Duration::from_millis(50);

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
    /// From 0 to 2^64 - 1. A text where it is above 2^53: numbers of a page end there.
    #[ts(optional, type = "number | string")]
    seed: Option<serde_json::Value>,
    /// Multiplies generations and games of the validation.
    #[ts(optional)]
    scale: Option<f64>,
}

/// What is said when a run is to go on.
#[derive(Debug, Default, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(super) struct ResumeRequest {
    /// The programs of `GET /runs/ID/programs`, as they were shown to somebody who agreed to their being started.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    programs: Vec<String>,
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
        if library.queue.remove(&entry) {
            return Ok(entry.overview());
        }
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
        if library.queue.remove(&entry) {
            return Ok(entry.overview());
        }
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
pub(super) async fn resume(
    State(server): State<Server>,
    Named(id): Named<String>,
    MaybeBody(request): MaybeBody<ResumeRequest>,
) -> ApiResult<Json<Run>> {
    let here = server.clone();
    long(server, move |library| {
        let entry = library.find(&id)?;
        let _turn = lock(&entry.control);
        let run = entry.overview();
        match run.state {
            RunState::Running => {
                return Err(ApiError::conflict("already-running", "the run goes on already"));
            }
            RunState::Waiting => return Err(ApiError::conflict("already-waiting", "the run waits already")),
            RunState::Finished => return Err(ApiError::conflict("finished", "there is nothing left to do")),
            RunState::Unreadable => return Err(entry.unreadable(&run.problem.unwrap_or_default())),
            RunState::Paused | RunState::Failed | RunState::Crashed => {}
        }
        if let Kind::Match(contest) = &entry.kind {
            is_next(&entry, contest.run)?;
        }
        let programs = programs::unnamed(library, &entry, &here.config().engines)?;
        if programs != request.programs {
            let message = format!(
                "this run starts programs that the server was not started with: {}",
                programs.join(", ")
            );
            return Err(ApiError::conflict("confirm-programs", message).field("programs"));
        }
        let command = match &entry.kind {
            Kind::Tuning(run) => tuning(library, &run.directory)?,
            Kind::Match(contest) => {
                let mut command = command(library)?;
                command
                    .args(["match", "--allow-programs", "-resume"])
                    .arg(&contest.store);
                command
            }
        };
        queue::submit(&here, &entry, command, |message| {
            ApiError::conflict("cannot-resume", entry.without_paths(&message))
        })
    })
    .await
    .map(Json)
}

/// `POST /runs`
pub(super) async fn begin(
    State(server): State<Server>,
    Body(new): Body<NewRun>,
) -> ApiResult<(StatusCode, Json<Run>)> {
    let here = server.clone();
    let run = long(server, move |library| {
        let path = new_path(library, new.directory.as_deref(), &new.name, "")?;
        if let Some(scale) = new.scale.filter(|scale| !(*scale > 0.0 && *scale <= 1000.0)) {
            let message = format!("{scale}: expected a number above 0, at most 1000");
            return Err(ApiError::bad_request("bad-scale", message).field("scale"));
        }
        let seed = new.seed.as_ref().map(seed).transpose()?;
        library.queue.check_room()?;
        let cannot_begin = |message: String| {
            let message = message.replace(&*path.to_string_lossy(), &new.name);
            ApiError::conflict("cannot-begin", message)
        };
        let request = Request {
            preset: Some(new.preset.clone()),
            seed,
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
        let entry = appeared(library, &store);
        let entry = entry.ok_or_else(|| ApiError::conflict("cannot-begin", "the run did not begin"))?;
        queue::submit(&here, &entry, command, |message| {
            // Nobody is at it and nothing was played: what was made here goes, as if nobody had asked.
            let _ = std::fs::remove_dir_all(&path);
            library.refresh();
            cannot_begin(message)
        })
    })
    .await?;
    Ok((StatusCode::CREATED, Json(run)))
}

/// The directory of that name in which runs can begin, or the first.
pub(super) fn directory<'l>(library: &'l Library, wanted: Option<&str>) -> ApiResult<&'l NamedDirectory> {
    let none = || {
        ApiError::conflict(
            "no-directory",
            "the server was started without a directory for runs",
        )
    };
    let mut directories = library.directories();
    match wanted {
        None => directories.next().ok_or_else(none),
        Some(wanted) => directories.find(|one| one.name == wanted).ok_or_else(|| {
            let message = format!("there is no directory '{wanted}'");
            ApiError::bad_request("no-such-directory", message).field("directory")
        }),
    }
}

/// Where something of that name is to be: in one of the given directories, and not there yet.
pub(super) fn new_path(
    library: &Library,
    directory: Option<&str>,
    name: &str,
    ending: &str,
) -> ApiResult<PathBuf> {
    let given = self::directory(library, directory)?;
    check_name(name)?;
    let path = given.path.join(format!("{name}{ending}"));
    if path.exists() {
        let message = format!("there is a '{name}' already");
        return Err(ApiError::conflict("taken", message).field("name"));
    }
    Ok(path)
}

pub(super) fn seed(given: &serde_json::Value) -> ApiResult<u64> {
    let read = match given {
        serde_json::Value::String(text) => text.trim().parse().ok(),
        number => number.as_u64(),
    };
    read.ok_or_else(|| {
        let message = format!("{given}: expected a whole number from 0 to {}", u64::MAX);
        ApiError::bad_request("bad-seed", message).field("seed")
    })
}

/// The run of a store that was made at this moment.
pub(super) fn appeared(library: &Library, store: &Path) -> Option<Arc<Entry>> {
    library.refresh();
    library.list().into_iter().find(|entry| entry.store() == store)
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
pub(super) fn command(library: &Library) -> ApiResult<Command> {
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
    command
        .args(["tune", "resume", "--quiet", "--allow-programs", "--"])
        .arg(directory);
    Ok(command)
}

/// Starts it and waits until it has its store, or has ended.
pub(super) fn start(command: Command, entry: &Arc<Entry>) -> Result<(), String> {
    let started = Started::new(command)?;
    entry.has_process.store(true, Ordering::Relaxed);
    let noted = Arc::clone(entry);
    let at_end = move || noted.has_process.store(false, Ordering::Relaxed);
    started.until_it_writes(entry.store(), at_end)
}

/// A process of this program that has been started.
pub(super) struct Started {
    child: Child,
    /// What it says.
    errors: File,
}

impl Started {
    pub(super) fn new(mut command: Command) -> Result<Started, String> {
        let errors = tempfile::tempfile().map_err(|error| error.to_string())?;
        command.stderr(errors.try_clone().map_err(|error| error.to_string())?);
        let child = command.spawn().map_err(|error| error.to_string())?;
        Ok(Started { child, errors })
    }

    /// Waits until it has lasted so long, or has ended; `at_end` is done when it ends, whenever that is.
    pub(super) fn lasts(self, time: Duration, at_end: impl FnOnce() + Send + 'static) -> Result<(), String> {
        let Started { child, mut errors } = self;
        match wait_for(child, at_end).recv_timeout(time) {
            Ok(false) => Err(last_words(&mut errors)),
            Ok(true) | Err(_) => Ok(()),
        }
    }

    /// Waits until it has its store, or has ended; `at_end` is done when it ends, whenever that is.
    pub(super) fn until_it_writes(
        self,
        store: &Path,
        at_end: impl FnOnce() + Send + 'static,
    ) -> Result<(), String> {
        let Started { child, mut errors } = self;
        let process = child.id();
        let ended = wait_for(child, at_end);
        wait_until_it_writes(process, store, &ended, &mut errors)
    }
}

fn wait_until_it_writes(
    process: u32,
    store: &Path,
    ended: &Receiver<bool>,
    errors: &mut File,
) -> Result<(), String> {
    let begun = Instant::now();
    while begun.elapsed() < STARTING && Store::writing_process(store) != Some(process) {
        match ended.recv_timeout(LOOK) {
            Ok(true) => return Ok(()),
            Ok(false) => return Err(last_words(errors)),
            Err(_) => {}
        }
    }
    Ok(())
}

/// Takes note of its end, whenever that is, so that nothing of it stays behind; tells whether it ended well.
fn wait_for(mut child: Child, at_end: impl FnOnce() + Send + 'static) -> Receiver<bool> {
    let (tell, ended) = channel();
    std::thread::spawn(move || {
        let status = child.wait();
        at_end();
        // Nobody may be waiting any more.
        let _ = tell.send(status.is_ok_and(|status| status.success()));
    });
    ended
}

/// The last lines that it wrote.
fn last_words(errors: &mut File) -> String {
    let mut text = String::new();
    let read = errors.rewind().and_then(|()| errors.read_to_string(&mut text));
    match read {
        Ok(_) => shown(&text),
        Err(_) => shown(""),
    }
}

/// What a program said before it ended, as far as it is for others: a defect's message and backtrace are not.
pub(super) fn shown(text: &str) -> String {
    let words = text.trim();
    if words.contains("panicked at") {
        return "the program has a defect and ended; start it on the command line to see more".to_owned();
    }
    if words.is_empty() {
        return "it ended at once".to_owned();
    }
    let skip = words.chars().count().saturating_sub(500);
    words.chars().skip(skip).collect()
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
    fn a_defect_of_a_program_is_not_told_to_clients() {
        let text = "\nthread 'main' (7) panicked at crates/tune/src/config/overlay.rs:91:5:\nout of range\nstack backtrace:\n  0: a";
        let told = shown(text);
        assert!(
            !told.contains("overlay.rs") && !told.contains("backtrace"),
            "{told}"
        );
        assert_eq!(shown("error: no such file\n"), "error: no such file");
        assert_eq!(shown(" \n"), "it ended at once");
    }

    #[test]
    fn seeds_have_sixty_four_bits() {
        for (given, expected) in [
            (serde_json::json!(0), Some(0)),
            (serde_json::json!(1_u64 << 63), Some(1 << 63)),
            (serde_json::json!(u64::MAX), Some(u64::MAX)),
            (serde_json::json!("18446744073709551615"), Some(u64::MAX)),
            (serde_json::json!("18446744073709551616"), None),
            (serde_json::json!(-1), None),
            (serde_json::json!(1.5), None),
            (serde_json::json!(1e30), None),
            (serde_json::json!("x"), None),
            (serde_json::json!([1]), None),
        ] {
            assert_eq!(seed(&given).ok(), expected, "{given}");
        }
    }

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
