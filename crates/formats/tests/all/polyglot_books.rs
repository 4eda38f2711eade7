//! Books of other people, as python-chess reads them.
//!
//! Needs the larger data and a `python3` with the package `chess`.
#![allow(clippy::print_stdout, reason = "a test says what it skips")]

use std::path::Path;
use std::process::{Command, Stdio};

use crate::data_folder::{data_folder, files};
use vidmar_chess::{CastlingNotation, Position};
use vidmar_formats::polyglot::{Book, BookError};

const POSITIONS: usize = 3_000;

/// The book of a single trap has only Black's moves, one of them a promotion to a knight: the walk needs White's.
const TRAP: &str = "d2d4 d7d5 c2c4 e7e5 d4e5 d5d4 e2e3 f8b4 c1d2 d4e3 d2b4 e3f2 e1e2 f2g1n";

fn has_python_chess() -> bool {
    let mut python = Command::new("python3");
    python
        .args(["-c", "import chess.polyglot"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    python.status().is_ok_and(|status| status.success())
}

/// A book, put in order if it is not; the only one that is not is known.
fn open(path: &Path) -> Book {
    match Book::open(path) {
        Ok(book) => book,
        Err(error @ BookError::Unordered { .. }) => {
            assert!(path.ends_with("titans.bin"), "{}: {error}", path.display());
            assert!(error.to_string().contains("entry 121158"), "{error}");
            Book::open_unordered(path).expect("readable")
        }
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

#[test]
fn every_book_is_read_as_python_chess_reads_it() {
    let Some(folder) = data_folder("books against python-chess") else {
        return;
    };
    if !has_python_chess() {
        println!("skipped: books against python-chess (there is no python3 with the package chess)");
        return;
    }
    for path in files(&folder.join("books"), "bin") {
        let book = open(&path);
        let line = if path.ends_with("lasker-trap.bin") {
            TRAP
        } else {
            ""
        };
        let output = Command::new("python3")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/polyglot_books.py"))
            .arg(&path)
            .arg(POSITIONS.to_string())
            .arg(line)
            .output()
            .expect("python3 starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let told = String::from_utf8(output.stdout).expect("UTF-8");
        let mut positions = 0;
        let mut moves = 0;
        for line in told.lines() {
            let [played, key, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("not three columns: {line}");
            };
            let mut position = Position::default();
            for word in played.split_ascii_whitespace() {
                position.play(position.parse_uci(word).expect("legal"));
            }
            assert_eq!(format!("{:016x}", position.key().0), key, "{played}");
            let mut found: Vec<String> = book
                .moves(&position)
                .iter()
                .map(|found| {
                    let m = found.played.uci(CastlingNotation::Standard);
                    format!("{m}:{}:{}", found.weight, found.learn)
                })
                .collect();
            found.sort();
            assert_eq!(found.join(" "), expected, "{} after {played}", path.display());
            positions += 1;
            moves += found.len();
        }
        println!("{}: {positions} positions, {moves} moves", path.display());
        assert!(
            moves == book.entries().len() || moves > POSITIONS,
            "{}: the walk saw only {moves} moves",
            path.display()
        );
    }
}
