//! Every argument of every command.

use anyhow::Result;
use serde_json::Value;

use super::super::plan::Plan;
use super::super::runs::SMALL_RUN;
use super::super::tally::Tally;
use super::{Slot, owned, try_all};

/// What a command is given besides the argument that is tried, so that it does a little work and ends. A command without a row is a finding.
const BASES: &[(&str, &[&str])] = &[
    ("bases make", &["--pieces=3", "--out=made"]),
    (
        "bases probe",
        &["--fen=8/8/8/8/8/2k5/2P5/2K5 w - - 0 1", "--path=bases"],
    ),
    ("bases check", &["bases"]),
    ("bench", &["--depth=1", "--hash=1"]),
    ("book make", &["games.pgn", "--output=made.bin"]),
    ("book probe", &["book.bin"]),
    (
        "cases build",
        &["--pgn=games.pgn", "--player=a", "--output=made.cases"],
    ),
    ("cases query", &["--cases=a.cases"]),
    ("cases study", &["--experts=experts", "--rounds=1"]),
    ("compare", &["--depth=1", "--suite=suite.epd", "--table-mib=1"]),
    ("completions", &["bash"]),
    ("eval", &[]),
    ("generate", &["man"]),
    ("move", &["--player=engine:hash=1", "--depth=1"]),
    ("net games", &["--games=1", "--nodes=1", "--out=made"]),
    ("net samples", &["packed", "--validation=50", "--out=made"]),
    (
        "net train",
        &[
            "packed",
            "--hidden=32",
            "--epochs=1",
            "--validation=50",
            "--out=made.net",
        ],
    ),
    (
        "net verify",
        &["packed/tiny.net", "--nodes=1", "--games=2", "--out=made"],
    ),
    ("openings export", &["--output=made.epd"]),
    (
        "openings make",
        &["--count=2", "--plies=2", "--depth=1", "--output=made.epd"],
    ),
    ("perft", &["--depth=1"]),
    ("rate", &["games.pgn"]),
    // Without a name it lists; nothing is begun in the folder.
    ("reproduce", &["--out=experiments"]),
    ("reproduce report", &["experiments"]),
    ("runs", &["run"]),
    ("search", &["--depth=1", "--table-mib=1"]),
    ("stats", &["runs.csv"]),
    ("store list", &["games.db"]),
    ("store export", &["games.db"]),
    ("store import", &["new.db", "games.pgn"]),
    ("store check", &["games.db"]),
    ("suite", &["suite.epd", "--depth=1", "--player=engine:hash=1"]),
    ("tune run", &["no-knowledge", "--out=made"]),
    ("tune resume", &["run", "--no-verify"]),
    ("tune status", &["run"]),
    ("tune export", &["run"]),
    ("tune verify", &["run"]),
    (
        "tune bench",
        &["--quick", "--methods=spsa", "--budgets=100", "--seeds=1"],
    ),
    (
        "tune compare",
        &["no-knowledge", "--out=made", "--games=40", "--methods=de-history"],
    ),
    ("uci", &[]),
    ("web", &["--no-open", "--state=state"]),
    // Nobody answers there: what is wrong with the arguments is said before.
    ("worker", &["nats://127.0.0.1:1"]),
    ("workers", &["nats://127.0.0.1:1"]),
];

/// What an argument needs beside it.
const COMPANIONS: &[(&str, &str, &str)] = &[
    ("perft", "--max-nodes", "--suite=perft.epd"),
    ("tune verify", "--reference", "--gauntlet=1"),
    ("tune verify", "--finalists", "--gauntlet=1"),
    ("eval", "--csv", "--list"),
];

/// Their settings make a run small.
const TUNING: [&str; 2] = ["tune run", "tune compare"];

/// A family of its own.
const MATCH: &str = "match";

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let mut slots = Vec::new();
    let mut unknown = Tally::default();
    for command in rows(&plan.listing["commands"]) {
        let path: Vec<&str> = rows(&command["path"]).iter().filter_map(Value::as_str).collect();
        let name = path.join(" ");
        if name == MATCH {
            continue;
        }
        let Some((_, base)) = BASES.iter().find(|row| row.0 == name) else {
            unknown.find(
                format!("{name}: no command line to begin with"),
                "a row of BASES in numbers/commands.rs",
            );
            continue;
        };
        let mut base = owned(base);
        if TUNING.contains(&name.as_str()) {
            let sets = SMALL_RUN.iter().filter(|word| word.contains('='));
            base.extend(sets.map(|set| format!("--set={set}")));
        }
        let mut position = 0;
        for argument in rows(&command["arguments"]) {
            slots.push(slot(&path, &base, argument, &mut position));
        }
    }
    let mut tally = try_all(plan, &slots)?;
    tally.add(unknown);
    Ok(tally)
}

/// The array that a part of the listing is.
pub(super) fn rows(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The place of an argument, which is taken out of the base.
fn slot(path: &[&str], base: &[String], argument: &Value, position: &mut usize) -> Slot {
    let name = argument["name"].as_str().unwrap_or_default();
    let is_positional = argument["is_positional"] == true;
    let takes_value = argument["takes_value"] == true;
    let prefix = match (is_positional, takes_value, name.starts_with("--")) {
        (true, ..) => String::new(),
        (false, true, true) => format!("{name}="),
        // A switch is not given values: clap says so, every time.
        _ => name.to_owned(),
    };
    let mut others: Vec<String> = base.to_vec();
    if is_positional {
        let at = others
            .iter()
            .enumerate()
            .filter(|(_, word)| !word.starts_with('-'))
            .nth(*position);
        if let Some((index, _)) = at {
            others.remove(index);
        }
        *position += 1;
    } else {
        others.retain(|word| !word.starts_with(&prefix) || prefix == "--set=");
    }
    let companions = COMPANIONS
        .iter()
        .filter(|row| row.0 == path.join(" ") && row.1 == name);
    others.extend(companions.map(|row| row.2.to_owned()));
    // Positions are counted from the left: what is tried stands where it stood.
    let (words, flags): (Vec<String>, Vec<String>) =
        others.into_iter().partition(|word| !word.starts_with('-'));
    let split = if is_positional {
        (*position - 1).min(words.len())
    } else {
        words.len()
    };
    let mut before = owned(path);
    before.extend(flags);
    before.extend(words[..split].iter().cloned());
    Slot {
        before,
        prefix,
        after: words[split..].to_vec(),
        range: None,
    }
}
