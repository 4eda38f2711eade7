//! Every built-in player passes the suite; so do the engines of other people that are installed.

#![allow(clippy::print_stdout, reason = "what is skipped is said")]

use std::path::Path;

use vidmar_chess::BoardKind;
use vidmar_players::PlayerSpec;
use vidmar_players::conformance::{Expectations, check};
use vidmar_search::Algorithm;

fn conforms(text: &str, expectations: &Expectations) {
    let spec: PlayerSpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let make = || spec.player().unwrap_or_else(|fault| panic!("{text}: {fault}"));
    if let Err(violation) = check(&make, expectations) {
        panic!("{text}: {violation}");
    }
}

#[test]
fn the_engine_and_chance() {
    for spec in [
        "engine:hash=1",
        "engine:hash=1,elo=1200,seed=3",
        "engine:hash=2,eval=fitted,nodes=500",
        "random:seed=4",
    ] {
        conforms(spec, &Expectations::default());
    }
}

#[test]
fn every_algorithm_and_every_board() {
    for algorithm in Algorithm::ALL {
        conforms(
            &format!("search:algorithm={algorithm},table-mib=1"),
            &Expectations::default(),
        );
    }
    for board in BoardKind::ALL {
        conforms(
            &format!("search:board={board},table-mib=1,eval=full,null-move=r2"),
            &Expectations::default(),
        );
    }
}

#[test]
fn evolved_lines() {
    for spec in [
        "evolve:generations=20,seed=1",
        "evolve:strategy=alternating,fitness=leaf,eval=structure,generations=20",
        "evolve:preset=improved,nodes=3000",
    ] {
        conforms(spec, &Expectations::default());
    }
}

#[test]
fn engines_of_other_people() {
    let expectations = Expectations {
        repeatable: false,
        ..Expectations::default()
    };
    for program in ["/usr/games/stockfish", "/usr/games/ethereal-chess"] {
        if Path::new(program).exists() {
            conforms(&format!("uci:cmd={program},answer-ms=10000"), &expectations);
        } else {
            println!("skipped: {program} is not installed");
        }
    }
}
