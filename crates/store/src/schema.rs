//! The tables, and how a file says that they are ours.
//!
//! `application_id` tells a store from any other database, `user_version` one layout from another. A file of an older version is
//! brought up to date when it is opened for writing ([`crate::migration`]); one of a newer version is refused, never changed.

use std::path::Path;

use rusqlite::Connection;

use crate::error::{StoreError, explain};
use crate::migration;

/// The version of the layout.
pub const VERSION: i64 = 4;

/// "Vdmr", so that `file` and we know it.
const APPLICATION_ID: i64 = 0x5664_6d72;

/// Small columns first: a scan for results never touches the pages that long moves overflow to.
const TABLES: &str = "
CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'running',
    begun INTEGER NOT NULL DEFAULT (unixepoch()),
    config TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE player (
    run INTEGER NOT NULL REFERENCES run,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE game (
    run INTEGER NOT NULL REFERENCES run,
    number INTEGER NOT NULL,
    round INTEGER NOT NULL,
    white INTEGER NOT NULL,
    black INTEGER NOT NULL,
    result TEXT CHECK (result IN ('1-0', '0-1', '1/2-1/2')),
    termination TEXT NOT NULL,
    opening TEXT NOT NULL,
    start TEXT NOT NULL,
    given INTEGER NOT NULL,
    clock_scale INTEGER,
    pvs TEXT,
    moves TEXT NOT NULL,
    thoughts BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) STRICT;
CREATE TABLE fault (
    run INTEGER NOT NULL REFERENCES run,
    game INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    player INTEGER NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX fault_of_run ON fault (run, game);
CREATE TABLE checkpoint (
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL,
    name TEXT NOT NULL,
    data BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (run, generation, name)
) STRICT, WITHOUT ROWID;
";

/// What a file turned out to be.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    Store,
    /// Of an older version, which there is a way from.
    Older(i64),
}

/// Looks at a file without changing it.
pub(crate) fn inspect(connection: &Connection, path: &Path) -> Result<Found, StoreError> {
    let failed = |error: rusqlite::Error| explain(path, &error);
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let application = pragma("application_id").map_err(failed)?;
    let version = pragma("user_version").map_err(failed)?;
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(failed)?;
    match (application, version, tables) {
        (0, 0, 0) => Ok(Found::Nothing),
        (APPLICATION_ID, VERSION, _) => Ok(Found::Store),
        (APPLICATION_ID, older, _) if migration::is_known(older) => Ok(Found::Older(older)),
        (APPLICATION_ID, found, _) => Err(StoreError::Version {
            path: path.to_owned(),
            found,
            known: VERSION,
        }),
        _ => Err(StoreError::NotAStore {
            path: path.to_owned(),
        }),
    }
}

/// Makes the tables in an empty file, all at once.
pub(crate) fn create(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let mut attempt = || -> rusqlite::Result<()> {
        let transaction = connection.transaction()?;
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.commit()
    };
    attempt().map_err(|error| explain(path, &error))
}
