//! From the layouts of older versions to the present one.
//!
//! A step for every past version, one behind the other, all in one transaction: after a crash the file is the old one or the
//! new one. Whoever only reads gets a copy that was brought up to date; the file itself is left alone.

use rusqlite::Connection;

use crate::schema::VERSION;
use crate::table::TABLES;

/// The step from version `index + 1` to the next.
const STEPS: [fn(&Connection) -> rusqlite::Result<()>; 3] = [checksums, clock_scales, pvs];

/// Whether there is a way from that version to ours.
pub(crate) fn is_known(version: i64) -> bool {
    (1..VERSION).contains(&version)
}

/// Brings a store of an older version up to date.
pub(crate) fn run(connection: &mut Connection, version: i64) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for step in STEPS
        .iter()
        .skip(usize::try_from(version - 1).unwrap_or(STEPS.len()))
    {
        step(&transaction)?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// A copy of a store that is up to date, in a file of its own that ends with the connection.
pub(crate) fn copy(old: &Connection, version: i64) -> rusqlite::Result<Connection> {
    let mut copy = Connection::open("")?;
    rusqlite::backup::Backup::new(old, &mut copy)?.step(-1)?;
    crate::table::register(&copy)?;
    run(&mut copy, version)?;
    copy.pragma_update(None, "query_only", true)?;
    Ok(copy)
}

/// 1 to 2: players have a number as games have, and every row a checksum.
fn checksums(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("ALTER TABLE player RENAME COLUMN place TO number")?;
    for table in TABLES {
        connection.execute_batch(&format!(
            "ALTER TABLE {} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0; {}",
            table.name,
            table.seal_without(&["clock_scale", "pvs"])
        ))?;
    }
    Ok(())
}

/// 2 to 3: a game says what its clocks were scaled by. Checksums stay: there are no such games yet.
fn clock_scales(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("ALTER TABLE game ADD COLUMN clock_scale INTEGER")
}

/// 3 to 4: a game may have its principal variations. Checksums stay: no game has them yet.
fn pvs(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("ALTER TABLE game ADD COLUMN pvs TEXT")
}
