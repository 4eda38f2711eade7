//! A run as files: tables for other programs, games, plots.

mod plots;
mod sheet;

use std::io::Write;

use serde_json::{Map, Value, json};
use vidmar_arena::archive::{PgnStyle, pgn_of};
use vidmar_formats::pgn::Writer;
use vidmar_optim::{Champion, Optimizer, Vector};
use vidmar_store::RunId;

pub use plots::{plot, plot_names, plots};

use crate::run::{RunError, rated};
use crate::status::View;

/// How tables are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// An array of objects.
    Json,
}

/// A table with named columns.
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

impl Table {
    fn new(fixed: &[&str], names: &[String]) -> Table {
        let columns = fixed
            .iter()
            .map(|&name| name.to_owned())
            .chain(names.iter().cloned());
        Table {
            columns: columns.collect(),
            rows: Vec::new(),
        }
    }

    fn text(&self, format: Format) -> String {
        match format {
            Format::Csv => self.csv(),
            Format::Json => {
                let object = |row: &Vec<Value>| {
                    let pairs = self.columns.iter().cloned().zip(row.iter().cloned());
                    Value::Object(pairs.collect::<Map<String, Value>>())
                };
                Value::Array(self.rows.iter().map(object).collect()).to_string() + "\n"
            }
        }
    }

    fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let records = self.rows.iter().map(|row| row.iter().map(cell).collect());
        for record in std::iter::once(self.columns.clone()).chain(records) {
            writer
                .write_record(record)
                .expect("rows are as long as the header, and memory takes all");
        }
        let bytes = writer.into_inner().expect("memory takes all");
        String::from_utf8(bytes).expect("text gives text")
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whole where it is whole.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        json!(value as i64)
    } else {
        json!(value)
    }
}

fn numbers(vector: &[f64]) -> impl Iterator<Item = Value> + '_ {
    vector.iter().map(|&value| number(value))
}

/// A way to a table; `names` are those of the parameters.
type MakeTable = fn(view: &View, optimizer: &Optimizer, names: &[String]) -> Result<Table, RunError>;

/// Every table, by name.
const TABLES: &[(&str, MakeTable)] = &[
    ("population", |_, optimizer, names| {
        Ok(champions(&optimizer.population(), names))
    }),
    ("history", |_, optimizer, names| {
        Ok(champions(&optimizer.finalists(usize::MAX), names))
    }),
    ("vectors", |view, _, names| vectors(view, names)),
    ("ratings", |view, _, names| ratings(view, names)),
    ("games", |view, _, _| games(view)),
    ("trajectories", |view, _, names| Ok(trajectories(view, names))),
    ("convergence", |view, optimizer, _| {
        Ok(convergence(view, optimizer))
    }),
    ("validation", |view, _, _| validation(view)),
    ("gauntlet", |view, _, _| gauntlet(view)),
];

/// The names of all tables.
pub fn table_names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(name, _)| *name)
}

/// The table of that name; none where there is no such table, or no generation yet.
pub fn table(view: &View, name: &str, format: Format) -> Result<Option<String>, RunError> {
    let found = TABLES.iter().find(|(known, _)| *known == name);
    let (Some((_, make)), Some(optimizer)) = (found, &view.optimizer) else {
        return Ok(None);
    };
    let dimensions = optimizer.setup().space.dimensions();
    let names: Vec<String> = dimensions.iter().map(|d| d.name.clone()).collect();
    Ok(Some(make(view, optimizer, &names)?.text(format)))
}

/// Population, history, ratings, games, trajectories and the validation, each with its file name.
pub fn tables(view: &View, format: Format) -> Result<Vec<(String, String)>, RunError> {
    let extension = match format {
        Format::Csv => "csv",
        Format::Json => "json",
    };
    let mut files = Vec::new();
    for name in table_names() {
        if let Some(text) = table(view, name, format)? {
            files.push((format!("{name}.{extension}"), text));
        }
    }
    Ok(files)
}

fn champions(champions: &[Champion], names: &[String]) -> Table {
    let mut table = Table::new(&["place", "games", "score"], names);
    for (place, champion) in champions.iter().enumerate() {
        let fixed = [json!(place), json!(champion.games), json!(champion.score)];
        table
            .rows
            .push(fixed.into_iter().chain(numbers(&champion.vector)).collect());
    }
    table
}

fn vectors(view: &View, names: &[String]) -> Result<Table, RunError> {
    let mut table = Table::new(&["vector", "recommended", "games", "score"], names);
    if let Some(results) = view.results()? {
        for one in results.vectors.iter().chain(&results.references) {
            let fixed = [
                json!(one.name),
                json!(one.name == results.recommended),
                json!(one.games),
                json!(one.score),
            ];
            table
                .rows
                .push(fixed.into_iter().chain(numbers(&one.vector)).collect());
        }
    }
    Ok(table)
}

fn ratings(view: &View, names: &[String]) -> Result<Table, RunError> {
    let mut table = Table::new(&["player", "elo", "games"], names);
    let players = view.store.players(view.run)?;
    let rows = rated(&view.store, view.run)?;
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by(|&a, &b| rows[b].0.total_cmp(&rows[a].0).then(a.cmp(&b)));
    for place in order {
        let vector: Vector = serde_json::from_str(&players[place].description).unwrap_or_default();
        let (elo, games) = rows[place];
        let fixed = [json!(place), json!(elo), json!(games)];
        let mut row: Vec<Value> = fixed.into_iter().chain(numbers(&vector)).collect();
        row.resize(table.columns.len(), Value::Null);
        table.rows.push(row);
    }
    Ok(table)
}

fn games(view: &View) -> Result<Table, RunError> {
    let columns = [
        "number",
        "round",
        "white",
        "black",
        "result",
        "termination",
        "plies",
        "given",
    ];
    let mut table = Table::new(&columns, &[]);
    view.store.for_each_game(view.run, |game| {
        table.rows.push(vec![
            json!(game.number),
            json!(game.round),
            json!(game.white),
            json!(game.black),
            json!(game.result),
            json!(game.termination),
            json!(game.moves.split_ascii_whitespace().count()),
            json!(game.given),
        ]);
        Ok::<(), RunError>(())
    })?;
    Ok(table)
}

/// Means and standard deviations of every parameter over the generations, as published.
fn trajectories(view: &View, names: &[String]) -> Table {
    let pairs: Vec<String> = names
        .iter()
        .flat_map(|name| [name.clone(), format!("{name} sd")])
        .collect();
    let mut table = Table::new(&["generation", "games"], &pairs);
    for generation in &view.generations {
        let moments = generation
            .moments()
            .into_iter()
            .flat_map(|(mean, sd)| [json!(mean), json!(sd)]);
        let fixed = [json!(generation.generation), json!(generation.games)];
        table.rows.push(fixed.into_iter().chain(moments).collect());
    }
    table
}

fn convergence(view: &View, optimizer: &Optimizer) -> Table {
    let mut table = Table::new(&["generation", "games", "best", "mean", "spread"], &[]);
    for generation in &view.generations {
        let scores = generation.scores();
        table.rows.push(vec![
            json!(generation.generation),
            json!(generation.games),
            json!(scores.map(|(best, _)| best)),
            json!(scores.map(|(_, mean)| mean)),
            json!(generation.spread(&optimizer.setup().space)),
        ]);
    }
    table
}

fn validation(view: &View) -> Result<Table, RunError> {
    let columns = [
        "vector",
        "recommended",
        "against",
        "depth",
        "games",
        "wins",
        "draws",
        "losses",
        "elo",
        "error",
    ];
    let mut table = Table::new(&columns, &[]);
    for validation in view.status()?.verify {
        table.rows.push(vec![
            json!(validation.vector),
            json!(validation.recommended),
            json!(validation.against),
            json!(view.config.engine.depth + validation.deeper),
            json!(validation.games),
            json!(validation.wins),
            json!(validation.draws),
            json!(validation.losses),
            json!(validation.elo),
            json!(validation.error),
        ]);
    }
    Ok(table)
}

fn gauntlet(view: &View) -> Result<Table, RunError> {
    let columns = [
        "player",
        "reference",
        "recommended",
        "elo",
        "error",
        "games",
        "wins",
        "draws",
        "losses",
    ];
    let mut table = Table::new(&columns, &[]);
    for standing in crate::gauntlet::standings(&view.store)? {
        table.rows.push(vec![
            json!(standing.player),
            json!(standing.reference),
            json!(standing.recommended),
            json!(standing.elo),
            json!(standing.error),
            json!(standing.games),
            json!(standing.wins),
            json!(standing.draws),
            json!(standing.losses),
        ]);
    }
    Ok(table)
}

/// All games with their moves.
pub fn pgn(view: &View) -> Result<String, RunError> {
    let mut bytes = Vec::new();
    write_pgn(view, view.run, &mut bytes)?;
    String::from_utf8(bytes).map_err(|error| damaged(&error))
}

/// Writes all games of a run in the store, tuning or validation, one in memory at a time.
pub fn write_pgn(view: &View, run: RunId, out: impl Write) -> Result<(), RunError> {
    let players = view.store.players(run)?;
    let style = PgnStyle {
        event: format!("tuning by {}", view.config.method().name()),
        plain: true,
        no_times: true,
        ..PgnStyle::default()
    };
    let mut writer = Writer::new(out);
    view.store.for_each_game(run, |game| {
        let made = pgn_of(&game, &players, &style).map_err(|error| damaged(&error))?;
        writer.write(&made).map_err(|error| damaged(&error))
    })
}

fn damaged(error: &impl std::fmt::Display) -> RunError {
    RunError::State {
        what: "a game",
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_by_hand() {
        let mut table = Table::new(&["place"], &["a,b".into(), "c".into()]);
        table.rows.push(vec![json!(0), number(2.0), number(2.5)]);
        table.rows.push(vec![json!(1), Value::Null, json!("x\"y")]);
        assert_eq!(
            table.text(Format::Csv),
            "place,\"a,b\",c\n0,2,2.5\n1,,\"x\"\"y\"\n"
        );
        let json = table.text(Format::Json);
        assert_eq!(
            json,
            "[{\"a,b\":2,\"c\":2.5,\"place\":0},{\"a,b\":null,\"c\":\"x\\\"y\",\"place\":1}]\n"
        );
    }
}
