//! `cargo xtask bench pgn FILES`: reading games with every move checked, beside pgn-reader with shakmaty.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::cargo::{cargo, run, target_dir};

pub(super) fn run_race(arguments: &[String]) -> Result<ExitCode> {
    ensure!(!arguments.is_empty(), "name the PGN files to read");
    let mut race = cargo(&[
        "run",
        "--profile",
        "dist",
        "--package",
        "vidmar-formats",
        "--example",
        "pgn_speed",
    ]);
    race.arg("--target-dir").arg(target_dir("native"));
    race.env("RUSTFLAGS", "-Ctarget-cpu=native");
    run(race.arg("--").args(arguments))?;
    Ok(ExitCode::SUCCESS)
}
