//! A run as files: tables for other programs, games, plots.

mod plots;
mod sheet;

use std::io::Write;

use serde_json::json;
use vidmar_arena::archive::{PgnStyle, pgn_of};
use vidmar_arena::game_row;
use vidmar_formats::pgn::Writer;
use vidmar_optim::{Champion, Optimizer, Vector};
use vidmar_rows::{GameRow, Row as _, Table, whole};
use vidmar_store::RunId;

pub use plots::{plot, plot_names, plots};
pub use vidmar_rows::Format;

use crate::players::time_control;
use crate::ratings::rated_players;
use crate::rows::vector_row;
use crate::run::{ResultVectors, RunError, rated};
use crate::status::View;
use crate::time_series::TimeSeries;

/// A way to a table; `names` are those of the parameters.
type MakeTable = fn(view: &View, optimizer: &Optimizer, names: &[String]) -> Result<Table, RunError>;

/// Every table, by name.
const TABLES: &[(&str, MakeTable)] = &[
    ("population", |view, optimizer, names| {
        champions(view, &optimizer.population(), names)
    }),
    ("history", |view, optimizer, names| {
        champions(view, &optimizer.finalists(usize::MAX), names)
    }),
    ("vectors", |view, _, names| vectors(view, names)),
    ("parameters", |view, _, _| parameters(view)),
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
    let mut files = Vec::new();
    for name in table_names() {
        if let Some(text) = table(view, name, format)? {
            files.push((format!("{name}.{}", format.extension()), text));
        }
    }
    Ok(files)
}

fn champions(view: &View, champions: &[Champion], names: &[String]) -> Result<Table, RunError> {
    let mut series = TimeSeries::default();
    series.update(&view.store, view.run)?;
    let ratings = rated_players(&view.store, view.run)?;
    let rows = champions
        .iter()
        .map(|champion| vector_row(champion, &series, &ratings));
    Ok(Table::spread(rows, names))
}

fn vectors(view: &View, names: &[String]) -> Result<Table, RunError> {
    let results = view.results()?;
    let rows = results.iter().flat_map(ResultVectors::rows);
    Ok(Table::spread(rows, names))
}

/// Every parameter before and after, and what the games say of it.
fn parameters(view: &View) -> Result<Table, RunError> {
    let learned = view.learned()?;
    Ok(Table::of(
        learned.into_iter().flat_map(|learned| learned.parameters),
    ))
}

fn ratings(view: &View, names: &[String]) -> Result<Table, RunError> {
    let mut table = with_parameters(&["player", "elo", "games"], names);
    let players = view.store.players(view.run)?;
    let rows = rated(&view.store, view.run)?;
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by(|&a, &b| rows[b].0.total_cmp(&rows[a].0).then(a.cmp(&b)));
    for index in order {
        let vector: Vector = serde_json::from_str(&players[index].description).unwrap_or_default();
        let (elo, games) = rows[index];
        let fixed = [json!(index), json!(elo), json!(games)];
        table.push(fixed.into_iter().chain(vector.into_iter().map(whole)).collect());
    }
    Ok(table)
}

fn games(view: &View) -> Result<Table, RunError> {
    let names = view.store.names(view.run)?;
    let mut table = Table::new(GameRow::COLUMNS.iter().copied());
    view.store.for_each_game(view.run, |game| {
        let name = |index: u32| names.get(index as usize).cloned().unwrap_or_default();
        table.push(game_row(&game, name).cells());
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
    let mut table = with_parameters(&["generation", "games"], &pairs);
    for generation in &view.generations {
        let moments = generation
            .moments()
            .into_iter()
            .flat_map(|(mean, sd)| [json!(mean), json!(sd)]);
        let fixed = [json!(generation.generation), json!(generation.games)];
        table.push(fixed.into_iter().chain(moments).collect());
    }
    table
}

fn convergence(view: &View, optimizer: &Optimizer) -> Table {
    let mut table = Table::new(["generation", "games", "best", "mean", "spread"]);
    for generation in &view.generations {
        let scores = generation.scores();
        table.push(vec![
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
    Ok(Table::of(view.status()?.verify))
}

fn gauntlet(view: &View) -> Result<Table, RunError> {
    Ok(Table::of(crate::gauntlet::standings(&view.store)?))
}

/// Fixed columns, then one for each parameter.
fn with_parameters(fixed: &[&str], names: &[String]) -> Table {
    let fixed = fixed.iter().map(|&name| name.to_owned());
    Table::new(fixed.chain(names.iter().cloned()))
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
    // Where time is a limit, it belongs to the game; that of the validation is not kept with it.
    let is_clocked = !view.config.is_repeatable() && run == view.run;
    let control = time_control(&view.config.engine, 0).to_string();
    let style = PgnStyle {
        event: format!("tuning by {}", view.config.method().name()),
        time_controls: if is_clocked {
            vec![control; players.len()]
        } else {
            Vec::new()
        },
        plain: !is_clocked,
        no_times: !is_clocked,
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
