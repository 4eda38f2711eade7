//! The experiments with their source, what they cost on this machine, and how far they are.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use serde_json::json;
use vidmar_reproduce::{Asked, Campaign, Data, EXPERIMENTS, Experiment, Progress, cost};

use crate::output;

pub(super) fn print(out: &Path, asked: &Asked, data: &Data, json: bool) -> anyhow::Result<ExitCode> {
    let experiments: Vec<&'static Experiment> = EXPERIMENTS.iter().collect();
    let campaign = Campaign::open(out, &experiments, asked, data.clone())?;
    let factor = cost::factor();
    let mut table = Table::new();
    table.load_preset(UTF8_FULL_CONDENSED);
    table.set_header([
        "experiment",
        "source",
        "seeds",
        "steps",
        "games",
        "searches",
        "CPU hours",
        "state",
    ]);
    for column in table.column_iter_mut().skip(2).take(5) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut lines = String::new();
    let mut notes = String::new();
    for chosen in &campaign.chosen {
        let progress = chosen.progress()?;
        let missing = chosen.missing(data);
        let hours = progress.cost * factor / 3600.0;
        let experiment = chosen.experiment;
        if json {
            let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
            let line = json!({
                "name": experiment.name,
                "source": experiment.source,
                "what": experiment.what,
                "claim": experiment.claim,
                "seeds": chosen.plan.seeds,
                "scale": chosen.plan.scale,
                "steps": progress.steps,
                "steps_finished": progress.steps_done,
                "games": progress.games,
                "games_done": progress.games_done,
                "searches": progress.searches,
                "searches_done": progress.searches_done,
                "cpu_hours": hours,
                "state": state(&progress),
                "missing": missing,
            });
            let _ = writeln!(lines, "{line}");
            continue;
        }
        table.add_row([
            experiment.name.to_owned(),
            experiment.source.to_owned(),
            chosen.plan.seeds.to_string(),
            progress.steps.to_string(),
            progress.games.to_string(),
            progress.searches.to_string(),
            if hours < 0.095 {
                format!("{hours:.2}")
            } else {
                format!("{hours:.1}")
            },
            state(&progress),
        ]);
        for missing in missing {
            let _ = writeln!(notes, "{}: {missing}", experiment.name);
        }
    }
    if json {
        output::print(&lines)?;
    } else {
        output::print(&format!("{table}\n"))?;
        if !notes.is_empty() {
            output::hint(&format!("not here:\n{}", notes.trim_end()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn state(progress: &Progress) -> String {
    let Progress {
        steps_done, steps, ..
    } = progress;
    if steps_done == steps {
        "finished".to_owned()
    } else if progress.games_done + progress.searches_done == 0 {
        "not begun".to_owned()
    } else {
        let share = 100.0 * progress.cost_done / progress.cost.max(f64::MIN_POSITIVE);
        format!("{steps_done} of {steps} steps, {share:.0} %")
    }
}
