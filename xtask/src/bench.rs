//! `cargo xtask bench`: measurements that anyone can make again.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use crate::cargo::{cargo, run, target_dir};
use crate::programs;

mod engines;
mod instructions;
#[cfg(unix)]
mod overhead;
mod perft;
mod pgn;

/// Measure speed; without a name, list what can be measured
#[derive(Args)]
pub(crate) struct Bench {
    #[arg(value_parser = BENCHES.map(|bench| bench.name))]
    name: Option<String>,
    /// Passed on to the bench
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// A bench, what it measures and how it is run with the arguments it was given.
#[derive(Clone, Copy)]
struct Row {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<ExitCode>,
}

/// The benches; a new one is a file in this folder and a row here.
const BENCHES: [Row; 6] = [
    Row {
        name: "perft",
        about: "move generation beside other libraries and Stockfish: time, in interleaved rounds",
        run: perft::run,
    },
    Row {
        name: "instructions",
        about: "move generation beside other libraries: instructions a node, which repeat on a noisy machine",
        run: instructions::of_generators,
    },
    Row {
        name: "alpha-beta",
        about: "alpha-beta to depth 5 on each of our boards: instructions a node",
        run: instructions::of_alpha_beta,
    },
    Row {
        name: "engines",
        about: "the engine beside Ethereal, Stockfish or the UCI engines that are named: nodes a second in interleaved rounds, instructions a node",
        run: engines::run_race,
    },
    Row {
        name: "pgn",
        about: "reading the given PGN files with every move checked, beside pgn-reader: time, in interleaved rounds",
        run: pgn::run_race,
    },
    Row {
        name: "overhead",
        about: "games a second of processor time through one worker beside a thread of the same program, in interleaved rounds",
        run: overhead::run,
    },
];

/// The names of the benches.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    BENCHES.into_iter().map(|row| row.name)
}

impl Bench {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let Some(row) = BENCHES.iter().find(|row| Some(row.name) == self.name.as_deref()) else {
            for row in BENCHES {
                println!("{:<14} {}", row.name, row.about);
            }
            return Ok(ExitCode::SUCCESS);
        };
        for reason in programs::used_by(&[row.name])
            .into_iter()
            .filter_map(|program| program.ensure().err())
        {
            eprintln!("{reason}");
        }
        if let Some(program) = programs::blocking(row.name) {
            bail!("the bench {} needs {}", row.name, program.name);
        }
        (row.run)(&self.arguments)
    }
}

/// Processes elsewhere are not told to end as Ctrl-C does.
#[cfg(not(unix))]
mod overhead {
    pub(super) fn run(_: &[String]) -> anyhow::Result<std::process::ExitCode> {
        anyhow::bail!("this bench runs on Unix alone")
    }
}

/// Builds `vidmar-peers` for a processor as it would be passed on, in a folder of its own; the answer is the program.
fn build_peers(processor: &str, with_pext: bool) -> Result<PathBuf> {
    let features = if with_pext {
        "chess-move-gen,pext"
    } else {
        "chess-move-gen"
    };
    let target = target_dir(processor);
    let mut build = cargo(&[
        "build",
        "--profile",
        "dist",
        "--manifest-path",
        "peers/Cargo.toml",
        "--features",
        features,
    ]);
    build.arg("--target-dir").arg(&target);
    build.env("RUSTFLAGS", format!("-Ctarget-cpu={processor}"));
    // One of the libraries asks for unstable features of the compiler; only that one gets them.
    build.env("RUSTC_BOOTSTRAP", "chess_move_gen");
    run(&mut build)?;
    Ok(target.join("dist").join("vidmar-peers"))
}
