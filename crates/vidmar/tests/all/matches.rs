//! `vidmar match` and `vidmar store` from the outside.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use vidmar_store::{Batch, Store};

const VIDMAR: &str = env!("CARGO_BIN_EXE_vidmar");

/// Two players by chance: quick, and the same games for the same seed.
const TWO: &[&str] = &[
    "-engine",
    "player=random:seed=1",
    "name=a",
    "-engine",
    "player=random:seed=2",
    "name=b",
];

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, command: &str) -> Command {
        let mut made = Command::new(VIDMAR);
        made.arg(command).current_dir(self.0.path());
        made
    }

    fn play(&self, arguments: &[&[&str]]) -> assert_cmd::assert::Assert {
        self.command("match").args(arguments.concat()).assert()
    }

    /// The JSON of a match.
    fn json(&self, arguments: &[&[&str]]) -> Value {
        let mut all = arguments.to_vec();
        all.push(&["--json"]);
        let output = self.play(&all).success().get_output().stdout.clone();
        serde_json::from_slice(&output).unwrap()
    }

    /// The games of a store's last run, without times.
    fn games(&self, store: &str) -> String {
        let output = self
            .command("store")
            .args(["export", store, "--no-times"])
            .assert()
            .success()
            .get_output()
            .stdout
            .clone();
        String::from_utf8(output).unwrap()
    }

    /// Makes a UCI engine of a shell script: what it does at each `go` is told by `go`.
    #[cfg(unix)]
    fn engine(&self, name: &str, go: &str) -> String {
        let script = format!(
            "moves=0\nwhile read -r word rest; do\ncase $word in\n\
             uci) echo 'id name mock'; echo 'id author nobody'; echo uciok ;;\n\
             isready) echo readyok ;;\n\
             position) line=$rest ;;\n\
             go) moves=$((moves + 1))\n{go}\n;;\n\
             quit) exit 0 ;;\nesac\ndone\n"
        );
        self.script(name, &script)
    }

    /// A shell script that can be run.
    #[cfg(unix)]
    fn script(&self, name: &str, text: &str) -> String {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.path(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }
}

/// Waits until a match that another process plays has a game in its store.
fn wait_for_a_game(store: &Path) {
    let games = || Store::open_read_only(store).and_then(|store| store.finished(1));
    let begun = Instant::now();
    while games().unwrap_or_default().is_empty() {
        assert!(begun.elapsed() < Duration::from_mins(2), "no game is played");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn count(games: &str) -> usize {
    games.matches("[White ").count()
}

#[test]
fn json_has_the_promised_keys() {
    let folder = Folder::new();
    let answer = folder.json(&[TWO, &["-rounds", "5"]]);
    assert_eq!(answer["games"], 10);
    assert_eq!(answer["sprt"], Value::Null);
    assert_eq!(answer["state"], "complete");
    let players = answer["players"].as_array().unwrap();
    assert_eq!(players.len(), 2);
    for player in players {
        for key in ["name", "wins", "draws", "losses", "elo", "error", "faults"] {
            assert!(player.get(key).is_some(), "{key}");
        }
        let games: u64 = ["wins", "draws", "losses"]
            .iter()
            .map(|key| player[key].as_u64().unwrap())
            .sum();
        assert_eq!(games, 10);
        let pairs: u64 = player["pentanomial"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .sum();
        assert_eq!(pairs, 5);
    }
    assert_eq!(players[0]["wins"], players[1]["losses"]);
    for (end, other) in [("low", "high"), ("high", "low")] {
        assert_eq!(
            players[0][end].as_f64().map(f64::round),
            players[1][other].as_f64().map(|value| (-value).round())
        );
    }
    let statement = answer["statement"].as_str().unwrap();
    assert!(statement.contains(" proven for a against b: "), "{statement}");
    assert!(folder.path("vidmar-games.db").exists());
}

#[test]
fn the_table_and_the_manners_of_others() {
    let folder = Folder::new();
    folder
        .play(&[TWO, &["-rounds", "3", "-event", "x"]])
        .success()
        .stdout(
            contains("name")
                .and(contains("Elo"))
                .and(contains(" proven for a against b: ")),
        )
        .stdout(contains("pairs with 0, ½, 1, 1½, 2 points:"));
    folder
        .play(&[
            TWO,
            &[
                "-rounds",
                "10",
                "-output",
                "format=fastchess",
                "-sprt",
                "elo0=0",
                "elo1=50",
            ],
        ])
        .success()
        .stdout(
            contains("Results of a vs b:")
                .and(contains("nElo:"))
                .and(contains("Ptnml(0-2): [")),
        )
        .stdout(contains("LLR: "));
    folder
        .play(&[TWO, &["-rounds", "3", "-output", "format=cutechess"]])
        .success()
        .stdout(contains("Score of a vs b: ").count(7))
        .stdout(contains("Elo difference: "))
        .stdout(contains("Finished match"));
    let three = ["-engine", "player=random:seed=3", "name=c", "-rounds", "1"];
    folder
        .play(&[TWO, &three])
        .success()
        .stdout(contains("/2").and(contains("against").not()))
        .stderr(contains("6 of 6").not());
}

/// One command, of the engine and of the laboratory; that the settings reach the search is tested where players are.
#[test]
fn the_two_parallel_searches_play_each_other() {
    for player in ["engine:hash=1", "search:algorithm=pvs,table-mib=1"] {
        let folder = Folder::new();
        let lazy = format!("player={player},parallel=lazy,threads=2");
        let ybwc = format!("player={player},parallel=ybwc,threads=2");
        let answer = folder.json(&[
            &["-engine", "name=lazy", &lazy, "-engine", "name=ybwc", &ybwc],
            &["-each", "depth=3", "-rounds", "1", "-maxmoves", "10"],
        ]);
        assert_eq!(answer["games"], 2, "{answer}");
        let players = answer["players"].as_array().unwrap();
        assert!(players.iter().all(|player| player["faults"] == 0), "{answer}");
    }
}

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
    first.extend(["--store", "killed.db"]);
    let store = folder.path("killed.db");
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
    }
    assert_eq!(kills, 20, "it was alive every time");
    assert!((50..300).contains(&before), "{before}");
    let resumed = folder.json(&[&["-resume", "killed.db"]]);
    assert_eq!(resumed["players"], whole["players"]);
    assert_eq!(resumed["games"], 300);
    assert_eq!(folder.games("killed.db"), folder.games("whole.db"));
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
fn games_are_appended_to_what_a_file_held() {
    let folder = Folder::new();
    let held = "[White \"x\"]\n[Black \"y\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    std::fs::write(folder.path("games.pgn"), held).unwrap();
    let arguments = [
        "-rounds",
        "2",
        "-pgnout",
        "file=games.pgn",
        "-epdout",
        "file=end.epd",
    ];
    folder.play(&[TWO, &arguments]).success();
    let text = std::fs::read_to_string(folder.path("games.pgn")).unwrap();
    assert!(text.starts_with(held));
    assert_eq!(count(&text), 5);
    assert_eq!(
        std::fs::read_to_string(folder.path("end.epd"))
            .unwrap()
            .lines()
            .count(),
        4
    );
    let arguments = [
        "-rounds",
        "1",
        "-pgnout",
        "file=games.pgn",
        "append=false",
        "min=true",
    ];
    folder.play(&[TWO, &arguments]).success();
    let text = std::fs::read_to_string(folder.path("games.pgn")).unwrap();
    assert_eq!(count(&text), 2);
    assert!(!text.contains('{'));
}

#[test]
fn a_test_ends_the_match_early_and_the_same_way_for_any_number_of_workers() {
    let folder = Folder::new();
    let players = [
        "-engine",
        "player=engine:depth=3,hash=1",
        "name=good",
        "-engine",
        "player=random",
        "name=bad",
    ];
    let play = |workers: &str| {
        let store = format!("{workers}.db");
        let arguments = [
            "-rounds",
            "1000",
            "-concurrency",
            workers,
            "-sprt",
            "elo0=0",
            "elo1=100",
            "--store",
            &store,
        ];
        folder.json(&[&players, &arguments])
    };
    let (one, four) = (play("1"), play("4"));
    assert_eq!(one["state"], "decided");
    assert_eq!(one["sprt"]["decision"], "H1");
    assert!(one["games"].as_u64().unwrap() < 400);
    assert_eq!(
        (&one["games"], &one["sprt"], &one["players"]),
        (&four["games"], &four["sprt"], &four["players"])
    );
}

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
            "number,round,white,black,result,termination,opening,plies,given\n0,0,a,b,",
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

#[test]
fn bad_input_is_an_error_that_names_it() {
    let folder = Folder::new();
    std::fs::write(folder.path("bad.epd"), "8/8/8/8/8/8/8/8 w - -\n").unwrap();
    let bad = |arguments: &[&str], message: &str| {
        let all = [TWO, arguments].concat();
        folder
            .command("match")
            .args(&all)
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(message));
    };
    bad(
        &["-concurency", "2"],
        "unknown argument '-concurency'; did you mean '-concurrency'?",
    );
    bad(&["-engine", "cmd=x", "tc=1:x"], "'1:x' is not a time control");
    bad(
        &["-engine", "cmd=there-is-no-such-engine", "tc=1"],
        "there-is-no-such-engine cannot be started",
    );
    bad(&["-engine", "player=engine"], "engine has no limit");
    bad(
        &["-engine", "player=egnine"],
        "unknown player 'egnine'; did you mean 'engine'?",
    );
    bad(
        &["-engine", "player=random", "name=a"],
        "two players are called 'a'",
    );
    bad(
        &["-engine", "nodes=1"],
        "player 3: expected cmd=PATH or player=SPEC",
    );
    bad(&["-openings", "file=none.epd"], "cannot open none.epd");
    bad(&["-openings", "file=bad.epd"], "bad.epd: line 1");
    bad(
        &["-engine", "player=random", "-sprt", "elo0=0", "elo1=5"],
        "-sprt is for two players, not 3",
    );
    bad(
        &["-sprt", "elo0=0", "elo1=5", "model=bayesian"],
        "-report penta=false",
    );
    bad(&["-variant", "fischerandom"], "needs -openings");
    bad(&["-pgnout", "no/such/games.pgn"], "there is no folder no/such");
    bad(
        &["-resume", "vidmar-games.db"],
        "-engine cannot be given with -resume",
    );
    folder
        .command("match")
        .args(["-engine", "player=random"])
        .assert()
        .code(2)
        .stderr(contains("at least two players, not 1"));
    folder
        .command("match")
        .args(["-resume", "nothing.db"])
        .assert()
        .code(2)
        .stderr(contains("nothing.db is not there"));
    std::fs::write(folder.path("text.db"), "not a store\n".repeat(100)).unwrap();
    folder
        .command("match")
        .args(["-resume", "text.db"])
        .assert()
        .code(2)
        .stderr(contains("text.db is not a store of games"));
    assert_eq!(
        std::fs::read_to_string(folder.path("text.db")).unwrap(),
        "not a store\n".repeat(100)
    );
}

/// The base of king and pawn against king that the crate `tablebases` holds.
#[test]
fn bases_decide_games() {
    let folder = Folder::new();
    std::fs::write(
        folder.path("o.epd"),
        "8/8/8/4k3/8/8/3PK3/8 w - -\n8/4k3/8/4K3/4P3/8/8/8 w - -\n",
    )
    .unwrap();
    let bases = concat!(env!("CARGO_MANIFEST_DIR"), "/../tablebases/src");
    let play = |more: &[&str]| {
        let arguments = [
            "-rounds",
            "2",
            "-openings",
            "file=o.epd",
            "-maxmoves",
            "5",
            "--store",
            "b.db",
            "-tb",
            bases,
        ];
        folder.play(&[TWO, &arguments, more]).success();
        let games = folder.games("b.db");
        (
            games.matches("endgame bases").count(),
            games.matches("[Result \"1/2-1/2\"]").count(),
        )
    };
    // White to move wins the first and not the second: the games are over before they begin, so nothing says why.
    let (_, draws) = play(&[]);
    assert_eq!(draws, 2);
    let (_, draws) = play(&["-tbadjudicate", "DRAW"]);
    assert_eq!(draws, 4, "what is not decided is drawn by -maxmoves");
    folder
        .play(&[TWO, &["-tb", "nowhere"]])
        .code(2)
        .stderr(contains("-tb: "));
}

#[test]
fn what_has_no_effect_is_said() {
    let folder = Folder::new();
    folder
        .play(&[
            TWO,
            &[
                "-rounds",
                "1",
                "-recover",
                "-log",
                "file=x",
                "level=warn",
                "-use-affinity",
            ],
        ])
        .success()
        .stderr(
            contains("-recover has no effect")
                .and(contains("-log has no effect"))
                .and(contains("-use-affinity")),
        );
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
            .games("vidmar-games.db")
            .contains("[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0")
    );
    std::fs::write(folder.path("o.epd"), line.replace("0 2", "0 3")).unwrap();
    folder
        .play(&[&["-resume", "vidmar-games.db"]])
        .code(2)
        .stderr(contains("the openings are not those that the match began with"));
}

#[test]
fn help_and_the_manual_have_every_argument() {
    let folder = Folder::new();
    let help = folder.play(&[&["--help"]]).success().get_output().stdout.clone();
    let help = String::from_utf8(help).unwrap();
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/match.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let mut seen = 0;
    for line in help.lines().filter_map(|line| line.strip_prefix("  -")) {
        let name = format!("-{}", line.split_whitespace().next().unwrap());
        assert!(
            manual.contains(&format!("`{name}")),
            "docs/match.md does not have {name}"
        );
        seen += 1;
    }
    assert!(seen > 40, "{seen}");
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
    wait_for_a_game(&folder.path("vidmar-games.db"));
    folder
        .play(&[TWO, &["-rounds", "1"]])
        .code(2)
        .stderr(contains(format!("is in use by process {}", child.id())).and(contains("--store FILE")));
    // Reading is always possible.
    folder
        .command("store")
        .args(["list", "vidmar-games.db"])
        .assert()
        .success()
        .stdout(contains("running: a, b"));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// What loses a game in fastchess loses it here: in the table, the test, the ratings and the game file.
#[cfg(unix)]
#[test]
fn faults_lose_the_game() {
    let folder = Folder::new();
    // Ours, which holds its answers back.
    let late = format!(
        "{VIDMAR} uci | while read -r line; do case $line in bestmove*) sleep 0.3 ;; esac; echo \"$line\"; done\n"
    );
    for (name, path, kind, tag) in [
        (
            "crasher",
            folder.engine("crasher", "exit 3"),
            "crash",
            "abandoned",
        ),
        (
            "liar",
            folder.engine("liar", "echo bestmove e2e5"),
            "illegal-move",
            "abandoned",
        ),
        (
            "sleeper",
            folder.script("sleeper", &late),
            "time-loss",
            "time forfeit",
        ),
    ] {
        let engine = format!("cmd={path}");
        let (store, file) = (format!("{name}.db"), format!("{name}.pgn"));
        let arguments = [
            "-engine",
            "player=random",
            "name=honest",
            "-engine",
            &engine,
            "st=0.1",
            "-rounds",
            "50",
            "-sprt",
            "elo0=0",
            "elo1=200",
            "model=logistic",
            "--store",
            &store,
            "-pgnout",
            &file,
        ];
        let answer = folder.json(&[&arguments]);
        assert_eq!(answer["sprt"]["decision"], "H1", "{name}: {answer}");
        let games = answer["games"].as_u64().unwrap();
        assert!((12..=20).contains(&games), "{name}: {games}");
        assert_eq!(answer["unscored"], 0);
        let [honest, bad] = [0, 1].map(|place| &answer["players"][place]);
        assert_eq!((&honest["wins"], &honest["faults"]), (&games.into(), &0.into()));
        assert_eq!((&bad["losses"], &bad["faults"]), (&games.into(), &games.into()));
        assert_eq!(bad["fault_kinds"], serde_json::json!({ kind: games }));
        // Everything was won: a bound and no number.
        assert!(honest["elo"].is_null() && honest["high"].is_null() && honest["los"].is_null());
        assert!(honest["low"].as_f64() > Some(0.0), "{honest}");
        assert!(answer["statement"].is_null(), "the test says what is proven");
        let text = std::fs::read_to_string(folder.path(&file)).unwrap();
        let count = |word: &str| text.matches(word).count() as u64;
        assert_eq!(
            (count("[Result \"1-0\"]"), count("[Result \"0-1\"]")),
            (games / 2, games / 2)
        );
        assert_eq!(count(&format!("[Termination \"{tag}\"]")), games, "{text}");
        let rated = folder.command("rate").args([&store, "--json"]).assert().success();
        let rated: Value = serde_json::from_slice(&rated.get_output().stdout).unwrap();
        assert_eq!(rated["players"][0]["name"], "honest");
    }
    let liar = format!("cmd={}", folder.engine("liar", "echo bestmove e2e5"));
    let arguments = [
        "-engine",
        "player=random",
        "name=honest",
        "-engine",
        &liar,
        "st=0.1",
    ];
    folder
        .play(&[&arguments, &["-rounds", "6"]])
        .success()
        .stdout(contains("faults of liar: 12 illegal-move\n"))
        .stdout(contains("Gain proven for honest against liar: every game won"));
}

/// An engine that dies in the middle of its games, one that plays nonsense, one that gives no answer to `uci`.
#[cfg(unix)]
#[test]
fn faults_are_recorded_and_scored_as_asked() {
    let folder = Folder::new();
    let crasher = folder.engine(
        "crasher",
        "if [ $moves -ge 1 ]; then exit 3; fi; echo bestmove e2e4",
    );
    let play = |faults: &str| {
        let engine = format!("cmd={crasher}");
        let store = format!("{faults}.db");
        let arguments = [
            "-engine",
            &engine,
            "name=crasher",
            "-engine",
            "player=random",
            "-each",
            "st=1",
            "-rounds",
            "2",
            "--faults",
            faults,
            "--store",
            &store,
        ];
        folder.json(&[&arguments])
    };
    let replayed = play("replay");
    assert_eq!(
        (&replayed["games"], &replayed["unscored"]),
        (&Value::from(0), &Value::from(4))
    );
    assert_eq!(replayed["players"][0]["faults"], 12);
    let dropped = play("drop");
    assert_eq!(
        (&dropped["games"], &dropped["unscored"]),
        (&Value::from(0), &Value::from(4))
    );
    assert_eq!(
        (&dropped["players"][0]["faults"], &dropped["players"][1]["faults"]),
        (&Value::from(4), &Value::from(0))
    );
    let lost = play("loss");
    assert_eq!(
        (&lost["players"][0]["losses"], &lost["players"][0]["faults"]),
        (&Value::from(4), &Value::from(4))
    );
    assert!(folder.games("loss.db").contains("[Termination \"abandoned\"]"));

    let liar = format!("cmd={}", folder.engine("liar", "echo bestmove e2e5"));
    folder
        .play(&[&[
            "-engine",
            &liar,
            "-engine",
            "player=random",
            "-each",
            "st=1",
            "-rounds",
            "1",
            "--faults",
            "loss",
        ]])
        .success()
        .stderr(contains("game 1: liar: illegal-move"));
    let silent = folder.path("silent");
    std::fs::copy("/bin/cat", &silent).unwrap();
    let silent = format!("cmd={}", silent.display());
    folder
        .play(&[&[
            "-engine",
            &silent,
            "-engine",
            "player=random",
            "-each",
            "st=1",
            "-startup-ms",
            "300",
        ]])
        .code(2)
        .stderr(contains("silent cannot be started").and(contains("-resume").not()));
}

/// `vidmar store export … | head -1`, in every format.
#[test]
fn a_reader_that_has_seen_enough_is_not_an_error() {
    use std::io::Read as _;
    let folder = Folder::new();
    folder.json(&[TWO, &["-rounds", "40", "-maxmoves", "60"]]);
    for format in ["pgn", "csv", "jsonl"] {
        let mut child = Process::new(VIDMAR)
            .args(["store", "export", "vidmar-games.db", "--format", format])
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

#[test]
fn a_failed_start_leaves_nothing_behind() {
    let folder = Folder::new();
    let mistyped = [
        "-engine",
        "cmd=./stokfish",
        "-engine",
        "player=random",
        "-each",
        "st=1",
        "-pgnout",
        "games.pgn",
    ];
    let fails = || {
        let program = folder.path("stokfish");
        let refused = folder.play(&[&mistyped]).code(2).stdout("");
        refused.stderr(
            contains("stokfish cannot be started")
                .and(contains(program.to_str().unwrap()))
                .and(contains("No such file")),
        );
    };
    fails();
    assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 0);
    // Beside a match that is there it leaves no run that could be resumed instead of that one.
    folder.json(&[TWO, &["-rounds", "2"]]);
    let runs = || {
        let list = folder
            .command("store")
            .args(["list", "vidmar-games.db", "--json"])
            .assert();
        String::from_utf8(list.success().get_output().stdout.clone()).unwrap()
    };
    let before = runs();
    assert!(
        before.contains("finished") && before.lines().count() == 1,
        "{before}"
    );
    fails();
    assert_eq!(runs(), before);
    folder
        .play(&[&["-resume", "vidmar-games.db"]])
        .success()
        .stdout(contains("a").and(contains("stokfish").not()));
}

#[test]
fn our_own_engine_has_manners() {
    let folder = Folder::new();
    folder
        .play(&[&["--compliance", VIDMAR, "uci"]])
        .success()
        .stdout(contains("FAIL").not().and(contains("all steps passed")));
}

#[cfg(unix)]
#[test]
fn bad_manners_are_found() {
    let folder = Folder::new();
    let stubborn = folder.engine("stubborn", "echo bestmove e2e4");
    folder
        .play(&[&["--compliance", &stubborn]])
        .code(1)
        .stdout(contains("pass  answers 'uci'").and(contains("FAIL  knows 'position startpos moves'")));
    let dying = folder.engine("dying", "exit 1");
    folder
        .play(&[&["--compliance", &dying]])
        .code(1)
        .stdout(contains("the engine has ended"));
}

/// Real engines, where there are any: Debian's, in both protocols. Depths instead of clocks, since the machine may be
/// busy with other tests.
#[test]
fn real_engines_play() {
    let folder = Folder::new();
    let engines = [
        ("stockfish", "uci"),
        ("glaurung", "uci"),
        ("toga2", "uci"),
        ("fairymax", "xboard"),
    ];
    let mut arguments = Vec::new();
    for (name, protocol) in engines {
        let path = format!("/usr/games/{name}");
        if Path::new(&path).exists() {
            arguments.extend([
                "-engine".to_owned(),
                format!("cmd={path}"),
                format!("proto={protocol}"),
            ]);
        }
    }
    if arguments.len() < 6 {
        eprintln!("fewer than two engines in /usr/games: skipped");
        return;
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let rest = [
        "-each",
        "depth=4",
        "-rounds",
        "1",
        "-concurrency",
        "2",
        "-maxmoves",
        "30",
    ];
    let answer = folder.json(&[&arguments, &rest]);
    let players = answer["players"].as_array().unwrap();
    let expected = players.len() * (players.len() - 1);
    assert_eq!(answer["games"].as_u64().unwrap() as usize, expected, "{answer}");
    assert!(players.iter().all(|player| player["faults"] == 0), "{answer}");
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
    let refused = folder.play(&[&["-resume", "vidmar-games.db"]]).code(2);
    refused.stderr(contains(format!("writes {}", profile.display())));
    assert_eq!(std::fs::read_to_string(&profile).unwrap(), "mine");
    folder
        .play(&[&["-resume", "vidmar-games.db", "--allow-programs"]])
        .success();
}
