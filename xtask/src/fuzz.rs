//! `cargo xtask fuzz`: feeds everything that reads with mutations of good input until something falls over.
//!
//! The folder `fuzz/` has the layout of cargo-fuzz, and `cargo +nightly fuzz run TARGET` works there.
//! This command goes without cargo-fuzz: the coverage counters of libFuzzer need only stable compiler
//! flags. cargo-fuzz would add a nightly compiler and the address sanitizer, which looks for mistakes
//! that safe code cannot make and halves the speed; and it would be one more installation.

mod corpus;

use std::fmt;
use std::fs::{self, File};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cargo::{cargo, root, run, target_dir};

/// Something that reads.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    name: &'static str,
    /// Whether it is part of `cargo xtask test`, which builds only what needs few crates.
    is_light: bool,
}

const fn light(name: &'static str) -> Target {
    Target { name, is_light: true }
}

const fn whole(name: &'static str) -> Target {
    Target {
        name,
        is_light: false,
    }
}

/// The targets; a new one is a row here, a `[[bin]]` in `fuzz/Cargo.toml`, a file and a folder of seeds.
const TARGETS: [Target; 20] = [
    light("fen"),
    light("san"),
    light("uci"),
    light("epd"),
    light("pgn"),
    light("polyglot"),
    light("net"),
    whole("constraint"),
    whole("state"),
    whole("vector"),
    whole("tablebase"),
    whole("cases"),
    whole("clock"),
    whole("spec"),
    whole("config"),
    whole("list"),
    whole("engine"),
    whole("heard"),
    whole("arguments"),
    whole("requests"),
];

/// Feed the readers with mutated input
#[derive(Args)]
pub(crate) struct Fuzz {
    /// These targets; all of them when they are left out
    #[arg(value_parser = TARGETS.map(|target| target.name))]
    targets: Vec<String>,
    /// How long each target runs
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Afterwards, keep in `fuzz/kept` the smallest inputs that reach all that was reached
    #[arg(long)]
    keep: bool,
}

impl Fuzz {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if let Some(program) = crate::programs::used_by(&["fuzz"])
            .into_iter()
            .find_map(|it| it.ensure().err())
        {
            bail!(program);
        }
        let is_wanted =
            |target: &Target| self.targets.is_empty() || self.targets.iter().any(|name| name == target.name);
        let targets: Vec<Target> = TARGETS.into_iter().filter(is_wanted).collect();
        let programs = build(&targets)?;
        let runs = run_targets(&programs, &targets, Duration::from_secs(self.seconds))?;
        if self.keep {
            for target in &targets {
                corpus::keep(&programs, target.name)?;
            }
        }
        println!("{}", table(&runs)?);
        let faults = runs.iter().filter(|run| run.is_faulty).count();
        Ok(ExitCode::from(u8::from(faults > 0)))
    }
}

/// The table of `docs/robustness.md`: what every target went through, and what is kept of it.
fn table(runs: &[Run]) -> Result<String> {
    let mut lines =
        "| target | seconds | inputs | branches | kept inputs | kept bytes |\n| --- | --: | --: | --: | --: | --: |\n"
            .to_owned();
    let mut sums = [0; 5];
    for run in runs {
        let kept = corpus::read(run.target)?;
        let bytes: usize = kept.iter().map(Vec::len).sum();
        let numbers = [
            run.seconds,
            run.counts.inputs,
            run.counts.branches,
            kept.len() as u64,
            bytes as u64,
        ];
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
        lines += &row(&format!("`{}`", run.target), numbers);
    }
    Ok(lines + &row("all", sums))
}

fn row(name: &str, numbers: [u64; 5]) -> String {
    let cells = numbers.map(|number| format!("{} |", grouped(number)));
    format!("| {name} | {}\n", cells.join(" "))
}

/// With a comma after every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
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

/// The targets of `cargo xtask test`; the answer is those with a fault.
pub(crate) fn run_light(time: Duration) -> Result<Vec<&'static str>> {
    let targets: Vec<Target> = TARGETS.into_iter().filter(|target| target.is_light).collect();
    let runs = run_targets(&build(&targets)?, &targets, time)?;
    let faulty = runs.iter().filter(|run| run.is_faulty);
    Ok(faulty.map(|run| run.target).collect())
}

/// A target that was run.
struct Run {
    target: &'static str,
    /// How long it was to run.
    seconds: u64,
    counts: Counts,
    is_faulty: bool,
}

/// Runs each target for `time` on a processor of its own.
fn run_targets(programs: &Path, targets: &[Target], time: Duration) -> Result<Vec<Run>> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let mut done = Vec::new();
    for together in targets.chunks(processors) {
        let runs: Vec<Result<Run>> = thread::scope(|scope| {
            let run = |target: &Target| {
                let target = target.name;
                scope.spawn(move || run_target(programs, target, time))
            };
            let runs: Vec<_> = together.iter().map(run).collect();
            runs.into_iter()
                .map(|run| run.join().expect("running a target does not panic"))
                .collect()
        });
        for run in runs {
            done.push(run?);
        }
    }
    let mut all = Counts::default();
    for run in &done {
        all.add(run.counts);
    }
    let faults = done.iter().filter(|run| run.is_faulty).count();
    println!("{} targets: {all}, {faults} faults", targets.len());
    Ok(done)
}

/// What a target went through.
#[derive(Clone, Copy, Default)]
struct Counts {
    inputs: u64,
    /// Branches of the program that were taken; a part of it that two targets run counts twice.
    branches: u64,
}

impl Counts {
    /// From the log of a run, also of one that ended with a fault.
    fn read(log: &str) -> Counts {
        let number = |text: &str| text.split_whitespace().next()?.parse().ok();
        let executed = value_after(log, "stat::number_of_executed_units:").and_then(number);
        let last = log.lines().rev().find_map(|line| line.split_once(" cov: "));
        let before = last.and_then(|(line, _)| number(line.trim_start_matches('#')));
        Counts {
            inputs: executed.or(before).unwrap_or(0),
            branches: last.and_then(|(_, rest)| number(rest)).unwrap_or(0),
        }
    }

    fn add(&mut self, other: Counts) {
        self.inputs += other.inputs;
        self.branches += other.branches;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} inputs, {} branches", self.inputs, self.branches)
    }
}

/// Builds the light targets, and the others where one of them is wanted; the answer is the folder of their programs.
fn build(targets: &[Target]) -> Result<PathBuf> {
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
    if targets.iter().any(|target| !target.is_light) {
        command.args(["--features", "whole"]);
    }
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

/// A target's program within its bounds. What breaks it, whatever it is told to do, is written into the folder of artifacts.
fn libfuzzer(programs: &Path, target: &str) -> Result<Command> {
    let artifacts = root().join("fuzz/artifacts").join(target);
    fs::create_dir_all(&artifacts)?;
    let mut command = Command::new(programs.join(target));
    command
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args(["-timeout=10", "-rss_limit_mb=1024", "-max_len=4096"])
        // What is written all the same under a name of its own lies there, too.
        .current_dir(&artifacts)
        .env("RUST_BACKTRACE", "0");
    Ok(command)
}

/// Runs one target on its seeds, on what is kept and on what earlier runs found. An input that breaks it is kept.
fn run_target(programs: &Path, target: &'static str, time: Duration) -> Result<Run> {
    corpus::unpack(target)?;
    let program = programs.join(target);
    let log = program.with_extension("log");
    let status = libfuzzer(programs, target)?
        .arg(corpus::folder(target))
        .arg(root().join("fuzz/seeds").join(target))
        .arg(format!("-max_total_time={}", time.as_secs()))
        .arg("-print_final_stats=1")
        .stderr(File::create(&log)?)
        .status()
        .with_context(|| format!("cannot start the fuzz target {target}"))?;
    let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    let run = Run {
        target,
        seconds: time.as_secs(),
        counts: Counts::read(&text),
        is_faulty: !status.success(),
    };
    if run.is_faulty {
        println!("{target}: FAULT\n{}", fault(&text));
        if let Some(input) = value_after(&text, "Test unit written to ") {
            println!("again: {} {input}", program.display());
        }
        println!("whole log: {}", log.display());
    } else {
        println!("{target}: {} in {} s, no fault", run.counts, run.seconds);
    }
    Ok(run)
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
    fn inputs_and_branches_are_counted() {
        let log =
            "#2 INITED cov: 10 ft: 11 corp: 1/1b\n#500 NEW    cov: 123 ft: 456 corp: 3/9b lim: 4 exec/s: 0\n";
        let counts = Counts::read(log);
        assert_eq!((counts.inputs, counts.branches), (500, 123));
        let counts = Counts::read(&format!("{log}stat::number_of_executed_units: 98765\n"));
        assert_eq!((counts.inputs, counts.branches), (98_765, 123));
    }

    #[test]
    fn the_table_has_a_row_for_each_and_a_sum() {
        let run = |target, inputs| Run {
            target,
            seconds: 60,
            counts: Counts { inputs, branches: 7 },
            is_faulty: false,
        };
        let table = table(&[run("fen", 1_234_567), run("san", 1)]).unwrap();
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[2].starts_with("| `fen` | 60 | 1,234,567 | 7 | "), "{table}");
        assert!(lines[4].starts_with("| all | 120 | 1,234,568 | 14 | "), "{table}");
    }

    #[test]
    fn what_a_target_leaves_lies_in_its_own_folder() {
        let command = libfuzzer(Path::new("/nowhere"), "fen").unwrap();
        let folder = root().join("fuzz/artifacts/fen");
        assert_eq!(command.get_current_dir(), Some(folder.as_path()));
        let prefix = format!("-artifact_prefix={}/", folder.display());
        assert!(command.get_args().any(|argument| argument == prefix.as_str()));
    }

    #[test]
    fn every_target_has_a_file_seeds_and_a_corpus() {
        for target in TARGETS.map(|target| target.name) {
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
            assert!(!corpus::read(target).unwrap().is_empty(), "{target}");
        }
        let files = fs::read_dir(root().join("fuzz/fuzz_targets")).unwrap().count();
        assert_eq!(files, TARGETS.len(), "a fuzz target is missing in the table");
    }
}
