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
    assert_eq!(table.lines().count(), 1 + 12 * 28 * 2);
    let nulls: Vec<&str> = table.lines().filter(|line| line.starts_with("null,")).collect();
    assert!(nulls.iter().all(|line| line.contains(",0.00,")), "{nulls:?}");
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let fails = |arguments: &[&str], message: &str| {
        // What the run refuses, its configuration is refused for too.
        for more in [&[][..], &["--print-config"]] {
            vidmar()
                .args(["tune", "run", "narrow", "--out"])
                .arg(&out)
                .args(arguments)
                .args(more)
                .assert()
                .code(2)
                .stdout("")
                .stderr(contains(message));
            assert!(!out.exists(), "{arguments:?}");
        }
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
        &[
            "--set",
            "kind=opponents",
            "--set",
            "opponents=[\"uci:cmd=no-such-engine,depth=1\"]",
        ],
        "objective.opponents: 'uci:cmd=no-such-engine,depth=1': start: no-such-engine: No such file",
    );
    fails(
        &[
            "--set",
            "gauntlet.each=2",
            "--set",
            "gauntlet.references=[{ elo = 1500.0, player = \"uci:cmd=no-such-engine\" }]",
        ],
        "gauntlet.references: 'uci:cmd=no-such-engine': start: no-such-engine: No such file",
    );
    fails(
        &["--set", "parameters.source=list"],
        "expected the program whose options are tuned",
    );
    fails(&["--set", "kind=texel"], "objective.file is not set");
    fails(&["--set", "prior=0.5"], "unknown setting 'prior'");
    fails(&["--set", "xyzzyx=3"], "unknown setting 'xyzzyx'\n");
    fails(
        &["--set", "constraints=[\"RookValue < BishopValue + 2 PawnValu\"]"],
        "constraints: unknown parameter 'PawnValu' (did you mean 'PawnValueOpening'?)",
    );
    fails(
        &["--set", "constraints=[\"RookValue = BishopValue\"]"],
        "expected <, <=, > or >=, found '='",
    );
    fails(
        &[
            "--set",
            "kind=opponents",
            "--set",
            "opponents=[\"egnine:depth=1\"]",
        ],
        "objective.opponents: 'egnine:depth=1'",
    );
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

/// In a file a path is seen from the file's folder, on the command line from the current one; the run finds it from anywhere.
#[test]
fn paths_in_a_configuration_file_are_seen_from_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let [there, elsewhere] = ["there", "elsewhere"].map(|name| folder.path().join(name));
    std::fs::create_dir_all(&there).unwrap();
    std::fs::create_dir_all(&elsewhere).unwrap();
    let opening = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n";
    std::fs::write(there.join("lines.epd"), opening.repeat(6)).unwrap();
    let text = "[openings]\nsource = \"file\"\nfile = \"lines.epd\"\n";
    std::fs::write(there.join("my.toml"), text).unwrap();
    let small = SMALL
        .iter()
        .filter(|word| !["--set", "openings.source=built-in"].contains(word));
    let small: Vec<&str> = small.flat_map(|word| ["--set", word]).collect();
    let run = |more: &[&str]| {
        let mut command = vidmar();
        command
            .current_dir(&elsewhere)
            .args(["tune", "run", "no-knowledge", "--config", "../there/my.toml"])
            .args(["--quiet", "--no-verify", "--out", "run"])
            .args(&small)
            .args(more);
        command.assert()
    };
    run(&["--set", "openings.file=lines.epd"])
        .code(2)
        .stderr(contains("lines.epd: cannot be read"));
    run(&[]).success();
    let kept = std::fs::read_to_string(elsewhere.join("run/config.toml")).unwrap();
    let whole = format!("{}/elsewhere/../there/lines.epd", folder.path().display());
    assert!(kept.contains(&format!("file = \"{whole}\"")), "{kept}");
    vidmar()
        .current_dir(folder.path())
        .args([
            "tune",
            "resume",
            "elsewhere/run",
            "--generations",
            "4",
            "--quiet",
            "--no-verify",
        ])
        .assert()
        .success();
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
        .stderr(is_match("games.db is in use by process [0-9]+").unwrap());
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
        .stdout(contains("Validation on openings that tuning never saw"));
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

/// An engine that crashes at every move: no vector comes of it but an error, and the run goes on once the engine is mended.
#[cfg(unix)]
#[test]
fn a_round_without_results_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let (out, broken) = (folder.path().join("run"), folder.path().join("broken"));
    let script = folder.path().join("engine.sh");
    let text = format!(
        "if [ -e {broken} ]; then sed -u /^go/Q | {vidmar} uci; else exec {vidmar} uci; fi\n",
        broken = broken.display(),
        vidmar = env!("CARGO_BIN_EXE_vidmar")
    );
    std::fs::write(&script, text).unwrap();
    std::fs::write(&broken, "").unwrap();
    let config = folder.path().join("config.toml");
    let text = format!(
        "[parameters]\nsource = \"list\"\nlist = [{{ name = \"Move Overhead\", min = 0, max = 100, start = 10 }}]\n\
         [engine]\ncommand = \"sh {}\"\n",
        script.display()
    );
    std::fs::write(&config, text).unwrap();
    let result = vidmar()
        .args([
            "tune",
            "run",
            "no-knowledge",
            "--quiet",
            "--no-verify",
            "--allow-programs",
            "--config",
        ])
        .arg(&config)
        .arg("--out")
        .arg(&out)
        .args(SMALL)
        .args(["--set", "generations=1"])
        .assert()
        .code(2);
    let error = String::from_utf8(result.get_output().stderr.clone()).unwrap();
    assert!(
        error.contains("games have no result") && error.contains("crash"),
        "{error}"
    );
    assert!(!out.join("recommended.txt").exists());
    let resume = || {
        vidmar()
            .args(["tune", "resume", "--quiet", "--no-verify", "--allow-programs"])
            .arg(&out)
            .assert()
    };
    resume().code(2).stderr(contains("games have no result"));
    std::fs::remove_file(&broken).unwrap();
    resume().success();
    assert!(out.join("recommended.txt").exists());
    vidmar().args(["tune", "export"]).arg(&out).assert().success();
    let games = std::fs::read_to_string(out.join("export/games.csv")).unwrap();
    assert_eq!(games.lines().count(), 1 + 2 * 10 * 4);
    assert!(!games.contains(",*,"), "{games}");
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

/// A run of its own for tests that only look at what comes after.
fn small_run(out: &Path, more: &[&str]) {
    vidmar()
        .args([
            "tune",
            "run",
            "no-knowledge",
            "--quiet",
            "--threads",
            "2",
            "--out",
        ])
        .arg(out)
        .args(SMALL)
        .args(more)
        .assert()
        .success();
}

#[test]
fn the_gauntlet_rates_what_a_run_hands_over() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    small_run(&out, &["--no-verify"]);
    let run_gauntlet = |references: &[&str]| {
        let mut command = vidmar();
        command.args(["tune", "verify", "--json", "--gauntlet", "4", "--finalists", "3"]);
        command.arg(&out);
        for reference in references {
            command.args(["--reference", reference]);
        }
        command.assert()
    };
    run_gauntlet(&["1500=uci:cmd=no-such-engine"])
        .code(2)
        .stderr(contains("gauntlet.references: 'uci:cmd=no-such-engine': start:"))
        .stderr(contains("in PATH?"));
    let references = ["1000=random:seed=1", "2000=engine:depth=2"];
    let standings = |assert: assert_cmd::assert::Assert| {
        let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        let status: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        status["gauntlet"].as_array().unwrap().clone()
    };
    let first = standings(run_gauntlet(&references));
    let of = |name: &str| first.iter().find(|standing| standing["player"] == name).unwrap();
    // As published: the highest label fixes the scale, the others are rated.
    assert_eq!(
        (of("2000")["elo"].as_f64(), &of("2000")["error"]),
        (Some(2000.0), &serde_json::Value::Null)
    );
    assert!(of("1000")["error"].is_number() && of("1000")["elo"] != 1000.0);
    assert!(of("2000")["elo"].as_f64() > of("1000")["elo"].as_f64());
    let climbers: Vec<_> = first
        .iter()
        .filter(|standing| standing["reference"] == false)
        .collect();
    assert!(climbers.len() > 3, "{first:?}");
    assert!(
        climbers.iter().all(|standing| standing["games"] == 8),
        "{first:?}"
    );
    assert_eq!(
        first
            .iter()
            .filter(|standing| standing["recommended"] == true)
            .count(),
        1
    );
    // Nothing is played twice, and the table can be exported.
    assert_eq!(standings(run_gauntlet(&references)), first);
    vidmar().args(["tune", "export"]).arg(&out).assert().success();
    let table = std::fs::read_to_string(out.join("export/gauntlet.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + first.len());
    vidmar()
        .args(["tune", "status"])
        .arg(&out)
        .assert()
        .success()
        .stdout(contains("Gauntlet of reference engines"));
}

/// A run that is far from over, with its stdout read line by line.
fn long_run(
    out: &Path,
) -> (
    std::process::Child,
    std::io::Lines<std::io::BufReader<std::process::ChildStdout>>,
) {
    let mut child = Process::new(env!("CARGO_BIN_EXE_vidmar"))
        .args([
            "tune",
            "run",
            "no-knowledge",
            "--json",
            "--no-verify",
            "--threads",
            "2",
            "--out",
        ])
        .arg(out)
        .args(SMALL)
        .args(["--set", "generations=20"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    (child, lines)
}

fn interrupt(child: &std::process::Child) {
    let id = child.id().to_string();
    assert!(
        Process::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
}

/// The last line that a command prints, as JSON.
fn last_json(assert: &assert_cmd::assert::Assert) -> serde_json::Value {
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn json_has_a_line_a_generation_and_the_status_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let assert = vidmar()
        .args(["tune", "run", "no-knowledge", "--json", "--no-verify", "--out"])
        .arg(&out)
        .args(SMALL)
        .assert()
        .success();
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 4 + 1, "{text}");
    for (generation, line) in lines[..4].iter().enumerate() {
        assert_eq!(line["generation"], generation);
        assert_eq!(line["games"], 40 * (generation + 1));
        assert_eq!(line["centroid"].as_object().unwrap().len(), 16);
        assert!(line["best"].as_f64() >= line["mean"].as_f64() && line["spread"].is_number());
    }
    assert_eq!(
        (&lines[4]["state"], &lines[4]["games"]),
        (&"tuned".into(), &160.into())
    );
    // What a second of one processor does: a second of work has at most as many processor seconds as threads.
    let number = |key: &str| lines[4][key].as_f64().unwrap();
    assert!(
        number("cpu_seconds") > 0.0 && number("games_per_cpu_second") > 1.0,
        "{}",
        lines[4]
    );
    vidmar()
        .args(["tune", "status"])
        .arg(&out)
        .assert()
        .stdout(contains("a second of processor time"));
}

#[test]
fn parameters_are_frozen_thawed_and_widened_between_sittings() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let (mut child, mut lines) = long_run(&out);
    let line = lines.nth(3).unwrap().unwrap();
    assert!(line.contains("\"generation\":3"), "{line}");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let resume = |arguments: &[&str]| {
        let mut command = vidmar();
        command
            .args(["tune", "resume", "--quiet", "--no-verify"])
            .arg(&out)
            .args(arguments);
        command.assert()
    };
    resume(&["--widen", "PawnValueOpening=9"])
        .code(2)
        .stderr(contains("expected NAME=MIN..MAX"));
    resume(&["--freeze", "PawnValueOpenin"])
        .code(2)
        .stderr(contains("did you mean 'PawnValueOpening'?"));
    resume(&["--widen", "PawnValueOpening=9..2"])
        .code(2)
        .stderr(contains("min 9 > max 2"));
    resume(&[
        "--freeze",
        "RookValueOpening=321",
        "--widen",
        "QueenValueOpening=2000..3000",
    ])
    .success();
    let status = || {
        vidmar()
            .args(["tune", "status", "--json"])
            .arg(&out)
            .assert()
            .success()
    };
    let found = last_json(&status());
    assert_eq!(
        (&found["state"], &found["generation"]),
        (&"tuned".into(), &20.into())
    );
    assert_eq!(found["centroid"]["RookValueOpening"], 321);
    let queen = found["centroid"]["QueenValueOpening"].as_f64().unwrap();
    assert!((2000.0..=3000.0).contains(&queen), "{queen}");
    let shown = |text: &'static str| {
        vidmar()
            .args(["tune", "status"])
            .arg(&out)
            .assert()
            .stdout(contains(text));
    };
    shown("over 15 parameters");
    resume(&["--thaw", "RookValueOpening"]).success();
    shown("over 16 parameters");
}

/// The second Ctrl-C does not wait; what was committed is there, and the run can be gone on with.
#[test]
fn ctrl_c_twice_ends_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let (mut child, mut lines) = long_run(&out);
    lines.next().unwrap().unwrap();
    interrupt(&child);
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let found = vidmar()
        .args(["tune", "status", "--json"])
        .arg(&out)
        .assert()
        .success();
    assert_eq!(last_json(&found)["state"], "unfinished");
    vidmar()
        .args(["tune", "resume", "--quiet", "--no-verify"])
        .arg(&out)
        .assert()
        .success()
        .stdout(contains("tuned: 840 games"));
}

#[test]
fn numbers_of_the_search_are_tuned_too() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let sets = [
        "parameters.source=search",
        "names=[\"futility_margin\", \"null_base\"]",
        "method=spsa",
        "generations=3",
        "depth=2",
        "games=2",
        "openings.source=built-in",
        "pairs=1",
        "deeper=[0]",
    ];
    let sets = sets.iter().flat_map(|set| ["--set", set]);
    vidmar()
        .args(["tune", "run", "narrow", "--quiet", "--out"])
        .arg(&out)
        .args(sets)
        .assert()
        .success();
    let recommended = std::fs::read_to_string(out.join("recommended.txt")).unwrap();
    let rows: Vec<(&str, f64)> = recommended
        .lines()
        .map(|line| line.split_once(" = ").unwrap())
        .map(|(name, value)| (name, value.parse().unwrap()))
        .collect();
    assert_eq!(
        rows.iter().map(|row| row.0).collect::<Vec<_>>(),
        ["\"null_base\"", "\"futility_margin\""]
    );
    assert!(
        (2.0..=6.0).contains(&rows[0].1) && (30.0..=250.0).contains(&rows[1].1),
        "{rows:?}"
    );
    vidmar()
        .args([
            "tune",
            "run",
            "narrow",
            "--set",
            "parameters.source=search",
            "--set",
            "names=[\"null_bas\"]",
        ])
        .assert()
        .code(2)
        .stderr(contains("did you mean 'null_base'?"));
}

/// One move of a pawn by one square each.
fn pawn_moves() -> String {
    let line = |file: usize| {
        let squares = |empty: &str, pawn: &str| empty.repeat(file) + pawn + &empty.repeat(7 - file);
        let (third, second) = (squares("1", "P"), squares("P", "1"));
        format!("rnbqkbnr/pppppppp/8/8/8/{third}/{second}/RNBQKBNR b KQkq - 0 1\n")
    };
    (0..8).map(line).collect()
}

/// The preset that makes the default evaluation, with next to no games: three runs, each from where the last one ended.
/// Their directory may be moved.
#[test]
fn stages_follow_each_other_and_are_resumed_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let config = folder.path().join("small.toml");
    let text = "
        [budget]
        generations = 1
        [engine]
        depth = 1
        [objective]
        kind = \"texel\"
        self_play = 10
        [[then]]
        name = \"again\"
        change = { objective = { self_play = 12 } }
        [[then]]
        name = \"games\"
        change = { objective = { kind = \"self-play\" }, parameters = { intervals = \"around\" }, openings = { source = \"file\", file = \"pawns.epd\" }, optimizer = { method = \"spsa-scaled\" }, budget = { generations = 2 }, verify = { pairs = 1 } }
    ";
    std::fs::write(&config, text).unwrap();
    std::fs::write(folder.path().join("pawns.epd"), pawn_moves()).unwrap();
    vidmar()
        .current_dir(&folder)
        .args([
            "tune",
            "run",
            "evaluation",
            "--no-verify",
            "--config",
            "small.toml",
        ])
        .args(["--out", "run"])
        .assert()
        .success()
        .stderr(contains("newton over 256 parameters"))
        .stderr(contains("spsa-scaled over 256 parameters"))
        .stdout(contains("kept out"));
    let last = out.join("again/games");
    let start = |stage: &Path| std::fs::read_to_string(stage.join("start.txt")).unwrap();
    let recommended = |stage: &Path| std::fs::read_to_string(stage.join("recommended.txt")).unwrap();
    assert_eq!(start(&last), recommended(&out.join("again")));
    assert_eq!(start(&out.join("again")), recommended(&out));
    let config = std::fs::read_to_string(last.join("config.toml")).unwrap();
    for line in [
        "earlier = [\"../..\", \"..\"]",
        "start = \"../recommended.txt\"",
        "origin = \"guess\"",
    ] {
        assert!(config.contains(line), "{line}: {config}");
    }
    assert_ne!(start(&out), recommended(&out));
    // A change of two attack units at once, and a fixed unit of scores.
    let values = recommended(&last);
    let of = |name: &str| {
        values
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap()
            .to_owned()
    };
    assert_eq!(of("\"KingAttackUnit[4]\" = "), of("\"KingAttackUnit[5]\" = "));
    assert_eq!(of("PawnValueEndgame = "), "90");
    assert_eq!(of("QueenUnit = "), "13");
    // Resuming the first goes through all and plays only what is missing: the last one's validation.
    let moved = folder.path().join("moved");
    std::fs::rename(&out, &moved).unwrap();
    let (out, last) = (&moved, moved.join("again/games"));
    vidmar()
        .args(["tune", "resume", "--quiet"])
        .arg(out)
        .assert()
        .success()
        .stdout(contains("Validation on openings that tuning never saw"))
        .stdout(contains(" origin "));
    assert_eq!(recommended(&last), values);
}

#[test]
fn rivals_have_the_same_games_and_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rivals");
    let compare = |games: &str, arguments: &[&str]| {
        let mut command = vidmar();
        command
            .args(["tune", "compare", "quick", "--games", games, "--out"])
            .arg(&out);
        for set in ["depth=1", "lead=400", "pairs=2", "deeper=[0, 1]"] {
            command.args(["--set", set]);
        }
        command.args(arguments).assert()
    };
    compare("32", &["--methods", "spsa,txel"])
        .code(2)
        .stderr(contains("did you mean 'texel'?"));
    assert!(!out.exists());
    let methods = "spsa,de-history,texel,texel+spsa";
    let all = compare("32", &["--quiet", "--methods", methods, "--json"]).success();
    let text = String::from_utf8(all.get_output().stdout.clone()).unwrap();
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (method, against) in [("spsa", "start"), ("texel", "start"), ("texel+spsa", "origin")] {
        let row = rows
            .iter()
            .find(|row| row["method"] == method && row["recommended"] == true)
            .unwrap();
        assert_eq!(
            (&row["tuning_games"], &row["games"], &row["against"]),
            (&32.into(), &4.into(), &against.into()),
            "{method}"
        );
    }
    let table = std::fs::read_to_string(out.join("compare.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + rows.len());
    // The table feeds the statistics as it is: a problem for each seed and depth.
    let statistics = vidmar()
        .arg("stats")
        .arg(out.join("compare.csv"))
        .arg("--json")
        .assert()
        .success();
    let statistics: serde_json::Value = serde_json::from_slice(&statistics.get_output().stdout).unwrap();
    let ranks = statistics["ranks"].as_object().unwrap();
    let ranked: Vec<&str> = ranks.keys().map(String::as_str).collect();
    let mut expected: Vec<&str> = methods.split(',').collect();
    expected.sort_unstable();
    assert_eq!(ranked, expected);
    // The same again plays nothing; another budget does not fit these runs.
    compare("32", &["--quiet", "--methods", "spsa,texel"])
        .success()
        .stdout(contains("recommended"));
    // Several seeds say something of the methods, with equal games and with equal processor time.
    let seeds = ["--methods", "spsa,texel", "--seeds", "1,2", "--equal-cpu"];
    compare("32", &[&["--quiet"], &seeds[..]].concat())
        .success()
        .stdout(contains("With equal games, matches at depth 1:"))
        .stdout(contains("With equal processor time, matches at depth 1:"))
        .stdout(contains("mean Elo ± 95 % over seeds"));
    let all = compare("32", &[&["--quiet", "--json"], &seeds[..]].concat()).success();
    let text = String::from_utf8(all.get_output().stdout.clone()).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (summaries, rows): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line["summary"].is_object());
    // For each kind of equality and each depth, of each method and each seed.
    assert_eq!((summaries.len(), rows.len()), (2 * 2, 2 * 2 * 2 * 2));
    for line in &summaries {
        let summary = &line["summary"];
        for method in summary["methods"].as_array().unwrap() {
            assert_eq!(method["seeds"], 2);
            let is_of_it = |row: &&&serde_json::Value| {
                let same = |key: &str| row[key] == summary[key];
                same("equal") && same("depth") && row["method"] == method["method"]
            };
            let of_it = rows.iter().filter(is_of_it);
            let elos: Option<Vec<f64>> = of_it.map(|row| row["elo"].as_f64()).collect();
            let mean = elos.map(|elos| elos.iter().sum::<f64>() / 2.0);
            assert!(
                method["elo"]
                    .as_f64()
                    .zip(mean)
                    .is_none_or(|(a, b)| (a - b).abs() < 1e-6),
                "{line}"
            );
            assert_eq!(method["elo"].is_null(), mean.is_none(), "{line}");
        }
    }
    // Who is faster has more games where time is equal.
    let of_time = summaries
        .iter()
        .find(|line| line["summary"]["equal"] == "cpu")
        .unwrap();
    let games = |method: usize| {
        of_time["summary"]["methods"][method]["tuning_games"]
            .as_f64()
            .unwrap()
    };
    assert!(
        games(0).max(games(1)) > 32.0 && games(0).min(games(1)) >= 32.0,
        "{text}"
    );
    compare("48", &["--methods", "spsa"])
        .code(2)
        .stderr(contains("holds a run with other settings"));
}

/// A configuration, and the directory of a run, may be anybody's: what they name is not started unseen.
#[cfg(unix)]
#[test]
fn a_program_of_a_configuration_is_not_started_without_leave() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let [script, witness, config, out] =
        ["script", "witness", "found.toml", "run"].map(|name| folder.path().join(name));
    let vidmar_itself = env!("CARGO_BIN_EXE_vidmar");
    let text = format!(
        "#!/bin/sh\ntouch {}\nexec {vidmar_itself} uci\n",
        witness.display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let opponent = format!("uci:cmd={},depth=1", script.display());
    let text = format!("[objective]\nkind = \"opponents\"\nopponents = [\"{opponent}\"]\n");
    std::fs::write(&config, text).unwrap();
    let starts = format!("starts {opponent}");
    let run = |more: &[&str]| {
        let mut command = vidmar();
        command
            .args(["tune", "run", "--quiet", "--no-verify", "--config"])
            .arg(&config);
        command.args(SMALL).arg("--out").arg(&out).args(more).assert()
    };
    run(&[])
        .code(2)
        .stderr(contains(&starts))
        .stderr(contains("--allow-programs"));
    assert!(!witness.exists() && !out.exists());
    run(&["--allow-programs"]).success();
    std::fs::remove_file(&witness).expect("whoever allows it gets it");
    for command in ["resume", "verify"] {
        let refused = vidmar()
            .args(["tune", command, "--quiet"])
            .arg(&out)
            .assert()
            .code(2);
        refused
            .stderr(contains(&starts))
            .stderr(contains("--allow-programs"));
    }
    assert!(!witness.exists());
    let resume = ["tune", "resume", "--quiet", "--no-verify", "--allow-programs"];
    vidmar().args(resume).arg(&out).assert().success();
}
