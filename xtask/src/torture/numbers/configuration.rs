//! Every setting of a tuning run, under every method and every objective.

use anyhow::Result;
use serde_json::Value;

use super::super::plan::Plan;
use super::super::runs::SMALL_RUN;
use super::super::tally::Tally;
use super::commands::rows;
use super::{Slot, listed_range, owned, try_all};

/// What an objective needs to have something to do.
const NEEDED: &[(&str, &[&str])] = &[
    ("kind=texel", &["objective.self_play=20"]),
    ("method=newton", &["kind=texel", "objective.self_play=20"]),
    ("kind=agreement", &["objective.file=suite.epd"]),
    ("kind=suite", &["objective.file=suite.epd"]),
    ("kind=opponents", &["objective.opponents=[\"random\"]"]),
];

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let keys = rows(&plan.listing["configuration"]);
    let slots: Vec<Slot> = keys.iter().map(|key| slot(keys, key)).collect();
    try_all(plan, &slots)
}

fn slot(keys: &[Value], key: &Value) -> Slot {
    let (choice, path) = (&key["choice"], key["path"].as_str().unwrap_or_default());
    // A choice brings its own section and leaves the others as they are.
    let is_here = |set: &str| {
        let (wanted, _) = set.split_once('=').unwrap_or((set, ""));
        let section = wanted.split('.').next().unwrap_or_default();
        let under = |choice: &Value| -> Vec<&str> {
            let rows = keys.iter().filter(|row| row["choice"] == *choice);
            let paths = rows.filter_map(|row| row["path"].as_str());
            paths.filter(|path| path.starts_with(section)).collect()
        };
        let own = under(choice);
        let known = if own.is_empty() { under(&Value::Null) } else { own };
        known.contains(&wanted)
    };
    let needed = NEEDED
        .iter()
        .find(|row| *choice == row.0)
        .map_or(&[][..], |row| row.1);
    let has_other_kind = needed.iter().any(|set| set.starts_with("kind="));
    let is_meant = |set: &str| is_here(set) && !(has_other_kind && set.starts_with("objective."));
    let mut sets: Vec<&str> = choice
        .as_str()
        .into_iter()
        .chain(needed.iter().copied())
        .collect();
    sets.extend(
        SMALL_RUN
            .iter()
            .filter(|word| word.contains('=') && is_meant(word)),
    );
    let mut before = owned(&[
        "tune",
        "run",
        // The preset whose settings are listed.
        "quick",
        "--quiet",
        "--no-verify",
        "--threads=2",
        "--out=made",
    ]);
    before.extend(sets.iter().map(|set| format!("--set={set}")));
    Slot {
        before,
        prefix: format!("--set={path}="),
        after: Vec::new(),
        range: listed_range(key),
    }
}
