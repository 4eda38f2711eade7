//! The summary of a study: as text, as JSON, and in the columns of the published table.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use comfy_table::{Cell, CellAlignment, Table, presets};
use serde_json::json;
use vidmar_cases::study::{Expert, Interval, StudySummary};
use vidmar_cases::{CaseSettings, Weights};
use vidmar_chess::Color;
use vidmar_text::duration;

use crate::output;

/// One setting of the weights.
pub(super) struct Row {
    pub(super) weights: Weights,
    pub(super) summary: StudySummary,
    pub(super) endings: BTreeMap<String, usize>,
    pub(super) plies: f64,
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

fn ordering(summary: &StudySummary) -> String {
    let indices: Vec<String> = summary.longest_ordering.iter().map(ToString::to_string).collect();
    indices.join(" ")
}

/// The columns of the published table.
pub(super) fn csv(rows: &[Row]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "weight1",
        "weight2",
        "weight3",
        "time_limit_kept",
        "longest_ordering",
        "same_as_elo",
        "decided_games_percent",
    ])?;
    for Row { weights, summary, .. } in rows {
        writer.write_record([
            weights.squares.to_string(),
            weights.from_square.to_string(),
            weights.from_piece.to_string(),
            yes(summary.time_limit_kept).to_owned(),
            ordering(summary),
            yes(summary.same_as_elo).to_owned(),
            format!("{:.0}", summary.decided_games_percent),
        ])?;
    }
    output::csv_text(writer)
}

pub(super) fn json(experts: &[Expert], rows: &[Row], settings: &CaseSettings, seconds: f64) -> String {
    let experts: Vec<_> = experts
        .iter()
        .map(|expert| {
            json!({
                "name": expert.name,
                "elo": (expert.elo * 10.0).round() / 10.0,
                "games": expert.base.games().len(),
                "cases": expert.base.len(),
            })
        })
        .collect();
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "weights": row.weights.to_string(),
                "summary": row.summary,
                "endings": row.endings,
                "mean_plies": row.plies,
            })
        })
        .collect();
    let answer =
        json!({"experts": experts, "settings": settings.to_string(), "rows": rows, "seconds": seconds});
    format!("{answer}\n")
}

fn table(heads: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(heads);
    table
}

fn right(text: &impl Display) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

fn interval(interval: Option<Interval>, decimals: usize) -> String {
    interval.map_or_else(String::new, |Interval { low, high }| {
        format!(" [{low:.decimals$}, {high:.decimals$}]")
    })
}

pub(super) fn text(experts: &[Expert], rows: &[Row], settings: &CaseSettings, seconds: f64) -> String {
    let mut people = table(&["", "expert", "Elo", "games", "cases", "White", "Black"]);
    for (index, expert) in experts.iter().enumerate() {
        let base = &expert.base;
        people.add_row(vec![
            right(&(index + 1)),
            Cell::new(&expert.name),
            right(&format!("{:.0}", expert.elo)),
            right(&base.games().len()),
            right(&base.len()),
            right(&base.list(Color::White).len()),
            right(&base.list(Color::Black).len()),
        ]);
    }
    let mut table = table(&[
        "weights",
        "in time",
        "longest ordering",
        "as Elo",
        "decided %",
        "tau",
        "rho",
        "p",
        "better expert %",
        "showdowns",
        "plies",
    ]);
    for row in rows {
        let summary = &row.summary;
        let [won, drawn, lost] = summary.showdowns;
        table.add_row(vec![
            Cell::new(row.weights),
            Cell::new(yes(summary.time_limit_kept)),
            Cell::new(ordering(summary)),
            Cell::new(yes(summary.same_as_elo)),
            right(&format!("{:.1}", summary.decided_games_percent)),
            Cell::new(format!(
                "{:.2}{}",
                summary.correlation.kendall,
                interval(summary.kendall_interval, 2)
            )),
            Cell::new(format!(
                "{:.2}{}",
                summary.correlation.spearman,
                interval(summary.spearman_interval, 2)
            )),
            right(&format!("{:.4}", summary.correlation.p)),
            Cell::new(format!(
                "{:.1}{}",
                summary.higher_rated_percent,
                interval(summary.higher_rated_interval, 1)
            )),
            Cell::new(format!("+{won} ={drawn} -{lost}")),
            right(&format!("{:.0}", row.plies)),
        ]);
    }
    let mut text = format!("{people}\n\n{table}\n\n");
    for row in rows {
        let points: Vec<String> = row
            .summary
            .points
            .iter()
            .map(|points| format!("{points:.1}"))
            .collect();
        let endings: Vec<String> = row
            .endings
            .iter()
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        let _ = writeln!(
            text,
            "{}: points {}; {}",
            row.weights,
            points.join(" "),
            endings.join(", ")
        );
    }
    let games: usize = rows.iter().map(|row| row.summary.games).sum();
    let settings = settings.to_string();
    let shown = if settings.is_empty() {
        "as published"
    } else {
        &settings
    };
    let _ = writeln!(text, "{games} games in {}; settings: {shown}", duration(seconds));
    text
}
