//! A server of one's own, for tests and benches. It chooses its port itself, and ends with whoever started it, however that ends:
//! a shell beside it waits for the end of its input, which comes with the end of this process, and kills it then.

mod gate;

pub use gate::{Gate, Passing};

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A `nats-server` with a store that goes with it.
pub struct LocalServer {
    program: PathBuf,
    watched: Watched,
    port: u16,
    folder: TempDir,
    arguments: Vec<String>,
}

/// How long it may take to start.
const START: Duration = Duration::from_mins(1);

/// Starts a program, tells its process, and kills it when nobody writes to the input any more. Signals that are meant for
/// whoever started this change nothing about that.
const WATCHER: &str =
    "trap '' INT TERM HUP; \"$@\" >/dev/null 2>&1 & echo $!; read -r _; kill -9 $!; wait $!";

/// A program and the shell that ends it.
struct Watched {
    shell: Child,
    process: u32,
}

impl LocalServer {
    /// Starts one; none where there is no such program, unless `VIDMAR_REQUIRE_ALL` asks for it. `--plain` is one without
    /// `JetStream`, all other arguments are the server's.
    #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
    pub fn start(arguments: &[&str]) -> Option<LocalServer> {
        let Some(program) = program() else {
            let is_required =
                std::env::var_os("VIDMAR_REQUIRE_ALL").is_some_and(|value| !value.is_empty() && value != "0");
            assert!(
                !is_required,
                "nats-server is not installed (Debian package nats-server)"
            );
            eprintln!("skipped: nats-server is not installed (Debian package nats-server)");
            return None;
        };
        let folder = tempfile::tempdir().ok()?;
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let watched = spawn(&program, None, folder.path(), &arguments)?;
        let port = told_port(folder.path(), watched.process);
        Some(LocalServer {
            program,
            watched,
            port,
            folder,
            arguments,
        })
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.watched.end();
    }

    /// Starts it again with what it stored.
    pub fn restart(&mut self) {
        self.kill();
        let again = spawn(
            &self.program,
            Some(self.port),
            self.folder.path(),
            &self.arguments,
        );
        if let Some(watched) = again {
            self.watched = watched;
        }
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < START, "nats-server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Its process.
    pub fn process(&self) -> u32 {
        self.watched.process
    }
}

impl Watched {
    fn end(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.end();
    }
}

fn spawn(program: &Path, port: Option<u16>, folder: &Path, arguments: &[String]) -> Option<Watched> {
    let mut command = Command::new("sh");
    command.args(["-c", WATCHER, "watcher"]).arg(program);
    let port = port.map_or_else(|| "-1".to_owned(), |port| port.to_string());
    command.args(["-a", "127.0.0.1", "-p", &port]);
    command.arg("--ports_file_dir").arg(folder);
    if !arguments.iter().any(|argument| argument == "--plain") {
        command.arg("-js").arg("-sd").arg(folder.join("store"));
    }
    command.args(arguments.iter().filter(|argument| *argument != "--plain"));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut shell = command.spawn().ok()?;
    let mut told = String::new();
    BufReader::new(shell.stdout.take()?).read_line(&mut told).ok()?;
    let process = told.trim().parse().ok()?;
    Some(Watched { shell, process })
}

/// The port that a server has chosen: it writes a file once it listens.
fn told_port(folder: &Path, process: u32) -> u16 {
    let file = folder.join(format!("nats-server_{process}.ports"));
    let begun = Instant::now();
    loop {
        let told: Option<serde_json::Value> = std::fs::read(&file)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let url = told.and_then(|told| told["nats"][0].as_str().map(str::to_owned));
        let port = url.and_then(|url| url.rsplit(':').next()?.parse().ok());
        if let Some(port) = port {
            return port;
        }
        assert!(
            begun.elapsed() < START,
            "nats-server does not say where it listens"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/bin".into()]);
    folders
        .map(|folder| folder.join("nats-server"))
        .find(|program| program.is_file())
}
