//! Every argument of a match, and every key of those that have keys.

use anyhow::Result;
use serde_json::Value;

use super::super::plan::Plan;
use super::super::tally::Tally;
use super::commands::rows;
use super::{Slot, owned, try_all};

/// A match of a moment.
const BASE: &[&str] = &[
    "match",
    "-engine",
    "player=random",
    "name=a",
    "-engine",
    "player=random:seed=2",
    "name=b",
    "-rounds",
    "1",
    "-maxmoves",
    "4",
    "--store",
    "new.db",
];

/// What an argument needs beside it: words before it, and keys of its own.
const COMPANIONS: &[(&str, &[&str], &[&str])] = &[
    ("-engine", &[], &["player=random:seed=3", "name=c"]),
    ("-sprt", &[], &["elo0=0", "elo1=5"]),
    ("-resign", &[], &["movecount=1", "score=100"]),
    ("-draw", &[], &["movenumber=1", "movecount=1", "score=5"]),
    ("-openings", &[], &["file=openings.epd"]),
    ("-pgnout", &[], &["file=out.pgn"]),
    ("-epdout", &[], &["file=out.epd"]),
    ("-log", &[], &["file=out.log"]),
    ("-tbpieces", &["-tb", "bases"], &[]),
    ("-tbadjudicate", &["-tb", "bases"], &[]),
    ("-seeds", &["-tournament", "gauntlet"], &[]),
];

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let slots: Vec<Slot> = rows(&plan.listing["match_arguments"])
        .iter()
        .flat_map(slots)
        .collect();
    try_all(plan, &slots)
}

fn slots(argument: &Value) -> Vec<Slot> {
    let name = argument["name"].as_str().unwrap_or_default();
    let companions = COMPANIONS.iter().find(|row| row.0 == name);
    let (words, keys) = companions.map_or((&[][..], &[][..]), |row| (row.1, row.2));
    let mut before = owned(&[BASE, words, &[name]].concat());
    let slot = |before: Vec<String>, prefix: String| Slot {
        before,
        prefix,
        after: Vec::new(),
        range: None,
    };
    match argument["shape"].as_str() {
        Some("keys") => {
            before.extend(owned(keys));
            let names = rows(&argument["keys"])
                .iter()
                .filter_map(|key| key["name"].as_str());
            names
                .map(|key| {
                    let key = if key == "option.NAME" { "option.Hash" } else { key };
                    slot(before.clone(), format!("{key}="))
                })
                .collect()
        }
        // A switch is given a word that it does not take.
        _ => vec![slot(before, String::new())],
    }
}
