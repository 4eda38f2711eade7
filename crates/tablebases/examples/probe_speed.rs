//! What a probe costs: our tablebases and Syzygy's, position by position in turns, best of several rounds.
#![allow(clippy::print_stdout, reason = "a program for people at a terminal")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use vidmar_chess::{Color, Position};
use vidmar_tablebases::{Library, Syzygy, Tablebases, endings};

/// Time probes of our tablebases and of Syzygy tables
#[derive(Parser)]
struct Arguments {
    /// A folder of our tablebases
    #[arg(long)]
    tablebases: PathBuf,
    /// A folder of Syzygy tables
    #[arg(long)]
    tables: Option<String>,
    /// Positions, spread over all endings
    #[arg(long, default_value_t = 100_000)]
    positions: usize,
    /// Rounds, of which the best counts
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// Positions in an order in which no two neighbours are of one ending.
fn sample(count: usize) -> Vec<Position> {
    let all: Vec<_> = endings(4).collect();
    let each = count.div_ceil(all.len());
    let mut walks: Vec<_> = all
        .iter()
        .map(|&ending| {
            let step = (ending.numbers() as usize / (2 * each)).max(1);
            (0..ending.numbers())
                .step_by(step)
                .enumerate()
                .filter_map(move |(index, number)| ending.position(number, Color::ALL[index % 2]))
        })
        .collect();
    let mut positions = Vec::new();
    while positions.len() < count {
        let before = positions.len();
        positions.extend(walks.iter_mut().filter_map(Iterator::next));
        if positions.len() == before {
            break;
        }
    }
    positions
}

fn time(positions: &[Position], probe: impl Fn(&Position) -> bool) -> Duration {
    let begun = Instant::now();
    let found = positions
        .iter()
        .filter(|position| probe(black_box(position)))
        .count();
    assert_eq!(found, positions.len(), "every position has a value");
    begun.elapsed()
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let own = Tablebases::new(Library::open(&arguments.tablebases)?, None);
    let syzygy = arguments.tables.as_deref().map(Syzygy::open).transpose()?;
    let positions = sample(arguments.positions);
    let (mut ours, mut theirs, mut distances) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..arguments.rounds {
        ours = ours.min(time(&positions, |position| own.wdl(position).is_some()));
        if let Some(syzygy) = &syzygy {
            theirs = theirs.min(time(&positions, |position| syzygy.wdl(position).is_some()));
            distances = distances.min(time(&positions, |position| syzygy.dtz(position).is_some()));
        }
    }
    let each = |time: Duration| time.as_nanos() as f64 / positions.len() as f64;
    println!("{} positions", positions.len());
    println!("our tablebases: {:.0} ns a probe", each(ours));
    if syzygy.is_some() {
        println!(
            "Syzygy win/draw/loss: {:.0} ns, distance: {:.0} ns",
            each(theirs),
            each(distances)
        );
    }
    Ok(())
}
