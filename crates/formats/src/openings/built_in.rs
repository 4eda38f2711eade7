//! The openings inside the program, for matches and tuning without a file.

use std::sync::LazyLock;

use super::Opening;
use crate::epd::parse_line;

/// The file, as the command in its first line wrote it.
pub const BUILT_IN: &str = include_str!("../../data/openings.epd");

static OPENINGS: LazyLock<Vec<Opening>> = LazyLock::new(|| {
    BUILT_IN
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (epd, _) = parse_line(line).expect("a test reads every record");
            Opening::from_epd(&epd).expect("a test reads every record")
        })
        .collect()
});

/// Balanced openings that are always there: 8 random plies from the usual start position, no two ending in the same
/// position. The file's first lines say how they were made, `docs/openings.md` says more.
pub fn built_in() -> &'static [Opening] {
    &OPENINGS
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use vidmar_chess::Position;

    use super::*;

    #[test]
    fn all_are_legal_distinct_and_balanced() {
        let openings = built_in();
        assert!(openings.len() >= 1_000, "{}", openings.len());
        let mut ends = HashSet::new();
        for opening in openings {
            assert_eq!(opening.start, Position::default());
            assert_eq!(opening.moves.len(), 8);
            let end = opening.end();
            assert!(ends.insert(end.key()), "{} stands twice", opening.uci());
            assert!(end.count_legal_moves() > 0);
            let score = opening.score.expect("a score");
            assert!(score.centipawns.abs() <= 60, "{}", opening.uci());
            assert_eq!(score.depth, 8);
        }
    }
}
