//! `cargo xtask bench`: measurements that anyone can make again.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Args;

use crate::cargo::{cargo, run, target_dir};
use crate::programs;

/// Measure speed; without a name, list what can be measured
#[derive(Args)]
pub(crate) struct Bench {
    #[arg(value_parser = BENCHES.map(|bench| bench.name))]
    name: Option<String>,
    /// Passed on to the bench; its own --help explains
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// A bench: its name, what it measures, and the command that is run after its programs are installed.
#[derive(Clone, Copy)]
struct Row {
    name: &'static str,
    about: &'static str,
    prepare: fn() -> Result<Command>,
}

/// The benches; a new one is a row here.
const BENCHES: [Row; 1] = [Row {
    name: "perft",
    about: "move generation beside other libraries and Stockfish",
    prepare: perft,
}];

impl Bench {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let Some(row) = BENCHES.iter().find(|row| Some(row.name) == self.name.as_deref()) else {
            for row in BENCHES {
                println!("{:<10} {}", row.name, row.about);
            }
            return Ok(ExitCode::SUCCESS);
        };
        for reason in programs::used_by(&[row.name])
            .into_iter()
            .filter_map(|program| program.ensure().err())
        {
            eprintln!("{reason}");
        }
        let mut command = (row.prepare)()?;
        command.args(self.arguments).env("PATH", programs::search_path());
        let status = command
            .status()
            .with_context(|| format!("cannot start the bench {}", row.name))?;
        Ok(ExitCode::from(
            status
                .code()
                .and_then(|code| u8::try_from(code).ok())
                .unwrap_or(1),
        ))
    }
}

/// Builds `vidmar-peers` for this very processor, as its users would build any of these libraries.
fn perft() -> Result<Command> {
    let mut features = vec!["chess-move-gen"];
    if has_pext() {
        features.push("pext");
    }
    let target = target_dir("native");
    let mut build = cargo(&["build", "--release", "--package", "vidmar-peers"]);
    build
        .args(["--features", &features.join(",")])
        .arg("--target-dir")
        .arg(&target);
    build.env("RUSTFLAGS", "-Ctarget-cpu=native");
    // One of the libraries asks for unstable features of the compiler; only that one gets them.
    build.env("RUSTC_BOOTSTRAP", "chess_move_gen");
    run(&mut build)?;
    Ok(Command::new(target.join("release").join("vidmar-peers")))
}

/// Whether the processor has the PEXT instruction, which two of the libraries can use.
fn has_pext() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
