//! The openings inside the program, for matches and tuning without a file.

use std::sync::LazyLock;

use vidmar_text::named_enum;

use super::Opening;
use crate::epd::parse_line;

named_enum! {
    /// A list of openings that is always there; `docs/openings.md` says how each was made.
    pub enum BuiltIn: "list of openings";
    Book, "book", "named openings of all codes, continued and found even by the engine: those of matches";
    Random, "random", "8 random plies, found even by the engine: those of tuning runs";
}

static BOOK: LazyLock<Vec<Opening>> = LazyLock::new(|| read(BuiltIn::Book.text()));
static RANDOM: LazyLock<Vec<Opening>> = LazyLock::new(|| read(BuiltIn::Random.text()));

fn read(text: &str) -> Vec<Opening> {
    let records = text.lines().filter(|line| !line.starts_with('#'));
    let opening = |line| {
        let (epd, _) = parse_line(line).expect("a test reads every record");
        Opening::from_epd(&epd).expect("a test reads every record")
    };
    records.map(opening).collect()
}

impl BuiltIn {
    /// The file, as the command in its first line wrote it.
    pub const fn text(self) -> &'static str {
        match self {
            BuiltIn::Book => include_str!("../../data/book.epd"),
            BuiltIn::Random => include_str!("../../data/random.epd"),
        }
    }

    /// The openings, all from the usual start position, no two ending in the same position.
    pub fn openings(self) -> &'static [Opening] {
        match self {
            BuiltIn::Book => &BOOK,
            BuiltIn::Random => &RANDOM,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use vidmar_chess::{Position, Role};

    use super::*;
    use crate::openings::line_name;

    /// That they are legal, distinct, within a bound of even, and as long as they should be.
    fn check(list: BuiltIn, count: usize, plies: usize, bound: i32) {
        let openings = list.openings();
        assert!(openings.len() >= count, "{}", openings.len());
        let mut ends = HashSet::new();
        for opening in openings {
            assert_eq!(opening.start, Position::default());
            assert_eq!(opening.moves.len(), plies);
            let end = opening.end();
            assert!(ends.insert(end.key()), "{} stands twice", opening.uci());
            assert!(end.count_legal_moves() > 0);
            let score = opening.score.expect("a score");
            assert!(score.centipawns.abs() <= bound, "{}", opening.uci());
            assert!(score.depth >= 8);
        }
    }

    #[test]
    fn random_ones_are_legal_distinct_and_balanced() {
        check(BuiltIn::Random, 2_000, 8, 60);
    }

    #[test]
    fn those_of_the_book_have_names_of_all_kinds_and_no_king_walks() {
        check(BuiltIn::Book, 2_000, 12, 50);
        let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
        for opening in BuiltIn::Book.openings() {
            let found = line_name(&opening.start, opening.moves.iter().copied()).expect("a name");
            assert_eq!(opening.name, format!("{} {}", found.eco, found.name));
            *codes.entry(found.eco).or_default() += 1;
            let mut position = opening.start.clone();
            for &m in &opening.moves {
                let is_king = position.role_at(m.from()) == Some(Role::King);
                assert!(!is_king || m.is_castling(), "{}", opening.uci());
                position.play(m);
            }
        }
        assert!(codes.len() >= 150, "{} codes", codes.len());
        for volume in ["A", "B", "C", "D", "E"] {
            let of_it = codes.iter().filter(|(code, _)| code.starts_with(volume));
            let openings: usize = of_it.map(|(_, count)| count).sum();
            assert!(openings >= 200, "{volume}: {openings}");
        }
        let most = codes.values().max().expect("some");
        assert!(*most <= 45, "{most} of one code");
    }
}
