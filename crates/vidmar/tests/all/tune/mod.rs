//! `vidmar tune` from outside.

#![allow(clippy::unwrap_used)]

mod clocks;
mod damage;
#[cfg(unix)]
mod engines;
mod input;
mod lists;
mod resume;
mod rivals;
mod runs;

use assert_cmd::Command;
use std::path::Path;
use std::process::{Command as Process, Stdio};

fn vidmar() -> Command {
    Command::new(env!("CARGO_BIN_EXE_vidmar"))
}

/// A run of a hundred games or so that takes seconds.
const SMALL: [&str; 18] = [
    "--set",
    "population=5",
    "--set",
    "games=4",
    "--set",
    "generations=3",
    "--set",
    "depth=1",
    "--set",
    "hash=1",
    "--set",
    "openings.source=built-in",
    "--set",
    "pairs=2",
    "--set",
    "deeper=[0]",
    "--set",
    "max_moves=40",
];

/// A run of its own for tests that only look at what comes after.
fn small_run(out: &Path, more: &[&str]) {
    vidmar()
        .args([
            "tune",
            "run",
            "no-knowledge",
            "--quiet",
            "--threads",
            "2",
            "--out",
        ])
        .arg(out)
        .args(SMALL)
        .args(more)
        .assert()
        .success();
}

/// A run that is far from over, with its stdout read line by line.
fn long_run(
    out: &Path,
) -> (
    std::process::Child,
    std::io::Lines<std::io::BufReader<std::process::ChildStdout>>,
) {
    let mut child = Process::new(env!("CARGO_BIN_EXE_vidmar"))
        .args([
            "tune",
            "run",
            "no-knowledge",
            "--json",
            "--no-verify",
            "--threads",
            "2",
            "--out",
        ])
        .arg(out)
        .args(SMALL)
        .args(["--set", "generations=20"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    (child, lines)
}

fn interrupt(child: &std::process::Child) {
    let id = child.id().to_string();
    assert!(
        Process::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
}

/// The last line that a command prints, as JSON.
fn last_json(assert: &assert_cmd::assert::Assert) -> serde_json::Value {
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}
