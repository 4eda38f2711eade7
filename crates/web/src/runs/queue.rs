//! Runs that are asked for while enough go on wait here, in order.
//!
//! What counts is what goes on below the given directories, whoever started it: a server that was started anew finds the
//! runs of the old one, which went on without it. Runs that wait are directories like any other, paused before their first
//! game; when the server ends they stay so.

use std::collections::VecDeque;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::control::start;
use super::library::{Entry, Library, lock};
use super::overview::Run;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// Runs at once: each uses all cores unless it is told otherwise.
const MOST_RUNNING: usize = 2;
/// Runs that wait.
const MOST_WAITING: usize = 8;
/// How often it is looked whether one has ended.
const LOOK: Duration = Duration::from_millis(500);

/// Those who wait.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<VecDeque<(Arc<Entry>, Command)>>,
    /// Held while it is decided who goes on: two that ask at once do not both find the last slot.
    deciding: Mutex<()>,
}

impl Queue {
    /// Whether one more may be asked for; it may have to wait.
    pub(super) fn check_room(&self) -> ApiResult<()> {
        if lock(&self.waiting).len() < MOST_WAITING {
            return Ok(());
        }
        let message = format!(
            "{MOST_RUNNING} runs go on and {MOST_WAITING} wait already; stop one, or wait until one has ended"
        );
        Err(ApiError::too_many("too-many-runs", message))
    }

    /// Takes a run out; false if it does not wait.
    pub(super) fn remove(&self, entry: &Entry) -> bool {
        let mut waiting = lock(&self.waiting);
        let before = waiting.len();
        waiting.retain(|(other, _)| other.id != entry.id);
        let is_out = waiting.len() < before;
        if is_out {
            entry.set_waiting(false);
        }
        is_out
    }

    /// Nobody waits any more.
    pub(super) fn close(&self) {
        for (entry, _) in lock(&self.waiting).drain(..) {
            entry.set_waiting(false);
        }
    }
}

/// Starts a run, or lets it wait.
pub(super) fn submit(
    server: &Server,
    entry: &Arc<Entry>,
    command: Command,
    refused: impl FnOnce(String) -> ApiError,
) -> ApiResult<Run> {
    let library = server.runs();
    let queue = &library.queue;
    let _decision = lock(&queue.deciding);
    let is_first = lock(&queue.waiting).is_empty();
    if is_first && running(library) < MOST_RUNNING {
        start(command, entry).map_err(refused)?;
        return Ok(entry.overview());
    }
    queue.check_room()?;
    entry.set_waiting(true);
    lock(&queue.waiting).push_back((Arc::clone(entry), command));
    if is_first {
        let server = server.clone();
        std::thread::Builder::new()
            .name("queue".to_owned())
            .spawn(move || attend(&server))
            .map_err(|error| ApiError::conflict("cannot-begin", error.to_string()))?;
    }
    Ok(entry.overview())
}

/// Starts something that cannot wait, if there is room for it.
pub(super) fn start_now<T>(server: &Server, start: impl FnOnce() -> ApiResult<T>) -> ApiResult<T> {
    let library = server.runs();
    let queue = &library.queue;
    let _decision = lock(&queue.deciding);
    if !lock(&queue.waiting).is_empty() || running(library) >= MOST_RUNNING {
        let message = format!("{MOST_RUNNING} runs go on already; stop one, or wait until one has ended");
        return Err(ApiError::too_many("too-many-runs", message));
    }
    start()
}

/// Lets those who wait go on, one after the other, until nobody waits.
fn attend(server: &Server) {
    let library = server.runs();
    let queue = &library.queue;
    loop {
        std::thread::sleep(LOOK);
        let _decision = lock(&queue.deciding);
        if lock(&queue.waiting).is_empty() {
            return;
        }
        if running(library) >= MOST_RUNNING {
            continue;
        }
        let Some((entry, command)) = lock(&queue.waiting).pop_front() else {
            return;
        };
        entry.set_waiting(false);
        if let Err(message) = start(command, &entry) {
            entry.set_failure(&message);
        }
    }
}

/// How many go on.
fn running(library: &Library) -> usize {
    library.list().iter().filter(|entry| entry.goes_on()).count()
}
