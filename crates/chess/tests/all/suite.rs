//! Perft suites: positions with the number of move sequences of each length.
//!
//! Two formats are in use: one line a position, `FEN ;D1 20 ;D2 400`, and blocks of `epd` and `perft`
//! lines.

use vidmar_chess::{Board, BoardKind, Position, with_board};

/// A position and its counts as (depth, nodes).
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) fen: String,
    pub(crate) counts: Vec<(u32, u64)>,
}

/// Reads either format.
///
/// # Panics
/// If a line is in neither.
pub(crate) fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().map(str::trim) {
        match line.split_once(' ') {
            _ if line.is_empty() || line.starts_with('#') => {}
            Some(("id", _)) => {}
            Some(("epd", fen)) => cases.push(Case {
                fen: fen.to_owned(),
                counts: Vec::new(),
            }),
            Some(("perft", count)) => {
                let case = cases.last_mut().expect("a position comes first");
                case.counts.push(read_count(count));
            }
            _ => cases.push(read_line(line)),
        }
    }
    assert!(cases.iter().all(|case| !case.counts.is_empty()));
    cases
}

fn read_line(line: &str) -> Case {
    let mut parts = line.split(';').map(str::trim);
    Case {
        fen: parts.next().unwrap_or_default().to_owned(),
        counts: parts
            .map(|count| read_count(count.strip_prefix('D').unwrap_or(count)))
            .collect(),
    }
}

fn read_count(text: &str) -> (u32, u64) {
    let (depth, nodes) = text.split_once(' ').expect("depth and nodes");
    (
        depth.parse().expect("depth"),
        nodes.trim().parse().expect("nodes"),
    )
}

/// Walks every depth of the case that has at most `limit` nodes, and returns the nodes walked.
///
/// # Panics
/// If a count differs.
pub(crate) fn check(case: &Case, kind: BoardKind, limit: u64) -> u64 {
    let position: Position = case.fen.parse().unwrap_or_else(|e| panic!("{}: {e}", case.fen));
    let within = |&&(_, nodes): &&(u32, u64)| nodes <= limit;
    case.counts
        .iter()
        .filter(within)
        .map(|&(depth, expected)| {
            let nodes = with_board!(kind, B => B::new(&position).perft(depth));
            assert_eq!(nodes, expected, "{kind}, {}, depth {depth}", case.fen);
            nodes
        })
        .sum()
}
