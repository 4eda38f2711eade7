//! The usual test suites.

#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::io::BufReader;

use crate::data_folder::{data_folder, files};
use vidmar_formats::epd::{self, Reader, Value, Warning};
use vidmar_formats::perft_suite;

/// File, records, records read with a warning.
const EXPECTED: [(&str, usize, usize); 16] = [
    ("bratko-kopec.epd", 24, 0),
    ("bt2630.epd", 30, 0),
    ("ccr-one-hour.epd", 25, 25),
    ("ecm.epd", 879, 0),
    ("ecmgcp.epd", 183, 0),
    ("iq4.epd", 183, 0),
    ("lapuce2.epd", 35, 0),
    ("mates2000.epd", 2000, 0),
    ("matetrack.epd", 6554, 6405),
    ("pet.epd", 48, 0),
    ("wac-crafty-pv.epd", 300, 0),
    ("wac.epd", 300, 0),
    ("wacnew.epd", 300, 0),
    ("wcsac.epd", 1001, 0),
    ("wmtest.epd", 100, 0),
    ("zugts.epd", 30, 30),
];

/// Slips in the suites themselves.
const BAD_MOVES: [&str; 2] = [
    "ccr-one-hour.epd:3: operation am: the move Ne5 is ambiguous here",
    "ccr-one-hour.epd:6: operation bm: 'Bcx3+' is not a move in algebraic notation",
];

#[test]
fn every_suite_reads_as_its_description_says() {
    let Some(folder) = data_folder("EPD suites") else {
        return;
    };
    let found = files(&folder.join("epd"), "epd");
    assert_eq!(found.len(), EXPECTED.len());
    let (mut wrong, mut bad_moves) = (Vec::new(), Vec::new());
    for (path, (name, records, warned)) in found.iter().zip(EXPECTED) {
        assert_eq!(path.file_name().unwrap(), name);
        let mut counts = (0, 0);
        let mut odd = Vec::new();
        for (line, record) in Reader::new(BufReader::new(File::open(path).unwrap())) {
            let (epd, warnings) = record.unwrap_or_else(|error| panic!("{name}:{line}: {error}"));
            counts.0 += 1;
            counts.1 += usize::from(!warnings.is_empty());
            odd.extend(warnings.iter().map(|warning| format!("{name}:{line}: {warning}")));
            let is_move = |warning: &Warning| matches!(warning, Warning::Move { .. });
            if let Some(warning) = warnings.into_iter().find(is_move) {
                bad_moves.push(format!("{name}:{line}: {warning}"));
                continue;
            }
            // Every other solution is a legal move or a mate.
            let solution: Vec<&Value> = [epd.get("bm"), epd.get("am")].into_iter().flatten().collect();
            let fine = |value: &Value| matches!(value, Value::Moves(_) | Value::Mate(_));
            assert!(
                !solution.is_empty() && solution.into_iter().all(fine),
                "{name}:{line}"
            );
            // What is written is strict, and the same record.
            let (again, none) = epd::parse_line(&epd.to_string()).unwrap();
            assert_eq!((again, none), (epd, vec![]), "{name}:{line}");
        }
        if counts != (records, warned) {
            odd.truncate(5);
            wrong.push(format!(
                "{name}: {counts:?} instead of {records}, {warned}: {}",
                odd.join("; ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(bad_moves, BAD_MOVES);
}

#[test]
fn perft_suites() {
    let Some(folder) = data_folder("perft suites") else {
        return;
    };
    for (name, positions, refused) in [
        ("fischer.epd", 960, 0),
        ("perftsuite.epd", 127, 0),
        ("pychess-frc-perftsuite.epd", 9, 0),
        // One position with 26 white queens.
        ("shakmaty-tricky.perft", 25, 1),
    ] {
        let text = std::fs::read_to_string(folder.join("perft").join(name)).unwrap();
        let (cases, errors): (Vec<_>, Vec<_>) =
            perft_suite::parse(&text).into_iter().partition(Result::is_ok);
        assert_eq!(
            (cases.len(), errors.len()),
            (positions, refused),
            "{name}: {errors:?}"
        );
        for case in cases.into_iter().map(Result::unwrap) {
            let shallow = case.counts.iter().filter(|(_, count)| *count < 50_000);
            for &(depth, count) in shallow {
                assert_eq!(case.position.perft(depth), count, "{name}:{}", case.line);
            }
        }
    }
}
