//! Developer commands: `cargo xtask`.
//!
//! One file a command and one row a command in the table below. They only start other programs, so
//! they need nothing but Rust on a fresh machine, and install the rest themselves where they may.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal"
)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bases;
mod bench;
mod book;
mod cargo;
mod commits;
mod deny;
mod dist;
mod equality;
mod examples;
mod figures;
mod fuzz;
mod lines;
#[cfg(unix)]
mod nats;
mod pgo;
mod play;
mod programs;
mod sbom;
mod seeds;
#[cfg(unix)]
mod soak;
mod stopwatch;
mod targets;
mod test;
#[cfg(unix)]
mod torture;
mod web;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "Developer commands of Vidmar"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// One row a command; each is a file with its arguments and a `run`.
#[derive(Subcommand)]
enum Command {
    Test(test::Test),
    Bases(bases::Bases),
    Bench(bench::Bench),
    Book(book::Book),
    Deny(deny::Deny),
    Dist(dist::Dist),
    Equality(equality::Equality),
    Examples(examples::Examples),
    Fuzz(fuzz::Fuzz),
    Lines(lines::Lines),
    Pgo(pgo::Pgo),
    Play(play::Play),
    Seeds(seeds::Seeds),
    #[cfg(unix)]
    Soak(soak::Soak),
    #[cfg(unix)]
    Torture(torture::Torture),
    Web(web::Web),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Test(command) => command.run(),
        Command::Bases(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Book(command) => command.run(),
        Command::Deny(command) => command.run(),
        Command::Dist(command) => command.run(),
        Command::Equality(command) => command.run(),
        Command::Examples(command) => command.run(),
        Command::Fuzz(command) => command.run(),
        Command::Lines(command) => command.run(),
        Command::Pgo(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Seeds(command) => command.run(),
        #[cfg(unix)]
        Command::Soak(command) => command.run(),
        #[cfg(unix)]
        Command::Torture(command) => command.run(),
        Command::Web(command) => command.run(),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
