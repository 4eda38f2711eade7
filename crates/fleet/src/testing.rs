//! A server of one's own, for tests and benches.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A `nats-server` on a free port, with a store that goes with it.
pub struct LocalServer {
    program: PathBuf,
    child: Child,
    port: u16,
    store: TempDir,
    arguments: Vec<String>,
}

/// How long it may take to start.
const START: Duration = Duration::from_secs(20);

impl LocalServer {
    /// Starts one; none where there is no such program, unless `VIDMAR_REQUIRE_ALL` asks for it.
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
        let store = tempfile::tempdir().ok()?;
        let port = free_port()?;
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let child = spawn(&program, port, &store, &arguments)?;
        let server = LocalServer {
            program,
            child,
            port,
            store,
            arguments,
        };
        server.wait();
        Some(server)
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
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Starts it again with what it stored.
    pub fn restart(&mut self) {
        self.kill();
        if let Some(child) = spawn(&self.program, self.port, &self.store, &self.arguments) {
            self.child = child;
        }
        self.wait();
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn wait(&self) {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < START, "nats-server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for LocalServer {
    fn drop(&mut self) {
        self.kill();
    }
}

fn spawn(program: &PathBuf, port: u16, store: &TempDir, arguments: &[String]) -> Option<Child> {
    let mut command = Command::new(program);
    command.args(["-a", "127.0.0.1", "-p", &port.to_string()]);
    if !arguments.iter().any(|argument| argument == "--plain") {
        command.arg("-js").arg("-sd").arg(store.path());
    }
    command.args(arguments.iter().filter(|argument| *argument != "--plain"));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().ok()
}

fn free_port() -> Option<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").ok()?;
    Some(listener.local_addr().ok()?.port())
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/bin".into()]);
    folders
        .map(|folder| folder.join("nats-server"))
        .find(|program| program.is_file())
}
