//! `cargo xtask play`: from a fresh checkout to a board in the browser.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::cargo::cargo;
use crate::web;

/// Build the page and the binary, start the server and open it in the browser
#[derive(Args)]
pub(crate) struct Play {
    /// Passed on to `vidmar web`: --port N, --engine NAME=COMMAND, --cases NAME=FILE, DIR ...
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    more: Vec<String>,
}

impl Play {
    pub(crate) fn run(self) -> Result<ExitCode> {
        web::install()?;
        web::build()?;
        let mut serve = cargo(&["run", "--release", "--package", "vidmar", "--", "web"]);
        // However the server ends (Ctrl-C is the usual way) is its own affair.
        let status = serve.args(self.more).status()?;
        Ok(ExitCode::from(u8::from(
            status.code().is_some_and(|code| code != 0),
        )))
    }
}
