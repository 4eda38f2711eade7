//! How an engine is started, and how long it may take over things.

use std::path::PathBuf;
use std::time::Duration;

use super::EngineLog;

/// An external engine: the program, what it is told, and the timeouts one has with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs; here if not said.
    pub directory: Option<PathBuf>,
    /// Lines that it shows, by its option `MultiPV`; 0 and 1 leave that option alone.
    pub multipv: u32,
    /// Options to be set, by name.
    pub options: Vec<(String, String)>,
    /// Whether options that it does not offer are passed over instead of being an error.
    pub ignores_unknown_options: bool,
    /// Lines that are sent before everything else.
    pub initial_lines: Vec<String>,
    /// How long one waits.
    pub timeouts: Timeouts,
    /// Where what is said is written down; no part of what it is.
    pub log: Option<EngineLog>,
}

impl EngineCommand {
    /// A program without arguments and options.
    pub fn new(program: impl Into<PathBuf>) -> EngineCommand {
        EngineCommand {
            program: program.into(),
            ..EngineCommand::default()
        }
    }

    /// The same with one more argument.
    pub fn argument(mut self, argument: impl Into<String>) -> EngineCommand {
        self.arguments.push(argument.into());
        self
    }

    /// The same with one more option.
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> EngineCommand {
        self.options.push((name.into(), value.into()));
        self
    }
}

/// How long a game waits for an engine before it calls a silence a fault.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// From its start until it has introduced itself.
    pub start: Duration,
    /// From `isready` to `readyok`, or from `ping` to `pong`.
    pub ready: Duration,
    /// For a move under limits that are not of time; by the limit if not said.
    pub answer: Option<Duration>,
    /// Beyond the time it had for a move; after it, it is told to stop.
    pub overrun: Duration,
    /// From being told to stop until it answers.
    pub stop: Duration,
    /// From being told to quit until it is made to.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            answer: None,
            overrun: Duration::from_secs(1),
            stop: Duration::from_secs(2),
            quit: Duration::from_millis(500),
        }
    }
}
