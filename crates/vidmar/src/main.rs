//! The `vidmar` binary: it parses the command line, calls the libraries and prints.
//!
//! Data goes to standard output, progress and messages to standard error. The exit code is 0 when
//! the command did what was asked, 1 when it ran and the answer is "no" (a perft count differs), and
//! 2 when the input was bad.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod arguments;
mod commands;
mod output;
mod progress;

#[derive(Parser)]
#[command(
    name = "vidmar",
    version,
    about,
    propagate_version = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// One row a command; each is a file in `commands/` with its arguments and a `run`.
#[derive(Subcommand)]
enum Command {
    Eval(commands::eval::Eval),
    Perft(commands::perft::Perft),
    Rate(commands::rate::Rate),
    Stats(commands::stats::Stats),
}

impl Command {
    fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Command::Eval(command) => command.run(),
            Command::Perft(command) => command.run(),
            Command::Rate(command) => command.run(),
            Command::Stats(command) => command.run(),
        }
    }
}

fn main() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(code) => code,
        Err(error) => {
            output::error(&error);
            ExitCode::from(2)
        }
    }
}
