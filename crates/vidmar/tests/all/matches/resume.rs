//! Killed, interrupted, resumed: the same games, and none lost.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::process::{Command as Process, Stdio};
use std::time::Duration;
use vidmar_store::Store;

use super::{Folder, TWO, VIDMAR, count, wait_for_a_game};

#[test]
fn any_number_of_workers_plays_the_same_games() {
    let folder = Folder::new();
    let players = [
        "-engine",
        "player=engine:depth=2,hash=1",
        "name=deep",
        "-engine",
        "player=engine:depth=1,hash=1",
        "name=flat",
    ];
    let play = |workers: &str| {
        let store = format!("{workers}.db");
        let arguments = [
            "-rounds",
            "8",
            "-seed",
            "5",
            "-concurrency",
            workers,
            "--store",
            &store,
            "-maxmoves",
            "60",
        ];
        let answer = folder.json(&[&players, &arguments]);
        (folder.games(&store), answer["players"].clone())
    };
    let (games, table) = play("1");
    assert_eq!(count(&games), 16);
    assert!(games.contains("/2") && games.contains("{book}"), "{games}");
    for workers in ["2", "8"] {
        assert_eq!(play(workers), (games.clone(), table.clone()), "{workers} workers");
    }
    let other = [
        "-rounds",
        "8",
        "-seed",
        "6",
        "--store",
        "other.db",
        "-maxmoves",
        "60",
    ];
    folder.json(&[&players, &other]);
    assert_ne!(folder.games("other.db"), games);
}

/// Killed at twenty moments, resumed every time: no game is lost, none is there twice, the end is the same.
#[test]
fn killed_and_resumed_is_as_never_killed() {
    let folder = Folder::new();
    let arguments = ["-rounds", "150", "-seed", "3", "-concurrency", "3", "-wait", "10"];
    let whole = folder.json(&[TWO, &arguments, &["--store", "whole.db"]]);
    assert_eq!(whole["games"], 300);

    let mut first: Vec<&str> = TWO.to_vec();
    first.extend(arguments);
    first.extend(["--store", "killed.db", "-pgnout", "file=killed.pgn"]);
    let store = folder.path("killed.db");
    // What the file held before stays at its head; then every game is in it when it ends.
    std::fs::write(folder.path("killed.pgn"), "; before the match\n\n").unwrap();
    let pgn = || std::fs::read_to_string(folder.path("killed.pgn")).unwrap();
    let mut written = 0;
    let finished = || {
        Store::open_read_only(&store)
            .and_then(|store| store.finished(1))
            .unwrap_or_default()
    };
    let mut before = 0;
    let mut kills = 0;
    for moment in 0..20_u64 {
        let line: &[&str] = if moment == 0 {
            &first
        } else {
            &["-resume", "killed.db"]
        };
        let mut child = Process::new(VIDMAR)
            .arg("match")
            .args(line)
            .current_dir(folder.0.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Every fourth time while it is still reading what there is, otherwise a moment after so many more games.
        let more = if moment % 4 == 3 {
            0
        } else {
            1 + moment as usize * 5 % 13
        };
        while finished().len() < before + more && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(moment * 29 % 31));
        kills += u64::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let played = finished();
        assert!(played.len() >= before, "{} games after {before}", played.len());
        assert!(played.windows(2).all(|two| two[0] < two[1]));
        before = played.len();
        let text = pgn();
        assert!(text.starts_with("; before the match\n\n"), "{text}");
        assert!(count(&text) >= written, "{text}");
        written = count(&text);
    }
    // A kill falls between the store and the file at the worst.
    assert!(written + 30 >= before, "{written} of {before}");
    assert_eq!(kills, 20, "it was alive every time");
    assert!((50..300).contains(&before), "{before}");
    let resumed = folder.json(&[&["-resume", "killed.db"]]);
    assert_eq!(resumed["players"], whole["players"]);
    assert_eq!(resumed["games"], 300);
    assert_eq!(folder.games("killed.db"), folder.games("whole.db"));
    assert!(pgn().starts_with("; before the match\n\n["), "{}", pgn());
    assert_eq!(count(&pgn()), 300);
    folder
        .command("store")
        .args(["check", "killed.db"])
        .assert()
        .success();
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_and_says_how_to_go_on() {
    let folder = Folder::new();
    let store = folder.path("games.db").display().to_string();
    let child = Process::new(VIDMAR)
        .arg("match")
        .args(TWO)
        .args([
            "-rounds",
            "200",
            "-wait",
            "10",
            "--store",
            "games.db",
            "-pgnout",
            "games.pgn",
        ])
        .current_dir(folder.0.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_a_game(&folder.path("games.db"));
    let id = child.id().to_string();
    Process::new("kill").args(["-INT", &id]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let message = String::from_utf8(output.stderr).unwrap();
    let command = format!("vidmar match -resume {store}");
    assert!(message.contains(&command), "{message}");
    let so_far = count(&std::fs::read_to_string(folder.path("games.pgn")).unwrap());
    assert!((1..400).contains(&so_far), "{so_far}");
    // From another folder, with more workers.
    let output = Command::new(VIDMAR)
        .args(["match", "-resume", &store, "-concurrency", "8", "--json"])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let answer: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(answer["games"], 400);
    // The file holds every game once.
    assert_eq!(
        count(&std::fs::read_to_string(folder.path("games.pgn")).unwrap()),
        400
    );
    // Once more: nothing is left to play, the table is there again.
    let again = folder.json(&[&["-resume", "games.db"]]);
    assert_eq!(again["players"], answer["players"]);
}

/// An engine that is another file now is not the engine of this match, whatever its path says.
#[test]
#[cfg(unix)]
fn a_match_does_not_go_on_with_another_engine() {
    use std::io::Write as _;
    let folder = Folder::new();
    let engine = folder.path("engine");
    std::fs::copy(VIDMAR, &engine).unwrap();
    let cmd = format!("cmd={}", engine.display());
    let players = ["-engine", &cmd, "args=uci", "option.Player=random", "name=a"];
    let other = ["-engine", "player=random:seed=2", "name=b"];
    let short = [
        "-rounds",
        "1",
        "-maxmoves",
        "4",
        "-each",
        "depth=1",
        "--store",
        "games.db",
    ];
    folder.play(&[&players, &other, &short]).success();
    let resume: &[&str] = &["-resume", "games.db", "--allow-programs"];
    let accept: &[&str] = &["-accept-changed-engines"];
    folder.play(&[resume]).success();
    // The same engine, longer by a byte.
    let mut file = std::fs::OpenOptions::new().append(true).open(&engine).unwrap();
    file.write_all(b"!").unwrap();
    drop(file);
    let changed = contains("a: ").and(contains("has other contents"));
    folder
        .play(&[resume])
        .code(2)
        .stderr(changed.and(contains("-accept-changed-engines")));
    folder.play(&[resume, accept]).success();
    // What was accepted is the engine of the match from then on.
    folder.play(&[resume]).success();
}

/// Every game is in the store before it counts, and the store is gone: the match ends with an error that says where they are.
#[test]
#[cfg(unix)]
fn a_store_that_is_removed_ends_the_match_and_loses_nothing() {
    let folder = Folder::new();
    let long = ["-rounds", "100000", "-maxmoves", "20", "--store", "games.db"];
    let child = Process::new(VIDMAR)
        .arg("match")
        .args([TWO, &long].concat())
        .current_dir(folder.0.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let store = folder.path("games.db");
    let games = || {
        let count = |store: Store| store.finished(1);
        Store::read(&store, count).map_or(0, |games| games.len())
    };
    while games() < 10 {
        std::thread::sleep(Duration::from_millis(20));
    }
    for ending in ["", "-wal", "-shm"] {
        std::fs::remove_file(format!("{}{ending}", store.display())).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{message}");
    assert!(message.contains("was removed or replaced"), "{message}");
    assert!(message.contains("games.db-rescued-1"), "{message}");
    let rescued = Store::open(&folder.path("games.db-rescued-1")).unwrap();
    assert!(rescued.finished(1).unwrap().len() >= 10);
}

#[test]
fn changed_openings_are_noticed() {
    let folder = Folder::new();
    let line = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n";
    std::fs::write(folder.path("o.epd"), line).unwrap();
    folder
        .play(&[TWO, &["-rounds", "2", "-openings", "file=o.epd", "format=epd"]])
        .success()
        .stderr(contains("there are 1 openings for 2"));
    assert!(
        folder
            .games("runs/match-a-b.db")
            .contains("[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0")
    );
    std::fs::write(folder.path("o.epd"), line.replace("0 2", "0 3")).unwrap();
    folder
        .play(&[&["-resume", "runs/match-a-b.db"]])
        .code(2)
        .stderr(contains("the openings are not those that the match began with"));
}

#[cfg(unix)]
#[test]
fn two_matches_do_not_share_a_store() {
    let folder = Folder::new();
    let mut child = Process::new(VIDMAR)
        .arg("match")
        .args(TWO)
        .args(["-rounds", "10000", "-wait", "50"])
        .current_dir(folder.0.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_a_game(&folder.path("runs/match-a-b.db"));
    folder
        .play(&[TWO, &["-rounds", "1", "--store", "runs/match-a-b.db"]])
        .code(2)
        .stderr(contains(format!("is in use by process {}", child.id())).and(contains("--store FILE")));
    // Reading is always possible.
    folder
        .command("store")
        .args(["list", "runs/match-a-b.db"])
        .assert()
        .success()
        .stdout(contains("running: a, b"));
    // Where nothing is said, every match has a store of its own.
    folder.json(&[TWO, &["-rounds", "1"]]);
    assert_eq!(count(&folder.games("runs/match-a-b-2.db")), 2);
    child.kill().unwrap();
    child.wait().unwrap();
}
