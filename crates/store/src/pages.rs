//! Reading little of much: a page of games, one game, counts, and what is new since the last look.
//!
//! Onlookers of a run with many thousand games ask often and show little. Nothing here costs more than the index of the
//! games, but for a filter, which looks at the games one by one, without their moves.

use rusqlite::{OptionalExtension as _, params_from_iter, types::Value};
use vidmar_chess::Outcome;

use crate::error::StoreError;
use crate::query::{COLUMNS, game, outline, unsigned};
use crate::rows::{Game, Outline, RunId};
use crate::store::Store;

/// Which games are wanted; everything by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this player, by number.
    pub player: Option<u32>,
    /// Of this round.
    pub round: Option<u64>,
    /// With this result; `Some(None)` for those without one.
    pub result: Option<Option<Outcome>>,
    /// Whose termination has this in it.
    pub termination: Option<String>,
    /// Whose opening has this in it.
    pub opening: Option<String>,
}

/// Where a page lies.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Games above this number, the lowest first; from the first one on if there is none.
    After(Option<u64>),
    /// Games below this number, the highest first; from the last one back if there is none.
    Before(Option<u64>),
}

/// A game as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Number, round, players, result.
    pub outline: Outline,
    /// Why it ended.
    pub termination: String,
    /// The opening's name.
    pub opening: String,
    /// How many plies it has, those of the opening included.
    pub plies: u32,
    /// How many of them the opening gave.
    pub given: u32,
    /// What its clocks were multiplied by, in thousandths, where they were.
    pub clock_scale: Option<u32>,
}

/// Some games of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// They, by number, the lowest first.
    pub games: Vec<Listed>,
    /// How many games there are that pass the filter, on this page or not.
    pub total: u64,
}

impl Store {
    /// A page of at most `limit` games that pass the filter.
    pub fn page(
        &self,
        run: RunId,
        filter: &Filter,
        direction: Direction,
        limit: u32,
    ) -> Result<Page, StoreError> {
        let (condition, values) = filter.sql(run);
        let total = self.count(
            &format!("SELECT count(*) FROM game WHERE {condition}"),
            values.clone(),
        )?;
        let (bound, order) = match direction {
            Direction::After(number) => (number.map(|number| (">", number)), "ASC"),
            Direction::Before(number) => (number.map(|number| ("<", number)), "DESC"),
        };
        let bound = bound.map_or_else(String::new, |(sign, number)| {
            format!(" AND number {sign} {number}")
        });
        // A UCI move is followed by a blank or by the end.
        let sql = format!(
            "SELECT number, round, white, black, result, termination, opening, \
             CASE moves WHEN '' THEN 0 ELSE 1 + length(moves) - length(replace(moves, ' ', '')) END, given, clock_scale \
             FROM game WHERE {condition}{bound} ORDER BY number {order} LIMIT {limit}"
        );
        let mut games = self.list(&sql, params_from_iter(values), |row| {
            Ok(Listed {
                outline: outline(row)?,
                termination: row.get(5)?,
                opening: row.get(6)?,
                plies: row.get(7)?,
                given: row.get(8)?,
                clock_scale: row.get(9)?,
            })
        })?;
        if matches!(direction, Direction::Before(_)) {
            games.reverse();
        }
        Ok(Page { games, total })
    }

    /// One game.
    pub fn game(&self, run: RunId, number: u64) -> Result<Option<Game>, StoreError> {
        let Ok(number) = i64::try_from(number) else {
            return Ok(None);
        };
        let sql = format!("SELECT {COLUMNS} FROM game WHERE run = ?1 AND number = ?2");
        self.with_connection(|connection| {
            connection
                .prepare_cached(&sql)?
                .query_row((run, number), game)
                .optional()
        })
    }

    /// How many games a run has.
    pub fn games_count(&self, run: RunId) -> Result<u64, StoreError> {
        self.count("SELECT count(*) FROM game WHERE run = ?1", vec![Value::from(run)])
    }

    /// How many players a run has.
    pub fn players_count(&self, run: RunId) -> Result<u64, StoreError> {
        self.count(
            "SELECT count(*) FROM player WHERE run = ?1",
            vec![Value::from(run)],
        )
    }

    /// The names of a run's players, by number, without what describes them.
    pub fn names(&self, run: RunId) -> Result<Vec<String>, StoreError> {
        self.list(
            "SELECT name FROM player WHERE run = ?1 ORDER BY number",
            [run],
            |row| row.get(0),
        )
    }

    /// How many faults a run has.
    pub fn faults_count(&self, run: RunId) -> Result<u64, StoreError> {
        self.count(
            "SELECT count(*) FROM fault WHERE run = ?1",
            vec![Value::from(run)],
        )
    }

    /// The games of a run that were committed after the one with this mark, in the order of their commits, and the new
    /// mark; 0 is before all.
    pub fn results_after(&self, run: RunId, mark: i64) -> Result<(Vec<Outline>, i64), StoreError> {
        let rows = self.list(
            "SELECT number, round, white, black, result, rowid FROM game WHERE rowid > ?2 AND run = ?1 ORDER BY rowid",
            (run, mark),
            |row| Ok((outline(row)?, row.get::<_, i64>(5)?)),
        )?;
        let last = rows.last().map_or(mark, |(_, rowid)| *rowid);
        Ok((rows.into_iter().map(|(outline, _)| outline).collect(), last))
    }

    /// How often games of a run ended how, the most frequent first.
    pub fn terminations(&self, run: RunId) -> Result<Vec<(String, u64)>, StoreError> {
        self.list(
            "SELECT termination, count(*) FROM game WHERE run = ?1 GROUP BY termination \
             ORDER BY count(*) DESC, termination",
            [run],
            |row| Ok((row.get(0)?, unsigned(row, 1)?)),
        )
    }

    fn count(&self, sql: &str, values: Vec<Value>) -> Result<u64, StoreError> {
        self.with_connection(|connection| {
            connection
                .prepare_cached(sql)?
                .query_row(params_from_iter(values), |row| unsigned(row, 0))
        })
    }
}

impl Filter {
    /// A condition and its values, the run first.
    fn sql(&self, run: RunId) -> (String, Vec<Value>) {
        let mut condition = "run = ?".to_owned();
        let mut values = vec![Value::from(run)];
        let mut and = |text: &str, more: &[Value]| {
            condition += " AND ";
            condition += text;
            values.extend_from_slice(more);
        };
        if let Some(player) = self.player {
            let player = Value::from(i64::from(player));
            and("(white = ? OR black = ?)", &[player.clone(), player]);
        }
        if let Some(round) = self.round {
            and(
                "round = ?",
                &[Value::from(i64::try_from(round).unwrap_or(i64::MAX))],
            );
        }
        match self.result {
            None => {}
            Some(None) => and("result IS NULL", &[]),
            Some(Some(result)) => and("result = ?", &[Value::from(result.as_str().to_owned())]),
        }
        for (column, text) in [("termination", &self.termination), ("opening", &self.opening)] {
            if let Some(text) = text {
                and(
                    &format!("instr(lower({column}), lower(?)) > 0"),
                    &[Value::from(text.clone())],
                );
            }
        }
        (condition, values)
    }
}
