//! What arguments of other match runners do here: their effect with engines that are scripts.

use predicates::prelude::*;
use predicates::str::contains;

use super::{Folder, TWO};

#[test]
fn principal_variations_are_written_where_they_are_asked_for() {
    let folder = Folder::new();
    let players = [
        "-engine",
        "player=engine:depth=3",
        "name=a",
        "-engine",
        "player=random",
        "name=b",
        "-rounds",
        "1",
        "-maxmoves",
        "12",
    ];
    let play = |more: &[&str]| folder.play(&[&players, more]).success();
    play(&["-pgnout", "file=with.pgn", "pv=true", "--store", "with.db"]);
    play(&["-pgnout", "file=without.pgn", "--store", "without.db"]);
    let text = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let (with, without) = (text("with.pgn"), text("without.pgn"));
    assert!(!without.contains("pv="), "{without}");
    // Several moves, the first of them the one that is played.
    let game = with.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<&str> = game.split("pv=\"").skip(1).collect();
    assert!(lines.len() > 10, "{with}");
    assert!(
        lines
            .iter()
            .any(|line| line.split('"').next().unwrap().split(' ').count() >= 3),
        "{with}"
    );
    for (before, line) in game.split("pv=\"").zip(&lines) {
        let comment = before.rfind('{').unwrap();
        let played = before[..comment].split_whitespace().last().unwrap();
        let first = line.split([' ', '"']).next().unwrap();
        assert_eq!(played, first, "{with}");
    }
    // The games themselves are the same, and the store has the variations for later.
    assert_eq!(folder.games("with.db"), folder.games("without.db"));
    folder
        .command("store")
        .args(["export", "with.db", "--pv"])
        .assert()
        .success()
        .stdout(contains("pv=\""));
    folder
        .command("store")
        .args(["check", "with.db"])
        .assert()
        .success();
}

#[test]
fn what_engines_tell_of_a_move_is_written_where_it_is_asked_for() {
    let folder = Folder::new();
    let players = [
        "-engine",
        "player=engine:hash=1",
        "name=a",
        "-engine",
        "player=engine:hash=1",
        "name=b",
        "-each",
        "nodes=2000",
        "tc=600+1",
        "-rounds",
        "1",
        "-games",
        "1",
        "-maxmoves",
        "14",
    ];
    let text = |name: &str| {
        let text = std::fs::read_to_string(folder.path(name)).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let numbers = |text: &str, key: &str| -> Vec<f64> {
        let start = format!(" {key}=");
        text.split(&start)
            .skip(1)
            .map(|rest| rest.split([',', '}', 's']).next().unwrap().parse().unwrap())
            .collect()
    };
    let keys = ["seldepth=true", "hashfull=true", "timeleft=true", "tbhits=true"];
    folder
        .play(&[
            &players,
            &["-pgnout", "file=with.pgn"],
            &keys,
            &["--store", "with.db"],
        ])
        .success();
    let with = text("with.pgn");
    let (depths, full, left) = (
        numbers(&with, "sd"),
        numbers(&with, "hashfull"),
        numbers(&with, "tl"),
    );
    assert!(
        depths.len() > 8 && depths.iter().all(|&depth| depth >= 2.0),
        "{with}"
    );
    assert!(full.iter().any(|&thousandths| thousandths > 0.0), "{with}");
    // Every move gives a second and takes far less: the clock goes up by less than that.
    assert_eq!(left.len(), depths.len(), "{with}");
    assert!(left[0] > 590.0 && left[0] <= 601.0, "{with}");
    assert!(
        (left[2] - left[0]).abs() > 1e-4 && left[2] <= left[0] + 1.0,
        "{with}"
    );
    // There are no tablebases here: nothing is claimed of them.
    assert!(!with.contains("tbhits") && !with.contains("pv="), "{with}");
    // Only what is asked for; and the store has the rest for later.
    folder
        .play(&[
            &players,
            &[
                "-pgnout",
                "file=one.pgn",
                "seldepth=true",
                "hashfull=false",
                "--store",
                "one.db",
            ],
        ])
        .success();
    let one = text("one.pgn");
    assert!(
        one.contains(" sd=") && !one.contains("hashfull") && !one.contains(" tl="),
        "{one}"
    );
    folder
        .command("store")
        .args(["export", "with.db", "--pv"])
        .assert()
        .success()
        .stdout(contains("pv=\"").and(contains("hashfull").not()));
    folder
        .command("store")
        .args(["check", "with.db"])
        .assert()
        .success();
}

#[cfg(unix)]
#[test]
fn a_log_has_faults_and_games_and_every_line_of_engines() {
    let folder = Folder::new();
    let crasher = folder.engine("crasher", "exit 3");
    let arguments = |log: &[&str]| {
        let command = format!("cmd={crasher}");
        let words = [
            "-engine",
            "player=random",
            "-engine",
            &command,
            "nodes=1",
            "-rounds",
            "1",
            "-log",
        ];
        let words: Vec<String> = words.iter().chain(log).map(|&word| word.to_owned()).collect();
        folder.command("match").args(words).assert().success();
    };
    arguments(&["file=a.log", "level=info", "engine=true"]);
    let text = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let log = text("a.log");
    for expected in [
        "crasher ---> uci",
        "crasher <--- uciok",
        "crasher ---> go nodes 1",
        "Started game 1 of 2 (random vs crasher)",
        "Finished game 2 (crasher vs random): ",
        "fault in game 1: crasher: crash: ended with exit code 3",
    ] {
        assert!(log.contains(expected), "{expected}: {log}");
    }
    let is_time = |line: &str| {
        let bytes = line.as_bytes();
        bytes[0] == b'[' && bytes[3] == b':' && bytes[6] == b':' && bytes[9] == b'.' && bytes[16] == b']'
    };
    assert!(log.lines().all(is_time), "{log}");
    arguments(&["file=b.log"]);
    let log = text("b.log");
    assert_eq!(log.lines().count(), 2, "{log}");
    assert!(log.lines().all(|line| line.contains("fault in game")), "{log}");
    arguments(&["file=b.log", "append=false", "level=err"]);
    assert_eq!(text("b.log").lines().count(), 2);
    let refused = |log: &[&str], message: &str| {
        let all = [TWO, &["-log"], log].concat();
        folder
            .command("match")
            .args(all)
            .assert()
            .code(2)
            .stderr(contains(message));
    };
    refused(&["level=info"], "-log: file is missing");
    refused(&["file=c.log", "compress=true"], "not compressed");
    refused(&["file=no/such/c.log"], "-log: cannot write no/such/c.log");
    assert!(!folder.path("c.log").exists());
}

#[cfg(unix)]
#[test]
fn an_engine_of_cutechess_is_found_by_its_name() {
    let folder = Folder::new();
    let go = "echo \"info depth 1 score cp 10\"; echo bestmove 0000";
    let engine = folder.engine("mock engine", go);
    let entry = serde_json::json!([{
        "name": "Mine", "command": engine, "workingDirectory": folder.0.path(), "protocol": "uci",
        "stderrFile": "", "options": [{"name": "Nothing", "type": "button"}],
    }]);
    std::fs::create_dir_all(folder.path("settings/cutechess")).unwrap();
    let kept = folder.path("settings/cutechess/engines.json");
    std::fs::write(&kept, entry.to_string()).unwrap();
    let play = |words: &[&str]| {
        let mut command = folder.command("match");
        command.env("XDG_CONFIG_HOME", folder.path("settings"));
        command.args(words).assert()
    };
    let words = [
        "-engine",
        "conf=Mine",
        "nodes=1",
        "-engine",
        "player=random",
        "-rounds",
        "1",
    ];
    play(&words)
        .success()
        .stdout(contains("Mine").and(contains("illegal")));
    // The store goes on without the file.
    std::fs::remove_file(&kept).unwrap();
    folder
        .play(&[&["-resume", "runs/match-Mine-random.db", "--allow-programs"]])
        .success();
    play(&words)
        .code(2)
        .stderr(contains("there is no file of engines: neither engines.json nor "));
    // One in the current folder comes first.
    std::fs::write(folder.path("engines.json"), entry.to_string()).unwrap();
    play(&["-engine", "conf=Mien", "-engine", "player=random"])
        .code(2)
        .stderr(contains("there is no engine 'Mien'; did you mean 'Mine'?"));
    play(&[TWO, &["-each", "conf=Mine"]].concat())
        .code(2)
        .stderr(contains("expected it in -engine"));
}

#[test]
fn arguments_are_kept_in_a_file_and_read_from_it() {
    let folder = Folder::new();
    let out = [
        "-rounds",
        "3",
        "-seed",
        "5",
        "-config",
        "outname=match.json",
        "--store",
        "one.db",
    ];
    folder.play(&[TWO, &out]).success();
    let words: Vec<String> =
        serde_json::from_str(&std::fs::read_to_string(folder.path("match.json")).unwrap()).unwrap();
    assert!(words.contains(&"-rounds".to_owned()) && !words.contains(&"-config".to_owned()));
    folder
        .play(&[&["-config", "file=match.json", "--store", "two.db"]])
        .success();
    assert_eq!(folder.games("one.db"), folder.games("two.db"));
    // What is said behind it counts more.
    let answer = folder.json(&[&[
        "-config",
        "file=match.json",
        "-rounds",
        "1",
        "--store",
        "three.db",
    ]]);
    assert_eq!(answer["games"], 2);
    std::fs::write(folder.path("theirs.json"), r#"{"engines": [], "stats": {}}"#).unwrap();
    folder
        .play(&[&["-config", "file=theirs.json"]])
        .code(2)
        .stderr(contains("fastchess's file of settings").and(contains("-resume FILE")));
    std::fs::write(folder.path("nested.json"), r#"["-config", "file=match.json"]"#).unwrap();
    folder
        .play(&[&["-config", "file=nested.json"]])
        .code(2)
        .stderr(contains("may not name another one"));
}

/// Every engine runs on the processor of its game alone.
#[cfg(target_os = "linux")]
#[test]
fn games_are_bound_to_processors() {
    let folder = Folder::new();
    let script = "grep Cpus_allowed_list /proc/$$/status >>\"$0.cpus\"\n";
    let go = format!("{script}echo bestmove 0000");
    let engine = format!("cmd={}", folder.engine("where", &go));
    let players = [
        "-engine",
        &engine,
        "nodes=1",
        "-engine",
        "player=random",
        "-rounds",
        "1",
    ];
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let allowed = allowed.unwrap().trim().to_owned();
    let last = allowed.rsplit([',', '-']).next().unwrap();
    folder.play(&[&players, &["-use-affinity", last]]).success();
    let seen = std::fs::read_to_string(folder.path("where.cpus")).unwrap();
    assert!(seen.lines().count() >= 2, "{seen}");
    for line in seen.lines() {
        assert_eq!(line.split_whitespace().last(), Some(last), "{seen}");
    }
    let refused = |arguments: &[&str], message: &str| {
        folder
            .play(&[&players, arguments])
            .code(2)
            .stderr(contains(message));
    };
    refused(
        &["-use-affinity", last, "-concurrency", "2"],
        "2 games at a time need 2 processors, and there are 1",
    );
    refused(&["-use-affinity", "1023"], "processor 1023 is not one");
    refused(&["-use-affinity", "one"], "expected processors such as");
    refused(
        &["-use-affinity", "-engine", "player=engine:threads=2,depth=1"],
        "has more threads than one",
    );
}

/// The players are seeded as they are named, and the table says who beat whom.
#[test]
fn a_knockout_has_one_winner() {
    let folder = Folder::new();
    let strong = ["-engine", "player=engine:depth=2", "name=strong"];
    let third = ["-engine", "player=random:seed=3", "name=c"];
    let rules = ["-tournament", "knockout", "-rounds", "1", "-maxmoves", "60"];
    let arguments: [&[&str]; 4] = [TWO, &third, &strong, &rules];
    let answer = folder.json(&[&arguments[..], &[&["--store", "one.db"][..]]].concat());
    assert_eq!(answer["games"], 6);
    let bracket = answer["bracket"].as_array().unwrap();
    let players = |tie: usize| {
        (
            bracket[tie]["players"][0].as_str(),
            bracket[tie]["players"][1].as_str(),
        )
    };
    assert_eq!(
        (players(0), players(1)),
        ((Some("a"), Some("strong")), (Some("b"), Some("c")))
    );
    assert_eq!(
        (&bracket[0]["winner"], &bracket[0]["round"]),
        (&"strong".into(), &1.into())
    );
    assert_eq!(
        (&bracket[2]["winner"], &bracket[2]["round"]),
        (&"strong".into(), &2.into())
    );
    let more = ["--store", "two.db", "-concurrency", "3"];
    folder
        .play(&[&arguments[..], &[&more[..]]].concat())
        .success()
        .stdout(
            contains("round 1: a 0.0 – 2.0 strong: strong goes on").and(contains("strong wins the knockout")),
        );
    assert_eq!(folder.games("one.db"), folder.games("two.db"));
    folder
        .play(&[TWO, &["-tournament", "knockout", "-sprt", "elo0=0", "elo1=5"]])
        .code(2)
        .stderr(contains("not with -tournament knockout"));
}
