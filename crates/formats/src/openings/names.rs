//! Names of openings, with their codes in the Encyclopaedia of Chess Openings (ECO).
//!
//! The table is a file of codes, names and moves; what has a name is the position that the moves lead to, so that it is
//! found by whatever order of moves a game took.

use std::collections::HashMap;
use std::sync::LazyLock;

use vidmar_chess::{Key, Move, Position};

/// The table: `CODE TAB NAME TAB MOVES`, moves in SAN, `#` before comments.
const TABLE: &str = include_str!("../../data/eco.tsv");

/// What people call a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct OpeningName {
    /// Its code: `C50`.
    pub eco: &'static str,
    /// Its name: `Italian Game`.
    pub name: &'static str,
}

/// A line of the table.
#[derive(Clone, Debug)]
pub struct NamedLine {
    /// What it is called.
    pub name: OpeningName,
    /// Its moves from the usual start position.
    pub moves: Vec<Move>,
}

static LINES: LazyLock<Vec<NamedLine>> = LazyLock::new(|| {
    // The test below has read every row.
    let line = |(name, moves): (OpeningName, &str)| {
        Some(NamedLine {
            name,
            moves: replay(moves)?.1,
        })
    };
    rows().filter_map(line).collect()
});

/// The names by position. Castling and capturing rights are part of a position, and so of its key.
static NAMES: LazyLock<HashMap<Key, OpeningName>> = LazyLock::new(|| {
    let of = |(name, moves): (OpeningName, &str)| Some((replay(moves)?.0.repetition_key(), name));
    rows().filter_map(of).collect()
});

fn rows() -> impl Iterator<Item = (OpeningName, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut cells = line.split('\t');
        let (eco, name) = (cells.next()?, cells.next()?);
        Some((OpeningName { eco, name }, cells.next()?))
    })
}

fn replay(moves: &str) -> Option<(Position, Vec<Move>)> {
    let mut position = Position::default();
    let mut played = Vec::new();
    for san in moves.split_ascii_whitespace() {
        let m = position.parse_san(san).ok()?;
        position.play(m);
        played.push(m);
    }
    Some((position, played))
}

/// Every line that has a name, in the order of the codes.
pub fn named_lines() -> &'static [NamedLine] {
    &LINES
}

/// What a position is called, if it has a name.
///
/// ```
/// use vidmar_chess::Position;
/// use vidmar_formats::openings::opening_name;
/// let mut position = Position::default();
/// for san in ["e4", "c5"] {
///     let m = position.parse_san(san)?;
///     position.play(m);
/// }
/// let found = opening_name(&position).expect("it has a name");
/// assert_eq!((found.eco, found.name), ("B20", "Sicilian Defence"));
/// # Ok::<(), vidmar_chess::SanError>(())
/// ```
pub fn opening_name(position: &Position) -> Option<OpeningName> {
    NAMES.get(&position.repetition_key()).copied()
}

/// What a line is called: the name of the last of its positions that has one.
pub fn line_name(start: &Position, moves: impl IntoIterator<Item = Move>) -> Option<OpeningName> {
    let mut now = start.clone();
    let mut name = opening_name(&now);
    for m in moves {
        now.play(m);
        name = opening_name(&now).or(name);
    }
    name
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_is_a_line_of_legal_moves_with_a_position_of_its_own() {
        let mut seen: HashMap<Key, &str> = HashMap::new();
        let mut codes = BTreeSet::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [eco, name, moves] = cells[..] else {
                panic!("{line}")
            };
            let (letter, number) = eco.split_at(1);
            assert!("ABCDE".contains(letter) && number.len() == 2, "{line}");
            codes.insert((letter, number.parse::<u8>().expect("two digits")));
            let mut position = Position::default();
            for san in moves.split(' ') {
                let m = position
                    .parse_san(san)
                    .unwrap_or_else(|error| panic!("{line}: {error}"));
                assert_eq!(position.san(m).to_string(), san, "{line}");
                position.play(m);
            }
            let other = seen.insert(position.repetition_key(), name);
            assert_eq!(other, None, "{name} has the same position");
        }
        assert!(codes.len() >= 200, "{} codes", codes.len());
        assert_eq!(named_lines().len(), seen.len());
    }

    #[test]
    fn the_order_of_moves_does_not_matter() {
        let name = |moves: &str| {
            let (_, moves) = replay(moves).expect("legal");
            line_name(&Position::default(), moves).map(|found| (found.eco, found.name))
        };
        assert_eq!(name("Nf3 Nc6 e4 e5 Bb5"), Some(("C60", "Ruy Lopez")));
        assert_eq!(
            name("c4 e6 Nc3 d5 d4 Nf6 Nf3 Bb4"),
            Some(("D38", "Queen's Gambit Declined, Ragozin Defence"))
        );
        // Unnamed itself: called after the last position before it that has a name.
        assert_eq!(
            name("e4 c5 Nf3 d6 d4 cxd4 h4"),
            Some(("B50", "Sicilian Defence, Modern Variations"))
        );
        assert_eq!(opening_name(&Position::default()), None);
    }
}
