//! Every setting of every player.

use anyhow::Result;
use serde_json::Value;

use super::super::plan::Plan;
use super::super::tally::Tally;
use super::commands::rows;
use super::{Slot, listed_range, owned, try_all};

/// Files for settings that a player cannot do without.
const FILES: &[(&str, &str)] = &[("cases", "a.cases"), ("file", "book.bin")];

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let players = rows(&plan.listing["players"]).iter();
    let slots: Vec<Slot> = players.flat_map(|player| slots(plan, player)).collect();
    try_all(plan, &slots)
}

fn slots(plan: &Plan, player: &Value) -> Vec<Slot> {
    let kind = player["key"].as_str().unwrap_or_default();
    let settings = rows(&player["settings"]);
    let key = |row: &Value| row["key"].as_str().unwrap_or_default().to_owned();
    let needed: Vec<String> = settings
        .iter()
        .filter(|row| row["required"].is_string())
        .map(key)
        .collect();
    let slot = |row: &Value| {
        let tried = key(row);
        let mut parts: Vec<String> = needed
            .iter()
            .filter(|needed| **needed != tried)
            .map(|key| required(plan, key))
            .collect();
        parts.push(format!("{tried}="));
        Slot {
            before: owned(&["move", "--depth=1", "--nodes=200"]),
            prefix: format!("--player={kind}:{}", parts.join(",")),
            after: Vec::new(),
            range: listed_range(row),
        }
    };
    settings.iter().map(slot).collect()
}

fn required(plan: &Plan, key: &str) -> String {
    let file = FILES.iter().find(|row| row.0 == key).map(|row| row.1.to_owned());
    // The other one is the command of an engine: ourselves.
    format!(
        "{key}={}",
        file.unwrap_or_else(|| plan.binary.display().to_string())
    )
}
