//! Players other than the engine, from the outside: `vidmar move` and the UCI option `Player`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use vidmar_players::{LimitUse, PLAYER_TYPES, PlayerSpec};
use vidmar_search::Algorithm;

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
        .stdout(contains("positions evaluated; * is played"));
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
    assert!(explanation["evaluation"]["pieces"].is_array());
    assert!(explanation["evaluation"]["hand_crafted"]["terms"].is_array());
    let player = "engine:depth=3,eval=tuned";
    let answer = json(&["move", "--player", player, "--explain", "--json"]);
    assert!(answer["explanation"]["evaluation"]["terms"].is_array());
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

/// What kind of reasons a specification gives at the start position.
fn kind_of_reasons(spec: &str) -> String {
    let player: PlayerSpec = spec.parse().expect("a player");
    let limits = match player.limit_use() {
        LimitUse::None(_) => &[] as &[&str],
        LimitUse::Needed | LimitUse::Possible => &["--depth", "3"],
    };
    let told = json(&[&["move", "--explain", "--json", "--player", spec], limits].concat());
    let reasons = &told["explanation"];
    let kind = reasons["kind"].as_str().expect("a kind").to_owned();
    match kind.as_str() {
        "search" => {
            let line = &reasons["lines"][0];
            assert_eq!(line["line_uci"][0], told["bestmove"], "{spec}");
            assert_eq!(line["score"], told["score"], "{spec}");
        }
        "cases" => assert!(reasons["nearest"].is_array(), "{spec}"),
        "evolution" => assert_eq!(reasons["chosen"], told["bestmove"], "{spec}"),
        "book" => {
            let moves = reasons["moves"].as_array().expect("moves");
            assert!(moves.iter().any(|m| m["uci"] == told["bestmove"]), "{spec}");
        }
        "chance" => assert_eq!(reasons["moves"], 20, "{spec}"),
        other => panic!("{spec}: {other}"),
    }
    let mut text = vidmar(&[&["move", "--explain", "--player", spec], limits].concat());
    let output = text.assert().success().stderr("").get_output().stdout.clone();
    let output = String::from_utf8(output).expect("text");
    assert!(output.lines().count() > 2, "{spec}: {output}");
    kind
}

#[test]
fn every_player_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    for row in PLAYER_TYPES {
        let trials = (row.trials)(folder.path());
        for spec in &trials {
            let kind = kind_of_reasons(spec);
            let expected = match row.key {
                "cbr" => "cases",
                "evolve" => "evolution",
                "random" => "chance",
                "book" => "book",
                _ => "search",
            };
            assert_eq!(kind, expected, "{spec}");
        }
    }
    // The book is left, and a search with an evaluation says its terms.
    let left = json(&[
        "move",
        "--explain",
        "--json",
        "--moves",
        "a2a3",
        "--player",
        &(row_trial("book", folder.path()) + r",then=search:depth=2"),
    ]);
    let names: Vec<&str> = left["explanation"]["evaluation"]["terms"]
        .as_array()
        .expect("terms")
        .iter()
        .filter_map(|term| term["term"].as_str())
        .collect();
    assert_eq!(names, ["material", "mobility"]);
    // The engine's own book.
    let file = row_trial("book", folder.path())
        .replace("book:file=", "")
        .replace(",best=on", "");
    assert_eq!(kind_of_reasons(&format!("engine:hash=1,book={file}")), "book");
}

fn row_trial(key: &str, folder: &std::path::Path) -> String {
    let row = PLAYER_TYPES.iter().find(|row| row.key == key).expect(key);
    (row.trials)(folder).remove(0)
}

/// Programs of other people, as talkative as they may be.
#[cfg(unix)]
#[test]
fn a_program_says_what_it_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let engine = |name: &str, thinks: &str| {
        let path = folder.path().join(name);
        let script = format!(
            "#!/bin/sh\nwhile read word rest; do case $word in\n\
             protover) echo 'feature ping=1 usermove=1 sigint=0 done=1';;\n\
             ping) echo \"pong $rest\";;\n\
             go) {thinks} echo 'move e2e4';;\n\
             uci) echo uciok;;\nisready) echo readyok;;\n\
             quit) exit;;\nesac; done\n"
        );
        std::fs::write(&path, script).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("set");
        format!("xboard:cmd={}", path.display())
    };
    let talks = engine("talks", "echo '9 31 100 4800 1. e4 e5 2. Nf3';");
    assert_eq!(kind_of_reasons(&talks), "search");
    vidmar(&["move", "--explain", "--player", &talks, "--depth", "3"])
        .assert()
        .success()
        .stdout("depth 9 score cp 31 nodes 4800: e4 e5 Nf3\n\ne2e4\n");
    let silent = engine("silent", "");
    vidmar(&["move", "--explain", "--player", &silent, "--depth", "3"])
        .assert()
        .success()
        .stdout("it told nothing of its reasons\n\ne2e4\n");
    let told = json(&["move", "--explain", "--json", "--player", &silent, "--depth", "3"]);
    assert_eq!(told["explanation"]["kind"], "untold");
}

/// A player without what it reasons from is an error everywhere: it does not play something else.
#[test]
fn without_cases_there_is_no_case_based_player() {
    let missing = "cases is missing";
    for player in ["cbr", "cbr:k=3", "cbr:cases="] {
        vidmar(&["move", "--player", player])
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(missing));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("games.db");
    let store = store.to_str().expect("UTF-8");
    let mut played = vidmar(&[
        "match",
        "-engine",
        "player=random",
        "name=a",
        "-engine",
        "player=cbr",
        "name=b",
    ]);
    played
        .args(["-rounds", "1", "-store", store])
        .current_dir(folder.path());
    played.assert().code(2).stdout("").stderr(contains(missing));
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert!(left.is_empty(), "a failed start leaves nothing behind: {left:?}");
    // Over UCI every go has its answer, which is no move.
    let session = "setoption name Player value cbr\nposition startpos\neval\ngo depth 1\nquit\n";
    let text = "info string the player cbr cannot move: cases is missing \
        (expected setoption name Cbr CasesFile value FILE)\n";
    vidmar(&[])
        .write_stdin(session)
        .assert()
        .success()
        .stdout(format!("{text}{text}bestmove 0000\n"));
}

/// What the UCI engine says up to its move.
fn ask(lines: &str) -> Vec<String> {
    let mut engine = std::process::Command::new(env!("CARGO_BIN_EXE_vidmar"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    let mut input = engine.stdin.take().expect("a pipe");
    writeln!(input, "{lines}").expect("it listens");
    let output = BufReader::new(engine.stdout.take().expect("a pipe"));
    let mut said = Vec::new();
    for line in output.lines() {
        said.push(line.expect("text"));
        if said.last().is_some_and(|line| line.starts_with("bestmove")) {
            break;
        }
    }
    drop(input);
    assert!(engine.wait().expect("it ends").success());
    said
}

/// What the laboratory's algorithms cannot do is said, and what they are asked is what they answer.
#[test]
fn an_algorithm_over_uci_keeps_to_the_question() {
    for algorithm in Algorithm::ALL {
        let choose = format!("setoption name Algorithm value {algorithm}");
        let said = ask(&format!(
            "{choose}\nposition startpos\ngo depth 3 searchmoves a2a3 h2h4"
        ));
        let wanted = |text: &str| text.starts_with("a2a3") || text.starts_with("h2h4");
        for depth in 1..=3 {
            let line = said
                .iter()
                .rfind(|line| line.starts_with(&format!("info depth {depth} ")));
            let (numbers, pv) = line.expect("a line").split_once(" pv ").expect("moves");
            assert!(
                wanted(pv) && (depth == 1 || pv.contains(' ')),
                "{algorithm}: {pv}"
            );
            assert!(numbers.contains(" hashfull "), "{algorithm}: {numbers}");
        }
        let best = said.last().and_then(|line| line.strip_prefix("bestmove "));
        assert!(best.is_some_and(wanted), "{algorithm}: {best:?}");
        let said = ask(&format!(
            "{choose}\nsetoption name MultiPV value 2\nposition startpos\ngo depth 2"
        ));
        let shows_two = said.iter().any(|line| line.contains(" multipv 2 "));
        if *algorithm == Algorithm::Flagship {
            assert!(shows_two, "{said:?}");
        } else {
            let refusal =
                format!("info string option MultiPV: {algorithm} does not honour multipv (it honours ");
            assert!(said[0].starts_with(&refusal) && !shows_two, "{said:?}");
        }
    }
    let said = ask("setoption name Board value 0x88\nposition startpos\ngo depth 1");
    let refusal = "info string option Board: flagship does not honour board ";
    assert!(said[0].starts_with(refusal), "{said:?}");
}
