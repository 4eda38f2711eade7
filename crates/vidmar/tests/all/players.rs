//! Players other than the engine, from the outside: `vidmar move` and the UCI option `Player`.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

fn vidmar(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
    command.args(arguments);
    command
}

fn json(arguments: &[&str]) -> Value {
    let output = vidmar(arguments).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("one JSON object")
}

const EVOLVE: &str = "evolve:genes=4,generations=20,chromosomes=3,seed=1";

#[test]
fn a_player_moves_and_explains() {
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    for player in ["engine:depth=3", EVOLVE, "search:algorithm=mtdf,depth=2"] {
        vidmar(&["move", "--player", player, "--fen", mate])
            .assert()
            .success()
            .stdout("a1a8\n");
    }
    let answer = json(&[
        "move",
        "--player",
        EVOLVE,
        "--explain",
        "--json",
        "--moves",
        "e2e4",
        "e7e5",
    ]);
    assert_eq!(answer["player"], EVOLVE);
    assert_eq!(
        answer["fen"],
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
    let moves = answer["explanation"]["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 29);
    assert_eq!(moves[0]["move"], answer["bestmove"]);
    assert_eq!(answer["explanation"]["chosen"], answer["bestmove"]);
    assert_eq!(moves[0]["line"].as_array().map(Vec::len), Some(4));
    vidmar(&["move", "--player", EVOLVE, "--explain"])
        .assert()
        .success()
        .stdout(contains("positions judged; * is played"));
    // The same seed, the same move; other seeds, other moves.
    let with_seed =
        |seed: &str| json(&["move", "--player", EVOLVE, "--json", "--seed", seed])["bestmove"].clone();
    assert_eq!(with_seed("1"), with_seed("1"));
    assert!((2..9).any(|seed| with_seed(&seed.to_string()) != with_seed("1")));
}

#[test]
fn what_cannot_be_is_said() {
    vidmar(&["move", "--player", "evolvo"])
        .assert()
        .code(2)
        .stderr(contains("did you mean 'evolve'?"));
    vidmar(&["move", "--player", "evolve:genes=0"])
        .assert()
        .code(2)
        .stderr(contains("genes: '0' is not a number from 1 to 64"));
    vidmar(&["move", "--moves", "e2e5"])
        .assert()
        .code(2)
        .stderr(contains("--moves: the move e2e5 is not legal here"));
    vidmar(&["move", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"])
        .assert()
        .code(2)
        .stderr(contains("the game is over"));
    vidmar(&["move", "--player", "random", "--explain"])
        .assert()
        .success()
        .stdout(contains("by chance, one of 20 legal moves"));
    let answer = json(&["move", "--player", "engine:depth=3", "--explain", "--json"]);
    let explanation = &answer["explanation"];
    assert_eq!(explanation["kind"], "search");
    assert_eq!(explanation["lines"][0]["line_uci"][0], answer["bestmove"]);
    assert_eq!(explanation["lines"][0]["score"], answer["score"]);
    assert!(explanation["evaluation"]["terms"].is_array());
}

#[test]
fn the_uci_engine_can_be_another_player() {
    vidmar(&[]).write_stdin("uci\nquit\n").assert().success().stdout(
        contains("option name Player type combo default engine var engine")
            .and(contains(" var evolve"))
            .and(contains(
                "option name Evolve Genes type spin default 6 min 1 max 64",
            )),
    );
    // The last search is waited for, and what was asked before it is answered before it.
    let session = "setoption name Player value evolve\nsetoption name Evolve Generations value 10\nisready\n\
        position startpos moves e2e4\ngo infinite\nstop\neval\ngo depth 1\nquit\n";
    vidmar(&[])
        .write_stdin(session)
        .assert()
        .success()
        .stdout(contains("bestmove").and(contains("* is played")));
}
