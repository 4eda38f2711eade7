//! `vidmar tune`: parameters tuned by games.

mod bench;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Tune parameters by playing games, and prove the result
#[derive(Args)]
pub(crate) struct Tune {
    #[command(subcommand)]
    command: TuneCommand,
}

/// One row a command; each is a file in `tune/`.
#[derive(Subcommand)]
enum TuneCommand {
    Bench(bench::Bench),
}

impl Tune {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            TuneCommand::Bench(command) => command.run(),
        }
    }
}
