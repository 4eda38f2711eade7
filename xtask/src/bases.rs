//! `cargo xtask bases`: our endgame bases against the Syzygy tables, every position of every ending.
//!
//! The tests compare one position in a hundred; this is all of them, some minutes long.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use crate::cargo::{cargo, run};

/// Compare our endgame bases with Syzygy tables, position by position
#[derive(Args)]
pub(crate) struct Bases {
    /// The folder of the Syzygy tables (default: `syzygy` in the folder named by `VIDMAR_DATA`)
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Passed on: --bases DIR, --pieces N, --every N
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    more: Vec<String>,
}

impl Bases {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let in_data_folder = || Some(PathBuf::from(std::env::var_os("VIDMAR_DATA")?).join("syzygy"));
        let tables = self
            .tables
            .or_else(in_data_folder)
            .context("no tables: give --tables DIR or set VIDMAR_DATA")?;
        let mut command = cargo(&[
            "run",
            "--release",
            "--package",
            "vidmar-tablebases",
            "--example",
            "syzygy",
            "--",
        ]);
        run(command
            .arg("--tables")
            .arg(std::path::absolute(tables)?)
            .args(self.more))?;
        Ok(ExitCode::SUCCESS)
    }
}
