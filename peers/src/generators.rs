//! Who takes part: one file in this folder and one row in [`TABLE`] for each move generator.
//!
//! Each is used the fastest way its public interface allows: the last ply is counted and not played,
//! and nobody remembers counts in a hash table.

use anyhow::{Context, Result, ensure};

use crate::positions::Position;
use crate::stockfish::Stockfish;

mod chess;
#[cfg(feature = "chess-move-gen")]
mod chess_move_gen;
mod cozy_chess;
mod ours;
mod shakmaty;

/// A move generator that is linked into this program.
struct Row {
    name: &'static str,
    /// The package whose version is shown, as the lock file names it.
    package: &'static str,
    /// How many plies shallower than the others it counts; for generators too slow for the full depth.
    plies_less: u32,
    /// The number of legal move sequences of the given length, which is at least 1.
    perft: fn(fen: &str, depth: u32) -> Result<u64>,
}

const TABLE: &[Row] = &[
    Row {
        name: "shakmaty",
        package: "shakmaty",
        plies_less: 0,
        perft: shakmaty::perft,
    },
    Row {
        name: "chess",
        package: "chess",
        plies_less: 0,
        perft: chess::perft,
    },
    Row {
        name: COZY_CHESS,
        package: "cozy-chess",
        plies_less: 0,
        perft: cozy_chess::perft,
    },
    #[cfg(feature = "chess-move-gen")]
    Row {
        name: "chess-move-gen",
        package: "chess-move-gen",
        plies_less: 0,
        perft: chess_move_gen::perft,
    },
];

/// Its name says which of its two kinds of tables it was built with.
const COZY_CHESS: &str = if cfg!(feature = "pext") {
    "cozy-chess (pext)"
} else {
    "cozy-chess"
};

/// The name under which Stockfish stands in the table; the others are measured against it.
const REFERENCE: &str = "Stockfish";

type Perft = Box<dyn FnMut(&str, u32) -> Result<u64>>;

/// Somebody who counts: a row of the table, one of our own boards, or Stockfish in its own process.
pub(crate) struct Generator {
    pub(crate) name: String,
    pub(crate) version: String,
    plies_less: u32,
    perft: Perft,
}

impl Generator {
    /// Whether it is the one that the others are measured against.
    pub(crate) fn is_reference(&self) -> bool {
        self.name == REFERENCE
    }

    /// The depth to which this generator counts the position.
    pub(crate) fn depth(&self, position: &Position) -> u32 {
        position.depth().saturating_sub(self.plies_less).max(1)
    }

    /// Counts the position and fails unless the count is the known one.
    pub(crate) fn count(&mut self, position: &Position, depth: u32) -> Result<u64> {
        let nodes = (self.perft)(position.fen, depth)
            .with_context(|| format!("{} on position {}", self.name, position.name))?;
        let known = position.nodes_at(depth);
        ensure!(
            nodes == known,
            "{} counts {nodes} nodes at depth {depth} of position {}, expected {known}",
            self.name,
            position.name
        );
        Ok(nodes)
    }
}

/// Everybody who can take part here: Stockfish, when there is one, then the crates, then our boards.
pub(crate) fn all(stockfish: Option<Stockfish>) -> Vec<Generator> {
    let reference = stockfish.map(|mut engine| Generator {
        name: REFERENCE.to_owned(),
        version: engine.version().to_owned(),
        plies_less: 0,
        perft: Box::new(move |fen, depth| engine.perft(fen, depth)),
    });
    let crates = TABLE.iter().map(|row| Generator {
        name: row.name.to_owned(),
        version: locked_version(row.package).to_owned(),
        plies_less: row.plies_less,
        perft: Box::new(row.perft),
    });
    reference
        .into_iter()
        .chain(crates)
        .chain(ours::boards())
        .collect()
}

/// The version of a package in the lock file that this program was built from.
fn locked_version(package: &str) -> &'static str {
    const LOCK: &str = include_str!("../../../Cargo.lock");
    let name = format!("name = \"{package}\"");
    LOCK.lines()
        .skip_while(|line| *line != name)
        .nth(1)
        .and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .unwrap_or("unknown")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::POSITIONS;

    /// Every count of the table that a generator reaches in a moment.
    fn check(generator: &mut Generator) {
        const MOST_NODES: u64 = 5_000_000;
        for position in &POSITIONS {
            for depth in 1..=position.depth() {
                if position.nodes_at(depth) <= MOST_NODES {
                    generator.count(position, depth).unwrap();
                }
            }
        }
    }

    #[test]
    fn crates_agree_with_the_known_counts() {
        for mut generator in all(None) {
            check(&mut generator);
        }
    }

    #[test]
    fn stockfish_agrees_with_the_known_counts() {
        match Stockfish::find().unwrap() {
            Some(engine) => check(&mut all(Some(engine))[0]),
            None if std::env::var_os("VIDMAR_REQUIRE_ALL").is_some() => panic!("stockfish is missing"),
            None => println!("skipped: stockfish is not installed"),
        }
    }

    #[test]
    fn versions_come_from_the_lock_file() {
        assert_eq!(locked_version("cozy-chess"), "0.3.4");
        assert_eq!(locked_version("no such package"), "unknown");
        for row in TABLE {
            assert_ne!(locked_version(row.package), "unknown", "{}", row.name);
        }
    }
}
