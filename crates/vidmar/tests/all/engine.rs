//! The engine's commands as a user calls them: no command at all, `uci`, `bench`, `suite`.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn vidmar(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
    command.args(arguments);
    command
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = vidmar(arguments).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("one JSON object")
}

#[test]
fn without_arguments_it_is_an_engine() {
    for arguments in [&[] as &[&str], &["uci"]] {
        vidmar(arguments)
            .write_stdin("uci\nquit\n")
            .assert()
            .success()
            .stdout(contains("uciok").and(contains("PawnValueOpening").not()))
            .stderr("");
    }
    vidmar(&["uci", "--parameters"])
        .write_stdin("uci\n")
        .assert()
        .success()
        .stdout(contains("option name PawnValueOpening type spin"));
}

#[test]
fn the_bench_ends_with_nodes_and_speed_and_repeats_itself() {
    let output = vidmar(&["bench", "--depth", "4"])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let text = String::from_utf8(output).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    let number = |line: &str, unit: &str| -> u64 {
        let number = line.strip_suffix(unit).expect("a number and its unit");
        number.parse().expect("a number")
    };
    let nodes = number(lines[lines.len() - 2], " nodes");
    assert!(number(lines[lines.len() - 1], " nps") > 0);
    let report = json(&["bench", "--depth", "4", "--json"]);
    assert_eq!(report["nodes"], nodes);
    assert!(report["nps"].as_u64().expect("a number") > 0);
    assert!(report["tuning"]["nodes_per_move"].as_f64().expect("a number") > 1.0);
}

/// What runs write down of built-in players is what the program is.
#[test]
fn the_bench_has_the_signature_that_the_program_states() {
    assert_eq!(
        json(&["bench", "--json"])["nodes"],
        vidmar_engine::bench::SIGNATURE
    );
}

const SUITE: &str = "\
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra7; id \"a wrong key\";
7k/8/8/8/8/8/R7/1R4K1 w - - am Kg2; id \"avoid\";
";

#[test]
fn a_suite_is_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("suite.epd");
    std::fs::write(&file, SUITE).expect("written");
    let path = file.to_str().expect("UTF-8");
    for more in [["--depth", "6"], ["--nodes", "3000"], ["--seconds", "0.05"]] {
        for jobs in ["1", "3"] {
            let arguments = ["suite", path, "--hash", "1", "--jobs", jobs, "--json"];
            let answer = json(&[&arguments as &[&str], &more].concat());
            assert_eq!((&answer["positions"], &answer["solved"]), (&3.into(), &2.into()));
            let results = answer["results"].as_array().expect("a list");
            let solved: Vec<_> = results.iter().map(|row| row["solved"].as_bool()).collect();
            assert_eq!(solved, [Some(true), Some(false), Some(true)]);
            assert_eq!(results[0]["id"], "back rank");
            assert_eq!(results[0]["move"], "Ra8#");
            for key in ["depth", "nodes", "seconds"] {
                assert!(results[0][key].is_number(), "{key}");
            }
        }
    }
    vidmar(&["suite", path, "--depth", "4"])
        .assert()
        .success()
        .stdout(
            contains("not solved: a wrong key: played Ra8# at depth 4, expected Ra7\n")
                .and(contains("2 of 3 solved in "))
                .and(contains("0.0 s").not()),
        );
}

/// Any player of the table; what it does not have is refused by name.
#[test]
fn any_player_solves_a_suite() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("suite.epd");
    std::fs::write(&file, SUITE).expect("written");
    let path = file.to_str().expect("UTF-8");
    let program = format!("uci:cmd={},depth=4", env!("CARGO_BIN_EXE_vidmar"));
    let players: [&[&str]; 4] = [
        &["search:algorithm=mtdf,board=0x88", "--depth", "3"],
        &["search:algorithm=alpha-beta,depth=3"],
        &["engine:depth=4,hash=1", "--threads", "1"],
        &[&program],
    ];
    for player in players {
        let answer = json(&[&["suite", path, "--json", "--player"], player].concat());
        assert_eq!(answer["solved"], 2, "{player:?}: {answer}");
        assert!(
            answer["player"]
                .as_str()
                .is_some_and(|name| name.starts_with(player[0])),
            "{answer}"
        );
        assert_eq!(answer["results"][1]["expected"]["bm"][0], "Ra7");
        assert_eq!(answer["results"][2]["expected"]["am"][0], "Kg2");
    }
    // Who ends by itself needs no limit, and who does not has a second for each.
    let answer = json(&["suite", path, "--json", "--player", "evolve:generations=5"]);
    assert_eq!(answer["positions"], 3, "{answer}");
    let answer = json(&["suite", path, "--json", "--hash", "1", "--jobs", "3"]);
    assert_eq!(answer["solved"], 2, "{answer}");
    for row in answer["results"].as_array().expect("a list") {
        assert!(
            row["seconds"].as_f64().is_some_and(|time| time < 10.0),
            "{answer}"
        );
    }
    // By chance: two seeds, two answers; no limit is needed.
    let by_chance = |seed: u32| {
        let player = format!("random:seed={seed}");
        let answer = json(&["suite", path, "--json", "--player", &player]);
        let results = answer["results"].as_array().expect("a list").clone();
        results
            .iter()
            .map(|row| row["move"].to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(by_chance(1), by_chance(1));
    assert!((2..9).any(|seed| by_chance(seed) != by_chance(1)));
    for (arguments, message) in [
        (&["--player", "random", "--hash", "4"] as &[&str], "--hash: "),
        (&["--player", "random:seed=2", "--threads", "2"], "--threads: "),
        (
            &["--player", "random", "--depth", "2"],
            "random: depth has no effect at all: it answers at once",
        ),
        (
            &["--player", "xboard:cmd=no-such-engine", "--nodes", "9"],
            "an xboard engine cannot be held to a number of nodes",
        ),
        (&["--player", "engin", "--depth", "1"], "did you mean 'engine'?"),
        (
            &["--player", "uci:cmd=no-such-engine", "--depth", "1"],
            "no-such-engine",
        ),
    ] {
        vidmar(&[&["suite", path], arguments].concat())
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(message));
    }
}

#[test]
fn a_bad_record_is_left_out_with_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("suite.epd");
    let text = format!(
        "no position\n{SUITE}6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Qd4; id \"no queen\";\n6k1/8/8/8/8/8/8/R5K1 w - - id \"no key\";\n"
    );
    std::fs::write(&file, text).expect("written");
    let path = file.to_str().expect("UTF-8");
    vidmar(&["suite", path, "--depth", "2"])
        .assert()
        .success()
        .stdout(contains("2 of 3 solved in ").and(contains("; 3 records left out\n")))
        .stderr(
            contains("warning: ")
                .and(contains("line 1: "))
                .and(contains("line 5: operation bm: "))
                .and(contains("line 6: expected an operation bm or am")),
        );
    assert_eq!(json(&["suite", path, "--depth", "2", "--json"])["left_out"], 3);
}

#[test]
fn a_bad_suite_is_an_error_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("suite.epd");
    let path = file.to_str().expect("UTF-8").to_owned();
    for (text, message) in [
        (
            "6k1/5ppp/8/8/8/8/8/R5K1 w - - id \"no move\";",
            "line 1: expected an operation bm or am",
        ),
        ("\nno position", "line 2"),
        ("", "holds no position"),
    ] {
        std::fs::write(&file, text).expect("written");
        vidmar(&["suite", &path, "--depth", "1"])
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    for bad in [
        vec!["suite", "nowhere.epd", "--depth", "1"],
        vec!["suite", &path],
        vec!["suite", &path, "--seconds", "0"],
        vec!["suite", &path, "--seconds", "soon"],
        vec!["bench", "--depth", "0"],
        vec!["bench", "--threads", "many"],
    ] {
        vidmar(&bad).assert().code(2);
    }
}
