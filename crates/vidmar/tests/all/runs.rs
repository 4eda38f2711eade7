//! One home for runs: what is written where nothing is said is what `vidmar runs` lists and `vidmar web` shows.

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

fn vidmar(folder: &Path, words: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
    command.current_dir(folder).args(words).assert()
}

const MATCH: &[&str] = &[
    "match",
    "--json",
    "-engine",
    "player=random:seed=1",
    "name=new one",
    "-engine",
    "player=random:seed=2",
    "name=old",
    "-rounds",
    "4",
];

#[test]
fn what_is_written_by_default_is_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    vidmar(folder, &["runs"]).success().stdout("").stderr(contains(
        "no runs in runs; `vidmar tune run` and `vidmar match` write there",
    ));
    vidmar(folder, MATCH).success();
    // Without --json it is said where the games are.
    let words: Vec<&str> = MATCH.iter().copied().filter(|word| *word != "--json").collect();
    vidmar(folder, &words)
        .success()
        .stderr(contains("match-new-one-old-2.db; `vidmar web` shows them"));
    let tune = [
        "tune",
        "run",
        "quick",
        "--quiet",
        "--scale",
        "0.001",
        "--set",
        "verify.pairs=2",
    ];
    vidmar(folder, &tune).success();
    let listed = vidmar(folder, &["runs", "--json"])
        .success()
        .get_output()
        .stdout
        .clone();
    let listed: Value = serde_json::from_slice(&listed).expect("JSON");
    let mut rows: Vec<[String; 4]> = listed["runs"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|run| ["path", "kind", "state", "games"].map(|key| run[key].to_string().replace('"', "")))
        .collect();
    rows.sort();
    let paths: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(
        paths,
        [
            "runs/match-new-one-old-2.db",
            "runs/match-new-one-old.db",
            "runs/tune-quick"
        ]
    );
    assert_eq!(rows[1][1..], ["match", "finished", "8"]);
    assert_eq!(rows[2][1..3], ["tuning", "finished"]);
    for run in listed["runs"].as_array().expect("an array") {
        assert!(
            run["result"].as_str().is_some_and(|text| text.contains("proven")),
            "{run}"
        );
    }
    vidmar(folder, &["runs", "runs"]).success().stdout(
        contains("runs/tune-quick")
            .and(contains("proven for new one against old"))
            .and(contains("just now")),
    );
    vidmar(folder, &["runs", "nowhere"])
        .code(2)
        .stderr(contains("nowhere: there is no such directory"));
}
