//! Perft speed side by side with other move generators: `cargo xtask bench perft`.
//!
//! Single speeds say more about the machine than about the code, so everybody counts the same
//! positions in the same run and Stockfish is the unit. A developer tool: nothing depends on it.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;

use crate::generators::Generator;
use crate::positions::POSITIONS;
use crate::report::Report;
use crate::stockfish::Stockfish;

mod generators;
mod machine;
mod measure;
mod positions;
mod report;
mod stockfish;

/// Compare the perft speed of move generators
#[derive(Parser)]
#[command(name = "cargo xtask bench perft", version)]
struct Arguments {
    /// How often everybody counts every position; the best time is kept
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// A Stockfish to measure against instead of the installed one, for example a build for this processor
    #[arg(long, value_name = "PATH")]
    stockfish: Option<PathBuf>,
    /// Only the generators whose name contains this, and Stockfish; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Print everything that was measured as JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
    /// Print the names of the generators that are linked in
    #[arg(long)]
    names: bool,
    /// Count every position once, one ply less deep, with this generator alone, and print the nodes:
    /// the work that `cargo xtask bench instructions` watches
    #[arg(long, value_name = "NAME")]
    count: Option<String>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(error) => {
            tell(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<String> {
    if arguments.names {
        let names: Vec<String> = generators::all(None).into_iter().map(|it| it.name).collect();
        return Ok(names.join("\n") + "\n");
    }
    if let Some(name) = &arguments.count {
        return count(name);
    }
    compare(arguments)
}

fn count(name: &str) -> Result<String> {
    let mut generators = generators::all(None);
    let generator = generators
        .iter_mut()
        .find(|generator| generator.name == name)
        .with_context(|| format!("no generator is called {name}"))?;
    let mut nodes = 0;
    for position in &POSITIONS {
        nodes += generator.count(position, position.depth() - 1)?;
    }
    Ok(format!("{nodes}\n"))
}

fn compare(arguments: &Arguments) -> Result<String> {
    let stockfish = match &arguments.stockfish {
        Some(path) => Some(Stockfish::start(path)?),
        None => Stockfish::find()?,
    };
    if stockfish.is_none() {
        tell("no stockfish found: the table has speeds but no multiples");
    }
    let mut generators = generators::all(stockfish);
    if !arguments.only.is_empty() {
        let named = |it: &Generator| arguments.only.iter().any(|part| it.name.contains(part.as_str()));
        ensure!(
            generators.iter().any(named),
            "no generator has a name like {:?}",
            arguments.only
        );
        generators.retain(|it| it.is_reference() || named(it));
    }
    let on_terminal = std::io::stderr().is_terminal();
    let progress = |line: &str| {
        if on_terminal {
            tell(line);
        }
    };
    let times = measure::measure(&mut generators, &POSITIONS, arguments.rounds, progress)?;
    let report = Report::new(&generators, &POSITIONS, &times, arguments.rounds);
    Ok(if arguments.json {
        serde_json::to_string_pretty(&report)? + "\n"
    } else if arguments.markdown {
        report.markdown()
    } else {
        report.text()
    })
}

/// A line for the person at the terminal; the result alone goes to standard output.
fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
