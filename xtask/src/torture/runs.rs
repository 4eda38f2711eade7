//! A small match and a small tuning run, and what is compared of them: all that does not depend on the clock.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::fixtures::done;
use super::plan::Plan;

/// A match of two players by chance.
pub(crate) const MATCH: &[&str] = &[
    "match",
    "-engine",
    "player=random:seed=1",
    "name=a",
    "-engine",
    "player=random:seed=2",
    "name=b",
    "-rounds",
    "6",
    "-seed",
    "3",
];

/// A tuning run of some sixty games.
pub(crate) const SMALL_RUN: &[&str] = &[
    "tune",
    "run",
    "no-knowledge",
    "--quiet",
    "--no-verify",
    "--threads",
    "2",
    "--set",
    "optimizer.population=5",
    "--set",
    "objective.games=4",
    "--set",
    "budget.generations=3",
    "--set",
    "engine.depth=1",
    "--set",
    "engine.hash=1",
    "--set",
    "openings.source=built-in",
    "--set",
    "rules.max_moves=40",
];

/// The files of an export that a result is.
const EXPORTED: [&str; 6] = [
    "games.pgn",
    "games.csv",
    "population.csv",
    "history.csv",
    "trajectories.csv",
    "recommended.txt",
];

/// Everything that a tuning run came to.
pub(crate) fn result_of_run(plan: &Plan, directory: &Path) -> Result<Vec<String>> {
    let place = directory.to_str().context("a folder whose name is text")?;
    done(plan, directory, &["tune", "export", "--pgn", place])?;
    EXPORTED
        .iter()
        .map(|name| {
            let path = directory.join("export").join(name);
            fs::read_to_string(&path).with_context(|| path.display().to_string())
        })
        .collect()
}

/// Everything that a match came to.
pub(crate) fn result_of_match(plan: &Plan, folder: &Path, store: &str) -> Result<String> {
    done(plan, folder, &["store", "export", store, "--no-times"])
}
