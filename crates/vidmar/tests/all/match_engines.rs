//! `vidmar match` with programs that are silent, gone or kept waiting.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const VIDMAR: &str = env!("CARGO_BIN_EXE_vidmar");
const RANDOM: &str = "player=random";

/// A program of the shell's.
fn script(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("engine");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A match of a program with a built-in player, a few moves beyond the opening.
fn contest(folder: &Path, engine: &Path, other: &str, words: &[&str]) -> Command {
    let mut command = Command::new(VIDMAR);
    let cmd = format!("cmd={}", engine.display());
    command
        .args(["match", "--json", "-maxmoves", "10", "-engine", &cmd, "name=a"])
        .args(["-engine", other, "name=b"])
        .args(words)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn json(output: &Output) -> serde_json::Value {
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

/// Says nothing after `go`, whatever it is asked.
const SILENT: &str = "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
    go*) while read -r line; do :; done;; esac; done";

#[test]
fn how_long_a_silent_engine_is_waited_for_is_said_by_an_argument() {
    let folder = tempfile::tempdir().unwrap();
    let engine = script(folder.path(), SILENT);
    for words in [
        &["-answer-ms", "300", "-each", "depth=3"][..],
        &["-each", "depth=3", "answer-ms=300"],
        &["-answer-ms", "300", "-each", "nodes=1000000"],
    ] {
        let begun = Instant::now();
        let words = [words, &["-rounds", "1", "-games", "1"]].concat();
        let output = contest(folder.path(), &engine, RANDOM, &words).output().unwrap();
        let answer = json(&output);
        assert_eq!(answer["players"][0]["faults"], 1, "{answer}");
        assert_eq!(answer["players"][0]["losses"], 1, "{answer}");
        // A minute is what it would have at depth 3, ten at so many nodes.
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    }
    let words = ["-each", "depth=3", "-answer-ms", "soon"];
    let output = contest(folder.path(), &engine, RANDOM, &words).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// Every start but the first two fails for a while: the game is lost, and the match goes on.
#[test]
fn a_failed_restart_is_a_fault_of_its_game() {
    let folder = tempfile::tempdir().unwrap();
    // The program is started once before the match, then for the first game, in which it crashes; then it fails twice.
    let text = format!(
        "n=$(cat count 2>/dev/null || echo 0); n=$((n + 1)); echo $n > count\n\
         case $n in 3|4) exit 1;; 2) sed -u /^go/Q | {VIDMAR} uci;; *) exec {VIDMAR} uci;; esac"
    );
    let engine = script(folder.path(), &text);
    let words = ["-each", "depth=1", "-rounds", "3"];
    let output = contest(folder.path(), &engine, RANDOM, &words).output().unwrap();
    let answer = json(&output);
    assert_eq!(answer["games"], 6, "{answer}");
    let faults = answer["players"][0]["faults"].as_u64().unwrap();
    assert!((2..=4).contains(&faults), "{answer}");
    assert!(output.status.success());
    // One that is not there at the beginning is an error, and no game is lost.
    std::fs::write(folder.path().join("count"), "2").unwrap();
    let output = contest(folder.path(), &engine, RANDOM, &words).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("a cannot be started: start: "), "{error}");
}

/// The runner is stopped for longer than a player has for a move: while the program thinks, and while the built-in engine does.
#[test]
fn time_in_which_the_runner_was_stopped_is_not_the_engines() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{{ echo setoption name Player value random; while read -r line; do case $line in \
         go*) [ -e thinking ] || {{ touch thinking; sleep 0.5; }};; esac; echo \"$line\"; done; }} | {VIDMAR} uci"
    );
    let engine = script(folder.path(), &text);
    let words = ["-each", "st=1", "timemargin=500", "-rounds", "1", "-games", "1"];
    let mut child = contest(folder.path(), &engine, "player=engine:hash=1", &words)
        .spawn()
        .unwrap();
    let id = child.id().to_string();
    let signal = |name: &str| {
        let told = Command::new("kill").args([name, &id]).status();
        assert!(told.unwrap().success());
    };
    while !folder.path().join("thinking").exists() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "the match ends before it begins"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    for _ in 0..2 {
        signal("-STOP");
        std::thread::sleep(Duration::from_secs(3));
        signal("-CONT");
        std::thread::sleep(Duration::from_millis(1300));
    }
    let answer = json(&child.wait_with_output().unwrap());
    for player in answer["players"].as_array().unwrap() {
        assert_eq!(player["faults"], 0, "{answer}");
    }
}
