//! Games on workers, as a user has them: `-on`, `--on`, `vidmar worker`, `vidmar workers`.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use vidmar_fleet::testing::{Gate, LocalServer, Passing};

const VIDMAR: &str = env!("CARGO_BIN_EXE_vidmar");

/// A worker that ends with its test.
struct Worker(Child);

impl Worker {
    fn start(url: &str) -> Worker {
        let mut command = Command::new(VIDMAR);
        command.args(["worker", url, "--threads", "2", "--name", "lent", "--scale-clock"]);
        let child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn();
        Worker(child.unwrap())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn vidmar(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = Command::new(VIDMAR)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn a_match_and_a_run_on_workers_are_those_of_this_machine() {
    let Some(server) = LocalServer::start(&[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let _worker = Worker::start(&server.url());
    let url = server.url().replace("nats://", "nats://me:secret@");
    let games = |name: &str, more: &[&str]| {
        let store = format!("{name}.db");
        let two = [
            "match",
            "-engine",
            "player=engine:nodes=200,hash=1",
            "name=a",
            "-engine",
            "player=random:seed=2",
            "name=b",
        ];
        let how = ["-rounds", "8", "-seed", "3", "--store", &store, "--json"];
        let (_, told) = vidmar(folder, &[&two[..], &how, more].concat());
        let (games, _) = vidmar(
            folder,
            &["store", "export", &store, "--format", "pgn", "--no-times"],
        );
        assert_eq!(games.matches("[Event ").count(), 16, "{told}");
        games
    };
    assert_eq!(games("here", &[]), games("there", &["-on", &url]));
    // Where it was played, and by which password, is no part of the match.
    let stored = std::fs::read(folder.join("there.db")).unwrap();
    assert!(!stored.windows(6).any(|bytes| bytes == b"secret"));
    clocks_are_scaled(folder, &server.url());
    let tuned = |name: &str, method: &[&str], more: &[&str]| {
        let small = ["--set", "games=2", "--set", "depth=1", "--no-verify", "-q"];
        let sets = method.iter().flat_map(|set| ["--set", set]).collect::<Vec<_>>();
        let run = ["tune", "run", "no-knowledge", "--out", name];
        let (_, told) = vidmar(folder, &[&run[..], &sets, &small, more].concat());
        let vector = std::fs::read_to_string(folder.join(name).join("recommended.txt"));
        vector.unwrap_or_else(|_| panic!("{told}"))
    };
    let evolved = ["population=5", "generations=2"];
    // A round is a pair of games, and those of the next four are played meanwhile.
    let late = ["method=spsa", "directions=1", "lag=8", "generations=10"];
    for (method, settings) in [("de", &evolved[..]), ("spsa", &late)] {
        let [here, there] = ["here", "there"].map(|place| format!("{method}-{place}"));
        assert_eq!(
            tuned(&here, settings, &[]),
            tuned(&there, settings, &["--on", &server.url()])
        );
    }
    let (table, _) = vidmar(folder, &["workers", &server.url()]);
    assert!(table.contains("lent") && table.contains("playing"), "{table}");
    let (json, _) = vidmar(folder, &["workers", &server.url(), "--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["workers"][0]["name"], "lent");
    assert_eq!(json["workers"][0]["threads"], 2);
    assert_eq!(
        json["left"],
        Value::Array(Vec::new()),
        "nothing is left on the server"
    );
    let (_, told) = vidmar(folder, &["workers", &format!("{}/run-there", server.url())]);
    assert!(told.contains("no run run-there is on this server"), "{told}");
}

/// What the clocks of a game were multiplied by stands in the store, in what is written of it, and nowhere where there are no clocks.
fn clocks_are_scaled(folder: &Path, url: &str) {
    let timed = "match -engine player=random:seed=1 name=a -engine player=random:seed=2 name=b -each tc=60+1 -maxmoves 4 -rounds 1";
    let timed: Vec<&str> = timed.split(' ').collect();
    let (_, told) = vidmar(
        folder,
        &[&timed[..], &["--store", "timed.db", "-on", url]].concat(),
    );
    let export =
        |store: &str, format: &str| vidmar(folder, &["store", "export", store, "--format", format]).0;
    let scales: Vec<f64> = export("timed.db", "jsonl")
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["clock_scale"]
                .as_f64()
                .unwrap()
        })
        .collect();
    assert!(
        scales.len() == 2 && scales.iter().all(|scale| (0.05..=20.0).contains(scale)),
        "{told}"
    );
    let tag = format!("[ClockScale \"{:.3}\"]", scales[0]);
    assert!(export("timed.db", "pgn").contains(&tag), "{tag}");
    assert!(!export("there.db", "pgn").contains("ClockScale"));
}

/// A process that ends with its test.
struct Process(Child);

impl Process {
    fn start(folder: &Path, arguments: &[&str], stdout: Stdio) -> Process {
        let mut command = Command::new(VIDMAR);
        command.args(arguments).current_dir(folder).stdin(Stdio::null());
        Process(command.stdout(stdout).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks a server of the page; the status and the answer.
fn http(host: &str, method: &str, path: &str, body: &str) -> (u16, Value) {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} /api/v1{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    // Whole or in chunks: the object is what stands between the outermost braces.
    let (from, to) = (answer.find("\r\n\r\n{"), answer.rfind('}'));
    let json = from.zip(to).map(|(from, to)| &answer[from + 4..=to]);
    let json = json.and_then(|json| serde_json::from_str(json).ok());
    (status, json.unwrap_or(Value::String(answer)))
}

fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !holds() {
        assert!(begun.elapsed().as_secs() < 90, "{what}");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

#[test]
fn workers_are_seen_and_told_from_the_page_of_a_run() {
    let Some(server) = LocalServer::start(&[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("runs")).unwrap();
    let url = server.url();
    let _worker = Worker::start(&url);
    let long = "match -engine player=random:seed=1 name=a -engine player=engine:nodes=50,hash=1 name=b -rounds 100000 --store runs/m.db -on";
    let long: Vec<&str> = long.split(' ').chain([url.as_str()]).collect();
    let _match = Process::start(folder, &long, Stdio::null());
    let web = [
        "web",
        "--no-open",
        "--no-examples",
        "--no-token",
        "--state",
        "state",
        "--on",
        &url,
    ];
    let mut page = Process::start(folder, &web, Stdio::piped());
    let mut told = String::new();
    let out = page.0.stdout.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut told).unwrap();
    let host = told
        .trim()
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .to_owned();
    let mut id = String::new();
    wait_for("the match to be listed", || {
        let (_, runs) = http(&host, "GET", "/runs", "");
        runs["runs"][0]["id"]
            .as_str()
            .unwrap_or_default()
            .clone_into(&mut id);
        !id.is_empty()
    });
    let path = format!("/runs/{id}/workers");
    let mut seen = Value::Null;
    let mut until = |what: &str, holds: &dyn Fn(&Value) -> bool| {
        wait_for(&format!("{what}: {seen}"), || {
            seen = http(&host, "GET", &path, "").1;
            holds(&seen)
        });
    };
    until("games of the worker", &|seen| {
        let worker = &seen["workers"][0];
        worker["name"] == "lent"
            && worker["threads"] == 2
            && worker["games"].as_u64() > Some(0)
            && seen["coordinator"].is_string()
    });
    assert_eq!(
        http(&host, "GET", &format!("/runs/{id}"), "").1["has_fleet"],
        true
    );
    let order = |order: &str| {
        let (status, told) = http(
            &host,
            "POST",
            &path,
            &format!(r#"{{"worker": "lent", "order": "{order}"}}"#),
        );
        assert_eq!(status, 200, "{told}");
    };
    order("pause");
    until("it to be paused", &|seen| seen["workers"][0]["state"] == "paused");
    order("resume");
    until("it to go on", &|seen| seen["workers"][0]["state"] == "playing");
    order("shut-out");
    until("it to be shut out", &|seen| {
        seen["workers"][0]["is_shut_out"] == true
    });
    order("let-in");
    until("it to be let in", &|seen| {
        seen["workers"][0]["is_shut_out"] == false
    });
    for (body, expected) in [
        (r#"{"worker": "nobody", "order": "drain"}"#, 409),
        (r#"{"worker": "a b", "order": "drain"}"#, 400),
        (r#"{"worker": "lent", "order": "dance"}"#, 422),
    ] {
        assert_eq!(http(&host, "POST", &path, body).0, expected, "{body}");
    }
}

/// A reproduction is the same wherever it is played, and says which of its steps are played here.
#[test]
fn a_reproduction_on_workers_is_that_of_this_machine() {
    let Some(server) = LocalServer::start(&[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let _worker = Worker::start(&server.url());
    let run = |out: &str, more: &[&str]| {
        let small = ["reproduce", "depth", "evolved", "--scale", "0.001", "--out", out];
        vidmar(folder, &[&small[..], more].concat()).1
    };
    let here = run("here", &[]);
    let there = run("there", &["--on", &server.url()]);
    assert!(!here.contains("played here, not elsewhere"), "{here}");
    let replayed = "played here, not elsewhere: it searches positions and plays no games";
    assert!(there.contains(replayed), "{there}");
    let mut stores = 0;
    for step in std::fs::read_dir(folder.join("here/depth")).unwrap() {
        let step = step.unwrap().file_name().into_string().unwrap();
        let games = |out: &str| {
            let store = format!("{out}/depth/{step}/games.db");
            let is_there = folder.join(&store).exists();
            is_there.then(|| {
                vidmar(
                    folder,
                    &["store", "export", &store, "--format", "pgn", "--no-times"],
                )
                .0
            })
        };
        let here = games("here");
        assert_eq!(here, games("there"), "{step}");
        stores += usize::from(here.is_some_and(|pgn| pgn.contains("[Event ")));
    }
    assert!(stores > 0, "{here}");
    let report = |out: &str| vidmar(folder, &["reproduce", "report", "--format", "json", out]).0;
    let tables = |out: &str| {
        let report: Value = serde_json::from_str(&report(out)).unwrap();
        let all = report["experiments"].as_array().unwrap().clone();
        all.iter().map(|one| one["tables"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(tables("here"), tables("there"));
    // The worker has played them: here nobody was asked to help.
    let (json, _) = vidmar(folder, &["workers", &server.url(), "--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["left"],
        Value::Array(Vec::new()),
        "nothing is left on the server"
    );
    let (_, told) = vidmar(folder, &["reproduce", "--on", &server.url()]);
    assert!(told.contains("name the experiments"), "{told}");
}

/// Ctrl-C, as a terminal, systemd and Slurm send it: what a worker plays goes to another one at once.
#[cfg(unix)]
#[test]
fn a_worker_hands_back_at_sigint() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(server) = LocalServer::start(&[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // It thinks without end the first time it is asked, and gives up at once afterwards.
    let script = "#!/bin/sh\nwhile read line; do case \"$line\" in\nuci) echo uciok;;\nisready) echo readyok;;\n\
        go*) if [ -e asked ]; then echo bestmove 0000; else touch asked; fi;;\nstop) echo bestmove 0000;;\nquit) exit;;\nesac; done\n";
    let program = folder.join("thinker");
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let url = server.url();
    let worker = |name: &str| {
        let mut command = Command::new(VIDMAR);
        command.args([
            "worker",
            &url,
            "--threads",
            "1",
            "--name",
            name,
            "--engine",
            "thinker=./thinker",
        ]);
        let command = command
            .current_dir(folder)
            .stdin(Stdio::null())
            .stderr(Stdio::piped());
        Process(command.spawn().unwrap())
    };
    let mut first = worker("first");
    let games = "match -engine cmd=./thinker name=a -engine player=random name=b -each nodes=100 -rounds 1 --store m.db -on";
    let games: Vec<&str> = games.split(' ').chain([url.as_str()]).collect();
    let mut games = Process::start(folder, &games, Stdio::null());
    wait_for("the engine to think", || folder.join("asked").exists());
    let interrupted = Command::new("kill")
        .args(["-INT", &first.0.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    assert!(first.0.wait().unwrap().success());
    let mut told = String::new();
    std::io::Read::read_to_string(&mut first.0.stderr.take().unwrap(), &mut told).unwrap();
    let handed_back = told
        .lines()
        .find_map(|line| line.strip_suffix(" tasks handed back"));
    assert!(handed_back.is_some_and(|line| !line.ends_with(" 0")), "{told}");
    let _second = worker("second");
    assert!(games.0.wait().unwrap().success());
}

/// Ctrl-C ends a command that waits for its server to come back.
#[cfg(unix)]
#[test]
fn a_command_that_waits_for_its_server_can_be_interrupted() {
    use std::io::BufRead as _;
    let Some(server) = LocalServer::start(&[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for words in [
        &["worker"][..],
        &["tune", "run", "quick", "--out", "run", "--on"],
        &[
            "match",
            "-engine",
            "player=random",
            "-engine",
            "player=random",
            "-on",
        ],
    ] {
        let mut is_open = true;
        // The server goes when the command has found it, and does not come again.
        let gate = Gate::new(server.port(), move |passing| {
            is_open &= passing != Passing::Question(1);
            is_open
        });
        let url = gate.unwrap().url();
        let words = [words, &[&url]].concat();
        let mut command = Command::new(VIDMAR);
        command.args(&words).current_dir(folder.path());
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        let mut waiting = Process(command.spawn().unwrap());
        let told = std::io::BufReader::new(waiting.0.stderr.take().unwrap());
        let mut told = told.lines().map_while(Result::ok);
        assert!(told.any(|line| line.contains("cannot be reached; waiting for it")));
        let process = waiting.0.id().to_string();
        let interrupted = Command::new("kill").args(["-INT", &process]).status();
        assert!(interrupted.unwrap().success());
        let code = waiting.0.wait().unwrap().code();
        assert_eq!(code, Some(130), "{words:?}: {:?}", told.collect::<Vec<_>>());
    }
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["worker", "localhost"][..], "it has no scheme; expected nats://"),
        (
            &["worker", "nats://127.0.0.1:1"],
            "no NATS server answers at nats://127.0.0.1:1",
        ),
        (
            &["worker", "nats://h", "--engine", "sf=/no/such/engine"],
            "the program /no/such/engine is not there",
        ),
        (
            &["workers", "nats://127.0.0.1:1"],
            "one is started by: nats-server -js",
        ),
        (&["tune", "run", "--spot-checks", "5"], "--on"),
        (
            &["tune", "compare", "--equal-cpu", "--on", "nats://h", "--out", "x"],
            "not with --on",
        ),
        (&["match", "-creds", "x"], "are for -on"),
        (
            &["match", "-on", "http://h"],
            "-on: 'http://h': the scheme is neither nats nor tls",
        ),
    ] {
        let (_, told) = vidmar(folder.path(), arguments);
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}
