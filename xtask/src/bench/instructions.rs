//! `cargo xtask bench instructions`: instructions a node, counted by callgrind.
//!
//! A count repeats to a few millionths where a time on a busy machine does not. It is not a time: cache
//! misses and mispredicted branches are not in it. Built for x86-64-v3, because valgrind does not know
//! the instructions of every newer processor. The start of the program is counted too, some millions of
//! instructions against hundreds of millions.

use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use super::build_peers;
use crate::cargo::command;

pub(super) fn run(arguments: &[String]) -> Result<ExitCode> {
    if let Some(word) = arguments.first() {
        bail!("the bench instructions takes no arguments, found \"{word}\"");
    }
    let program = build_peers("x86-64-v3", true)?;
    let names = command(&program)
        .arg("--names")
        .output()
        .context("cannot start vidmar-peers")?;
    println!(
        "{:<20} {:>14} {:>12} {:>8}",
        "", "instructions", "nodes", "a node"
    );
    for name in String::from_utf8(names.stdout)?.lines() {
        let output = command("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(&program)
            .args(["--count", name])
            .output()
            .context("cannot start valgrind")?;
        let log = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{name} under valgrind: {log}");
        let instructions = collected(&log).with_context(|| format!("valgrind gave no count: {log}"))?;
        let nodes: u64 = String::from_utf8(output.stdout)?.trim().parse()?;
        let ratio = instructions as f64 / nodes as f64;
        println!("{name:<20} {instructions:>14} {nodes:>12} {ratio:>8.2}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The count in callgrind's line `==PID== Collected : N`.
fn collected(log: &str) -> Option<u64> {
    log.lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::collected;

    #[test]
    fn count_is_read_from_the_log() {
        assert_eq!(
            collected("==7== Events    : Ir\n==7== Collected : 123456\n==7==\n"),
            Some(123456)
        );
        assert_eq!(collected("==7== Events    : Ir\n"), None);
    }
}
