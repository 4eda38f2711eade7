//! `vidmar book` from the outside.

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn vidmar() -> Command {
    Command::cargo_bin("vidmar").expect("the binary is built")
}

const GAMES: &str = "\
[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0\n
[Event \"b\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O d6 1/2-1/2\n
[Event \"c\"]\n\n1. d4 d5 2. c4 e6 0-1\n
[Event \"d\"]\n\n1. e4 c5 2. Nf3 d6 1-0\n";

fn make(folder: &Path, arguments: &[&str]) -> Command {
    let games = folder.join("games.pgn");
    std::fs::write(&games, GAMES).expect("written");
    let mut command = vidmar();
    command
        .args(["book", "make"])
        .arg(games)
        .arg("-o")
        .arg(folder.join("book.bin"))
        .args(arguments);
    command
}

fn probe(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = vidmar();
    command
        .args(["book", "probe"])
        .arg(folder.join("book.bin"))
        .args(arguments);
    command
}

#[test]
fn a_book_is_made_and_probed() {
    let folder = tempfile::tempdir().expect("a folder");
    make(folder.path(), &["--min-games", "1"])
        .assert()
        .success()
        .stdout("4 games, 11 moves in 11 positions\n");
    probe(folder.path(), &[])
        .assert()
        .success()
        .stdout("e4           5 100.00 %\n");
    let castling = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let output = probe(folder.path(), &["--json", "--best", "--fen", castling])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let answer: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
    assert_eq!(answer["chosen"], "e1g1");
    assert_eq!(answer["moves"][0]["san"], "O-O");
    assert_eq!(answer["moves"][0]["weight"], 3);
    assert_eq!(answer["moves"][0]["percent"], 100.0);
    probe(folder.path(), &["--seed", "4"])
        .assert()
        .success()
        .stdout("e2e4\n");
    let empty = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    probe(folder.path(), &["--fen", empty])
        .assert()
        .code(1)
        .stdout("");
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("book.bin");
    std::fs::write(&book, [0; 17]).expect("written");
    probe(folder.path(), &[])
        .assert()
        .code(2)
        .stderr(contains("book.bin: the book is cut off: 17 bytes"));
    let mut unordered = [0_u8; 32];
    unordered[0] = 1;
    std::fs::write(&book, unordered).expect("written");
    probe(folder.path(), &[])
        .assert()
        .code(2)
        .stderr(contains("not in order: entry 2 has the key 0000000000000000"));
    probe(folder.path(), &["--unordered"]).assert().code(1);
    make(folder.path(), &["--min-score", "101"]).assert().code(2);
    std::fs::write(folder.path().join("broken.pgn"), "1. e4 e5 2. Ke3 1-0\n").expect("written");
    let broken = |more: &[&str]| {
        let mut command = vidmar();
        command
            .args(["book", "make", "--min-games", "1"])
            .arg(folder.path().join("broken.pgn"))
            .arg("-o")
            .arg(&book)
            .args(more);
        command.assert()
    };
    broken(&[])
        .code(2)
        .stderr(contains("broken.pgn: game 1").and(contains("Ke3")));
    assert_eq!(std::fs::read(&book).expect("untouched"), unordered);
    broken(&["--skip-errors"])
        .success()
        .stderr(contains("1 broken game(s) left out"));
}

#[test]
fn the_engine_plays_from_its_book_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    make(folder.path(), &["--min-games", "1"]).assert().success();
    let book = folder.path().join("book.bin");
    let session = |options: &str, go: &str| {
        let input = format!(
            "setoption name BookFile value {}\n{options}isready\nposition startpos\n{go}\nquit\n",
            book.display()
        );
        let output = vidmar()
            .write_stdin(input)
            .assert()
            .success()
            .get_output()
            .stdout
            .clone();
        String::from_utf8(output).expect("UTF-8")
    };
    let own = "setoption name OwnBook value true\n";
    // Without a search there is nothing to tell but the move.
    assert_eq!(session(own, "go movetime 100000"), "readyok\nbestmove e2e4\n");
    assert!(session("", "go depth 1").contains("info depth 1"));
    assert!(session(own, "go infinite").contains("info depth 1"));
    assert!(session(own, "go depth 1 searchmoves a2a3").ends_with("bestmove a2a3\n"));
    let analysing = own.to_owned() + "setoption name UCI_AnalyseMode value true\n";
    assert!(session(&analysing, "go depth 1").contains("info depth 1"));
    let mut probe = Command::cargo_bin("vidmar").expect("built");
    let told = probe.args(["book", "probe", "nowhere.bin"]).assert().code(2);
    let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    assert_eq!(told.matches("os error").count(), 1, "{told}");
    let complaint = session("setoption name BookFile value nowhere.bin\n", "go depth 1");
    assert!(
        complaint.contains("info string option BookFile: nowhere.bin: the book cannot be read"),
        "{complaint}"
    );
}

/// python-chess counts the games itself and reads our book: needs a `python3` with the package `chess`.
#[test]
fn python_chess_finds_the_same_weights() {
    let python = std::process::Command::new("python3")
        .args(["-c", "import chess.pgn, chess.polyglot"])
        .stderr(std::process::Stdio::null())
        .status();
    if !python.is_ok_and(|status| status.success()) {
        println!("skipped: our book in python-chess (there is no python3 with the package chess)");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut pgn = vec![folder.path().join("games.pgn")];
    if let Some(data) = std::env::var_os("VIDMAR_DATA") {
        pgn.push(Path::new(&data).join("pgn/edge/pychess-world_matches.pgn"));
    }
    for (index, games) in pgn.iter().enumerate() {
        if index == 0 {
            std::fs::write(games, GAMES).expect("written");
        }
        let book = folder.path().join("book.bin");
        vidmar()
            .args([
                "book",
                "make",
                "--skip-errors",
                "--min-games",
                "2",
                "--plies",
                "24",
            ])
            .arg(games)
            .arg("-o")
            .arg(&book)
            .assert()
            .success();
        let output = std::process::Command::new("python3")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/book_python.py"))
            .args([games, &book])
            .args(["24", "2"])
            .output()
            .expect("python3 starts");
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(
            output.status.success() && out.ends_with("all is well\n"),
            "{out}\n{err}"
        );
    }
}
