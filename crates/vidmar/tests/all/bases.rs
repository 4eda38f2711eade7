//! `vidmar bases` from the outside.

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

fn bases(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("vidmar").expect("the binary of this package");
    command.arg("bases").args(arguments).assert()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = bases(arguments).success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("one JSON value")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in Unicode")
}

#[test]
fn made_found_asked_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    let made = json(&["make", "--pieces", "3", "--out", out, "--json"]);
    assert_eq!(made["endings"].as_array().unwrap().len(), 5);
    assert_eq!(made["endings"][4]["ending"], "KPvK");
    assert_eq!(made["endings"][4]["won"], 62_480);
    assert!(made["endings"][0]["seconds"].is_number());
    let found = json(&["make", "--pieces", "3", "--out", out, "--json"]);
    assert!(found["endings"][0]["seconds"].is_null());
    bases(&["check", out])
        .success()
        .stdout("5 whole, 0 damaged, 30 missing\n");

    let fen = "8/8/8/8/8/1k6/8/1K5R w - - 0 1";
    let answer = json(&["probe", "--path", out, "--fen", fen, "--json"]);
    assert_eq!(answer["value"], "win");
    assert_eq!(answer["moves"][0]["value"], "win");
    assert!(answer["dtz"].is_null());
    bases(&["probe", "--path", out, "--fen", fen])
        .success()
        .stdout(contains("Rh3+").or(contains("Rh8")));

    let damaged = folder.path().join("KRvK.vwdl");
    let mut bytes = std::fs::read(&damaged).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    bases(&["check", out])
        .code(1)
        .stdout(contains("KRvK.vwdl: checksum"))
        .stdout(contains("4 whole, 1 damaged"));
    bases(&["probe", "--path", out, "--fen", fen])
        .code(2)
        .stderr(contains("the file is damaged"));
    bases(&["make", "--pieces", "3", "--out", out])
        .success()
        .stderr(contains("made again"));
    bases(&["check", out]).success();
}

#[test]
fn what_cannot_be_answered_is_said() {
    let two_queens = "8/8/8/8/3k4/8/8/KQQ5 w - - 0 1";
    bases(&["probe", "--fen", two_queens])
        .code(2)
        .stderr(contains("no base at hand"));
    bases(&["probe", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"])
        .code(2)
        .stderr(contains("may still castle"));
    bases(&["probe", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"])
        .code(2)
        .stderr(contains("no king"));
    bases(&["probe", "--path", "/nowhere", "--fen", two_queens])
        .code(2)
        .stderr(contains("/nowhere"));
    bases(&["probe", "--syzygy", "/nowhere", "--fen", two_queens])
        .code(2)
        .stderr(contains("/nowhere"));
    bases(&["check", "/nowhere"]).code(2).stderr(contains("/nowhere"));
    bases(&["make", "--pieces", "5", "--out", "/nowhere"])
        .code(2)
        .stderr(contains("3..=4"));
}

#[test]
fn king_and_pawn_need_no_files() {
    let answer = json(&["probe", "--fen", "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", "--json"]);
    assert_eq!(answer["value"], "draw");
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.iter().all(|row| row["value"] == "draw"), "{moves:?}");
}
