//! `vidmar bases`: endgame bases are made, asked and checked.

mod check;
mod make;
mod probe;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Make endgame tablebases of up to four pieces, probe them or Syzygy tables, check them
#[derive(Args)]
pub(crate) struct Tablebases {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Make(make::Make),
    Probe(probe::Probe),
    Check(check::Check),
}

impl Tablebases {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Make(command) => command.run(),
            Command::Probe(command) => command.run(),
            Command::Check(command) => command.run(),
        }
    }
}
