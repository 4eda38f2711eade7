//! `vidmar web` as a user starts it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use predicates::str::contains;

fn start(arguments: &[&str], state: &std::path::Path) -> (Child, String) {
    let mut child = Command::new(cargo_bin("vidmar"))
        .args(["web", "--no-open", "--state"])
        .arg(state)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let out = child.stdout.take().expect("a pipe");
    BufReader::new(out).read_line(&mut line).expect("a line");
    let address = line
        .trim()
        .strip_prefix("http://")
        .and_then(|rest| rest.strip_suffix('/'));
    (child, address.unwrap_or_else(|| panic!("{line}")).to_owned())
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn it_serves_on_loopback_until_it_is_interrupted() {
    let state = tempfile::tempdir().expect("a folder");
    let (mut child, address) = start(&[], state.path());
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let about = get(&address, "/api/v1/about");
    assert!(
        about.starts_with("HTTP/1.1 200") && about.contains("\"name\":\"vidmar\""),
        "{about}"
    );
    assert!(get(&address, "/").starts_with("HTTP/1.1 200"));
    for path in [
        "/../Cargo.toml",
        "/../../Cargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/assets/../../Cargo.toml",
    ] {
        assert!(get(&address, path).starts_with("HTTP/1.1 404"), "{path}");
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
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill").success());
    assert!(child.wait().expect("it ends").success());
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
            vec!["--cases", "tal=/nowhere/to/be/found"],
            "/nowhere/to/be/found",
        ),
        (vec!["/nowhere/to/be/found"], "there is no such directory"),
    ] {
        let mut command = assert_cmd::Command::cargo_bin("vidmar").expect("built");
        command.args(["web", "--no-open"]).args(&arguments);
        command.assert().code(2).stderr(contains(expected));
    }
}
