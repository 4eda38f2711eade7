//! `vidmar rate` from the outside.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;

fn rate(arguments: &[&str], pgn: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vidmar"));
    command
        .arg("rate")
        .args(arguments)
        .arg("-")
        .write_stdin(pgn)
        .assert()
}

fn game(white: &str, black: &str, result: &str) -> String {
    format!(
        "[Event \"?\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {{[%eval 0.1]}} {result}\n\n"
    )
}

fn some_games() -> String {
    [
        ("Anna", "Boris", "1-0"),
        ("Boris", "Anna", "1/2-1/2"),
        ("Anna", "Cleo", "0-1"),
        ("Cleo", "Boris", "1-0"),
        ("Boris", "Cleo", "1/2-1/2"),
        ("Cleo", "Anna", "0-1"),
        ("Cleo", "Anna", "*"),
    ]
    .map(|(white, black, result)| game(white, black, result))
    .concat()
}

fn json(arguments: &[&str], pgn: &str) -> Value {
    let output = rate(&[&["--json"], arguments].concat(), pgn)
        .success()
        .get_output()
        .stdout
        .clone();
    serde_json::from_slice(&output).unwrap()
}

#[test]
fn the_list_has_the_columns_of_bayeselo() {
    rate(&[], &some_games())
        .success()
        .stdout(contains("Rank  Name"))
        .stdout(contains("Anna"))
        .stdout(contains("Cleo"))
        .stderr(contains("1 game without a result left out"));
}

#[test]
fn json_has_the_promised_keys() {
    let list = json(&["--los"], &some_games());
    for key in [
        "name",
        "elo",
        "plus",
        "minus",
        "games",
        "score",
        "opponents",
        "draws",
    ] {
        assert!(!list["players"][0][key].is_null(), "{key}");
    }
    assert_eq!(list["advantage"], 32.8);
    assert!((list["draw_elo"].as_f64().unwrap() - 97.3).abs() < 1e-9);
    assert_eq!(
        (&list["games"], &list["unfinished"]),
        (&Value::from(6.0), &Value::from(1))
    );
    assert_eq!(list["players"].as_array().unwrap().len(), 3);
    assert!(list["los"][0][0].is_null());
    let (ab, ba) = (
        list["los"][0][1].as_f64().unwrap(),
        list["los"][1][0].as_f64().unwrap(),
    );
    assert!((ab + ba - 1.0).abs() < 1e-9 && ab >= 0.5);
    let mean: f64 = (0..3)
        .map(|index| list["players"][index]["elo"].as_f64().unwrap())
        .sum();
    assert!(mean.abs() < 1e-6);
}

#[test]
fn a_part_of_a_name_is_enough_if_it_is_one_players() {
    let list = json(&["--anchor", "ann=2300"], &some_games());
    let players = list["players"].as_array().unwrap();
    let anna = players.iter().find(|player| player["name"] == "Anna").unwrap();
    assert_eq!(anna["elo"], 2300.0);
    rate(&["--anchor", "ann=2300"], &some_games())
        .success()
        .stderr(contains("--anchor ann: that is Anna"));
    rate(&["--anchor", "o=2300"], &some_games())
        .code(2)
        .stderr(contains("--anchor o: which of Boris, Cleo?"));
}

#[test]
fn anchors_fix_the_scale() {
    let list = json(
        &["--anchor", "Anna=2300", "--anchor", "Boris=2100"],
        &some_games(),
    );
    for player in list["players"].as_array().unwrap() {
        match player["name"].as_str().unwrap() {
            "Anna" => assert_eq!(
                (&player["elo"], &player["plus"]),
                (&Value::from(2300.0), &Value::from(0.0))
            ),
            "Boris" => assert_eq!(player["elo"], 2100.0),
            _ => assert!(player["plus"].as_f64().unwrap() > 0.0),
        }
    }
}

#[test]
fn scale_none_undoes_the_scale() {
    let (scaled, plain) = (
        json(&[], &some_games()),
        json(&["--scale", "none"], &some_games()),
    );
    let elo = |list: &Value| list["players"][0]["elo"].as_f64().unwrap();
    assert!((elo(&scaled) / elo(&plain) - 0.9255).abs() < 1e-4);
    assert_eq!(plain["scale"], 1.0);
}

#[test]
fn comma_separated_values_quote_what_needs_it() {
    let games = game("Euwe, Max", "Vidmar, Milan", "1/2-1/2");
    rate(&["--csv"], &games)
        .success()
        .stdout(contains("1,\"Vidmar, Milan\","));
    rate(&["--csv", "--los"], &games)
        .success()
        .stdout(contains("name,\"Vidmar, Milan\",\"Euwe, Max\""));
}

#[test]
fn several_files_make_one_list() {
    let folder = tempfile::tempdir().unwrap();
    let paths = [("a.pgn", game("A", "B", "1-0")), ("b.pgn", game("B", "C", "1-0"))].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_vidmar"));
    command
        .arg("rate")
        .args(&paths)
        .assert()
        .success()
        .stdout(contains("C "));
}

#[test]
fn players_apart_are_reported() {
    let games = game("A", "B", "1-0") + &game("C", "D", "1/2-1/2");
    rate(&[], &games)
        .success()
        .stdout(contains("Group 2"))
        .stderr(contains("2 groups with no games between them"));
}

#[test]
fn without_a_prior_the_unbeaten_have_no_rating_to_compare() {
    let games = game("Best", "A", "1-0") + &game("A", "B", "1/2-1/2");
    rate(&["--prior", "0"], &games)
        .success()
        .stderr(contains("no finite maximum"))
        .stderr(contains("Best"));
}

#[test]
fn bad_input_is_an_error_with_its_line() {
    let bad = |arguments: &[&str], pgn: &str, message: &str| {
        rate(arguments, pgn).code(2).stdout("").stderr(contains(message));
    };
    bad(
        &[],
        &game("A", "B", "2-0"),
        "standard input: line 4: '2-0' is not a result",
    );
    bad(
        &[],
        "[White \"A\"]\n[Result \"1-0\"]\n\n1-0\n",
        "line 1: the game that begins here has no Black tag",
    );
    bad(&[], "", "no finished games");
    bad(&[], &game("A", "A", "1-0"), "no finished games");
    bad(
        &["--anchor", "X=2000"],
        &some_games(),
        "'X' is not among the players",
    );
    bad(
        &["--anchor", "Anna=1", "--anchor", "Anna=2"],
        &some_games(),
        "'Anna' is given twice",
    );
    bad(&["--anchor", "Anna"], &some_games(), "expected NAME=ELO");
    bad(&["--prior", "-1"], &some_games(), "the prior is -1");
    bad(
        &["--advantage", "much"],
        &some_games(),
        "expected a number of Elo or 'fit'",
    );
    bad(
        &["--advantage", "fit", "--prior", "0"],
        &game("A", "B", "1/2-1/2"),
        "White's advantage cannot be told",
    );
    bad(&["--json", "--csv"], &some_games(), "cannot be used with");
    bad(
        &["--json", "--json"],
        &some_games(),
        "cannot be used multiple times",
    );
    bad(&["--colour"], &some_games(), "unexpected argument");
    Command::new(env!("CARGO_BIN_EXE_vidmar"))
        .args(["rate", "there-is-no-such-file.pgn"])
        .assert()
        .code(2)
        .stderr(contains("there-is-no-such-file.pgn"));
}

#[test]
fn bad_games_can_be_left_out() {
    let games = some_games() + &game("A", "B", "2-0");
    rate(&["--skip-errors"], &games)
        .success()
        .stderr(contains("1 unreadable game left out"));
}
