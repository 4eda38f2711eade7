//! Tuning by the clock, through `vidmar tune`.

use predicates::str::contains;

use super::vidmar;

/// Games at a clock are played at one, and nothing is lost when a run of them goes on.
#[test]
fn games_are_played_by_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let sets = [
        "tc=0.2+0.01",
        "method=spsa",
        "games=2",
        "total_games=16",
        "generations=0",
        "pairs=1",
        "max_moves=20",
    ];
    let mut command = vidmar();
    command
        .args(["tune", "run", "quick", "--threads", "2", "--out"])
        .arg(&run);
    for set in sets {
        command.args(["--set", set]);
    }
    command
        .assert()
        .success()
        .stderr(contains("no two runs are the same bit for bit"));
    vidmar()
        .args(["tune", "export", "--pgn"])
        .arg(&run)
        .assert()
        .success();
    let games = std::fs::read_to_string(run.join("export/games.pgn")).unwrap();
    assert!(games.contains("[TimeControl \"0.2+0.01\"]"), "{games}");
}

/// What promises the same value whenever it is asked for cannot be asked by the clock.
#[test]
fn exact_values_are_not_measured_by_the_clock() {
    for limit in ["tc=1+0.1", "move_time=50"] {
        let refused = [
            "tune",
            "run",
            "narrow",
            "--print-config",
            "--set",
            "kind=suite",
            "--set",
            limit,
        ];
        vidmar()
            .args(refused)
            .assert()
            .code(2)
            .stderr(contains("objective.kind = suite: expected an objective of games"));
    }
}
