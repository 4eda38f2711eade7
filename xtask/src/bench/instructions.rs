//! Instructions a node, counted by callgrind: `cargo xtask bench instructions` for move generation beside
//! other libraries, `cargo xtask bench alpha-beta` for a search on each of our boards.
//!
//! A count repeats to a few hundred-thousandths where a time on a busy machine does not. It is not a time: cache
//! misses and mispredicted branches are not in it. Built for x86-64-v3, because valgrind does not know
//! the instructions of every newer processor. The start of the program is counted too, some millions of
//! instructions against hundreds of millions.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use super::build_peers;
use crate::cargo::{cargo, command, run, target_dir};

const PROCESSOR: &str = "x86-64-v3";

pub(super) fn of_generators(arguments: &[String]) -> Result<ExitCode> {
    takes_no_arguments(arguments)?;
    print_counts(&build_peers(PROCESSOR, true)?, "--count")
}

pub(super) fn of_alpha_beta(arguments: &[String]) -> Result<ExitCode> {
    takes_no_arguments(arguments)?;
    print_counts(&build_example("vidmar-search", "alpha_beta_count")?, "--board")
}

fn build_example(package: &str, example: &str) -> Result<PathBuf> {
    Ok(build(package, "--example", example)?
        .join("examples")
        .join(example))
}

/// Builds a package's program as it would be passed on to owners of such a processor; where its programs are.
pub(super) fn build(package: &str, kind: &str, name: &str) -> Result<PathBuf> {
    let target = target_dir(PROCESSOR);
    let mut build = cargo(&["build", "--profile", "dist", "--package", package, kind, name]);
    build.arg("--target-dir").arg(&target);
    run(build.env("RUSTFLAGS", format!("-Ctarget-cpu={PROCESSOR}")))?;
    Ok(target.join("dist"))
}

fn takes_no_arguments(arguments: &[String]) -> Result<()> {
    match arguments.first() {
        None => Ok(()),
        Some(word) => bail!("this bench takes no arguments, found \"{word}\""),
    }
}

/// A line for each name that the program gives with `--names`: what it costs to run it with `flag` and the name.
fn print_counts(program: &Path, flag: &str) -> Result<ExitCode> {
    let names = command(program)
        .arg("--names")
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    println!(
        "{:<20} {:>14} {:>12} {:>8}",
        "", "instructions", "nodes", "a node"
    );
    for name in String::from_utf8(names.stdout)?.lines() {
        let output = command("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(program)
            .args([flag, name])
            .output()
            .context("cannot start valgrind")?;
        let log = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{name} under valgrind: {log}");
        let instructions = collected(&log).with_context(|| format!("valgrind gave no count: {log}"))?;
        let nodes = nodes(&String::from_utf8(output.stdout)?).context("the program printed no node count")?;
        let ratio = instructions as f64 / nodes as f64;
        println!("{name:<20} {instructions:>14} {nodes:>12} {ratio:>8.2}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The count in callgrind's line `==PID== Collected : N`.
pub(super) fn collected(log: &str) -> Option<u64> {
    log.lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

/// The first number that the program printed.
fn nodes(text: &str) -> Option<u64> {
    text.split_whitespace().find_map(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{collected, nodes};

    #[test]
    fn counts_are_read() {
        assert_eq!(
            collected("==7== Events    : Ir\n==7== Collected : 123456\n==7==\n"),
            Some(123456)
        );
        assert_eq!(collected("==7== Events    : Ir\n"), None);
        assert_eq!(nodes("nodes 17 on board x\n"), Some(17));
    }
}
