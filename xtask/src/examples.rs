//! `cargo xtask examples`: the finished tuning run, the match and the case base that come with the program.
//!
//! They are made by the program itself, in a minute, and packed into `crates/vidmar/data/examples`. Every step is seeded
//! and its games are counted in nodes: whoever makes them again has the same games.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::cargo::{cargo, command, root, run, target_dir};
use crate::programs::run_shown;

/// Make the examples that come with the program: a tuning run, a match, a case base
#[derive(Args)]
pub(crate) struct Examples {
    /// The folder in which they are played; a store keeps its name [default: target/examples]
    #[arg(long, value_name = "DIR")]
    within: Option<PathBuf>,
    /// The program that plays them [default: it is built]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u16,
}

/// What is packed.
const FILES: [&str; 4] = [
    "piece-values/config.toml",
    "piece-values/games.db",
    "match-tuned-start.db",
    "engine.cases",
];

/// Each is a command of the program, with the number of threads for `{}`.
const STEPS: [&str; 4] = [
    "tune run quick --scale 0.1 --quiet --out piece-values --threads {}",
    "match -engine player=engine:eval=piece-values/recommended.txt name=tuned \
     -engine player=engine:eval=piece-values/start.txt name=start \
     -each nodes=1000 option.Hash=1 -rounds 50 --store match-tuned-start.db -concurrency {}",
    "match -engine player=engine:nodes=4000,hash=1 name=expert -engine player=engine:nodes=1000,hash=1 name=other \
     -rounds 100 --store expert.db -pgnout file=expert.pgn -concurrency {}",
    "cases build --pgn expert.pgn --player expert -o engine.cases",
];

impl Examples {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let binary = if let Some(binary) = self.binary {
            std::path::absolute(binary)?
        } else {
            run_shown(cargo(&["build", "--release", "--package", "vidmar"]))?;
            target_dir("release").join("vidmar")
        };
        let folder = self.within.unwrap_or_else(|| target_dir("examples"));
        ensure!(
            !folder.exists(),
            "{} is there already: remove it first",
            folder.display()
        );
        fs::create_dir_all(&folder)?;
        for step in STEPS {
            let step = step.replace("{}", &self.threads.to_string());
            let mut command = command(&binary);
            command.args(step.split_whitespace()).current_dir(&folder);
            println!("$ vidmar {step}");
            run(&mut command)?;
        }
        let examples = root().join("crates/vidmar/data/examples");
        for file in FILES {
            pack(&folder.join(file), &examples.join(format!("{file}.gz")))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Packs a file without its name and age: the same contents, the same bytes.
fn pack(from: &Path, to: &Path) -> Result<()> {
    let output = command("gzip")
        .args(["--no-name", "--best", "--stdout"])
        .arg(from)
        .output()
        .context("cannot start gzip")?;
    ensure!(
        output.status.success(),
        "gzip {}: {}",
        from.display(),
        output.status
    );
    fs::create_dir_all(to.parent().unwrap_or(Path::new(".")))?;
    fs::write(to, &output.stdout).with_context(|| to.display().to_string())?;
    println!("{}: {} bytes", to.display(), output.stdout.len());
    Ok(())
}
