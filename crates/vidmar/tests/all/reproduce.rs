//! `vidmar reproduce` from outside: the whole path at a small scale, with data of our own.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

fn vidmar() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vidmar"));
    command.env_remove("VIDMAR_DATA");
    command
}

/// Runs experiments at the smallest scale.
fn reproduce(out: &Path, names: &[&str], more: &[&str]) -> Command {
    let mut command = vidmar();
    command.arg("reproduce").args(names).arg("--out").arg(out);
    command
        .args(["--scale", "0.001", "--seeds", "2", "--threads", "2"])
        .args(more);
    command
}

fn report(out: &Path, format: &str) -> String {
    let output = vidmar()
        .args(["reproduce", "report", "--format", format])
        .arg(out)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The experiments of a report by name.
fn experiments(out: &Path) -> impl Fn(&str) -> Value {
    let report: Value = serde_json::from_str(&report(out, "json")).unwrap();
    move |name| {
        let all = report["experiments"].as_array().unwrap();
        all.iter()
            .find(|experiment| experiment["name"] == name)
            .unwrap()
            .clone()
    }
}

/// Three positions that anybody solves, in the place of a suite.
fn data_with_a_suite() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("epd")).unwrap();
    let suite = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"1\";\n\
                 6k1/5ppp/8/8/8/8/8/4R1K1 w - - bm Re8#; id \"2\";\n";
    std::fs::write(data.path().join("epd/wac.epd"), suite).unwrap();
    data
}

#[test]
fn experiments_are_listed_with_cost_and_state() {
    let out = tempfile::tempdir().unwrap();
    let listed = |more: &[&str]| {
        let output = vidmar()
            .args(["reproduce", "--json", "--out"])
            .arg(out.path())
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect::<Vec<Value>>()
    };
    let full = listed(&[]);
    let family = full.iter().find(|row| row["name"] == "tuning-family").unwrap();
    assert_eq!(family["seeds"], 10);
    // 40,400, 20,200, 8,080, 40,400, 20,200 and 40,400 games of tuning and 4,600 of the gauntlet, ten times.
    assert_eq!(
        family["games"],
        10 * (40_400 + 20_200 + 8_080 + 40_400 + 20_200 + 40_400 + 6 * 4_600)
    );
    assert_eq!(family["state"], "not begun");
    assert!(full.iter().all(|row| row["cpu_hours"].as_f64().unwrap() > 0.0));
    let some = listed(&["--seeds", "2"]);
    let fewer = some.iter().find(|row| row["name"] == "tuning-family").unwrap();
    assert_eq!(
        fewer["games"].as_u64().unwrap() * 5,
        family["games"].as_u64().unwrap()
    );
    assert!(
        std::fs::read_dir(out.path()).unwrap().next().is_none(),
        "nothing is written"
    );
    vidmar()
        .args(["reproduce", "evolve"])
        .assert()
        .code(2)
        .stderr(contains("evolved"));
}

#[test]
fn small_experiments_run_and_are_reported() {
    let out = tempfile::tempdir().unwrap();
    let names = ["evolved", "algorithms", "depth", "tournament"];
    reproduce(out.path(), &names, &["--json"])
        .assert()
        .success()
        .stdout(contains("\"step\":\"printed-games\""));
    let of = experiments(out.path());
    for name in names {
        assert_eq!(of(name)["steps"], of(name)["steps_finished"], "{name}");
    }
    assert_eq!(of("suites")["steps_finished"], 0);
    let games = &of("evolved")["lists"][0]["rows"];
    assert_eq!(games[0][2], "Black mates");
    assert_eq!(games[0][4], "15. g1e3");
    assert_eq!(games[1][2], "stalemate");
    let markdown = report(out.path(), "md");
    // What stands in for a program does not bear its name, and nothing is said of a smoke test.
    for (name, bears) in [("tournament", "Toga II 3.0"), ("evolved", "minimax 2")] {
        let listed = vidmar().arg("runs").arg(out.path().join(name)).assert().success();
        let listed = String::from_utf8(listed.get_output().stdout.clone()).unwrap();
        assert!(listed.lines().count() > 2, "{listed}");
        let wrong = [format!("against {bears}"), format!("{bears} against")];
        assert!(!wrong.iter().any(|wrong| listed.contains(wrong)), "{listed}");
    }
    for text in [
        "not comparable: a smoke test",
        "stand-in for Toga II 3.0 (depth 1)",
        "cut to 4 generations, against minimax 1",
        "not run yet: 0 of",
        "A smoke test",
        "| open | read as |",
    ] {
        assert!(markdown.contains(text), "{text}:\n{markdown}");
    }
    let latex = report(out.path(), "latex");
    for environment in ["document", "longtable"] {
        let count = |word: &str| latex.matches(&format!("\\{word}{{{environment}}}")).count();
        assert!(
            count("begin") > 0 && count("begin") == count("end"),
            "{environment}"
        );
    }
    assert!(report(out.path(), "html").contains("<table>"));
    let summary: Value = serde_json::from_str(&report(out.path(), "json")).unwrap();
    let summary = summary["summary"].as_array().unwrap();
    let found = |name: &str| summary.iter().find(|row| row["experiment"] == name).unwrap()["found"].clone();
    assert_eq!(found("suites"), "not run yet");
    for row in summary {
        for said in ["agree", "same_direction", "differ"] {
            assert_eq!(row["verdicts"][said], 0, "{row}");
        }
    }
    let evolved = found("evolved").as_str().unwrap().to_owned();
    assert!(evolved.contains("(published 5.0 %)"), "{evolved}");
    assert!(
        evolved.ends_with("a smoke test, which means nothing"),
        "{evolved}"
    );
    assert!(markdown.contains(&evolved), "{markdown}");
    // What is finished is not done again, and another scale is refused by name.
    reproduce(out.path(), &["evolved"], &["--json"])
        .assert()
        .success()
        .stdout("");
    vidmar()
        .args(["reproduce", "evolved", "--scale", "0.01", "--out"])
        .arg(out.path())
        .assert()
        .code(2)
        .stderr(contains("--scale 0.001"));
}

#[test]
fn tuning_runs_are_ordinary_ones_with_rank_tests_beside_the_published() {
    let out = tempfile::tempdir().unwrap();
    reproduce(out.path(), &["tuning-family", "no-knowledge"], &[])
        .assert()
        .success();
    let of = experiments(out.path());
    let family = of("tuning-family");
    assert_eq!(family["steps_finished"], 12);
    let rating = &family["tables"][0]["rows"][0];
    assert_eq!(rating["published"]["value"], 2142.5);
    assert_eq!(rating["ours"]["count"], 2);
    let tests = family["lists"].as_array().unwrap();
    let friedman = tests
        .iter()
        .flat_map(|list| list["rows"].as_array().unwrap())
        .find(|row| row[0] == "Friedman's chi²");
    assert_eq!(friedman.unwrap()[1], "23.520");
    assert_eq!(of("no-knowledge")["tables"].as_array().unwrap().len(), 4);
    let run = out.path().join("tuning-family/history10-seed-1");
    let status = vidmar()
        .args(["tune", "status", "--json"])
        .arg(&run)
        .output()
        .unwrap();
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(status["state"], "tuned");
    assert!(!status["gauntlet"].as_array().unwrap().is_empty());
    let markdown = out.path().join("report.md");
    vidmar()
        .args(["reproduce", "report"])
        .arg(out.path())
        .arg("-o")
        .arg(&markdown)
        .assert()
        .success();
    let diagram = std::fs::read_to_string(out.path().join("report/tuning-family-our-ranks.svg")).unwrap();
    assert!(diagram.starts_with("<svg"));
    assert!(
        std::fs::read_to_string(&markdown)
            .unwrap()
            .contains("(report/tuning-family-our-ranks.svg)")
    );
}

#[test]
fn what_is_missing_is_said_and_the_rest_is_run() {
    let out = tempfile::tempdir().unwrap();
    reproduce(out.path(), &["suites"], &[]).assert().code(2).stderr(
        contains("epd/wac.epd")
            .and(contains("VIDMAR_DATA"))
            .and(contains("github.com")),
    );
    assert!(!out.path().join("suites").exists(), "nothing was begun");
    let data = data_with_a_suite();
    let folder = data.path().to_str().unwrap();
    reproduce(out.path(), &["suites"], &["--data", folder])
        .assert()
        .code(1)
        .stderr(contains("epd/ecm.epd"));
    let rows = experiments(out.path())("suites")["tables"][0]["rows"].clone();
    assert_eq!(rows[0]["ours"]["value"], 100.0);
    assert_eq!(rows[1]["verdict"]["verdict"], "not-run");
}

#[test]
fn the_study_of_experts_runs_with_all_settings() {
    const OPENINGS: [&str; 7] = [
        "1. e4 e5 2. Nf3",
        "1. d4 d5 2. c4",
        "1. c4 e5",
        "1. Nf3 d5",
        "1. e4 c5",
        "1. e4 e6",
        "1. f4 d5",
    ];
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("experts")).unwrap();
    for (place, moves) in OPENINGS.iter().enumerate() {
        let elo = 2600 - 100 * place;
        let text = format!(
            "[White \"Expert{place},X\"]\n[Black \"Nobody\"]\n[WhiteElo \"{elo}\"]\n\n{moves} *\n\n\
             [White \"Nobody\"]\n[Black \"Expert{place},X\"]\n[BlackElo \"{elo}\"]\n\n{moves} *\n"
        );
        std::fs::write(data.path().join(format!("experts/{place}.pgn")), text).unwrap();
    }
    let out = tempfile::tempdir().unwrap();
    reproduce(
        out.path(),
        &["experts"],
        &["--data", data.path().to_str().unwrap()],
    )
    .assert()
    .success();
    let experts = experiments(out.path())("experts");
    assert_eq!(experts["steps"], experts["steps_finished"]);
    assert_eq!(experts["tables"][0]["rows"].as_array().unwrap().len(), 5);
    let settings = experts["lists"][0]["rows"].as_array().unwrap();
    assert!(
        settings.iter().any(|row| row[0] == "metric=like-squares"),
        "{settings:?}"
    );
}

#[cfg(unix)]
#[test]
fn killed_at_any_moment_it_ends_like_one_that_nobody_disturbed() {
    use std::process::{Command as Process, Stdio};
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let names = ["algorithms", "depth"];
    reproduce(whole.path(), &names, &[]).assert().success();
    let mut rounds = 0;
    loop {
        let mut child = Process::new(env!("CARGO_BIN_EXE_vidmar"))
            .arg("reproduce")
            .args(names)
            .args(["--scale", "0.001", "--seeds", "2", "--threads", "1", "--out"])
            .arg(killed.path())
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(60 + 40 * rounds));
        rounds += 1;
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(rounds < 100, "it does not come to its end");
    }
    for name in names {
        let tables = |out: &Path| experiments(out)(name)["tables"].clone();
        assert_eq!(tables(whole.path()), tables(killed.path()), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_and_says_how_to_go_on() {
    use std::io::Read as _;
    use std::process::{Command as Process, Stdio};
    let out = tempfile::tempdir().unwrap();
    // At this scale plies are few and games many: it is far from its end.
    let mut child = Process::new(env!("CARGO_BIN_EXE_vidmar"))
        .args(["reproduce", "depth", "--scale", "100", "--threads", "1", "--out"])
        .arg(out.path())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let store = out.path().join("depth/flagship-2/games.db");
    while !store.exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
    }
    let id = child.id().to_string();
    assert!(
        Process::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let status = child.wait().unwrap();
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(status.code(), Some(130), "{text}");
    assert!(text.contains("vidmar reproduce depth --out"), "{text}");
    assert!(text.contains("--threads 1"), "{text}");
}
