//! The file: opening, creating, committing.
//!
//! The journal is a write-ahead log, and every commit is forced to the disk (`synchronous = FULL`): a committed game
//! survives `kill -9` and, on disks that keep their word, a loss of power. Readers in other processes see committed
//! games at once and never wait.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior, params};

use crate::batch::Batch;
use crate::error::{StoreError, explain, is_taken};
use crate::lock::{self, Lock, beside};
use crate::migration;
use crate::presence::{self, Identity};
use crate::rows::RunId;
use crate::schema::{self, Found};
use crate::table::{self, CHECKPOINT, FAULT, GAME, PLAYER, RUN, TABLES};
use crate::thoughts;

/// How long to wait for another program's lock.
const PATIENCE: Duration = Duration::from_secs(10);

/// An open store.
#[derive(Debug)]
pub struct Store {
    // Dropped in this order: the lock goes last.
    pub(crate) connection: Connection,
    path: PathBuf,
    /// The file that was opened for writing.
    file: Option<Identity>,
    /// Where all of it is, once that file is gone.
    rescued: Option<PathBuf>,
    _lock: Option<Lock>,
}

impl Store {
    /// Opens a store for writing; an absent or empty file becomes one. Only one process may write at a time.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let lock = Lock::take(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = connect(path, flags)?;
        // Look before anything is written: a file of somebody else's must stay as it is.
        let found = schema::inspect(&connection, path)?;
        let settle = |connection: &Connection| -> rusqlite::Result<()> {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)
        };
        settle(&connection).map_err(|error| explain(path, &error))?;
        match found {
            Found::Nothing => schema::create(&mut connection, path)?,
            Found::Older(version) => {
                migration::run(&mut connection, version).map_err(|error| explain(path, &error))?;
            }
            Found::Store => {}
        }
        Ok(Store {
            connection,
            path: path.to_owned(),
            file: Identity::of(path),
            rescued: None,
            _lock: Some(lock),
        })
    }

    /// Opens a store that exists, for reading; another process may be writing to it.
    pub fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        if let Err(error) = std::fs::metadata(path) {
            return Err(StoreError::Open {
                path: path.to_owned(),
                reason: error.to_string(),
            });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Store::known(connect(path, flags)?, path)
    }

    /// A connection for reading, if it is one to a store.
    fn known(connection: Connection, path: &Path) -> Result<Store, StoreError> {
        let connection = match schema::inspect(&connection, path)? {
            Found::Store => connection,
            Found::Older(version) => {
                migration::copy(&connection, version).map_err(|error| explain(path, &error))?
            }
            Found::Nothing => {
                return Err(StoreError::NotAStore {
                    path: path.to_owned(),
                });
            }
        };
        Ok(Store {
            connection,
            path: path.to_owned(),
            file: None,
            rescued: None,
            _lock: None,
        })
    }

    /// Reads from a store that exists and leaves no trace beside it.
    ///
    /// Opening a store whose log is gone, as a writer that ended well leaves it, would make a new log and its index. Such
    /// a file is read as one that nobody changes; where somebody began to write meanwhile, `read` is called again with a
    /// connection that sees it. The store that `read` is given must not outlive it.
    pub fn read<T, E: From<StoreError>>(path: &Path, read: impl Fn(Store) -> Result<T, E>) -> Result<T, E> {
        let log = beside(path, "-wal");
        if path.is_file() && !log.exists() {
            let found = Store::open_unchanging(path).map_err(E::from).and_then(&read);
            if !log.exists() {
                return found;
            }
        }
        read(Store::open_read_only(path)?)
    }

    /// Opens a file that nobody is writing to and whose log is empty.
    fn open_unchanging(path: &Path) -> Result<Store, StoreError> {
        let absolute = std::path::absolute(path).map_err(|error| StoreError::Open {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        let Some(text) = absolute.to_str() else {
            return Store::open_read_only(path);
        };
        let escaped = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let address = PathBuf::from(format!("file:{escaped}?immutable=1"));
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let connection = connect(&address, flags)?;
        Store::known(connection, path)
    }

    /// The process that is writing to a store at this moment; 0 for one that does not say who it is.
    pub fn writing_process(path: &Path) -> Option<u32> {
        lock::holder(path)
    }

    /// Whether a file looks like a database at all, from its first bytes; for commands that read several kinds of file.
    pub fn recognises(first_bytes: &[u8]) -> bool {
        first_bytes.starts_with(b"SQLite format 3\0")
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins a run.
    pub fn begin_run(&mut self, kind: &str, config: &str) -> Result<RunId, StoreError> {
        self.connection
            .execute(&RUN.insert("INSERT"), [kind, config])
            .map_err(|error| self.explain(&error))?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Commits a batch; when this returns, it is on the disk.
    pub fn commit(&mut self, batch: &Batch) -> Result<(), StoreError> {
        self.commit_all(&[batch]).pop().unwrap_or(Ok(()))
    }

    /// Commits several batches in one transaction, each whole or not at all; one that is refused does not stop the
    /// others. Gives each one's fate.
    pub fn commit_all(&mut self, batches: &[&Batch]) -> Vec<Result<(), StoreError>> {
        match self.attempt(batches) {
            Ok(fates) => fates,
            Err(error) => vec![Err(error); batches.len()],
        }
    }

    fn attempt(&mut self, batches: &[&Batch]) -> Result<Vec<Result<(), StoreError>>, StoreError> {
        let Store { connection, path, .. } = self;
        let failed = |error: rusqlite::Error| explain(path, &error);
        let mut transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        let mut fates = Vec::with_capacity(batches.len());
        for batch in batches {
            let savepoint = transaction.savepoint().map_err(failed)?;
            let fate = insert(&savepoint, batch, path);
            let aborted = savepoint.is_autocommit();
            match fate {
                Ok(()) => savepoint.commit().map_err(failed)?,
                // A full disk ends the whole transaction, not this part of it.
                Err(error) if aborted => return Err(error),
                Err(_) => drop(savepoint),
            }
            fates.push(fate);
        }
        transaction.commit().map_err(failed)?;
        self.still_there()?;
        Ok(fates)
    }

    /// An error if the file is not the one that was opened any more; then all that it holds is in a new one.
    fn still_there(&mut self) -> Result<(), StoreError> {
        // The log goes with the file: without its name it is lost when the process is killed.
        let log = beside(&self.path, "-wal");
        if self.file == Identity::of(&self.path) && log.exists() {
            return Ok(());
        }
        // What is committed after the first that noticed is in the same new file.
        let rescued = presence::rescue(&self.connection, &self.path, self.rescued.as_deref());
        self.rescued.clone_from(&rescued);
        Err(StoreError::Gone {
            path: self.path.clone(),
            rescued,
        })
    }

    /// Lends the connection, for queries that this crate has no function for.
    pub fn with_connection<T>(
        &self,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        ask(&self.connection).map_err(|error| self.explain(&error))
    }

    pub(crate) fn explain(&self, error: &rusqlite::Error) -> StoreError {
        explain(&self.path, error)
    }

    /// Reads the whole file: that its parts agree with one another, and every row with its checksum.
    pub fn check(&self) -> Result<(), StoreError> {
        let verdict: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .map_err(|error| self.explain(&error))?;
        if verdict != "ok" {
            return Err(self.damaged(verdict));
        }
        for table in TABLES {
            let changed = table
                .find_changed(&self.connection)
                .map_err(|error| self.explain(&error))?;
            if let Some(row) = changed {
                return Err(self.damaged(format!("{row} is not as it was written")));
            }
        }
        Ok(())
    }

    fn damaged(&self, detail: String) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            detail,
        }
    }
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let attempt = || -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(32);
        table::register(&connection)?;
        Ok(connection)
    };
    attempt().map_err(|error| explain(path, &error))
}

/// Numbers beyond 63 bits do not fit into the file.
fn signed(number: u64) -> Result<i64, StoreError> {
    i64::try_from(number).map_err(|_| StoreError::TooLarge(number))
}

fn insert(connection: &Connection, batch: &Batch, path: &Path) -> Result<(), StoreError> {
    let run = batch.run;
    let exists = connection
        .prepare_cached("SELECT 1 FROM run WHERE id = ?1")
        .and_then(|mut statement| statement.exists([run]))
        .map_err(|error| explain(path, &error))?;
    if !exists {
        return Err(StoreError::NoSuchRun {
            path: path.to_owned(),
            run,
        });
    }
    let execute = |sql: &str, values: &[&dyn rusqlite::ToSql], what: &dyn Fn() -> String| {
        let done = connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(values));
        match done {
            Ok(_) => Ok(()),
            Err(error) if is_taken(&error) => Err(StoreError::Taken { run, what: what() }),
            Err(error) => Err(explain(path, &error)),
        }
    };
    let nothing = || String::new();
    let [insert_player, insert_game, insert_fault] =
        [PLAYER, GAME, FAULT].map(|table| table.insert("INSERT"));
    let insert_checkpoint = CHECKPOINT.insert("INSERT OR REPLACE");
    for player in &batch.players {
        execute(
            &insert_player,
            params![run, player.number, player.name, player.description],
            &|| format!("player {}", player.number),
        )?;
    }
    if let Some(number) = batch.forget_void_from {
        execute(
            "DELETE FROM game WHERE run = ?1 AND number >= ?2 AND result IS NULL",
            params![run, signed(number)?],
            &nothing,
        )?;
    }
    for game in &batch.games {
        execute(
            &insert_game,
            params![
                run,
                signed(game.number)?,
                signed(game.round)?,
                game.white,
                game.black,
                game.result.map(vidmar_chess::Outcome::as_str),
                game.termination,
                game.opening,
                game.start,
                game.given,
                game.moves,
                thoughts::pack(&game.thoughts),
                game.clock_scale,
                (!game.pvs.is_empty()).then(|| game.pvs.join("\n")),
            ],
            &|| format!("game {}", game.number),
        )?;
    }
    for fault in &batch.faults {
        execute(
            &insert_fault,
            params![
                run,
                signed(fault.game)?,
                fault.attempt,
                fault.player,
                fault.kind,
                fault.detail
            ],
            &nothing,
        )?;
    }
    for checkpoint in &batch.checkpoints {
        execute(
            &insert_checkpoint,
            params![
                run,
                signed(checkpoint.generation)?,
                checkpoint.name,
                checkpoint.data
            ],
            &nothing,
        )?;
    }
    if let Some(generation) = batch.forget_before {
        execute(
            "DELETE FROM checkpoint WHERE run = ?1 AND generation < ?2",
            params![run, signed(generation)?],
            &nothing,
        )?;
    }
    if let Some(config) = &batch.config {
        let change = "UPDATE run SET config = ?2 WHERE id = ?1";
        execute(change, params![run, config], &nothing)?;
        execute(&format!("{} WHERE id = ?1", RUN.seal()), params![run], &nothing)?;
    }
    if let Some(state) = &batch.state {
        execute(
            "UPDATE run SET state = ?2 WHERE id = ?1",
            params![run, state],
            &nothing,
        )?;
    }
    Ok(())
}
