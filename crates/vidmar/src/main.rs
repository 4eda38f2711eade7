//! The `vidmar` binary: it parses the command line, calls the libraries and prints.
//!
//! Data goes to standard output, progress and messages to standard error. The exit code is 0 when
//! the command did what was asked, 1 when it ran and the answer is "no" (a perft count differs), and
//! 2 when the input was bad.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod arguments;
mod commands;
mod consent;
mod defect;
mod elsewhere;
mod examples;
mod home;
mod interrupt;
mod output;
mod percent;
mod progress;

#[derive(Parser)]
#[command(
    name = "vidmar",
    version,
    about,
    propagate_version = true,
    after_help = "Without a command, vidmar is a UCI engine: that is how graphical interfaces start it."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// Makes the enum of the commands and what runs them, from one row each.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident($command:ty),)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$about])* $name($command),)*
        }

        impl Command {
            fn run(self) -> anyhow::Result<ExitCode> {
                match self {
                    $(Command::$name(command) => command.run(),)*
                }
            }
        }
    };
}

// One row a command; each is a file in `commands/` with its arguments and a `run`.
commands! {
    #[command(name = "bases")]
    Tablebases(commands::bases::Tablebases),
    Bench(commands::bench::Bench),
    Book(commands::book::Book),
    Cases(commands::cases::Cases),
    Compare(commands::compare::Compare),
    Completions(commands::completions::Completions),
    Eval(commands::eval::Eval),
    Generate(commands::generate::Generate),
    Match(commands::matches::Match),
    Move(commands::move_command::MoveCommand),
    Net(commands::net::Net),
    Openings(commands::openings::Openings),
    Perft(commands::perft::Perft),
    Rate(commands::rate::Rate),
    Reproduce(commands::reproduce::Reproduce),
    Runs(commands::runs::Runs),
    Search(commands::search::Search),
    Stats(commands::stats::Stats),
    Store(commands::store::StoreCommand),
    Suite(commands::suite::Suite),
    Tune(commands::tune::Tune),
    Uci(commands::uci::Uci),
    #[command(visible_alias = "play")]
    Web(commands::web::Web),
    Worker(commands::worker::Worker),
    Workers(commands::workers::Workers),
}

fn main() -> ExitCode {
    defect::tell_backtraces();
    let command = Cli::parse().command;
    match command.map_or_else(commands::uci::without_arguments, Command::run) {
        Ok(code) => code,
        // `| head` has what it wanted.
        Err(_) if output::reader_is_gone() => ExitCode::SUCCESS,
        Err(error) if elsewhere::was_stopped(&error) => {
            output::hint("stopped before the first game");
            ExitCode::from(interrupt::INTERRUPTED)
        }
        Err(error) => {
            output::error(&error);
            ExitCode::from(2)
        }
    }
}
