//! The benchmark for other programs.

use std::fmt::Write as _;

use vidmar_tune::bench::{Cell, Family, Plan, Problem, rank_table};

use crate::output;

pub(super) fn every_run(plan: &Plan, cells: &[Cell]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "landscape",
        "dimensions",
        "budget",
        "seed",
        "method",
        "games",
        "centroid",
        "by_efficiency",
        "by_rating",
    ];
    writer.write_record(header)?;
    let number = |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:.2}"));
    for cell in cells {
        for (budget, gain) in plan.budgets.iter().zip(&cell.gains) {
            writer.write_record([
                cell.shape.name(),
                &cell.dimensions.to_string(),
                &budget.to_string(),
                &cell.seed.to_string(),
                plan.contenders[cell.contender].name(),
                &gain.games.to_string(),
                &number(Some(gain.centroid)),
                &number(gain.by_efficiency),
                &number(gain.by_rating),
            ])?;
        }
    }
    output::csv_text(writer)
}

/// One budget, the largest: smaller ones are beginnings of the same runs.
pub(super) fn for_rank_tests(plan: &Plan, cells: &[Cell]) -> anyhow::Result<String> {
    let has_any = |family: &Family| plan.shapes.iter().any(|&shape| family.has(shape));
    let family = Family::ALL.into_iter().find(has_any).unwrap_or(Family::HeldOut);
    let (names, table) = rank_table(plan, cells, family, plan.budgets.len().saturating_sub(1));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(std::iter::once("problem").chain(table.algorithms.iter().map(String::as_str)))?;
    for (name, row) in names.into_iter().zip(&table.rows) {
        writer.write_record(std::iter::once(name).chain(row.iter().map(|gain| format!("{gain:.3}"))))?;
    }
    output::csv_text(writer)
}

pub(super) fn json(plan: &Plan, problems: &[Problem]) -> String {
    let mut text = String::new();
    for problem in problems {
        for (index, contender) in plan.contenders.iter().enumerate() {
            let gained = problem.centroid[index];
            let line = serde_json::json!({
                "landscape": problem.shape.name(),
                "held_out": problem.shape.is_held_out(),
                "dimensions": problem.dimensions,
                "budget": problem.budget,
                "method": contender.name(),
                "elo": gained.mean,
                "error": gained.error(),
                "deviation": gained.deviation,
                "seeds": gained.count,
                "best": problem.best[index].map(|best| best.mean),
            });
            let _ = writeln!(text, "{line}");
        }
    }
    text
}
