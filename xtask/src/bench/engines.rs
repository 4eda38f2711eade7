//! `cargo xtask bench engines`: the speed of the engine, with its net and with the hand-crafted evaluation, beside other engines.
//!
//! Every engine searches the positions of `vidmar bench` as it would for a graphical interface, one thread, 16 MiB, each position
//! as a new game. Nodes a second: so long for a position, by the engine's own count, in interleaved rounds; the median of the rounds.
//! Instructions a node: so many plies a position under callgrind, less what the program takes to start and to clear its table.
//! Engines count differently what a node is.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use super::instructions::{build, collected};
use crate::cargo::command;
use crate::programs;

const ROUNDS: usize = 5;
const MOVE_TIME: u64 = 100;
/// Plies a position under callgrind, some fifty times as slow. Not nodes: engines last tell how many they have visited when a depth is done.
const DEPTH: u64 = 9;
/// Those that are measured unless others are named.
const OTHERS: [&str; 2] = ["ethereal-chess", "stockfish"];

/// An engine of the table.
struct Row {
    name: String,
    program: PathBuf,
    options: &'static [(&'static str, &'static str)],
    /// Nodes a second of each round.
    speeds: Vec<f64>,
}

pub(super) fn run_race(arguments: &[String]) -> Result<ExitCode> {
    let vidmar = build("vidmar", "--bin", "vidmar")?.join("vidmar");
    let positions = positions(&vidmar)?;
    let mut rows = Vec::new();
    rows.push(Row::new("vidmar", vidmar.clone(), &[]));
    rows.push(Row::new("vidmar, tuned", vidmar, &[("EvalFile", "tuned")]));
    if arguments.is_empty() {
        let found = |name: &&'static str| Some(Row::new(name, programs::find(name)?, &[]));
        rows.extend(OTHERS.iter().filter_map(found));
    } else {
        rows.extend(arguments.iter().map(|path| Row::new(path, path.into(), &[])));
    }
    for _ in 0..ROUNDS {
        for row in &mut rows {
            let mut engine = Engine::start(row, &[])?;
            let (mut nodes, mut milliseconds) = (0, 0);
            for fen in &positions {
                let searched = engine.search(fen, &format!("go movetime {MOVE_TIME}"))?;
                nodes += searched.nodes;
                milliseconds += searched.milliseconds;
            }
            engine.quit()?;
            row.speeds.push(nodes as f64 * 1e3 / milliseconds.max(1) as f64);
        }
    }
    println!("{:<20} {:>12} {:>20}", "", "nodes/s", "instructions a node");
    for row in &mut rows {
        row.speeds.sort_by(f64::total_cmp);
        let speed = row.speeds[ROUNDS / 2];
        let instructions = instructions(row, &positions)?;
        println!("{:<20} {speed:>12.0} {instructions:>20.0}", row.name);
    }
    Ok(ExitCode::SUCCESS)
}

impl Row {
    fn new(name: &str, program: PathBuf, options: &'static [(&'static str, &'static str)]) -> Row {
        Row {
            name: name.to_owned(),
            program,
            options,
            speeds: Vec::new(),
        }
    }
}

/// The positions of the bench, as it prints them.
fn positions(vidmar: &PathBuf) -> Result<Vec<String>> {
    let output = command(vidmar)
        .args(["bench", "--depth", "1", "--json"])
        .output()?;
    let bench: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("what the bench printed")?;
    let rows = bench["positions"]
        .as_array()
        .context("a bench without positions")?;
    let fen = |row: &serde_json::Value| Some(row["fen"].as_str()?.to_owned());
    rows.iter()
        .map(fen)
        .collect::<Option<_>>()
        .context("a position without FEN")
}

/// Instructions a node under callgrind.
fn instructions(row: &Row, positions: &[String]) -> Result<f64> {
    let valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"];
    let measure = |searches: bool| -> Result<(u64, u64)> {
        let mut engine = Engine::start(row, &valgrind)?;
        let mut nodes = 0;
        for fen in positions {
            if searches {
                nodes += engine.search(fen, &format!("go depth {DEPTH}"))?.nodes;
            } else {
                engine.new_game(fen)?;
            }
        }
        let log = engine.quit()?;
        Ok((
            collected(&log).with_context(|| format!("valgrind gave no count: {log}"))?,
            nodes,
        ))
    };
    let (idle, _) = measure(false)?;
    let (all, nodes) = measure(true)?;
    Ok(all.saturating_sub(idle) as f64 / nodes.max(1) as f64)
}

/// What an engine said last of a search.
#[derive(Default)]
struct Searched {
    nodes: u64,
    milliseconds: u64,
}

/// A UCI engine as a process.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    /// Starts it, behind the words of `wrapper`, and sets its options.
    fn start(row: &Row, wrapper: &[&str]) -> Result<Engine> {
        let mut start = match wrapper.split_first() {
            None => command(&row.program),
            Some((first, more)) => {
                let mut start = command(first);
                start.args(more).arg(&row.program).stderr(Stdio::piped());
                start
            }
        };
        let mut child = start
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", row.program.display()))?;
        let input = child.stdin.take().context("no input")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        let mut engine = Engine { child, input, output };
        engine.tell("uci")?;
        engine.wait("uciok")?;
        for (name, value) in [("Threads", "1"), ("Hash", "16")].iter().chain(row.options) {
            engine.tell(&format!("setoption name {name} value {value}"))?;
        }
        Ok(engine)
    }

    fn tell(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    /// Reads to the line that begins with that word; what the lines before said of a search.
    fn wait(&mut self, word: &str) -> Result<Searched> {
        let mut searched = Searched::default();
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the engine ended before it said {word}");
            }
            if line.split_whitespace().next() == Some(word) {
                return Ok(searched);
            }
            if let (Some(nodes), Some(milliseconds)) = (number(&line, "nodes"), number(&line, "time")) {
                searched = Searched { nodes, milliseconds };
            }
        }
    }

    fn new_game(&mut self, fen: &str) -> Result<()> {
        self.tell("ucinewgame")?;
        self.tell(&format!("position fen {fen}"))?;
        self.tell("isready")?;
        self.wait("readyok").map(drop)
    }

    fn search(&mut self, fen: &str, go: &str) -> Result<Searched> {
        self.new_game(fen)?;
        self.tell(go)?;
        self.wait("bestmove")
    }

    /// Ends it; what it said on its error output.
    fn quit(mut self) -> Result<String> {
        self.tell("quit")?;
        let output = self.child.wait_with_output()?;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// The number behind a word of an `info` line.
fn number(line: &str, name: &str) -> Option<u64> {
    let mut words = line.split_whitespace();
    words.next().filter(|&word| word == "info")?;
    words.find(|&word| word == name)?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_of_info_lines_are_read() {
        let line = "info depth 9 nodes 123456 time 78 pv e2e4";
        assert_eq!(number(line, "nodes"), Some(123_456));
        assert_eq!(number(line, "time"), Some(78));
        assert_eq!(number(line, "nps"), None);
        assert_eq!(number("bestmove e2e4", "nodes"), None);
    }
}
