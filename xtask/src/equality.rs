//! `cargo xtask equality`: every exact search algorithm with every table on every board against minimax.
//!
//! The tests check a part of the product at each run; this is the whole of it, some minutes long.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::cargo::{cargo, run};

/// Compare every search algorithm, table and board with minimax
#[derive(Args)]
pub(crate) struct Equality {
    /// Depth of the searches
    #[arg(long, default_value_t = 4)]
    depth: u32,
    /// Passed on: --positions N, --seed N, --limit LEAVES
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    more: Vec<String>,
}

impl Equality {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let mut command = cargo(&[
            "run",
            "--release",
            "--package",
            "vidmar-search",
            "--example",
            "equality",
            "--",
        ]);
        run(command.arg("--depth").arg(self.depth.to_string()).args(self.more))?;
        Ok(ExitCode::SUCCESS)
    }
}
