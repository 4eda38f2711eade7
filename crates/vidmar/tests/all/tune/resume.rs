//! Killed, interrupted, resumed: the same to the last bit.

use predicates::str::{contains, is_match};
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::Duration;

use super::{SMALL, interrupt, last_json, long_run, vidmar};

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

/// `kill -9` at twenty moments of one run; the end is the same as that of a run that nobody disturbed.
#[test]
fn killed_and_resumed_is_the_same_to_the_last_bit() {
    kill_and_resume(&[&SMALL[..], &["--set", "generations=40"]].concat());
}

/// The same where a round is a pair of games and those of the next four are played meanwhile.
#[test]
fn killed_with_several_rounds_open_and_resumed_is_the_same_to_the_last_bit() {
    let late = ["method=spsa", "directions=1", "lag=8", "games=2"];
    let sets = late.into_iter().flat_map(|set| ["--set", set]);
    // All but the population.
    kill_and_resume(
        &sets
            .chain(SMALL.into_iter().skip(4))
            .chain(["--set", "generations=150"])
            .collect::<Vec<_>>(),
    );
}

fn kill_and_resume(sets: &[&str]) {
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
            .args(sets)
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
        .stdout(contains("kept out"))
        .stdout(contains(format!(
            "The recommended vector is {};",
            Path::new("run").join("result.txt").display()
        )));
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
    // What came of it all is where it began.
    let result = |first: &Path| std::fs::read_to_string(first.join("result.txt")).unwrap();
    assert_eq!(result(&out), recommended(&last));
    // A fit is told with its errors, also where the method came to rest between two generations; and every stage from where
    // all began.
    let again = learned(&out.join("again"));
    assert_eq!(again["uncertainty"], "standard-error", "{again}");
    let rows = |learned: &serde_json::Value| learned["parameters"].as_array().unwrap().clone();
    for (first, later) in rows(&learned(&out)).iter().zip(rows(&again)) {
        assert!(first["error"].as_f64().unwrap() > 0.0, "{first}");
        assert_eq!(first["before"], later["before"]);
    }
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
    assert_eq!(result(out), values);
}

fn learned(directory: &Path) -> serde_json::Value {
    let status = vidmar()
        .args(["tune", "status", "--json"])
        .arg(directory)
        .assert();
    let output = status.success().get_output().stdout.clone();
    serde_json::from_slice::<serde_json::Value>(&output).unwrap()["learned"].clone()
}
