//! Every row of the players' table passes the suite: each built-in player as its row says, and the engines of other people that
//! are installed.

#![allow(clippy::print_stdout, reason = "what is skipped is said")]

use vidmar_players::conformance::{Expectations, check};
use vidmar_players::{PLAYER_TYPES, PlayerSpec, PlayerType};

fn conforms(text: &str, expectations: &Expectations) {
    let spec: PlayerSpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let make = || spec.player().unwrap_or_else(|fault| panic!("{text}: {fault}"));
    if let Err(violation) = check(&make, expectations) {
        panic!("{text}: {violation}");
    }
}

/// Holds the trials of a row to the suite; `part` of so many, so that long ones run side by side.
fn row_conforms(key: &str, part: usize, parts: usize) {
    let row = PlayerType::find(key).expect("a row of the table");
    let folder = tempfile::tempdir().expect("a folder");
    let trials = (row.trials)(folder.path());
    assert!(
        row.is_program() || !trials.is_empty(),
        "{key} is tested by nothing"
    );
    if trials.is_empty() {
        println!("skipped: no engine for '{key}' is installed");
    }
    for (_, spec) in trials
        .iter()
        .enumerate()
        .filter(|(index, _)| index % parts == part)
    {
        let repeatable = spec
            .parse::<PlayerSpec>()
            .is_ok_and(|spec| spec.unrepeatable().is_none());
        let expectations = Expectations {
            repeatable,
            ..Expectations::default()
        };
        conforms(spec, &expectations);
    }
}

#[test]
fn engine() {
    row_conforms("engine", 0, 1);
}

#[test]
fn case_based_player() {
    row_conforms("cbr", 0, 1);
}

#[test]
fn searches_of_even_rows() {
    row_conforms("search", 0, 2);
}

#[test]
fn searches_of_odd_rows() {
    row_conforms("search", 1, 2);
}

#[test]
fn evolved_moves() {
    row_conforms("evolve", 0, 1);
}

/// The rest of the table, whatever it is.
#[test]
fn every_other_row() {
    let alone = ["engine", "cbr", "search", "evolve"];
    for row in PLAYER_TYPES.iter().filter(|row| !alone.contains(&row.key)) {
        row_conforms(row.key, 0, 1);
    }
}
