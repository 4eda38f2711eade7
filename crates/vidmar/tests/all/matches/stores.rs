//! Stores: rated, listed, exported, filled; and those that came from somebody else.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command as Process, Stdio};
use vidmar_store::{Batch, Store};

use super::{Folder, TWO, VIDMAR};

#[test]
fn stores_are_rated_listed_exported_and_filled() {
    let folder = Folder::new();
    folder
        .play(&[TWO, &["-rounds", "20", "--store", "s.db"]])
        .success();
    let rated = |file: &str| -> Value {
        let output = folder.command("rate").args([file, "--json"]).assert().success();
        serde_json::from_slice(&output.get_output().stdout).unwrap()
    };
    let text = folder.games("s.db");
    std::fs::write(folder.path("s.pgn"), &text).unwrap();
    assert_eq!(rated("s.db")["players"], rated("s.pgn")["players"]);

    let store = |arguments: &[&str]| folder.command("store").args(arguments).assert();
    store(&["import", "t.db", "s.pgn"])
        .success()
        .stdout(contains("40 games are run 1"));
    assert_eq!(rated("t.db")["players"], rated("s.pgn")["players"]);
    let body = |text: &str| -> Vec<String> {
        let line = |line: &str| !line.starts_with('[') && !line.is_empty();
        let words = text.lines().filter(|l| line(l)).flat_map(str::split_whitespace);
        words
            .filter(|word| !word.starts_with('{') && !word.ends_with('}'))
            .map(str::to_owned)
            .collect()
    };
    store(&["export", "t.db", "--plain", "--out", "u.pgn"]).success();
    store(&["export", "s.db", "--plain", "--out", "v.pgn"]).success();
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(body(&read("u.pgn")), body(&read("v.pgn")));

    store(&["list", "s.db"])
        .success()
        .stdout(contains("match of").and(contains("finished: a, b; 40 games")));
    store(&["export", "s.db", "--format", "csv"])
        .success()
        .stdout(contains(
            "number,round,white,black,result,termination,opening,plies,given,clock_scale\n0,0,a,b,",
        ))
        .stdout(contains("\n").count(41));
    let lines = store(&["export", "s.db", "--format", "jsonl"])
        .success()
        .get_output()
        .stdout
        .clone();
    let lines = String::from_utf8(lines).unwrap();
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(
        first["moves"].as_array().unwrap().len() as u64,
        first["plies"].as_u64().unwrap()
    );
    assert_eq!(lines.lines().count(), 40);

    std::fs::write(
        folder.path("bad.pgn"),
        "[White \"a\"]\n[Black \"b\"]\n\n1. e4 e4 *\n",
    )
    .unwrap();
    store(&["import", "t.db", "bad.pgn"])
        .code(2)
        .stderr(contains("bad.pgn").and(contains("e4")));
    store(&["export", "s.db", "--run", "9"])
        .code(2)
        .stderr(contains("s.db has no run 9"));
    store(&["export", "s.pgn"])
        .code(2)
        .stderr(contains("s.pgn is not a store of games"));
    store(&["list", "none.db"]).code(2).stderr(contains("none.db"));
}

/// `vidmar store export … | head -1`, in every format.
#[test]
fn a_reader_that_has_seen_enough_is_not_an_error() {
    use std::io::Read as _;
    let folder = Folder::new();
    folder.json(&[TWO, &["-rounds", "40", "-maxmoves", "60"]]);
    for format in ["pgn", "csv", "jsonl"] {
        let mut child = Process::new(VIDMAR)
            .args(["store", "export", "runs/match-a-b.db", "--format", format])
            .current_dir(folder.0.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Not even a first line: whatever is written meets a closed pipe, also what fits into one.
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(
            (child.wait().unwrap().code(), said.as_str()),
            (Some(0), ""),
            "{format}"
        );
    }
}

/// The store of a match that was begun and not played, with an engine that leaves a trace when it is started, and more words
/// on its command line. The answer is the engine and its trace.
#[cfg(unix)]
fn found_store(folder: &Folder, more: &[&str]) -> (String, PathBuf) {
    let witness = folder.path("witness");
    let text = format!("touch {}\nexec {VIDMAR} uci\n", witness.display());
    let script = folder.script("script", &text);
    let engine = format!("cmd={script}");
    let words = ["-engine", &engine, "args=a b", "-engine", "player=random"];
    let short = [
        "-each",
        "depth=1",
        "-rounds",
        "1",
        "-maxmoves",
        "4",
        "--store",
        "played.db",
    ];
    folder.play(&[&words, &short]).success();
    std::fs::remove_file(&witness).unwrap();
    let played = Store::open_read_only(&folder.path("played.db")).unwrap();
    let run = played.runs().unwrap().remove(0);
    let mut config: Value = serde_json::from_str(&run.config).unwrap();
    let arguments = config["arguments"].as_array_mut().unwrap();
    arguments.extend(more.iter().map(|&word| Value::from(word)));
    let mut store = Store::open(&folder.path("found.db")).unwrap();
    let id = store.begin_run("match", &config.to_string()).unwrap();
    let batch = Batch {
        players: played.players(run.id).unwrap(),
        ..Batch::new(id)
    };
    store.commit(&batch).unwrap();
    (script, witness)
}

/// A store may be anybody's: to go on with it does not start what stands in it unseen.
#[cfg(unix)]
#[test]
fn what_a_store_asks_for_is_not_done_without_leave() {
    let folder = Folder::new();
    let (script, witness) = found_store(&folder, &[]);
    let resume: &[&str] = &["-resume", "found.db"];
    let refused = folder.play(&[resume]).code(2);
    refused.stderr(
        contains(format!("starts uci:cmd={script},args=a b"))
            .and(contains("if you trust it, add --allow-programs")),
    );
    let listed = folder.play(&[resume, &["--list-programs"]]).success();
    listed.stdout(contains("\"args\":\"a b\"").and(contains(&script)));
    assert!(!witness.exists());
    folder.play(&[resume, &["--allow-programs"]]).success();
    assert!(witness.exists());
    let alone = folder.play(&[TWO, &["--allow-programs"]]).code(2);
    alone.stderr(contains("--allow-programs and --list-programs are for -resume"));
}

/// The leave is the user's: a store cannot give it to itself.
#[cfg(unix)]
#[test]
fn a_store_cannot_allow_its_own_programs() {
    let folder = Folder::new();
    let (_, witness) = found_store(&folder, &["--allow-programs", "-resume", "other.db"]);
    folder
        .play(&[&["-resume", "found.db"]])
        .code(2)
        .stderr(contains("if you trust it, add --allow-programs"));
    assert!(!witness.exists());
}

#[test]
fn a_store_does_not_choose_which_files_grow() {
    let folder = Folder::new();
    let profile = folder.path("profile");
    let file = format!("file={}", profile.display());
    folder.play(&[TWO, &["-rounds", "1", "-pgnout", &file]]).success();
    std::fs::write(&profile, "mine").unwrap();
    let refused = folder.play(&[&["-resume", "runs/match-a-b.db"]]).code(2);
    refused.stderr(contains(format!("writes {}", profile.display())));
    assert_eq!(std::fs::read_to_string(&profile).unwrap(), "mine");
    folder
        .play(&[&["-resume", "runs/match-a-b.db", "--allow-programs"]])
        .success();
}
