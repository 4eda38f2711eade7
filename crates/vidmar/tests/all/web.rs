//! `vidmar web` as a user starts it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use predicates::str::contains;
use serde_json::Value;
use vidmar_store::{Batch, Store};

/// A server of a test, with the token that it printed.
struct Running {
    child: Child,
    address: String,
    token: String,
}

fn start(arguments: &[&str], state: &Path) -> Running {
    let mut command = Command::new(cargo_bin("vidmar"));
    command
        .args(["web", "--no-open", "--state"])
        .arg(state)
        .args(arguments);
    started(command)
}

fn started(mut command: Command) -> Running {
    let mut child = command
        .env_remove("VIDMAR_TOKEN")
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let out = child.stdout.take().expect("a pipe");
    BufReader::new(out).read_line(&mut line).expect("a line");
    let rest = line.trim().strip_prefix("http://");
    let rest = rest.unwrap_or_else(|| panic!("{line}"));
    let (address, token) = rest
        .split_once("/?token=")
        .unwrap_or((rest.trim_end_matches('/'), ""));
    Running {
        child,
        address: address.to_owned(),
        token: token.to_owned(),
    }
}

impl Running {
    fn get(&self, path: &str) -> String {
        self.ask("GET", path, "", &self.token)
    }

    /// The status and the body of an answer.
    fn post(&self, path: &str, body: &str) -> (u16, Value) {
        let answer = self.ask("POST", path, body, &self.token);
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head
            .split(' ')
            .nth(1)
            .expect("a status")
            .parse()
            .expect("a number");
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    fn json(&self, path: &str) -> Value {
        let answer = self.get(path);
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body);
        serde_json::from_str(body.unwrap_or_default()).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    fn ask(&self, method: &str, path: &str, body: &str, token: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// As Ctrl-C ends it.
    fn interrupt(mut self) {
        let killed = Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status();
        assert!(killed.expect("kill").success());
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_serves_on_loopback_until_it_is_interrupted() {
    let state = tempfile::tempdir().expect("a folder");
    let server = start(&[], state.path());
    let address = server.address.clone();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let about = server.get("/api/v1/about");
    assert!(
        about.starts_with("HTTP/1.1 200") && about.contains("\"name\":\"vidmar\""),
        "{about}"
    );
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
    for path in [
        "/../Cargo.toml",
        "/../../Cargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/assets/../../Cargo.toml",
    ] {
        assert!(server.get(path).starts_with("HTTP/1.1 404"), "{path}");
    }
    // The port is taken, and so is the folder.
    let port = address.rsplit(':').next().expect("a port");
    let other = tempfile::tempdir().expect("a folder");
    let mut again = assert_cmd::Command::cargo_bin("vidmar").expect("built");
    again
        .args(["web", "--no-open", "--port", port, "--state"])
        .arg(other.path());
    again
        .assert()
        .code(2)
        .stderr(contains(format!("port {port} of 127.0.0.1 is taken")));
    let mut again = assert_cmd::Command::cargo_bin("vidmar").expect("built");
    again.args(["web", "--no-open", "--state"]).arg(state.path());
    again.assert().code(2).stderr(contains("games.db"));
    server.interrupt();
}

#[test]
fn without_a_directory_it_shows_the_runs_of_this_folder() {
    let (state, folder) = (
        tempfile::tempdir().expect("a folder"),
        tempfile::tempdir().expect("a folder"),
    );
    let mut command = Command::new(cargo_bin("vidmar"));
    command
        .args(["web", "--no-open", "--no-examples", "--state"])
        .arg(state.path());
    let server = started({
        command.current_dir(folder.path());
        command
    });
    // The folder need not be there when the server starts.
    let runs = server.json("/api/v1/runs");
    assert_eq!(runs["directories"], serde_json::json!(["runs"]), "{runs}");
    assert_eq!(runs["runs"], serde_json::json!([]), "{runs}");
    let mut contest = assert_cmd::Command::cargo_bin("vidmar").expect("built");
    let words = "match -engine player=random:seed=1 name=a -engine player=random:seed=2 name=b -rounds 4";
    contest
        .current_dir(folder.path())
        .args(words.split(' '))
        .assert()
        .success();
    let begun = Instant::now();
    let run = loop {
        let runs = server.json("/api/v1/runs");
        if let Some(run) = runs["runs"].get(0) {
            break run.clone();
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{runs}");
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!((&run["name"], &run["games"]), (&"match-a-b".into(), &8.into()));
    let result = run["result"].as_str().expect("a sentence");
    assert!(result.contains("proven for a against b"), "{result}");
}

#[test]
fn the_first_page_has_something_to_see() {
    let (state, folder) = (
        tempfile::tempdir().expect("a folder"),
        tempfile::tempdir().expect("a folder"),
    );
    let in_empty_folder = |more: &[&str]| {
        let mut command = Command::new(cargo_bin("vidmar"));
        command
            .args(["web", "--no-open", "--state"])
            .arg(state.path())
            .args(more)
            .current_dir(folder.path());
        started(command)
    };
    let server = in_empty_folder(&[]);
    let list = server.json("/api/v1/runs");
    let rows = list["runs"].as_array().expect("runs");
    let of_kind = |kind: &str| rows.iter().find(|run| run["kind"] == kind).expect("one of each");
    for kind in ["tuning", "match"] {
        let run = of_kind(kind);
        assert_eq!(
            (&run["is_example"], &run["state"], &run["faults"]),
            (&true.into(), &"finished".into(), &0.into()),
            "{run}"
        );
        assert_eq!(run["elo"]["verdict"], "gain proven", "{run}");
    }
    // Runs of one's own do not begin among them, and nothing is written where the user is.
    assert_eq!(list["directories"], serde_json::json!(["runs"]));
    assert!(folder.path().read_dir().expect("a folder").next().is_none());
    let body = r#"{"white": {"kind": "cbr", "options": {"cases": "example: the engine's own games"}}, "black": {"kind": "person"}}"#;
    let (status, game) = server.post("/api/v1/games", body);
    assert_eq!(status, 201, "{game}");
    // What is deleted stays so.
    let id = of_kind("match")["id"].as_str().expect("an id");
    let answer = server.ask("DELETE", &format!("/api/v1/runs/{id}"), "", &server.token);
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    server.interrupt();
    let list = in_empty_folder(&[]).json("/api/v1/runs");
    let kinds: Vec<&Value> = list["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| &run["kind"])
        .collect();
    assert_eq!(kinds, [&Value::from("tuning")]);
    // Whoever names a directory, or wants none of it, sees nothing of them.
    for more in [&["--no-examples"][..], &["."]] {
        let server = in_empty_folder(more);
        assert_eq!(
            server.json("/api/v1/runs")["runs"],
            serde_json::json!([]),
            "{more:?}"
        );
        assert!(!server.get("/api/v1/players").contains("own games"), "{more:?}");
    }
}

#[test]
fn the_page_about_commands_is_that_of_this_program() {
    let state = tempfile::tempdir().expect("a folder");
    let server = start(&[], state.path());
    let answer = server.get("/api/v1/reference");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    assert!(
        head.to_lowercase().contains("content-type: text/markdown"),
        "{head}"
    );
    let printed = assert_cmd::Command::cargo_bin("vidmar")
        .expect("built")
        .args(["generate", "reference"])
        .output();
    assert_eq!(body.as_bytes(), printed.expect("it runs").stdout);
}

#[test]
fn the_printed_address_has_a_token_that_every_request_needs() {
    let state = tempfile::tempdir().expect("a folder");
    let server = start(&[], state.path());
    assert!(server.token.len() >= 32, "{}", server.token);
    for path in ["/", "/api/v1/about", "/api/v1/games", "/assets/index.js"] {
        let answer = server.ask("GET", path, "", "another-token-of-some-length");
        assert!(answer.starts_with("HTTP/1.1 401"), "{path}: {answer}");
    }
    // It is another one every time, or the one that is given, or none.
    let other = tempfile::tempdir().expect("a folder");
    let second = start(&[], other.path());
    assert_ne!(second.token, server.token);
    drop(second);
    let chosen = start(&["--token", "chosen-by-a-script"], other.path());
    assert_eq!(chosen.token, "chosen-by-a-script");
    assert!(chosen.get("/api/v1/about").starts_with("HTTP/1.1 200"));
    drop(chosen);
    let mut command = Command::new(cargo_bin("vidmar"));
    command
        .args(["web", "--no-open", "--no-token", "--state"])
        .arg(other.path());
    let open = started(command);
    assert_eq!(open.token, "");
    assert!(open.get("/api/v1/about").starts_with("HTTP/1.1 200"));
}

#[test]
fn beyond_this_machine_there_is_a_warning_and_always_a_token() {
    let state = tempfile::tempdir().expect("a folder");
    let mut command = assert_cmd::Command::cargo_bin("vidmar").expect("built");
    command.args(["web", "--no-open", "--no-token", "--host", "0.0.0.0", "--state"]);
    let refused = command.arg(state.path()).assert().code(2);
    refused.stderr(contains(
        "--no-token is for this machine alone: not with --host 0.0.0.0",
    ));
    let mut command = Command::new(cargo_bin("vidmar"));
    command
        .args(["web", "--no-open", "--host", "0.0.0.0", "--state"])
        .arg(state.path())
        .stderr(Stdio::piped());
    let mut server = started(command);
    assert!(!server.token.is_empty());
    server.child.kill().expect("it runs");
    let mut told = String::new();
    let mut errors = server.child.stderr.take().expect("a pipe");
    errors.read_to_string(&mut told).expect("text");
    assert!(told.contains("warning: the server listens on 0.0.0.0"), "{told}");
}

/// Connections without end, and descriptors for a few: the server answers again when they are gone.
#[cfg(unix)]
#[test]
fn descriptors_that_run_out_do_not_end_the_server() {
    let state = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("sh");
    let start = format!(
        "ulimit -n 48; exec {} web --no-open --state {}",
        cargo_bin("vidmar").display(),
        state.path().display()
    );
    command.args(["-c", &start]);
    let server = started(command);
    let idle: Vec<TcpStream> = (0..200)
        .filter_map(|_| TcpStream::connect(&server.address).ok())
        .collect();
    assert!(idle.len() > 48, "{}", idle.len());
    std::thread::sleep(Duration::from_secs(2));
    let before = processor_time(server.child.id());
    std::thread::sleep(Duration::from_secs(2));
    let spent = processor_time(server.child.id()) - before;
    assert!(
        spent < 100,
        "it spins: {spent} hundredths of a second in two seconds"
    );
    drop(idle);
    assert!(server.get("/api/v1/about").starts_with("HTTP/1.1 200"));
}

/// What a process has used, in ticks of a hundredth of a second.
#[cfg(unix)]
fn processor_time(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = text
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok());
    ticks(11).unwrap_or(0) + ticks(12).unwrap_or(0)
}

/// With memory for a few players, sixteen of 256 MiB: the others are refused, and a restart is possible.
#[cfg(unix)]
#[test]
fn memory_that_runs_out_does_not_end_the_server() {
    let state = tempfile::tempdir().expect("a folder");
    let line = format!(
        "ulimit -v 2000000; exec {} web --no-open --state {}",
        cargo_bin("vidmar").display(),
        state.path().display()
    );
    let game = r#"{"white": {"kind": "engine", "options": {"hash": 256, "nodes": 100}}, "black": {"kind": "person"}}"#;
    for _ in 0..2 {
        let mut command = Command::new("sh");
        command.args(["-c", &line]);
        let server = started(command);
        let mut statuses = Vec::new();
        for _ in 0..16 {
            statuses.push(server.post("/api/v1/games", game).0);
        }
        statuses.sort_unstable();
        statuses.dedup();
        assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
        assert!(
            statuses.iter().all(|status| [201, 429].contains(status)),
            "{statuses:?}"
        );
        // Everybody has moved, or waits and says why.
        let has_moved = |game: &Value| game["plies"] != 0 || game["status"]["state"] != "playing";
        let begun = Instant::now();
        loop {
            let games = server.json("/api/v1/games");
            if games.as_array().expect("games").iter().all(has_moved) {
                break;
            }
            assert!(begun.elapsed() < Duration::from_mins(2), "{games}");
            std::thread::sleep(Duration::from_millis(200));
        }
        server.interrupt();
    }
}

/// Runs that are asked for: two go on, eight wait, the others are refused.
#[cfg(unix)]
#[test]
fn runs_wait_until_there_is_room() {
    let state = tempfile::tempdir().expect("a folder");
    let runs = tempfile::tempdir().expect("a folder");
    let server = start(&[runs.path().to_str().expect("text")], state.path());
    let mut statuses = Vec::new();
    for number in 0..12 {
        let body = format!(r#"{{"preset": "quick", "name": "run{number}", "scale": 100}}"#);
        let (status, answer) = server.post("/api/v1/runs", &body);
        if status == 429 {
            assert_eq!(answer["error"]["code"], "too-many-runs", "{answer}");
            assert!(!runs.path().join(format!("run{number}")).exists());
        }
        statuses.push(status);
    }
    let listed = |state: &str| -> Vec<String> {
        let list = server.json("/api/v1/runs");
        let list = list["runs"].as_array().expect("runs").clone();
        let in_state = list.iter().filter(|run| run["state"] == state);
        in_state
            .map(|run| run["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    let (running, waiting) = (listed("running"), listed("waiting"));
    // One that ends makes room for the next.
    let (stopped, _) = server.post(&format!("/api/v1/runs/{}/stop", running[0]), "{}");
    let begun = Instant::now();
    let moved_up = || listed("waiting").len() < waiting.len() && listed("running").len() == 2;
    while !moved_up() && begun.elapsed() < Duration::from_mins(2) {
        std::thread::sleep(Duration::from_millis(200));
    }
    let left = listed("waiting").len();
    for id in listed("waiting").iter().chain(&listed("running")) {
        let (status, answer) = server.post(&format!("/api/v1/runs/{id}/stop"), "{}");
        assert_eq!(status, 200, "{answer}");
    }
    // What is seen is judged when nothing runs any more.
    assert_eq!(
        statuses.iter().filter(|&&status| status == 201).count(),
        10,
        "{statuses:?}"
    );
    assert_eq!(statuses.last(), Some(&429));
    assert_eq!((running.len(), waiting.len(), stopped), (2, 8, 200));
    assert_eq!(left, 7);
    assert_eq!((listed("running").len(), listed("waiting").len()), (0, 0));
    server.interrupt();
}

/// What stands in the store of a match is started only by somebody who has seen it.
#[cfg(unix)]
#[test]
fn a_program_of_a_store_is_confirmed_before_it_is_started() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let [runs, state, script, witness, played] =
        ["runs", "state", "script", "witness", "played.db"].map(|name| folder.path().join(name));
    std::fs::create_dir(&runs).expect("a folder");
    let vidmar = cargo_bin("vidmar");
    let text = format!(
        "#!/bin/sh\ntouch {}\nexec {} uci\n",
        witness.display(),
        vidmar.display()
    );
    std::fs::write(&script, text).expect("written");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("set");
    let mut command = assert_cmd::Command::cargo_bin("vidmar").expect("built");
    command.args([
        "match",
        "-each",
        "depth=1",
        "-rounds",
        "1",
        "-maxmoves",
        "4",
        "--store",
    ]);
    command.arg(&played).current_dir(folder.path());
    command.args([
        "-engine",
        &format!("cmd={}", script.display()),
        "args=a b",
        "-engine",
        "player=random",
    ]);
    command.assert().success();
    // The same match, begun and not played, as somebody else may have sent it.
    let store = Store::open_read_only(&played).expect("a store");
    let run = store.runs().expect("runs").remove(0);
    for name in ["first.db", "second.db"] {
        let mut copy = Store::open(&runs.join(name)).expect("a store");
        let id = copy.begin_run("match", &run.config).expect("a run");
        let batch = Batch {
            players: store.players(run.id).expect("players"),
            ..Batch::new(id)
        };
        copy.commit(&batch).expect("committed");
    }
    std::fs::remove_file(&witness).expect("it was started by whoever named it");

    let is_started = |what: &Value| {
        let begun = Instant::now();
        while !witness.exists() {
            assert!(begun.elapsed() < Duration::from_mins(1), "{what}");
            std::thread::sleep(Duration::from_millis(100));
        }
        std::fs::remove_file(&witness).expect("it is there");
    };
    let path_of = |server: &Running, name: &str| {
        let list = server.json("/api/v1/runs");
        let found = list["runs"]
            .as_array()
            .expect("runs")
            .iter()
            .find(|run| run["name"] == name);
        format!(
            "/api/v1/runs/{}",
            found.expect("the run")["id"].as_str().expect("an id")
        )
    };
    let directory = runs.to_str().expect("text");
    let server = start(&[directory], &state);
    let path = path_of(&server, "first");
    let programs = server.json(&format!("{path}/programs"));
    let shown = programs["programs"][0].as_str().expect("a program");
    assert!(
        shown.contains(&*script.to_string_lossy()) && shown.contains("a b"),
        "{shown}"
    );
    let other = r#"{"programs": ["uci:cmd=other"]}"#;
    for body in ["", "{}", other] {
        let (status, answer) = server.post(&format!("{path}/resume"), body);
        assert_eq!(
            (status, &answer["error"]["code"]),
            (409, &Value::from("confirm-programs")),
            "{answer}"
        );
        let message = answer["error"]["message"].as_str();
        assert!(message.is_some_and(|text| text.contains("script")), "{answer}");
    }
    assert!(!witness.exists());
    let (status, answer) = server.post(&format!("{path}/resume"), &programs.to_string());
    assert_eq!(status, 200, "{answer}");
    is_started(&answer);
    drop(server);
    // An engine that the server was started with needs no question.
    let engine = format!("mine={} a b", script.display());
    let server = start(&[directory, "--engine", &engine], &state);
    let path = path_of(&server, "second");
    assert_eq!(
        server.json(&format!("{path}/programs"))["programs"],
        serde_json::json!([])
    );
    let (status, answer) = server.post(&format!("{path}/resume"), "");
    assert_eq!(status, 200, "{answer}");
    is_started(&answer);
}

#[test]
fn bad_arguments_are_told() {
    for (arguments, expected) in [
        (
            vec!["--engine", "stockfish"],
            "--engine: 'stockfish': expected NAME=",
        ),
        (vec!["--engine", "=x"], "expected NAME="),
        (
            vec!["--engine", "a=x", "--engine", "a=y"],
            "--engine: 'a' is there twice",
        ),
        (vec!["--engine", "a=\"x"], "a quote is not closed"),
        (
            vec!["--engine", "ghost=./no-such-engine"],
            "--engine: ghost cannot be started: start: ",
        ),
        (vec!["--engine", "ghost=./no-such-engine"], "./no-such-engine"),
        (
            vec!["--cases", "tal=/nowhere/to/be/found"],
            "/nowhere/to/be/found",
        ),
        (vec!["/nowhere/to/be/found"], "there is no such directory"),
        (vec!["--token", "short"], "--token: expected a token of 16 to 200"),
        (
            vec!["--token", "long-enough-for-it", "--no-token"],
            "cannot be used with",
        ),
        (vec!["--memory", "0"], "1..="),
    ] {
        let mut command = assert_cmd::Command::cargo_bin("vidmar").expect("built");
        command.args(["web", "--no-open"]).args(&arguments);
        command.assert().code(2).stderr(contains(expected));
    }
}
