//! Every figure of the report, for programs.

use serde_json::{Value, json};

use super::{Comparison, List, Report, Section, Table};

pub(super) fn text(report: &Report) -> String {
    let sections: Vec<Value> = report.sections.iter().map(section).collect();
    let summary: Vec<Value> = report.sections.iter().map(summary).collect();
    let value = json!({ "signature": report.signature, "summary": summary, "experiments": sections });
    format!("{value}\n")
}

/// What was claimed, what we found.
fn summary(section: &Section) -> Value {
    json!({
        "experiment": section.experiment.name,
        "claimed": section.experiment.claim,
        "found": section.found(),
        "verdicts": section.verdicts(),
    })
}

fn section(section: &Section) -> Value {
    let experiment = section.experiment;
    let readings = experiment.readings.iter();
    json!({
        "name": experiment.name,
        "source": experiment.source,
        "claim": experiment.claim,
        "found": section.found(),
        "plan": section.plan,
        "steps": section.steps.1,
        "steps_finished": section.steps.0,
        "seconds": section.taken.0,
        "cpu_seconds": section.taken.1,
        "notes": section.notes,
        "tables": section.tables.iter().map(table).collect::<Vec<_>>(),
        "lists": section.lists.iter().map(list).collect::<Vec<_>>(),
        "readings": readings
            .map(|reading| json!({ "open": reading.open, "ours": reading.ours, "other": reading.other }))
            .collect::<Vec<_>>(),
    })
}

fn table(table: &Table) -> Value {
    json!({
        "title": table.title,
        "unit": table.unit,
        "over": table.over,
        "rows": table.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn row(row: &Comparison) -> Value {
    json!({
        "label": row.label,
        "published": row.published,
        "ours": row.ours,
        "verdict": row.verdict,
        "remark": row.remark,
    })
}

fn list(list: &List) -> Value {
    json!({ "title": list.title, "columns": list.columns, "rows": list.rows })
}
