//! Games on the disk, so that they outlive the server: a store with one run, in which a game is a checkpoint named `game`
//! and each explanation one named `why PLY`. The number of the game is the generation.
//!
//! What was submitted survives the death of the process. A loss of power may cost the last moves, never the file: games
//! against a page are not worth forcing every move to the disk.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use thiserror::Error;
use tokio::sync::oneshot;
use vidmar_chess::Color;
use vidmar_store::{Batch, Checkpoint, RunId, Store, StoreError, Writer};

use super::types::{ClockSetting, GameStatus, Ply};
use crate::catalogue::Seat;

/// The file in the state folder.
const FILE: &str = "games.db";
/// The kind of its run.
const KIND: &str = "page";
const GAME: &str = "game";

/// Why games cannot be kept.
#[derive(Debug, Error)]
pub enum KeepError {
    /// The folder is of no use.
    #[error("{folder}: {reason}")]
    Folder {
        /// Which one.
        folder: String,
        /// What the system says.
        reason: io::Error,
    },
    /// The store is of no use.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A game as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) id: String,
    pub(super) white: Seat,
    pub(super) black: Seat,
    pub(super) start_fen: String,
    pub(super) given: usize,
    pub(super) plies: Vec<Ply>,
    pub(super) status: GameStatus,
    pub(super) clock: Option<ClockSetting>,
    pub(super) remaining_ms: [u64; 2],
    pub(super) draw_offer: Option<Color>,
    pub(super) note: Option<String>,
    pub(super) seed: u64,
    pub(super) version: u64,
    pub(super) changed_ms: u64,
}

/// The store, and the way into it.
pub(crate) struct Keeper {
    /// None once the server has ended.
    writer: Mutex<Option<Writer>>,
    reader: Mutex<Store>,
    run: RunId,
    has_failed: Arc<AtomicBool>,
    /// Where there is no state folder, games last as long as this.
    _temporary: Option<TempDir>,
}

impl Keeper {
    /// Opens the store of a state folder, or one that goes with the server; gives what was kept, with the numbers.
    pub(super) fn open(folder: Option<&Path>) -> Result<(Keeper, Vec<(u64, Kept)>), KeepError> {
        let failed = |folder: &Path| {
            let folder = folder.display().to_string();
            |reason| KeepError::Folder { folder, reason }
        };
        let temporary = match folder {
            Some(folder) => {
                std::fs::create_dir_all(folder).map_err(failed(folder))?;
                None
            }
            None => {
                Some(TempDir::with_prefix("vidmar-web-").map_err(failed(Path::new("the temporary folder")))?)
            }
        };
        let path = match (&temporary, folder) {
            (Some(temporary), _) => temporary.path().join(FILE),
            (None, folder) => folder.unwrap_or(Path::new(".")).join(FILE),
        };
        let mut store = Store::open(&path)?;
        store.with_connection(|connection| connection.pragma_update(None, "synchronous", "NORMAL"))?;
        let run = match store.runs()?.into_iter().find(|run| run.kind == KIND) {
            Some(run) => run.id,
            None => store.begin_run(KIND, "{}")?,
        };
        let kept = store.checkpoints(run, GAME)?;
        // Empty ones were deleted; what this version cannot read it leaves alone.
        let kept = kept
            .into_iter()
            .filter_map(|row| Some((row.generation, serde_json::from_slice(&row.data).ok()?)))
            .collect();
        let keeper = Keeper {
            writer: Mutex::new(Some(store.into_writer())),
            reader: Mutex::new(Store::open_read_only(&path)?),
            run,
            has_failed: Arc::new(AtomicBool::new(false)),
            _temporary: temporary,
        };
        Ok((keeper, kept))
    }

    /// Submits a game as it stands, and an explanation; the answer comes when both are on their way to the disk.
    pub(super) fn keep(
        &self,
        number: u64,
        game: &Kept,
        why: Option<(usize, String)>,
    ) -> oneshot::Receiver<()> {
        let mut rows = vec![(GAME.to_owned(), serde_json::to_vec(game).unwrap_or_default())];
        rows.extend(why.map(|(ply, text)| (why_name(ply), text.into_bytes())));
        self.submit(number, rows)
    }

    /// Forgets a game and its explanations.
    pub(super) fn forget(&self, number: u64, plies: usize) -> oneshot::Receiver<()> {
        let names = std::iter::once(GAME.to_owned()).chain((1..=plies).map(why_name));
        self.submit(number, names.map(|name| (name, Vec::new())).collect())
    }

    fn submit(&self, number: u64, rows: Vec<(String, Vec<u8>)>) -> oneshot::Receiver<()> {
        let mut batch = Batch::new(self.run);
        batch.checkpoints = rows
            .into_iter()
            .map(|(name, data)| Checkpoint {
                generation: number,
                name,
                data,
            })
            .collect();
        let (done, answer) = oneshot::channel();
        let has_failed = self.has_failed.clone();
        let written = move |fate: Result<(), StoreError>| {
            has_failed.store(fate.is_err(), Ordering::Relaxed);
            // Nobody may be waiting.
            let _ = done.send(());
        };
        let submitted = self.writer().as_ref().map(|writer| writer.submit(batch, written));
        if !matches!(submitted, Some(Ok(()))) {
            self.has_failed.store(true, Ordering::Relaxed);
        }
        answer
    }

    fn writer(&self) -> MutexGuard<'_, Option<Writer>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is left and gives the file free.
    pub(super) fn close(&self) {
        if let Some(writer) = self.writer().take() {
            drop(writer.close());
        }
    }

    /// Whether the last commit went wrong: games go on, and are lost with the server.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// An explanation, if there is one. It waits for the disk.
    pub(super) fn why(&self, number: u64, ply: usize) -> Option<String> {
        // What was submitted before is there once this has come through.
        let (arrived, comes) = std::sync::mpsc::channel();
        let arrive = move |fate| drop(arrived.send(fate));
        self.writer()
            .as_ref()?
            .submit(Batch::new(self.run), arrive)
            .ok()?;
        comes.recv().ok()?.ok()?;
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let data: Vec<u8> = reader
            .with_connection(|connection| {
                connection.query_row(
                    "SELECT data FROM checkpoint WHERE run = ?1 AND generation = ?2 AND name = ?3",
                    (self.run, number.cast_signed(), why_name(ply)),
                    |row| row.get(0),
                )
            })
            .ok()?;
        String::from_utf8(data).ok().filter(|text| !text.is_empty())
    }
}

fn why_name(ply: usize) -> String {
    format!("why {ply}")
}
