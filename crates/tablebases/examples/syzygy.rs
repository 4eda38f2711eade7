//! Our tablebases beside the Syzygy tables, position by position: `cargo xtask tablebases` runs it.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal"
)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use clap::Parser;
use rayon::prelude::*;
use vidmar_chess::Color;
use vidmar_tablebases::{Ending, FiftyWdl, Library, Syzygy, Wdl, endings, make_in_memory};

/// Compare our tablebases with Syzygy tables
#[derive(Parser)]
struct Arguments {
    /// The folder of the Syzygy tables
    #[arg(long)]
    tables: String,
    /// A folder of our tablebases; made in memory without it
    #[arg(long)]
    tablebases: Option<PathBuf>,
    /// Compare endings of up to this many pieces
    #[arg(long, default_value_t = 4)]
    pieces: usize,
    /// Compare every Nth number only
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

/// What the comparison of an ending has found.
#[derive(Copy, Clone, Default)]
struct Found {
    values: [u64; 3],
    /// Cursed wins and blessed losses.
    spoilt: u64,
    missing: u64,
    differences: u64,
}

impl Found {
    fn and(self, other: Found) -> Found {
        Found {
            values: [0, 1, 2].map(|value| self.values[value] + other.values[value]),
            spoilt: self.spoilt + other.spoilt,
            missing: self.missing + other.missing,
            differences: self.differences + other.differences,
        }
    }

    fn positions(&self) -> u64 {
        self.values.iter().sum()
    }
}

fn compare(ending: Ending, own: &Library, syzygy: &Syzygy, every: u32) -> Found {
    let classify = |number: u32, turn: Color| {
        let mut found = Found::default();
        let Some(position) = ending.position(number, turn) else {
            return found;
        };
        let (Some(ours), Some(theirs)) = (own.wdl(&position), syzygy.wdl(&position)) else {
            found.missing = 1;
            return found;
        };
        found.values[ours as usize] = 1;
        found.spoilt = u64::from(matches!(theirs, FiftyWdl::BlessedLoss | FiftyWdl::CursedWin));
        if ours != theirs.without_rule() {
            eprintln!("{position}: {ours}, but {theirs:?} by Syzygy");
            found.differences = 1;
        }
        found
    };
    (0..ending.numbers() / every)
        .into_par_iter()
        .with_min_len(256)
        .map(|step| {
            Color::ALL
                .into_iter()
                .map(|turn| classify(step * every, turn))
                .fold(Found::default(), Found::and)
        })
        .reduce(Found::default, Found::and)
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let syzygy = Syzygy::open(&arguments.tables)?;
    let own = if let Some(folder) = &arguments.tablebases {
        Library::open(folder).context("--tablebases")?
    } else {
        let begun = Instant::now();
        let made = make_in_memory(arguments.pieces);
        eprintln!("made in {:.1} s", begun.elapsed().as_secs_f64());
        made
    };
    println!("| ending | positions | won | drawn | lost | spoilt by the 50-move rule | differences |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let begun = Instant::now();
    let mut total = Found::default();
    for ending in endings(arguments.pieces) {
        let found = compare(ending, &own, &syzygy, arguments.every);
        print_row(&ending.to_string(), &found);
        total = total.and(found);
    }
    print_row("all", &total);
    eprintln!("compared in {:.0} s", begun.elapsed().as_secs_f64());
    anyhow::ensure!(total.missing == 0, "{} positions have no value", total.missing);
    Ok(ExitCode::from(u8::from(total.differences > 0)))
}

fn print_row(name: &str, found: &Found) {
    let [lost, drawn, won] = Wdl::ALL.map(|value| found.values[value as usize]);
    println!(
        "| {name} | {} | {won} | {drawn} | {lost} | {} | {} |",
        found.positions(),
        found.spoilt,
        found.differences
    );
}
