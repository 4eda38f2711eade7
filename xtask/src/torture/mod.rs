//! `cargo xtask torture`: everything that may happen to the program from outside, until something gives way.
//!
//! A family is a file and a row below. It makes trials (a command line, a kill, a damaged file, a request) from a seed and looks for
//! what must never be: a panic, an abort, a hang, memory without a bound, a result that changed in silence. Each finding comes with
//! a command line that repeats it; the exit code is 1 if there is one. What is tried comes from the program's own tables
//! (`vidmar generate arguments`, the options it tells over UCI), so that whatever is added to them is tried from then on.
//!
//! | file | holds |
//! | --- | --- |
//! | `plan`, `tally` | what a family is given, and what it gives back |
//! | `trial` | one process under limits, and how it ended |
//! | `fixtures` | the files that trials begin with |
//! | `numbers` | values at the edges of every argument and setting: five families |
//! | `lives` | a match and a run that are killed and go on, and what must come of them |
//! | `kills`, `workers`, `writers`, `damage` | runs that are killed, here and on workers, disputed, damaged |
//! | `engines`, `requests`, `server` | engines and clients that misbehave |

mod damage;
mod engines;
mod fixtures;
mod kills;
mod lives;
mod numbers;
mod plan;
mod requests;
mod runs;
pub(crate) mod server;
mod tally;
mod trial;
mod workers;
mod writers;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;

use crate::cargo::target_dir;
use crate::programs;
use crate::test::tested_binary;
use plan::Plan;
use tally::Tally;

/// Try what must never break: numbers at every edge, kills, two writers, damaged files, bad engines, hostile requests
#[derive(Args)]
pub(crate) struct Torture {
    /// Only this family; may be repeated
    #[arg(long, value_name = "FAMILY", value_parser = FAMILIES.map(|family| family.name))]
    only: Vec<String>,
    /// Another seed, other trials
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// How long a family goes on at the most
    #[arg(long, default_value_t = 5.0, value_name = "M", value_parser = minutes)]
    minutes: f64,
    /// How many trials a family makes at the most
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,
    /// Trials at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// The program that is tried [default: that of the tests, with every assertion on]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// A kind of trials.
#[derive(Clone, Copy)]
struct Family {
    name: &'static str,
    help: &'static str,
    run: fn(&Plan) -> Result<Tally>,
    /// Trials of the short form in `cargo xtask test`; 0 where the tests of the crates do the same.
    short: u64,
}

/// The families; a new one is a row here.
const FAMILIES: [Family; 11] = [
    Family {
        name: "commands",
        help: "values at the edges of every argument of every command",
        run: numbers::commands::run,
        short: 120,
    },
    Family {
        name: "matches",
        help: "the same of every argument of a match",
        run: numbers::matches::run,
        short: 60,
    },
    Family {
        name: "players",
        help: "the same of every setting of every player",
        run: numbers::players::run,
        short: 60,
    },
    Family {
        name: "configuration",
        help: "the same of every setting of a tuning run",
        run: numbers::configuration::run,
        short: 60,
    },
    Family {
        name: "options",
        help: "the same of every UCI option",
        run: numbers::options::run,
        short: 20,
    },
    // The tests of `vidmar` kill a match and a run twenty times each, at moments.
    Family {
        name: "kills",
        help: "a match and a tuning run killed at system calls and resumed: the same to the last bit",
        run: kills::run,
        short: 0,
    },
    // The tests of `fleet` and `vidmar` kill workers, coordinators and servers, some of each.
    Family {
        name: "workers",
        help: "a match and a tuning run on workers; those, the coordinator and the server killed: the same to the last bit",
        run: workers::run,
        short: 0,
    },
    Family {
        name: "writers",
        help: "two processes at one run or store: one wins, and what is kept belongs together",
        run: writers::run,
        short: 3,
    },
    Family {
        name: "damage",
        help: "changed bytes in stores and configurations: noticed, or without effect",
        run: damage::run,
        short: 8,
    },
    Family {
        name: "engines",
        help: "engines that misbehave: the match goes on, in bounded memory",
        run: engines::run,
        short: 0,
    },
    Family {
        name: "requests",
        help: "hostile requests: the server answers afterwards, in bounded memory",
        run: requests::run,
        short: 0,
    },
];

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= 10_000.0 => Ok(minutes),
        _ => Err("expected a number above 0, at most 10000".to_owned()),
    }
}

impl Torture {
    pub(crate) fn run(self) -> Result<ExitCode> {
        for program in programs::used_by(&["torture"]) {
            if let Err(reason) = program.ensure() {
                println!("{reason}");
            }
        }
        let binary = match self.binary {
            Some(binary) => std::path::absolute(binary)?,
            None => tested_binary()?,
        };
        let wanted =
            |family: &Family| self.only.is_empty() || self.only.iter().any(|name| name == family.name);
        let chosen: Vec<(Family, Option<u64>)> = FAMILIES
            .into_iter()
            .filter(wanted)
            .map(|family| (family, self.rounds))
            .collect();
        let time = Duration::from_secs_f64(self.minutes * 60.0);
        let findings = torture(binary, &chosen, self.seed, time, self.jobs)?;
        Ok(ExitCode::from(u8::from(findings > 0)))
    }
}

/// The short form, for `cargo xtask test`.
pub(crate) fn short() -> Result<()> {
    let chosen: Vec<(Family, Option<u64>)> = FAMILIES
        .into_iter()
        .filter(|family| family.short > 0)
        .map(|family| (family, Some(family.short)))
        .collect();
    let findings = torture(tested_binary()?, &chosen, 1, Duration::from_mins(2), None)?;
    ensure!(findings == 0, "{findings} findings");
    Ok(())
}

/// Tries families one after another and prints what came of them; the answer is the number of findings.
fn torture(
    binary: PathBuf,
    chosen: &[(Family, Option<u64>)],
    seed: u64,
    time: Duration,
    jobs: Option<u16>,
) -> Result<usize> {
    let mut plan = Plan::new(binary, target_dir("torture"), seed, jobs)?;
    let mut lines = Vec::new();
    for (family, rounds) in chosen {
        println!("{}: {}", family.name, family.help);
        let begun = Instant::now();
        plan.begin(family.name, begun + time, *rounds)?;
        let tally = (family.run)(&plan)?;
        for finding in &tally.findings {
            println!("FINDING {}: {finding}", family.name);
        }
        lines.push((family.name, tally, begun.elapsed()));
    }
    println!(
        "\n{:<14} {:>7} {:>8} {:>8}  what",
        "family", "trials", "findings", "seconds"
    );
    for (name, tally, spent) in &lines {
        let (trials, findings, seconds) = (tally.trials, tally.findings.len(), spent.as_secs_f64());
        println!(
            "{name:<14} {trials:>7} {findings:>8} {seconds:>8.1}  {}",
            tally.told()
        );
    }
    let all: u64 = lines.iter().map(|(_, tally, _)| tally.trials).sum();
    let findings = lines.iter().map(|(_, tally, _)| tally.findings.len()).sum();
    println!("{all} trials, {findings} findings, seed {seed}");
    if findings > 0 {
        println!("trials begin in a copy of {}", plan.fixtures().display());
    }
    Ok(findings)
}
