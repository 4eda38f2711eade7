//! From what is said of the openings to openings.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use vidmar_arena::{Opening, Openings, Order, Schedule};
use vidmar_chess::Position;
use vidmar_formats::openings::{self, Candidates, Source};
use vidmar_formats::polyglot::Book;

use super::settings::{OpeningSettings, Settings};

/// Plies of a book's lines where nothing is said.
const BOOK_PLIES: usize = 8;

/// The most lines that are taken from a book.
const MOST_BOOK_LINES: u64 = 100_000;

/// The openings of a match, and a number that changes when they do.
pub(super) fn openings(settings: &Settings, schedule: &Schedule) -> anyhow::Result<(Openings, u64)> {
    let (supply, digest) = match &settings.openings {
        None => {
            ensure!(
                !settings.chess960,
                "-variant fischerandom needs -openings: the built-in ones are of standard chess"
            );
            let list = openings::built_in().iter().map(opening).collect();
            let order = Order::Random { seed: settings.seed };
            (
                Openings::list(list)?.in_order(order),
                digest(openings::BUILT_IN.as_bytes()),
            )
        }
        Some(wanted) => from_file(wanted, settings, schedule)?,
    };
    let needed = schedule.openings();
    if let Some(count) = supply.count().filter(|&count| (count as u64) < needed) {
        crate::output::warn(&format!(
            "there are {count} openings for {needed}: they are used again, and games of players without chance repeat"
        ));
    }
    Ok((supply, digest))
}

fn opening(line: &openings::Opening) -> Opening {
    Opening {
        start: line.start.clone(),
        moves: line.moves.clone(),
        name: String::new(),
    }
}

fn from_file(
    wanted: &OpeningSettings,
    settings: &Settings,
    schedule: &Schedule,
) -> anyhow::Result<(Openings, u64)> {
    let path = wanted.file.as_deref().unwrap_or(Path::new(""));
    let name = path.display();
    let format = match (
        &wanted.format,
        path.extension().and_then(|extension| extension.to_str()),
    ) {
        (Some(format), _) => format.as_str(),
        (None, Some(extension @ ("epd" | "pgn" | "bin"))) => extension,
        (None, Some("fen" | "txt")) => "epd",
        (None, _) => bail!("-openings: {name}: expected format=epd, format=pgn or format=bin"),
    };
    let open = || {
        File::open(path)
            .map(BufReader::new)
            .with_context(|| format!("cannot open {name}"))
    };
    let supply = match format {
        "pgn" => Openings::pgn(open()?).with_context(|| name.to_string())?,
        "bin" => {
            let book = Book::open(path).with_context(|| name.to_string())?;
            let plies = wanted.plies.unwrap_or(BOOK_PLIES);
            let needed = schedule.openings() + wanted.start;
            let list: Vec<Opening> =
                Candidates::new(Source::Book(&book), Position::default(), plies, settings.seed)
                    .take(needed.min(MOST_BOOK_LINES) as usize)
                    .map(|line| opening(&line))
                    .collect();
            Openings::list(list).with_context(|| format!("{name} at {plies} plies"))?
        }
        _ => Openings::epd(open()?).with_context(|| name.to_string())?,
    };
    let order = if wanted.random {
        Order::Random { seed: settings.seed }
    } else {
        Order::Sequential
    };
    let mut supply = supply.in_order(order).starting_at(wanted.start);
    if let Some(plies) = wanted.plies.filter(|_| format == "pgn") {
        supply = supply.cut_at(plies);
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    Ok((supply, digest(&bytes)))
}

/// Fowler, Noll and Vo's hash (FNV-1a): enough to see that a file was changed.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
