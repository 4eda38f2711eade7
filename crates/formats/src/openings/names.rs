//! Names of openings.
//!
//! The table is a file of names and moves; what has a name is the position that the moves lead to, so that it is found by
//! whatever order of moves a game took.

use std::collections::HashMap;
use std::sync::LazyLock;

use vidmar_chess::{Key, Position};

/// The table: `NAME: MOVES`, moves in SAN, `#` before comments.
const TABLE: &str = include_str!("names.txt");

/// The names by position. Castling and capturing rights are part of a position, and so of its key.
static NAMES: LazyLock<HashMap<Key, &'static str>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for (name, moves) in rows() {
        // The test below has read every row.
        if let Some(position) = replay(moves) {
            names.insert(position.repetition_key(), name);
        }
    }
    names
});

fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": "))
}

fn replay(moves: &str) -> Option<Position> {
    let mut position = Position::default();
    for san in moves.split_ascii_whitespace() {
        let m = position.parse_san(san).ok()?;
        position.play(m);
    }
    Some(position)
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
/// assert_eq!(opening_name(&position), Some("Sicilian Defence"));
/// # Ok::<(), vidmar_chess::SanError>(())
/// ```
pub fn opening_name(position: &Position) -> Option<&'static str> {
    NAMES.get(&position.repetition_key()).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_is_a_line_of_legal_moves_with_a_position_and_a_name_of_its_own() {
        let mut seen: HashMap<Key, &str> = HashMap::new();
        let mut names = BTreeSet::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let (name, moves) = line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
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
            assert!(names.insert(name), "{name} is there twice");
        }
        assert!(names.len() > 280, "{}", names.len());
    }

    #[test]
    fn the_order_of_moves_does_not_matter() {
        let name = |moves: &str| opening_name(&replay(moves).expect("legal"));
        assert_eq!(name("Nf3 Nc6 e4 e5 Bb5"), Some("Ruy Lopez"));
        assert_eq!(name("c4 e6 d4 d5"), Some("Queen's Gambit Declined"));
        assert_eq!(
            name("c4 e6 Nc3 d5 d4 Nf6 Nf3 Bb4"),
            Some("Queen's Gambit Declined, Ragozin Defence")
        );
        assert_eq!(name("e4 e5 Nf3 Nc6 a3"), None);
        assert_eq!(opening_name(&Position::default()), None);
    }
}
