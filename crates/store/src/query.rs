//! Reading.

use rusqlite::{OptionalExtension as _, Row};
use vidmar_chess::Outcome;

use crate::error::StoreError;
use crate::rows::{Checkpoint, Fault, Game, Outline, Player, Run, RunId};
use crate::store::Store;
use crate::table::CHECKPOINT;
use crate::thoughts;

impl Store {
    /// All runs, the oldest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        self.list(
            "SELECT id, kind, config, state, begun FROM run ORDER BY id",
            [],
            |row| {
                Ok(Run {
                    id: row.get(0)?,
                    kind: row.get(1)?,
                    config: row.get(2)?,
                    state: row.get(3)?,
                    begun: row.get(4)?,
                })
            },
        )
    }

    /// One run.
    pub fn run(&self, id: RunId) -> Result<Run, StoreError> {
        let found = self.runs()?.into_iter().find(|run| run.id == id);
        found.ok_or_else(|| StoreError::NoSuchRun {
            path: self.path().to_owned(),
            run: id,
        })
    }

    /// The players of a run, by number.
    pub fn players(&self, run: RunId) -> Result<Vec<Player>, StoreError> {
        self.players_from(run, 0)
    }

    /// The players of a run from a number on.
    pub fn players_from(&self, run: RunId, number: u32) -> Result<Vec<Player>, StoreError> {
        self.list(PLAYERS, (run, number), player)
    }

    /// Hands every player of a run to `visit`, by number, one in memory at a time; an error of `visit` ends it.
    pub fn for_each_player<E: From<StoreError>>(
        &self,
        run: RunId,
        mut visit: impl FnMut(Player) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error: rusqlite::Error| E::from(self.explain(&error));
        let mut statement = self.connection.prepare_cached(PLAYERS).map_err(failed)?;
        let mut rows = statement.query((run, 0)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            visit(player(row).map_err(failed)?)?;
        }
        Ok(())
    }

    /// The numbers of a run's games, in order.
    pub fn finished(&self, run: RunId) -> Result<Vec<u64>, StoreError> {
        self.list(
            "SELECT number FROM game WHERE run = ?1 ORDER BY number",
            [run],
            |row| unsigned(row, 0),
        )
    }

    /// The games of a run without their moves, by number.
    pub fn results(&self, run: RunId) -> Result<Vec<Outline>, StoreError> {
        self.list(
            "SELECT number, round, white, black, result FROM game WHERE run = ?1 ORDER BY number",
            [run],
            outline,
        )
    }

    /// Hands every game of a run to `visit`, by number, one in memory at a time; an error of `visit` ends it.
    pub fn for_each_game<E: From<StoreError>>(
        &self,
        run: RunId,
        mut visit: impl FnMut(Game) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error: rusqlite::Error| E::from(self.explain(&error));
        let sql = format!("SELECT {COLUMNS} FROM game WHERE run = ?1 ORDER BY number");
        let mut statement = self.connection.prepare_cached(&sql).map_err(failed)?;
        let mut rows = statement.query([run]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            visit(game(row).map_err(failed)?)?;
        }
        Ok(())
    }

    /// All games of a run, by number.
    pub fn games(&self, run: RunId) -> Result<Vec<Game>, StoreError> {
        let mut games = Vec::new();
        self.for_each_game(run, |game| {
            games.push(game);
            Ok::<(), StoreError>(())
        })?;
        Ok(games)
    }

    /// The faults of a run, by game and attempt.
    pub fn faults(&self, run: RunId) -> Result<Vec<Fault>, StoreError> {
        self.list(
            "SELECT game, attempt, player, kind, detail FROM fault WHERE run = ?1 ORDER BY game, attempt, rowid",
            [run],
            |row| {
                Ok(Fault {
                    game: unsigned(row, 0)?,
                    attempt: row.get(1)?,
                    player: row.get(2)?,
                    kind: row.get(3)?,
                    detail: row.get(4)?,
                })
            },
        )
    }

    /// The checkpoint of that name with the highest generation.
    pub fn latest_checkpoint(&self, run: RunId, name: &str) -> Result<Option<Checkpoint>, StoreError> {
        let attempt = || -> rusqlite::Result<Option<Checkpoint>> {
            let sql = select_checkpoints("name = ?2 ORDER BY generation DESC LIMIT 1");
            self.connection
                .prepare_cached(&sql)?
                .query_row((run, name), checkpoint)
                .optional()
        };
        attempt().map_err(|error| self.explain(&error))
    }

    /// All checkpoints of that name, by generation.
    pub fn checkpoints(&self, run: RunId, name: &str) -> Result<Vec<Checkpoint>, StoreError> {
        self.checkpoints_from(run, name, 0)
    }

    /// The checkpoints of that name from a generation on, by generation.
    pub fn checkpoints_from(
        &self,
        run: RunId,
        name: &str,
        generation: u64,
    ) -> Result<Vec<Checkpoint>, StoreError> {
        self.list(
            &select_checkpoints("generation >= ?3 AND name = ?2 ORDER BY generation"),
            (run, name, i64::try_from(generation).unwrap_or(i64::MAX)),
            checkpoint,
        )
    }

    pub(crate) fn list<T>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let attempt = || -> rusqlite::Result<Vec<T>> {
            self.connection
                .prepare_cached(sql)?
                .query_map(values, read)?
                .collect()
        };
        attempt().map_err(|error| self.explain(&error))
    }
}

/// Number, round, white, black and result, in this order.
pub(crate) fn outline(row: &Row<'_>) -> rusqlite::Result<Outline> {
    Ok(Outline {
        number: unsigned(row, 0)?,
        round: unsigned(row, 1)?,
        white: row.get(2)?,
        black: row.get(3)?,
        result: result(row, 4)?,
    })
}

/// What [`checkpoint`] reads, of run `?1`.
fn select_checkpoints(which: &str) -> String {
    let is_whole = CHECKPOINT.is_whole();
    format!("SELECT generation, name, data, {is_whole} FROM checkpoint WHERE run = ?1 AND {which}")
}

/// A state with one other digit is still a state: it is read only if it is the one that was written.
fn checkpoint(row: &Row<'_>) -> rusqlite::Result<Checkpoint> {
    if !row.get::<_, bool>(3)? {
        return Err(senseless(2, rusqlite::types::Type::Blob));
    }
    Ok(Checkpoint {
        generation: unsigned(row, 0)?,
        name: row.get(1)?,
        data: row.get(2)?,
    })
}

/// What [`player`] reads, of run `?1` from number `?2` on.
const PLAYERS: &str =
    "SELECT number, name, description FROM player WHERE run = ?1 AND number >= ?2 ORDER BY number";

fn player(row: &Row<'_>) -> rusqlite::Result<Player> {
    Ok(Player {
        number: row.get(0)?,
        name: row.get(1)?,
        description: row.get(2)?,
    })
}

/// What [`game`] reads.
pub(crate) const COLUMNS: &str = "number, round, white, black, result, termination, opening, start, given, moves, thoughts, clock_scale, pvs";

pub(crate) fn game(row: &Row<'_>) -> rusqlite::Result<Game> {
    Ok(Game {
        number: unsigned(row, 0)?,
        round: unsigned(row, 1)?,
        white: row.get(2)?,
        black: row.get(3)?,
        result: result(row, 4)?,
        termination: row.get(5)?,
        opening: row.get(6)?,
        start: row.get(7)?,
        given: row.get(8)?,
        clock_scale: row.get(11)?,
        moves: row.get(9)?,
        thoughts: thoughts::unpack(row.get_ref(10)?.as_blob()?)
            .ok_or_else(|| senseless(10, rusqlite::types::Type::Blob))?,
        pvs: row
            .get::<_, Option<String>>(12)?
            .as_deref()
            .map_or_else(Vec::new, lines),
    })
}

fn lines(text: &str) -> Vec<String> {
    text.split('\n').map(str::to_owned).collect()
}

pub(crate) fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

fn result(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Outcome>> {
    match row.get_ref(column)?.as_str_or_null()? {
        None => Ok(None),
        Some(text) => text
            .parse()
            .map(Some)
            .map_err(|_| senseless(column, rusqlite::types::Type::Text)),
    }
}

/// A value that this crate did not write.
fn senseless(column: usize, kind: rusqlite::types::Type) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, kind, "not what was written".into())
}
