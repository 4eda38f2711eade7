//! `vidmar web` as a process, and a client that can send anything.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::Value;

use super::trial::memory;

/// How long an answer may take, on a busy machine too.
const ANSWER: Duration = Duration::from_secs(30);

/// A server with the token that it printed; it ends with this value.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    fn parse(bytes: &[u8]) -> Option<Answer> {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        Some(Answer {
            status: head.split(' ').nth(1)?.parse().ok()?,
            body: bytes[end + 4..].to_vec(),
        })
    }
}

impl Server {
    /// Starts one on a free port.
    pub(crate) fn start(binary: &Path, state: &Path, directory: &Path) -> Result<Server> {
        let mut child = Command::new(binary)
            .args(["web", "--no-open", "--memory", "512", "--state"])
            .arg(state)
            .arg(directory)
            .env_remove("VIDMAR_TOKEN")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(state.with_extension("log"))?)
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start {}", binary.display()))?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("a pipe")?).read_line(&mut line)?;
        let rest = line
            .trim()
            .strip_prefix("http://")
            .with_context(|| format!("no address: {line}"))?;
        let (address, token) = rest.split_once("/?token=").context("no token")?;
        Ok(Server {
            child,
            address: address.parse()?,
            token: token.to_owned(),
        })
    }

    /// Memory in MiB.
    pub(crate) fn memory(&self) -> u64 {
        memory(self.child.id()).unwrap_or(0)
    }

    /// Files and connections that are open.
    pub(crate) fn descriptors(&self) -> u64 {
        let folder = std::fs::read_dir(format!("/proc/{}/fd", self.child.id()));
        folder.map_or(0, |files| files.count() as u64)
    }

    pub(crate) fn is_up(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|ended| ended.is_none())
    }

    pub(crate) fn connect(&self) -> Result<TcpStream> {
        let stream = TcpStream::connect_timeout(&self.address, ANSWER)?;
        stream.set_read_timeout(Some(ANSWER))?;
        stream.set_write_timeout(Some(ANSWER))?;
        Ok(stream)
    }

    /// Sends bytes as they are; the answer is what comes back until the server has said all. The server may stop reading early.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Result<Option<Answer>> {
        let mut stream = self.connect()?;
        let sent = stream.write_all(bytes);
        let mut answer = Vec::new();
        let read = stream.take(64 << 20).read_to_end(&mut answer);
        if answer.is_empty() {
            // Cut off without a word: allowed for what is no HTTP.
            let _ = (sent, read);
        }
        Ok(Answer::parse(&answer))
    }

    /// The head of a request that is right.
    pub(crate) fn head(&self, method: &str, path: &str) -> String {
        format!(
            "{method} /api/v1{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n",
            self.address, self.token
        )
    }

    /// A request that is right but for its body.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &[u8]) -> Result<Answer> {
        let mut bytes = self.head(method, path).into_bytes();
        bytes.extend(format!("Content-Length: {}\r\n\r\n", body.len()).bytes());
        bytes.extend(body);
        self.raw(&bytes)?
            .with_context(|| format!("no answer to {method} {path}"))
    }

    pub(crate) fn get(&self, path: &str) -> Result<Answer> {
        self.ask("GET", path, b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Result<Answer> {
        self.ask("POST", path, body.to_string().as_bytes())
    }

    /// Ends every run that it has started, which would go on without it.
    pub(crate) fn stop_runs(&self) -> Result<()> {
        for _ in 0..20 {
            let list = self.get("/runs")?.json();
            let runs = list["runs"].as_array().cloned().unwrap_or_default();
            let is_going = |run: &&Value| run["state"] == "running" || run["state"] == "waiting";
            let going: Vec<&str> = runs
                .iter()
                .filter(is_going)
                .filter_map(|run| run["id"].as_str())
                .collect();
            if going.is_empty() {
                return Ok(());
            }
            // The waiting ones first, or they would move up.
            for id in going.into_iter().rev() {
                self.post(&format!("/runs/{id}/stop"), &serde_json::json!({}))?;
            }
        }
        anyhow::bail!("runs cannot be stopped")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.stop_runs();
        let _ = killpg(Pid::from_raw(self.child.id().cast_signed()), Signal::SIGKILL);
        let _ = self.child.wait();
    }
}
