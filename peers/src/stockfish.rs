//! Stockfish in a process of its own, asked to count with `go perft`.
//!
//! The measured time includes the way through the pipe, some microseconds against a second or more.
//! How a Stockfish was compiled changes its speed by half, so its own words about that are kept.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};

/// A running Stockfish, ended when it is dropped.
pub(crate) struct Stockfish {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    version: String,
}

/// Where an installed Stockfish may be; Debian keeps games off the search path of root.
const PLACES: [&str; 2] = ["stockfish", "/usr/games/stockfish"];

impl Stockfish {
    /// Starts the installed Stockfish, if there is one.
    pub(crate) fn find() -> Result<Option<Self>> {
        for index in PLACES {
            if let Ok(child) = spawn(Path::new(index)) {
                return Self::greet(child).map(Some);
            }
        }
        Ok(None)
    }

    /// Starts the program at `path`.
    pub(crate) fn start(path: &Path) -> Result<Self> {
        Self::greet(spawn(path).with_context(|| format!("cannot start {}", path.display()))?)
    }

    fn greet(mut child: Child) -> Result<Self> {
        let input = child.stdin.take().context("stockfish has no standard input")?;
        let output = BufReader::new(child.stdout.take().context("stockfish has no standard output")?);
        let mut engine = Self {
            child,
            input,
            output,
            version: String::new(),
        };
        let identity = engine.ask("uci", "uciok")?;
        let name = value_after(&identity, "id name ")
            .unwrap_or("unknown engine")
            .to_owned();
        let compiler = engine.ask("compiler\nisready", "readyok")?;
        let made_by = value_after(&compiler, "Compiled by ").unwrap_or("an unknown compiler");
        let settings = compiler
            .iter()
            .find_map(|line| {
                line.to_ascii_lowercase()
                    .contains("settings")
                    .then(|| line.split_once(':'))?
            })
            .map_or("unknown", |(_, settings)| settings.trim());
        engine.version = format!("{name}; {made_by}; {settings}");
        Ok(engine)
    }

    /// Its name, its compiler and the processor features that it uses.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// The number of legal move sequences of length `depth`.
    pub(crate) fn perft(&mut self, fen: &str, depth: u32) -> Result<u64> {
        const ANSWER: &str = "Nodes searched: ";
        let lines = self.ask(&format!("position fen {fen}\ngo perft {depth}"), ANSWER)?;
        let nodes = value_after(&lines, ANSWER).context("stockfish gave no count")?;
        nodes
            .parse()
            .with_context(|| format!("stockfish counts \"{nodes}\""))
    }

    /// Sends a command and returns the lines up to and with the one that starts with `last`.
    fn ask(&mut self, command: &str, last: &str) -> Result<Vec<String>> {
        writeln!(self.input, "{command}").context("stockfish does not listen")?;
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            ensure!(
                self.output.read_line(&mut line)? > 0,
                "stockfish ended during \"{command}\""
            );
            lines.push(line.trim_end().to_owned());
            if line.starts_with(last) {
                return Ok(lines);
            }
        }
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // It ends by itself once its input is closed; the answer to a failure is the same.
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}

fn spawn(path: &Path) -> std::io::Result<Child> {
    Command::new(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
}

fn value_after<'a>(lines: &'a [String], start: &str) -> Option<&'a str> {
    lines
        .iter()
        .find_map(|line| line.strip_prefix(start))
        .map(str::trim)
}
