//! Engines that break, and what becomes of their games.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::{Folder, TWO, VIDMAR};

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
        &["-engine", "cmd=x", "proto=xboard", "nodes=100"],
        "x cannot be started: start: an xboard engine cannot be held to a number of nodes",
    );
    bad(
        &["-engine", "player=random", "name=c", "depth=3"],
        "player 3: player=random: random: depth has no effect at all: it answers at once",
    );
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
    bad(
        &["-config", "file=config.json"],
        "-config: cannot read config.json",
    );
    bad(&["-pgnout", "no/such/games.pgn"], "there is no folder no/such");
    bad(
        &["-resume", "runs/match-a-b.db"],
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
    // A limit that an engine cannot be held to is no fault of its own, game after game.
    folder
        .play(&[
            &["-engine", &format!("cmd={crasher}"), "proto=xboard"],
            &["-engine", "player=random", "-each", "nodes=50"],
            &["-rounds", "1", "--store", "none.db"],
        ])
        .code(2)
        .stdout("")
        .stderr(contains("cannot be held to a number of nodes"));
    assert!(!folder.path("none.db").exists());
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
            .args(["list", "runs/match-a-b.db", "--json"])
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
        .play(&[&["-resume", "runs/match-a-b.db"]])
        .success()
        .stdout(contains("a").and(contains("stokfish").not()));
}
