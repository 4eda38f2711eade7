//! `vidmar tune` from outside.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use predicates::str::{contains, is_match};

fn vidmar() -> Command {
    Command::new(env!("CARGO_BIN_EXE_vidmar"))
}

/// A run of a hundred games or so that takes seconds.
const SMALL: [&str; 18] = [
    "--set",
    "population=5",
    "--set",
    "games=4",
    "--set",
    "generations=3",
    "--set",
    "depth=1",
    "--set",
    "hash=1",
    "--set",
    "openings.source=built-in",
    "--set",
    "pairs=2",
    "--set",
    "deeper=[0]",
    "--set",
    "max_moves=40",
];

#[test]
fn the_benchmark_prints_gains_and_rank_tests() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("runs.csv");
    vidmar()
        .args([
            "tune",
            "bench",
            "--quick",
            "--budgets",
            "300",
            "--seeds",
            "2",
            "--dimensions",
            "4",
            "--csv",
        ])
        .arg(&csv)
        .assert()
        .success()
        .stdout(contains("ellipsoid, 4 parameters"))
        .stdout(is_match(r"spsa +\+\d+ ± \d+\n").unwrap())
        .stdout(contains("Friedman"));
    let table = std::fs::read_to_string(csv).unwrap();
    assert!(table.starts_with("landscape,dimensions,budget,seed,method,games,centroid"));
    assert_eq!(table.lines().count(), 1 + 6 * 17 * 2);
    let nulls: Vec<&str> = table.lines().filter(|line| line.starts_with("null,")).collect();
    assert!(nulls.iter().all(|line| line.contains(",0.00,")), "{nulls:?}");
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let fails = |arguments: &[&str], message: &str| {
        vidmar()
            .args(["tune", "run", "narrow", "--out"])
            .arg(&out)
            .args(arguments)
            .assert()
            .code(2)
            .stderr(contains(message));
        assert!(!out.exists(), "{arguments:?}");
    };
    fails(
        &["--set", "populaton=3"],
        "unknown setting 'populaton' (did you mean 'population'?)",
    );
    fails(
        &["--set", "set=publishd190"],
        "unknown set 'publishd190' (did you mean 'published190'?)",
    );
    fails(
        &["--set", "frozen=[\"PawnValueOpenin\"]"],
        "did you mean 'PawnValueOpening'?",
    );
    fails(&["--set", "interval=[5, 1]"], "has min 5 > max 1");
    fails(&["--set", "population=2"], "population = 2, expected at least 3");
    fails(&["--set", "depth=0"], "engine.depth = 0: expected a limit");
    fails(&["--set", "source=options"], "is in several tables");
    fails(
        &[
            "--set",
            "parameters.source=options",
            "--set",
            "command=no-such-engine",
        ],
        "engine.command \"no-such-engine\": start:",
    );
    fails(
        &["--set", "parameters.source=list"],
        "expected the program whose options are tuned",
    );
    fails(&["--set", "kind=texel"], "objective.file is not set");
    fails(
        &["--set", "openings.source=file", "--set", "openings.file=none.pgn"],
        "none.pgn: cannot be read",
    );
    vidmar()
        .args(["tune", "run", "narow"])
        .assert()
        .code(2)
        .stderr(contains("narrow"));
    vidmar()
        .args(["tune", "resume"])
        .arg(folder.path())
        .assert()
        .code(2)
        .stderr(contains("holds no run"));
    vidmar()
        .args(["tune", "status"])
        .arg(&out)
        .assert()
        .code(2)
        .stderr(contains("holds no run"));
}

/// Whoever goes on with a run holds its lock; a second one is told so and changes nothing.
#[test]
fn a_run_goes_on_once_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    vidmar()
        .args(["tune", "run", "no-knowledge", "--quiet", "--no-verify", "--out"])
        .arg(&out)
        .args(SMALL)
        .assert()
        .success();
    let held = vidmar_store::Store::open(&out.join("games.db")).unwrap();
    let resume = || vidmar().args(["tune", "resume", "--quiet"]).arg(&out).assert();
    resume()
        .code(2)
        .stderr(is_match("another process is writing to .*games.db").unwrap());
    drop(held);
    resume().success();
}

#[test]
fn a_run_from_the_configuration_to_the_proof() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    vidmar()
        .args(["tune", "run", "no-knowledge", "--threads", "2", "--out"])
        .arg(&out)
        .args(SMALL)
        .assert()
        .success()
        .stderr(contains("de-history over 16 parameters"))
        .stdout(contains("recommended"))
        .stdout(contains("Proof on openings that tuning never saw"));
    // The vector is a file that the engine reads.
    vidmar()
        .args(["eval", "--vector"])
        .arg(out.join("recommended.txt"))
        .assert()
        .success();
    let status = vidmar()
        .args(["tune", "status", "--json"])
        .arg(&out)
        .assert()
        .success();
    let status: serde_json::Value = serde_json::from_slice(&status.get_output().stdout).unwrap();
    for key in [
        "state",
        "generation",
        "generations",
        "games",
        "games_per_second",
        "best",
        "centroid",
        "verify",
    ] {
        assert!(!status[key].is_null(), "{key}: {status}");
    }
    assert_eq!(status["state"], "verified");
    assert_eq!(status["games"], 4 * 10 * 4);
    assert!(status["verify"][0]["elo"].is_number() || status["verify"][0]["elo"].is_null());
    vidmar()
        .args(["tune", "export", "--svg", "--pgn"])
        .arg(&out)
        .assert()
        .success()
        .stdout(contains("trajectories.svg"));
    let games = std::fs::read_to_string(out.join("export/games.csv")).unwrap();
    assert_eq!(games.lines().count(), 1 + 160);
    vidmar()
        .args(["rate"])
        .arg(out.join("export/games.pgn"))
        .assert()
        .success();
    vidmar()
        .args(["tune", "run", "quick", "--out"])
        .arg(&out)
        .assert()
        .code(2)
        .stderr(contains("vidmar tune resume"));
}

/// `kill -9` at twenty moments of one run; the end is the same as that of a run that nobody disturbed.
#[test]
fn killed_and_resumed_is_the_same_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let begin = |name: &str| {
        let out = folder.path().join(name);
        let mut command = Process::new(env!("CARGO_BIN_EXE_vidmar"));
        command
            .args([
                "tune",
                "run",
                "no-knowledge",
                "--quiet",
                "--no-verify",
                "--threads",
                "2",
                "--out",
            ])
            .arg(&out)
            .args(SMALL)
            .args(["--set", "generations=40"])
            .stdout(Stdio::null());
        (out, command)
    };
    let (calm, mut command) = begin("calm");
    assert!(command.status().unwrap().success());
    let (killed, mut command) = begin("killed");
    let mut kills = 0;
    for attempt in 0_u64.. {
        let mut child = command.spawn().unwrap();
        // Moments that have nothing to do with the run: 20 to 160 ms after it began, scattered.
        let moment = Duration::from_millis(20 + attempt * 7919 % 140);
        std::thread::sleep(moment);
        let is_over = child.try_wait().unwrap().is_some_and(|status| status.success());
        let _ = child.kill();
        child.wait().unwrap();
        if killed.join("config.toml").exists() {
            command = Process::new(env!("CARGO_BIN_EXE_vidmar"));
            command
                .args(["tune", "resume", "--quiet", "--no-verify", "--threads", "2"])
                .arg(&killed)
                .stdout(Stdio::null());
        }
        kills += u32::from(!is_over);
        if is_over || attempt > 2_000 || kills >= 20 {
            break;
        }
    }
    assert!(kills > 2, "the run was over after {kills} kills: make it longer");
    assert!(command.status().unwrap().success());
    let of = |out: &Path| {
        let export = out.join("export");
        vidmar()
            .args(["tune", "export", "--pgn"])
            .arg(out)
            .assert()
            .success();
        [
            "games.pgn",
            "games.csv",
            "population.csv",
            "history.csv",
            "trajectories.csv",
            "recommended.txt",
        ]
        .map(|name| std::fs::read_to_string(export.join(name)).unwrap())
    };
    assert!(of(&calm) == of(&killed), "after {kills} kills");
}
