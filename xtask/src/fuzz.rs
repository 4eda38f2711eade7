//! `cargo xtask fuzz`: feeds the readers with mutations of good input until one falls over.
//!
//! The folder `fuzz/` has the layout of cargo-fuzz, and `cargo +nightly fuzz run TARGET` works there.
//! This command goes without cargo-fuzz: the coverage counters of libFuzzer need only stable compiler
//! flags. cargo-fuzz would add a nightly compiler and the address sanitizer, which looks for mistakes
//! that safe code cannot make and halves the speed; and it would be one more installation.

use std::fs::{self, File};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cargo::{cargo, root, run, target_dir};

/// The targets; a new one is a row here, a `[[bin]]` in `fuzz/Cargo.toml`, a file and a folder of seeds.
pub(crate) const TARGETS: &[&str] = &["fen", "san", "uci", "epd", "pgn", "net"];

/// Feed the readers with mutated input
#[derive(Args)]
pub(crate) struct Fuzz {
    /// One target; all of them when it is left out
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(TARGETS))]
    target: Option<String>,
    /// How long each target runs
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
}

impl Fuzz {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if let Some(program) = crate::programs::used_by(&["fuzz"])
            .into_iter()
            .find_map(|it| it.ensure().err())
        {
            bail!(program);
        }
        let targets = self.target.as_deref().map(|target| vec![target]);
        let targets = targets.as_deref().unwrap_or(TARGETS);
        let faults = run_targets(targets, Duration::from_secs(self.seconds))?;
        Ok(if faults.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

/// The passes that count which edges ran and which comparisons failed; the flags that cargo-fuzz uses.
const COVERAGE_FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Clink-dead-code",
    "-Cdebug-assertions",
    "-Coverflow-checks",
    "--cfg=fuzzing",
];

/// Builds all targets and runs the given ones, each for `time` on a processor of its own; the answer is those with a fault.
pub(crate) fn run_targets<'a>(targets: &[&'a str], time: Duration) -> Result<Vec<&'a str>> {
    let folder = build()?;
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let mut faults = Vec::new();
    for together in targets.chunks(processors) {
        let sound: Vec<Result<bool>> = thread::scope(|scope| {
            let run = |target: &&'a str| {
                let (folder, target) = (&folder, *target);
                scope.spawn(move || run_target(folder, target, time))
            };
            let runs: Vec<_> = together.iter().map(run).collect();
            runs.into_iter()
                .map(|run| run.join().expect("running a target does not panic"))
                .collect()
        });
        for (target, sound) in together.iter().zip(sound) {
            if !sound? {
                faults.push(*target);
            }
        }
    }
    Ok(faults)
}

/// Builds the targets; the answer is the folder of their programs.
fn build() -> Result<PathBuf> {
    let host = host_triple()?;
    let target = target_dir("fuzz");
    let mut command = cargo(&[
        "build",
        "--release",
        "--bins",
        "--manifest-path",
        "fuzz/Cargo.toml",
    ]);
    // Naming the target keeps the flags away from build scripts, which have no libFuzzer to link with.
    command.args(["--target", &host]).arg("--target-dir").arg(&target);
    run(command.env("CARGO_ENCODED_RUSTFLAGS", COVERAGE_FLAGS.join("\x1f")))?;
    Ok(target.join(host).join("release"))
}

fn host_triple() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .arg("-vV")
        .output()
        .context("cannot start rustc")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not name its host")
}

/// Runs one target on its seeds and on what earlier runs found. An input that breaks it is kept, and the
/// answer is false.
fn run_target(programs: &Path, target: &str, time: Duration) -> Result<bool> {
    let fuzz = root().join("fuzz");
    let (corpus, artifacts) = (
        fuzz.join("corpus").join(target),
        fuzz.join("artifacts").join(target),
    );
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&artifacts)?;
    let program = programs.join(target);
    let log = program.with_extension("log");
    let status = Command::new(&program)
        .arg(&corpus)
        .arg(fuzz.join("seeds").join(target))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-max_total_time={}", time.as_secs()))
        .args([
            "-timeout=10",
            "-rss_limit_mb=1024",
            "-max_len=4096",
            "-print_final_stats=1",
        ])
        .env("RUST_BACKTRACE", "0")
        .stderr(File::create(&log)?)
        .status()
        .with_context(|| format!("cannot start the fuzz target {target}"))?;
    let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    if status.success() {
        let runs = value_after(&text, "stat::number_of_executed_units:").unwrap_or("?");
        println!("{target}: {runs} inputs in {} s, no fault", time.as_secs());
    } else {
        println!("{target}: FAULT\n{}", fault(&text));
        if let Some(input) = value_after(&text, "Test unit written to ") {
            println!("again: {} {input}", program.display());
        }
        println!("whole log: {}", log.display());
    }
    Ok(status.success())
}

/// What follows `key` on the line that holds it.
fn value_after<'a>(log: &'a str, key: &str) -> Option<&'a str> {
    log.lines()
        .find_map(|line| line.split_once(key))
        .map(|(_, value)| value.trim())
}

/// The part of a log that says what went wrong: the panic, or libFuzzer's own words about a hang or a
/// want of memory.
fn fault(log: &str) -> String {
    let said = |line: &&str| line.contains("panicked at") || line.contains("ERROR: libFuzzer");
    let lines: Vec<&str> = log.lines().skip_while(|line| !said(line)).collect();
    let end = lines
        .iter()
        .position(|line| line.starts_with("SUMMARY:"))
        .unwrap_or(lines.len());
    lines[..end.min(12)].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_is_cut_down_to_the_fault() {
        let log = "INFO: Seed: 1\nthread 'x' panicked at a.rs:1:2:\nwhy\n==7== ERROR: libFuzzer: deadly signal\n\
                   SUMMARY: libFuzzer: deadly signal\nart='x/'; Test unit written to x/crash-1\n";
        assert!(fault(log).starts_with("thread 'x' panicked at a.rs:1:2:\nwhy\n"));
        assert!(!fault(log).contains("SUMMARY"));
        assert_eq!(value_after(log, "Test unit written to "), Some("x/crash-1"));
    }

    #[test]
    fn every_target_has_a_file_and_seeds() {
        for target in TARGETS {
            let fuzz = root().join("fuzz");
            assert!(
                fuzz.join("fuzz_targets")
                    .join(target)
                    .with_extension("rs")
                    .is_file(),
                "{target}"
            );
            assert!(
                fs::read_dir(fuzz.join("seeds").join(target)).unwrap().count() > 0,
                "{target}"
            );
        }
        let files = fs::read_dir(root().join("fuzz/fuzz_targets")).unwrap().count();
        assert_eq!(files, TARGETS.len(), "a fuzz target is missing in the table");
    }
}
