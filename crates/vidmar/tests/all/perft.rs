//! `vidmar perft` as a user calls it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";

fn perft() -> Command {
    let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
    command.arg("perft");
    command
}

fn json(command: &mut Command) -> serde_json::Value {
    let output = command
        .arg("--json")
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    serde_json::from_slice(&output).expect("one JSON object")
}

#[test]
fn counts_as_json() {
    let answer = json(perft().args(["--depth", "4"]));
    assert_eq!(answer["nodes"], 197_281);
    assert_eq!(answer["depth"], 4);
    assert_eq!(answer["board"], "bitboard");
    assert_eq!(
        answer["fen"],
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    assert!(answer["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert_eq!(json(perft().args(["--depth", "0"]))["nodes"], 1);
}

#[test]
fn threads_and_tables_change_nothing() {
    for more in [
        vec!["--threads", "3"],
        vec!["--hash", "1"],
        vec!["--hash", "2", "--threads", "2"],
    ] {
        let answer = json(perft().args(["--depth", "4", "--fen", KIWIPETE]).args(more));
        assert_eq!(answer["nodes"], 4_085_603);
    }
}

#[test]
fn every_generation_counts_the_same() {
    for generation in ["legal", "pseudo", "staged"] {
        for board in ["bitboard", "8x8"] {
            let asked = [
                "--depth",
                "3",
                "--fen",
                KIWIPETE,
                "--board",
                board,
                "--generation",
                generation,
            ];
            assert_eq!(
                json(perft().args(asked))["nodes"],
                97_862,
                "{generation} on {board}"
            );
        }
    }
    perft()
        .args(["--depth", "3", "--generation", "staged", "--hash", "1"])
        .assert()
        .code(2)
        .stderr(contains("--hash"));
}

#[test]
fn every_board_of_the_help_counts_the_same() {
    let help = perft()
        .arg("--help")
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let help = String::from_utf8(help).expect("UTF-8");
    for board in vidmar_chess::BoardKind::ALL {
        assert!(
            help.contains(&format!("- {}", board.name())),
            "{board} is not in the help"
        );
        let answer = json(perft().args(["--depth", "3", "--fen", KIWIPETE, "--board", board.name()]));
        assert_eq!(answer["nodes"], 97_862, "{board}");
        assert_eq!(answer["board"], board.name());
    }
}

#[test]
fn divide_adds_up_and_names_moves_as_uci_does() {
    perft()
        .args(["--depth", "1", "--divide"])
        .assert()
        .success()
        .stdout(contains("e2e4: 1\n"));
    let answer = json(perft().args(["--depth", "3", "--divide", "--fen", KIWIPETE]));
    let moves = answer["divide"].as_object().expect("an object");
    assert_eq!(moves.len(), 48);
    assert_eq!(moves["e1g1"], 2059);
    let sum: u64 = moves.values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(sum, 97_862);
    // Chess960 castling is the king taking its rook.
    let fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    perft()
        .args(["--depth", "1", "--divide", "--fen", fen])
        .assert()
        .stdout(contains("e1g1: 1").and(contains("e1b1: 1")));
}

#[test]
fn a_suite_is_checked_and_a_wrong_count_is_exit_code_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = folder.path().join("good.epd");
    std::fs::write(
        &good,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902\n",
    )
    .expect("written");
    perft()
        .arg("--suite")
        .arg(&good)
        .assert()
        .success()
        .stdout(contains("1 positions, 3 counts, 0 wrong"));
    perft()
        .arg("--suite")
        .arg(&good)
        .args(["--depth", "2"])
        .assert()
        .stdout(contains("2 counts, 0 wrong"));
    perft()
        .arg("--suite")
        .arg(&good)
        .args(["--max-nodes", "20"])
        .assert()
        .stdout(contains("1 counts, 0 wrong"));

    let bad = folder.path().join("bad.epd");
    std::fs::write(&bad, format!("{KIWIPETE} ;D1 48 ;D2 2038\n")).expect("written");
    perft()
        .arg("--suite")
        .arg(&bad)
        .assert()
        .code(1)
        .stdout(contains("line 1: depth 2: 2039 instead of 2038"));
    let output = perft()
        .arg("--suite")
        .arg(&bad)
        .arg("--json")
        .assert()
        .code(1)
        .get_output()
        .stdout
        .clone();
    let lines: Vec<serde_json::Value> = String::from_utf8(output)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["ok"], &lines[1]["ok"], &lines[1]["expected"]),
        (&true.into(), &false.into(), &2038.into())
    );

    let junk = folder.path().join("junk.epd");
    std::fs::write(&junk, "\n# a comment is fine\nthis is ;D1 no suite\n").expect("written");
    perft()
        .arg("--suite")
        .arg(&junk)
        .assert()
        .code(2)
        .stderr(contains("junk.epd").and(contains("line 3")));
}

/// Each with what the message must say.
#[test]
fn bad_input_is_exit_code_2_with_a_clear_message() {
    let junk = "x".repeat(10_000);
    let cases: &[(&[&str], &str)] = &[
        (&[], "--depth"),
        (&["--depth", "two"], "invalid value 'two'"),
        (&["--depth", "-1"], "-1"),
        (&["--depth", "1000000"], "1000000"),
        (&["--depth", "2", "--board", "9x9"], "possible values: bitboard"),
        (&["--depth", "2", "--bord", "8x8"], "--board"),
        (&["--depth", "2", "--threads", "0"], "0"),
        (&["--depth", "2", "--fen", ""], "the FEN is empty"),
        (
            &["--depth", "2", "--fen", "rnbqkbnr/pppppppp/8/8"],
            "4 ranks instead of 8",
        ),
        (
            &[
                "--depth",
                "2",
                "--fen",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            ],
            "lacks its side to move",
        ),
        (
            &["--depth", "2", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
            "white has no king; black has no king",
        ),
        (
            &["--depth", "2", "--fen", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"],
            "black is in check",
        ),
        (&["--depth", "2", "--fen", &junk], "'x' in the board"),
        (&["--suite", "/no/such/file"], "/no/such/file"),
        (&["--suite", "a", "--fen", "b"], "cannot be used with"),
    ];
    for (arguments, message) in cases {
        let assert = perft().args(*arguments).assert().code(2).stdout("");
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.contains(message), "{message} in {stderr}");
        assert!(stderr.len() < 2000, "a short message, not {} bytes", stderr.len());
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn a_table_that_no_machine_has_room_for_is_refused() {
    perft()
        .args(["--depth", "1", "--hash", "1048576"])
        .assert()
        .code(2)
        .stderr(contains("--hash 1048576: this machine has room for"));
}
