//! A NATS server of one's own, and processes that do not outlive who started them.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::programs;

/// A process that does not outlive this value.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    pub(crate) fn start(command: &mut Command) -> Result<Process> {
        let child = command.spawn();
        Ok(Process(
            child.with_context(|| format!("cannot start {command:?}"))?,
        ))
    }

    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Waits for its end, which must be a good one.
    pub(crate) fn end(&mut self, most: Duration) -> Result<()> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait()? {
                ensure!(status.success(), "it ended with {status}");
                return Ok(());
            }
            ensure!(begun.elapsed() < most, "it has not ended in {most:?}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A NATS server with a store.
pub(crate) struct Server {
    pub(crate) process: Process,
    port: u16,
    store: PathBuf,
}

impl Server {
    pub(crate) fn start(folder: &Path) -> Result<Server> {
        let store = folder.join("nats");
        fs::create_dir_all(&store)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let server = Server {
            process: Server::spawn(port, &store)?,
            port,
            store,
        };
        server.wait()?;
        Ok(server)
    }

    fn spawn(port: u16, store: &Path) -> Result<Process> {
        let mut command = Command::new("nats-server");
        command
            .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
            .arg(store)
            .env("PATH", programs::search_path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Process::start(&mut command)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn restart(&mut self) -> Result<()> {
        self.process = Server::spawn(self.port, &self.store)?;
        self.wait()
    }

    fn wait(&self) -> Result<()> {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            ensure!(
                begun.elapsed() < Duration::from_mins(1),
                "nats-server does not answer"
            );
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}
