//! `vidmar tune`: parameters tuned by games.

mod bench;
mod compare;
mod export;
mod pipeline;
mod resume;
mod run;
mod screen;
mod show;
mod status;
mod values;
mod verify;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Tune parameters by playing games, and validate the result
#[derive(Args)]
pub(crate) struct Tune {
    #[command(subcommand)]
    command: TuneCommand,
}

/// One row a command; each is a file in `tune/`.
#[derive(Subcommand)]
enum TuneCommand {
    Run(Box<run::Run>),
    Resume(resume::Resume),
    Status(status::Status),
    Export(export::Export),
    Verify(verify::Verify),
    Bench(bench::Bench),
    Compare(Box<compare::Compare>),
}

impl Tune {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            TuneCommand::Run(command) => command.run(),
            TuneCommand::Resume(command) => command.run(),
            TuneCommand::Status(command) => command.run(),
            TuneCommand::Export(command) => command.run(),
            TuneCommand::Verify(command) => command.run(),
            TuneCommand::Bench(command) => command.run(),
            TuneCommand::Compare(command) => command.run(),
        }
    }
}
