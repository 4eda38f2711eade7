//! The comparison as text, CSV or JSON.

use std::fmt::Write as _;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use serde_json::json;
use vidmar_engine::comparison::{BASE, Row};
use vidmar_search::Limits;
use vidmar_text::duration;

use super::super::search_options::on_off;
use crate::output;

const COLUMNS: [&str; 20] = [
    "group",
    "algorithm",
    "table",
    "ordering",
    "board",
    "generation",
    "null_move",
    "futility",
    "parallel",
    "threads",
    "completed",
    "skipped",
    "disagreements",
    "nodes",
    "qnodes",
    "leaves",
    "moves",
    "seconds",
    "branching",
    "minimal",
];

/// One table for each thing that is varied, the others of its columns left out.
pub(super) fn text(rows: &[Row], limits: &Limits) -> String {
    let mut text = String::new();
    let mut groups: Vec<&str> = rows.iter().map(|row| row.variant().group).collect();
    groups.dedup();
    let _ = writeln!(
        text,
        "depth {}, {} positions, at most {} nodes each",
        limits.depth,
        rows.first().map_or(0, |row| row.positions),
        limits.nodes.unwrap_or(u64::MAX),
    );
    for group in groups {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.variant().group == group).collect();
        let _ = writeln!(text, "{}", table(group, &rows));
    }
    text.push_str(
        "leaves, branching and minimal are of the last iteration; moves: generated above the leaves; branching: \
         nodes^(1/depth); minimal: leaves over those of the minimal tree; a dash: not every position was completed within \
         the limits; nodes of several threads do not repeat\n",
    );
    text
}

fn table(group: &str, rows: &[&Row]) -> Table {
    let mut table = Table::new();
    table.load_preset(UTF8_FULL_CONDENSED);
    table.set_header([
        group,
        "nodes",
        "quiescence",
        "leaves",
        "moves",
        "time",
        "nodes %",
        "branching",
        "minimal",
        "completed",
        "value",
    ]);
    let complete = || rows.iter().filter(|row| row.is_complete());
    let base = complete()
        .find(|row| row.variant().is_like(&BASE))
        .or_else(|| complete().next())
        .map(|row| row.counts.nodes);
    for row in rows {
        let complete = |text: String| if row.is_complete() { text } else { "–".to_owned() };
        let percent = base.map_or(0.0, |base| 100.0 * row.counts.nodes as f64 / base as f64);
        table.add_row([
            name(group, row),
            complete(row.counts.nodes.to_string()),
            complete(row.counts.quiescence_nodes.to_string()),
            complete(row.leaves.to_string()),
            complete(row.counts.moves.to_string()),
            complete(duration(row.elapsed.as_secs_f64())),
            complete(format!("{percent:.1}")),
            complete(format!("{:.2}", row.branching())),
            complete(minimal(row, 2).unwrap_or_else(|| "–".to_owned())),
            completed(row),
            verdict(row),
        ]);
    }
    for column in table.column_iter_mut().skip(1).take(8) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The distance from the minimal tree; the selective search does not count its leaves.
fn minimal(row: &Row, digits: usize) -> Option<String> {
    row.distance().map(|distance| format!("{distance:.digits$}"))
}

fn name(group: &str, row: &Row) -> String {
    let variant = &row.variant();
    if let Some(change) = variant.change
        && group != "product"
    {
        return change.name().to_owned();
    }
    match group {
        "algorithm" => variant.algorithm.to_string(),
        "table" => variant.table.to_string(),
        "ordering" => variant.ordering.to_string(),
        "board" => variant.board.to_string(),
        _ => format!(
            "{} {} {} {} {}",
            variant.algorithm,
            variant.table,
            variant.ordering,
            variant.board,
            row.settings().generation
        ),
    }
}

fn completed(row: &Row) -> String {
    let skipped = if row.skipped > 0 {
        format!(", {} skipped", row.skipped)
    } else {
        String::new()
    };
    format!("{}/{}{skipped}", row.completed, row.positions)
}

fn verdict(row: &Row) -> String {
    let algorithm = row.variant().algorithm;
    match (row.completed, algorithm.exact(), row.disagreements) {
        (0, ..) => "–".to_owned(),
        _ if algorithm.is_selective() => "its own".to_owned(),
        (_, false, _) => "a bound".to_owned(),
        (_, true, 0) => "agrees".to_owned(),
        (_, true, differing) if row.prunes() => format!("prunes, {differing} differ"),
        (_, true, differing) => format!("{differing} differ"),
    }
}

fn fields(row: &Row) -> [String; COLUMNS.len()] {
    [
        row.variant().group.to_owned(),
        row.variant().algorithm.to_string(),
        row.variant().table.to_string(),
        row.variant().ordering.to_string(),
        row.variant().board.to_string(),
        row.settings().generation.to_string(),
        row.settings().null_move.to_string(),
        on_off(row.settings().futility).to_owned(),
        row.settings().parallel.to_string(),
        row.settings().threads.to_string(),
        row.completed.to_string(),
        row.skipped.to_string(),
        row.disagreements.to_string(),
        row.counts.nodes.to_string(),
        row.counts.quiescence_nodes.to_string(),
        row.leaves.to_string(),
        row.counts.moves.to_string(),
        format!("{:.6}", row.elapsed.as_secs_f64()),
        format!("{:.4}", row.branching()),
        minimal(row, 4).unwrap_or_default(),
    ]
}

pub(super) fn csv(rows: &[Row]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for row in rows {
        writer.write_record(fields(row))?;
    }
    output::csv_text(writer)
}

/// One object a line.
pub(super) fn json(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let object = json!({
            "group": row.variant().group,
            "algorithm": row.variant().algorithm.name(),
            "table": row.variant().table.name(),
            "ordering": row.variant().ordering.to_string(),
            "board": row.variant().board.name(),
            "generation": row.settings().generation.name(),
            "null_move": row.settings().null_move.name(),
            "futility": row.settings().futility,
            "parallel": row.settings().parallel.name(),
            "threads": row.settings().threads,
            "positions": row.positions,
            "completed": row.completed,
            "skipped": row.skipped,
            "disagreements": row.disagreements,
            "nodes": row.counts.nodes,
            "qnodes": row.counts.quiescence_nodes,
            "leaves": row.leaves,
            "moves": row.counts.moves,
            "seconds": row.elapsed.as_secs_f64(),
            "branching": row.branching(),
            "minimal": row.distance(),
        });
        let _ = writeln!(text, "{object}");
    }
    text
}
