//! `vidmar stats` from the outside.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

/// The published ten runs of six tuning variants.
const RUNS: &str = include_str!("../../../rating/tests/data/tuning-runs.csv");
const PUBLISHED: &str =
    "history10=history10_tuned,history5=history5_tuned,history2=history2_tuned,nohistory10=nohistory10_tuned";

fn stats(arguments: &[&str], table: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vidmar"));
    command
        .args(["stats", "-"])
        .args(arguments)
        .write_stdin(table)
        .assert()
}

fn json(arguments: &[&str], table: &str) -> Value {
    let output = stats(&[&["--json"], arguments].concat(), table)
        .success()
        .get_output()
        .stdout
        .clone();
    serde_json::from_slice(&output).unwrap()
}

fn close(value: &Value, expected: f64, within: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() <= within, "{found} is not {expected}");
}

#[test]
fn the_published_experiment() {
    let report = json(&["--columns", PUBLISHED, "--control", "nohistory10"], RUNS);
    for (name, rank) in [
        ("history10", 1.3),
        ("history5", 1.9),
        ("history2", 2.9),
        ("nohistory10", 3.9),
    ] {
        close(&report["ranks"][name], rank, 1e-12);
    }
    close(&report["friedman"]["chi2"], 23.520, 5e-4);
    close(&report["iman_davenport"]["f"], 32.667, 5e-4);
    close(&report["critical_difference"]["bonferroni_dunn"], 1.382, 5e-4);
    close(&report["critical_difference"]["nemenyi"], 1.483, 5e-4);
    let first = &report["pairs"][0];
    assert_eq!(
        (&first["a"], &first["b"]),
        (&Value::from("history10"), &Value::from("nohistory10"))
    );
    for (key, p) in [
        ("p", 6.69e-6),
        ("nemenyi", 4.01e-5),
        ("holm", 4.01e-5),
        ("shaffer", 4.01e-5),
        ("bergmann_hommel", 4.01e-5),
    ] {
        close(&first[key], p, 1e-7);
    }
    assert_eq!(report["pairs"].as_array().unwrap().len(), 6);
    assert_eq!(report["control"]["comparisons"].as_array().unwrap().len(), 3);
}

#[test]
fn columns_by_pattern_leave_the_row_names_out() {
    let ranks = json(&["--columns", "*_tuned"], RUNS)["ranks"]
        .as_object()
        .unwrap()
        .len();
    assert_eq!(ranks, 6);
    assert_eq!(
        json(&["--columns", "*"], RUNS)["ranks"]
            .as_object()
            .unwrap()
            .len(),
        12
    );
    assert_eq!(json(&[], RUNS)["ranks"].as_object().unwrap().len(), 12);
}

#[test]
fn shapes_of_tables() {
    let comma = "problem,a,b\nx,1,2\ny,3,5\nz,2,1\n";
    let expected = json(&[], comma);
    let semicolon = "problem;a;b\nx;1,0;2,0\ny;3,0;5,0\nz;2,0;1,0\n";
    let unnamed = "a\tb\n1\t2\n3\t5\n2\t1\n";
    let long = "problem,algorithm,value\nx,a,1\nx,b,2\ny,b,5\ny,a,3\nz,a,2\nz,b,1\n";
    assert_eq!(json(&[], semicolon), expected);
    assert_eq!(json(&[], unnamed), expected);
    assert_eq!(json(&["--long"], long), expected);
    assert_eq!(json(&[], long), expected);
    let other_words = "p,q,r\nx,a,1\nx,b,2\ny,b,5\ny,a,3\nz,a,2\nz,b,1\n";
    assert_eq!(json(&["--long"], other_words), expected);
    let depths = "method,depth,compared,score\na,4,true,0.1\nb,4,true,0.2\nb,4,false,0.9\n\
        a,5,true,0.3\nb,5,true,0.5\na,6,true,0.2\nb,6,true,0.1\n";
    assert_eq!(json(&[], depths), expected);
    let lower = json(&["--lower-is-better"], comma);
    assert_eq!(
        (&lower["ranks"]["a"], &lower["ranks"]["b"]),
        (&expected["ranks"]["b"], &expected["ranks"]["a"])
    );
}

/// Runs with equal games and with equal processor time, at two limits: two seeds are two problems, whatever they were met under.
#[test]
fn a_seed_is_one_problem_under_every_condition() {
    let mut runs = vec!["method,equal,seed,compared,depth,deeper,limit,score".to_owned()];
    for equal in ["games", "cpu"] {
        for (deeper, limit) in [(0, "300 nodes"), (1, "600 nodes")] {
            for seed in 1..=2 {
                for (method, score) in [("a", 0.5), ("b", 0.6)] {
                    let score = score + f64::from(seed) / 10.0;
                    runs.push(format!("{method},{equal},{seed},true,,{deeper},{limit},{score}"));
                }
            }
        }
    }
    let runs = runs.join("\n");
    let report = json(&[], &runs);
    let strata = report["strata"].as_array().unwrap();
    let found: Vec<(&Value, &Value)> = strata
        .iter()
        .map(|one| (&one["stratum"], &one["problems"]))
        .collect();
    let of = |equal: &str, limit: &str| serde_json::json!({"equal": equal, "limit": limit});
    let expected = [
        of("games", "300 nodes"),
        of("games", "600 nodes"),
        of("cpu", "300 nodes"),
        of("cpu", "600 nodes"),
    ];
    let two = Value::from(2);
    assert_eq!(found, expected.iter().map(|one| (one, &two)).collect::<Vec<_>>());
    // Two algorithms in the same order twice are no more than half by chance.
    for stratum in strata {
        assert!(stratum["iman_davenport"]["f"].is_null());
        close(&stratum["iman_davenport"]["p"], 0.5, 1e-12);
    }
    let chosen = ["--where", "equal=games", "--where", "limit=600 nodes"];
    let one = json(&chosen, &runs);
    assert_eq!((&one["stratum"], &one["problems"]), (&expected[1], &two));
    stats(&[], &runs)
        .success()
        .stdout(contains(
            "With equal games, limit 300 nodes: 2 algorithms on 2 problems",
        ))
        .stdout(contains("F beyond every value (all problems rank alike)"))
        .stdout(contains("With equal cpu, limit 600 nodes"));
    stats(&["--latex"], &runs)
        .success()
        .stdout(contains("With equal cpu, limit 600 nodes.}").and(contains("\\label{tab:ranks-4}")));
    stats(&["--svg"], &runs).code(2).stdout("").stderr(contains(
        "--svg draws one test, and these are 4: choose one with --where (equal games, limit 300 nodes; ",
    ));
    stats(&[&["--svg"], &chosen[..]].concat(), &runs)
        .success()
        .stdout(contains("<svg"));
    for (want, told) in [
        ("equal", "--where equal: expected COLUMN=VALUE"),
        (
            "depht=4",
            "there is no column 'depht': the header has method, equal, seed",
        ),
        (
            "limit=depth 4",
            "no row has 'depth 4' there: limit is 300 nodes, 600 nodes",
        ),
    ] {
        stats(&["--where", want], &runs).code(2).stderr(contains(told));
    }
    // One seed says nothing, at however many limits.
    stats(&["--where", "seed=1"], &runs)
        .code(2)
        .stderr(contains("equal games, limit 300 nodes").and(contains("at least 2 problems")));
}

#[test]
fn text_latex_and_picture() {
    stats(&["--columns", PUBLISHED], RUNS)
        .success()
        .stdout(contains("chi² = 23.520"))
        .stdout(contains("F = 32.667"));
    stats(
        &["--latex", "--columns", "*_tuned", "--control", "wide10_tuned"],
        RUNS,
    )
    .success()
    .stdout(contains("\\toprule"))
    .stdout(contains("history10\\_tuned vs.\\ nohistory10\\_tuned"));
    stats(&["--svg", "--columns", PUBLISHED], RUNS)
        .success()
        .stdout(contains("<svg"))
        .stdout(contains("CD = 1.483"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("diagram.svg");
    stats(
        &[
            "--columns",
            PUBLISHED,
            "--control",
            "history10",
            "--svg",
            path.to_str().unwrap(),
        ],
        RUNS,
    )
    .success()
    .stdout(contains("chi² = 23.520").and(contains("<svg").not()));
    assert!(std::fs::read_to_string(&path).unwrap().contains("CD = 1.382"));
    let with_picture = ["--columns", PUBLISHED, "--svg", path.to_str().unwrap()];
    assert_eq!(json(&with_picture, RUNS), json(&["--columns", PUBLISHED], RUNS));
    assert!(std::fs::read_to_string(&path).unwrap().contains("CD = 1.483"));
}

#[test]
fn thirteen_algorithms_go_without_bergmann_and_hommel() {
    let header: Vec<String> = (0..13).map(|place| format!("a{place}")).collect();
    let row = |shift: usize| {
        (0..13)
            .map(|place| ((place * 7 + shift) % 13).to_string())
            .collect::<Vec<_>>()
            .join(",")
    };
    let table = format!("{}\n{}\n{}\n", header.join(","), row(0), row(3));
    stats(&[], &table).success().stderr(contains("at most 12"));
    assert!(json(&[], &table)["pairs"][0]["bergmann_hommel"].is_null());
}

#[test]
fn rows_that_all_agree() {
    let report = json(&[], "a,b\n1,2\n1,2\n1,2\n");
    assert!(report["iman_davenport"]["f"].is_null());
    close(&report["iman_davenport"]["p"], 0.25, 1e-12);
    stats(&[], "a,b\n1,2\n1,2\n")
        .success()
        .stdout(contains("F = inf").not())
        .stdout(contains(
            "F beyond every value (all problems rank alike), 1 and 1 degrees of freedom, p = 0.5000",
        ));
}

#[test]
fn bad_input_is_an_error_with_its_line() {
    let bad = |arguments: &[&str], table: &str, message: &str| {
        stats(arguments, table)
            .code(2)
            .stdout("")
            .stderr(contains(message));
    };
    bad(
        &[],
        "a,b\n1,2\n3,x\n",
        "line 3: column 'b' holds 'x': expected a number",
    );
    bad(&[], "a,b\n1,2\n3,\n", "line 3: column 'b' is empty");
    bad(&[], "a,b\n1,2\n3,nan\n", "line 3: column 'b' holds 'nan'");
    bad(&[], "a,b\n1,2\n3\n", "line: 3");
    bad(&[], "a,b\n1,2\n", "at least 2 problems");
    bad(&[], "a\n1\n2\n", "at least 2 algorithms");
    bad(&[], "a,b\n", "no rows");
    bad(&[], "", "no rows");
    bad(&[], "a,a\n1,2\n2,1\n", "two algorithms are called 'a'");
    bad(
        &["--columns", "a,c"],
        "a,b\n1,2\n2,1\n",
        "there is no column 'c': the header has a, b",
    );
    bad(
        &["--control", "c"],
        "a,b\n1,2\n2,1\n",
        "the control 'c' is not among the algorithms: a, b",
    );
    bad(
        &["--alpha", "5"],
        "a,b\n1,2\n2,1\n",
        "the level of significance is 5",
    );
    bad(
        &["--long"],
        "p,a,v\nx,a,1\nx,a,2\n",
        "line 3: a second value for 'a' on 'x'",
    );
    bad(
        &["--long"],
        "p,a,v\nx,a,1\nx,b,2\ny,a,1\n",
        "'b' has no value on 'y'",
    );
    bad(&["--json", "--latex"], RUNS, "cannot be used with");
    bad(
        &["--json", "--svg"],
        RUNS,
        "--svg to standard output cannot be used with --json",
    );
    Command::new(env!("CARGO_BIN_EXE_vidmar"))
        .args(["stats", "there-is-no-such-file.csv"])
        .assert()
        .code(2)
        .stderr(contains("there-is-no-such-file.csv"));
}
