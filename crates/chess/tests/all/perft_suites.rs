//! The large perft suites, every board on every line, when `VIDMAR_DATA` names a folder that has them.
//!
//! Each line is walked at every depth that has at most five million nodes; the ignored tests go to
//! a billion. There is a test for each board and file, so that a test runner spreads them over the
//! cores.

use std::path::PathBuf;

use vidmar_chess::{BoardKind, FenError, Position, SetupFault};

const LIMIT: u64 = 5_000_000;
const FULL: u64 = 1_000_000_000;

/// More pieces than a side can have: a stress for other programs, an error for this one.
const IMPOSSIBLE: &str = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - -";

#[allow(clippy::print_stderr)]
fn run(kind: &str, file: &str, limit: u64) {
    let Some(data) = std::env::var_os("VIDMAR_DATA") else {
        eprintln!("skipped: VIDMAR_DATA is not set");
        return;
    };
    let kind: BoardKind = kind.parse().expect("a board");
    let path = PathBuf::from(data).join("perft").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let cases = crate::suite::read(&text);
    assert!(!cases.is_empty());
    let nodes: u64 = cases
        .iter()
        .filter(|case| case.fen != IMPOSSIBLE)
        .map(|case| crate::suite::check(case, kind, limit))
        .sum();
    eprintln!("{kind}, {file}: {} positions, {nodes} nodes", cases.len());
}

#[test]
fn the_impossible_position_is_refused() {
    let Err(FenError::Setup(error)) = IMPOSSIBLE.parse::<Position>() else {
        panic!("an impossible position was accepted")
    };
    assert!(
        error
            .faults
            .iter()
            .any(|fault| matches!(fault, SetupFault::TooManyPieces(..)))
    );
}

#[test]
fn every_board_has_its_tests() {
    let here = include_str!("perft_suites.rs");
    for kind in BoardKind::ALL {
        assert!(here.contains(&format!("= {:?};", kind.name())), "{kind}");
    }
}

macro_rules! suites {
    ($($board:ident = $kind:literal;)*) => {$(
        mod $board {
            use super::{FULL, LIMIT, run};

            #[test]
            fn standard() {
                run($kind, "perftsuite.epd", LIMIT);
            }

            #[test]
            fn chess960() {
                run($kind, "fischer.epd", LIMIT);
            }

            #[test]
            fn more_chess960() {
                run($kind, "pychess-frc-perftsuite.epd", LIMIT);
            }

            #[test]
            fn tricky() {
                run($kind, "shakmaty-tricky.perft", LIMIT);
            }

            #[test]
            #[ignore = "minutes"]
            fn standard_full() {
                run($kind, "perftsuite.epd", FULL);
            }

            #[test]
            #[ignore = "hours on a mailbox"]
            fn chess960_full() {
                run($kind, "fischer.epd", FULL);
            }

            #[test]
            #[ignore = "minutes"]
            fn more_chess960_full() {
                run($kind, "pychess-frc-perftsuite.epd", FULL);
            }
        }
    )*};
}

suites! {
    bitboard = "bitboard";
    mailbox_0x88 = "0x88";
    mailbox_10x12 = "10x12";
    mailbox_10x10 = "10x10";
    mailbox_8x8 = "8x8";
}
