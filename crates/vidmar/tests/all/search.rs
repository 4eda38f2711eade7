//! `vidmar search` and `vidmar compare` as a user calls them.

use std::io::Write as _;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use vidmar_search::{Algorithm, Switch};

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

fn vidmar(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
    command.args(arguments);
    command
}

fn lines(arguments: &[&str]) -> Vec<serde_json::Value> {
    let output = vidmar(arguments).assert().success().get_output().stdout.clone();
    String::from_utf8(output)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object a line"))
        .collect()
}

#[test]
fn search_answers_in_json() {
    for algorithm in [
        "minimax",
        "negamax",
        "alpha-beta",
        "pvs",
        "negascout",
        "mtdf",
        "aspiration",
        "combined",
    ] {
        let arguments = [
            "search",
            "--fen",
            BACK_RANK,
            "--depth",
            "2",
            "--algorithm",
            algorithm,
            "--json",
        ];
        let answer = &lines(&arguments)[0];
        assert_eq!(answer["bestmove"], "a1a8", "{algorithm}");
        assert_eq!(answer["score"]["mate"], 1, "{algorithm}");
        assert_eq!(answer["depth"], 2, "{algorithm}");
        assert_eq!(answer["pv"][0], "a1a8", "{algorithm}");
        assert!(answer["nodes"].as_u64().is_some_and(|nodes| nodes > 0));
        assert!(answer["qnodes"].is_u64() && answer["seconds"].is_f64());
    }
}

#[test]
fn lines_have_more_than_one_move_wherever_they_come_from() {
    for algorithm in Algorithm::honouring(Switch::TablePv) {
        for pv in ["triangular", "table"] {
            let arguments = [
                "search",
                "--depth",
                "3",
                "--algorithm",
                algorithm.name(),
                "--pv",
                pv,
                "--json",
            ];
            let answer = &lines(&arguments)[0];
            let line = answer["pv"].as_array().expect("moves");
            assert!(line.len() > 1, "{algorithm}, {pv}: {line:?}");
            assert_eq!(line[0], answer["bestmove"], "{algorithm}, {pv}");
        }
    }
}

#[test]
fn every_switch_is_understood() {
    let base = ["search", "--depth", "4", "--json"];
    for more in [
        &["--quiescence", "off"][..],
        &["--futility", "on", "--null-move", "verified"],
        &[
            "--null-move",
            "r2",
            "--null-move-without",
            "not-twice,not-at-the-horizon",
        ],
        &[
            "--ordering",
            "table,mvv-lva",
            "--table",
            "big",
            "--table-mib",
            "1",
        ],
        &[
            "--ordering",
            "none",
            "--fail",
            "hard",
            "--iterative",
            "off",
            "--exact",
            "on",
        ],
        &["--parallel", "ybwc", "--threads", "2", "--board", "0x88"],
        &["--parallel", "lazy", "--threads", "2", "--algorithm", "negascout"],
        &["--eval", "simple-squares", "--pv", "table"],
        &["--moves", "e2e4", "e7e5"],
    ] {
        let answer = &lines(&[&base[..], more].concat())[0];
        assert_eq!(answer["depth"], 4, "{more:?}");
        assert!(answer["score"]["cp"].is_i64(), "{more:?}");
    }
    let limited = &lines(&["search", "--nodes", "1000", "--json"])[0];
    assert_eq!(
        (&limited["nodes"], &limited["stopped"]),
        (&1000.into(), &"node".into())
    );
}

#[test]
fn the_flagship_is_one_of_the_algorithms() {
    let search = |more: &[&str]| {
        let base = ["search", "--depth", "7", "--algorithm", "flagship", "--json"];
        lines(&[&base[..], more].concat())[0].clone()
    };
    let (usual, simple, small) = (
        search(&[]),
        search(&["--eval", "simple"]),
        search(&["--eval", "full"]),
    );
    assert_eq!(usual["score"], small["score"], "the full evaluation is its own");
    assert_ne!(usual["nodes"], simple["nodes"]);
    assert!(usual["qnodes"].as_u64() < usual["nodes"].as_u64() && usual["qnodes"] != 0);
    assert_eq!(
        (&usual["table"], &usual["depth"]),
        (&serde_json::Value::Null, &7.into())
    );
    let limited = lines(&["search", "--nodes", "1000", "--algorithm", "flagship", "--json"])[0].clone();
    assert_eq!(
        (&limited["nodes"], &limited["stopped"]),
        (&1000.into(), &"node".into())
    );
    let rows = lines(&["compare", "--depth", "3", "--exact", "off", "--json"]);
    assert!(rows.iter().any(|row| row["algorithm"] == "flagship"));
}

/// A value of each switch of the command that is not the default; none for what it does not offer.
fn another_value(switch: Switch) -> Option<&'static str> {
    Some(match switch {
        Switch::Iterative | Switch::Quiescence => "off",
        Switch::Futility | Switch::Exact => "on",
        Switch::Fail => "hard",
        Switch::NullMove => "r2",
        Switch::NullMoveRules => "not-twice",
        Switch::Generation => "staged",
        Switch::Ordering | Switch::Table => "none",
        Switch::TableSize | Switch::QuiescencePlies => "1",
        Switch::Parallel => "lazy",
        Switch::Threads => "2",
        Switch::Board => "8x8",
        Switch::Evaluation => "simple-squares",
        Switch::TablePv => "table",
        _ => return None,
    })
}

/// Every switch of the command with every algorithm: what is not honoured is refused by its name, and what is honoured is in force.
#[test]
fn every_algorithm_honours_a_switch_or_refuses_it_by_name() {
    let help = vidmar(&["search", "--help"])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let help = String::from_utf8(help).expect("text");
    for &switch in Switch::ALL {
        let name = format!("--{switch}");
        let value = another_value(switch);
        assert_eq!(help.contains(&format!("{name} <")), value.is_some(), "{name}");
        let Some(value) = value else { continue };
        for &algorithm in Algorithm::ALL {
            let mut arguments = vec![
                "search",
                "--depth",
                "2",
                "--json",
                "--algorithm",
                algorithm.name(),
            ];
            arguments.extend([name.as_str(), value]);
            if switch == Switch::Threads {
                arguments.extend(["--parallel", "lazy"]);
            }
            if algorithm.honours(switch) {
                match switch {
                    Switch::Parallel => arguments.extend(["--threads", "2"]),
                    Switch::NullMoveRules => arguments.extend(["--null-move", "r2"]),
                    _ => {}
                }
                let answer = &lines(&arguments)[0];
                if switch != Switch::TablePv {
                    let told = answer["settings"][switch.name()].to_string();
                    let told = told
                        .trim_matches('"')
                        .replace("true", "on")
                        .replace("false", "off");
                    assert_eq!(told, value, "{algorithm}: {name}");
                }
            } else {
                let refusal = format!("{name}: {algorithm} does not honour {switch} (it honours ");
                vidmar(&arguments)
                    .assert()
                    .code(2)
                    .stdout("")
                    .stderr(contains(refusal));
            }
        }
    }
    let flagship = &lines(&["search", "--depth", "2", "--json", "--algorithm", "flagship"])[0];
    let told = flagship["settings"].as_object().expect("an object");
    let told: Vec<&str> = told.keys().map(String::as_str).collect();
    assert_eq!(told, ["eval", "parallel", "table-mib", "threads"]);
    assert_eq!(flagship["settings"]["eval"], "full");
    vidmar(&["search", "--depth", "2", "--table", "none", "--pv", "table"])
        .assert()
        .code(2)
        .stderr(contains("--pv table: there is no table"));
}

#[test]
fn without_quiescence_there_are_no_quiescence_nodes() {
    let count =
        |switch| lines(&["search", "--depth", "4", "--quiescence", switch, "--json"])[0]["qnodes"].clone();
    assert_eq!(count("off"), 0);
    assert!(count("on").as_u64().is_some_and(|nodes| nodes > 0));
}

#[test]
fn bad_input_is_named() {
    for (arguments, message) in [
        (&["search", "--depth", "3", "--fen", "nonsense"][..], "--fen"),
        (&["search"], "--depth, --nodes or --seconds"),
        (
            &["search", "--depth", "3", "--eval", "best"],
            "possible values: simple, simple-squares, simple-occupation, full, chances",
        ),
        (
            &[
                "search",
                "--depth",
                "3",
                "--algorithm",
                "flagship",
                "--board",
                "8x8",
            ],
            "--board: flagship does not honour board (it honours eval, table-mib,",
        ),
        (
            &[
                "search",
                "--depth",
                "3",
                "--algorithm",
                "flagship",
                "--table",
                "two-level",
            ],
            "--table: flagship does not honour table",
        ),
        (
            &[
                "search",
                "--depth",
                "3",
                "--algorithm",
                "flagship",
                "--ordering",
                "none",
            ],
            "--ordering: flagship does not honour ordering",
        ),
        (
            &[
                "search",
                "--depth",
                "3",
                "--algorithm",
                "flagship",
                "--quiescence",
                "off",
            ],
            "--quiescence: flagship does not honour quiescence",
        ),
        (
            &[
                "search",
                "--depth",
                "3",
                "--algorithm",
                "minimax",
                "--null-move",
                "r2",
            ],
            "--null-move: minimax does not honour null-move",
        ),
        (
            &["search", "--depth", "3", "--algorithm", "mtdf", "--fail", "hard"],
            "--fail: mtdf does not honour fail",
        ),
        (
            &[
                "search",
                "--depth",
                "3",
                "--algorithm",
                "flagship",
                "--eval",
                "chances",
            ],
            "--eval: flagship does not honour this evaluation: its margins are in hundredths of a pawn",
        ),
        (
            &[
                "search",
                "--depth",
                "3",
                "--algorithm",
                "flagship",
                "--generation",
                "staged",
            ],
            "--generation: flagship does not honour generation",
        ),
        (
            &["search", "--depth", "3", "--generation", "lazy"],
            "possible values: legal, pseudo, staged",
        ),
        (
            &["compare", "--depth", "3", "--algorithms", "flagship,pvs"],
            "--exact: flagship does not honour exact",
        ),
        (
            &[
                "compare",
                "--depth",
                "3",
                "--exact",
                "off",
                "--algorithms",
                "flagship",
                "--tables",
                "deep",
            ],
            "--table: flagship does not honour table",
        ),
        (
            &["bench", "--threads", "2", "--parallel", "none"],
            "expected parallel ybwc or lazy",
        ),
        (
            &["search", "--depth", "3", "--ordering", "luck"],
            "unknown ordering 'luck'",
        ),
        (&["search", "--depth", "3", "--algorithm", "luck"], "luck"),
        (
            &["search", "--depth", "3", "--threads", "2"],
            "expected parallel ybwc or lazy",
        ),
        (
            &[
                "search",
                "--depth",
                "3",
                "--parallel",
                "ybwc",
                "--threads",
                "2",
                "--algorithm",
                "minimax",
            ],
            "minimax",
        ),
        (
            &["search", "--depth", "3", "--table", "none", "--table-mib", "4"],
            "--table-mib has no effect with table=none",
        ),
        (
            &["search", "--depth", "3", "--parallel", "lazy"],
            "--parallel has no effect with threads=1",
        ),
        (
            &["compare", "--depth", "2", "--parallel", "lazy"],
            "--parallel has no effect with threads=1",
        ),
        (
            &["compare", "--depth", "2", "--tables", "none", "--table-mib", "4"],
            "--table-mib has no effect with table=none",
        ),
        (
            &["bench", "--depth", "2", "--parallel", "ybwc"],
            "--parallel ybwc has no effect with one thread",
        ),
        (
            &["search", "--depth", "3", "--null-move-without", "not-twice"],
            "--null-move-without has no effect with null-move=off",
        ),
        (
            &["move", "--player", "random", "--depth", "3"],
            "random: depth has no effect at all: it answers at once",
        ),
        (&["search", "--depth", "3", "--moves", "e2e5"], "e2e5"),
        (&["search", "--seconds=-1"], "--seconds"),
        (
            &["compare", "--depth", "3", "--suite", "there/is/none.epd"],
            "there/is/none.epd",
        ),
    ] {
        vidmar(arguments).assert().code(2).stderr(contains(message));
    }
}

#[test]
fn compare_varies_one_thing_at_a_time() {
    let mut suite = tempfile::NamedTempFile::new().expect("a temporary file");
    writeln!(suite, "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";").expect("written");
    writeln!(suite, "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8;").expect("written");
    let path = suite.path().to_str().expect("a plain path");
    let rows = lines(&["compare", "--depth", "3", "--suite", path, "--json"]);
    for (group, least) in [
        ("algorithm", 10),
        ("table", 6),
        ("ordering", 8),
        ("board", 5),
        ("generation", 3),
        ("null-move", 5),
        ("futility", 2),
        ("parallel", 3),
    ] {
        let count = rows.iter().filter(|row| row["group"] == group).count();
        assert!(count >= least, "{group}: {count}");
    }
    for row in &rows {
        assert_eq!(
            (&row["completed"], &row["disagreements"]),
            (&2.into(), &0.into()),
            "{row}"
        );
    }
    vidmar(&["compare", "--depth", "2", "--suite", path])
        .assert()
        .success()
        .stdout(contains("alpha-beta").and(contains("two-level")));
    let product = ["compare", "--depth", "2", "--suite", path, "--csv"];
    let lists = [
        "--algorithms",
        "pvs,mtdf",
        "--tables",
        "none,old",
        "--orderings",
        "all/table,history",
    ];
    let output = vidmar(&[&product[..], &lists].concat())
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    assert_eq!(
        String::from_utf8(output).expect("text").lines().count(),
        1 + 2 * 2 * 2
    );
}

#[test]
fn what_cannot_be_finished_is_shown_as_such() {
    let rows = lines(&["compare", "--depth", "4", "--nodes", "2000", "--json"]);
    let minimax = rows
        .iter()
        .find(|row| row["algorithm"] == "minimax")
        .expect("a row for minimax");
    assert_eq!((&minimax["completed"], &minimax["nodes"]), (&0.into(), &0.into()));
    assert_eq!(minimax["skipped"], minimax["positions"]);
}

/// The changes that a row names are those that it searches with.
#[test]
fn compare_shows_what_generation_prunings_and_threads_cost() {
    let mut suite = tempfile::NamedTempFile::new().expect("a temporary file");
    writeln!(
        suite,
        "8/5pk1/1p2p1p1/p1r4p/P1R2P1P/1P2PKP1/8/8 w - - id \"rooks\";"
    )
    .expect("written");
    let path = suite.path().to_str().expect("a plain path");
    let rows = lines(&["compare", "--depth", "5", "--suite", path, "--json"]);
    let row = |group: &str, key: &str, value: serde_json::Value| {
        let found = rows.iter().find(|row| row["group"] == group && row[key] == value);
        found
            .unwrap_or_else(|| panic!("no row for {key} {value}"))
            .clone()
    };
    let number = |row: &serde_json::Value, key: &str| row[key].as_u64().expect("a number");
    let generation = |name: &str| row("generation", "generation", name.into());
    let (legal, pseudo, staged) = (generation("legal"), generation("pseudo"), generation("staged"));
    assert_eq!(legal["nodes"], pseudo["nodes"]);
    assert!(number(&pseudo, "moves") > number(&legal, "moves"));
    assert!(number(&staged, "moves") < number(&legal, "moves"));
    let off = row("null-move", "null_move", "off".into());
    for name in ["r2", "r3", "adaptive", "verified"] {
        let pruned = row("null-move", "null_move", name.into());
        assert_eq!(pruned["completed"], pruned["positions"], "{name}");
    }
    assert_ne!(off["nodes"], row("null-move", "null_move", "r2".into())["nodes"]);
    let futility = |on: bool| row("futility", "futility", on.into());
    assert!(number(&futility(true), "nodes") < number(&futility(false), "nodes"));
    for (name, threads) in [("none", 1), ("ybwc", 2), ("lazy", 2)] {
        let shared = row("parallel", "parallel", name.into());
        assert_eq!(
            (&shared["threads"], &shared["disagreements"]),
            (&threads.into(), &0.into()),
            "{name}"
        );
    }
    let product = lines(&[
        "compare",
        "--depth",
        "3",
        "--suite",
        path,
        "--boards",
        "bitboard,0x88",
        "--generations",
        "pseudo,staged",
        "--json",
    ]);
    assert_eq!(product.len(), 4);
    assert!(
        product
            .iter()
            .all(|row| row["disagreements"] == 0 && row["minimal"].is_null())
    );
}

#[test]
fn a_score_by_chances_is_told_in_centipawns_and_as_a_chance() {
    let fen = "8/5pk1/1p2p1p1/p6p/P4P1P/1P2PKP1/8/8 w - - 0 40";
    let search = |eval: &str| {
        lines(&[
            "search",
            "--fen",
            fen,
            "--depth",
            "4",
            "--exact",
            "on",
            "--quiescence",
            "off",
            "--eval",
            eval,
            "--json",
        ])[0]
            .clone()
    };
    let (full, chances) = (search("full"), search("chances"));
    let cp = |answer: &serde_json::Value| answer["score"]["cp"].as_i64().expect("centipawns");
    assert!((cp(&full) - cp(&chances)).abs() <= 3, "{full} {chances}");
    assert!(full["expected"].is_null());
    let expected = chances["expected"].as_f64().expect("a chance");
    assert!(
        (0.0..=1.0).contains(&expected) && (expected > 0.5) == (cp(&full) > 0),
        "{chances}"
    );
    vidmar(&["search", "--fen", fen, "--depth", "3", "--eval", "chances"])
        .assert()
        .success()
        .stdout(contains("expected result").and(contains(" %")));
}
