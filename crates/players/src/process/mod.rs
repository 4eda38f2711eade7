//! An engine as a child process: lines out, lines in, and an end that is certain.
//!
//! The process leads a group of its own, so that whatever it starts ends with it, and a Ctrl-C at the terminal reaches
//! the runner alone. A [`Process`] that is dropped is killed with its group. If the runner itself is killed outright,
//! nobody is left to do so: then the engine finds the end of its input, at which engines quit; one that ignores that end
//! runs on. (Only the kernel could see to it, by a call between fork and exec that Rust counts as unsafe.)
//!
//! Both the pipe and the process are watched: an engine that has ended while something that it started holds its pipe open
//! would otherwise be waited for as if it thought. Whatever time this program itself was stopped is not the engine's
//! ([`Pauses`]).
//!
//! Writing cannot block for good: an engine is sent something new only after it has answered what came before, and one
//! question is far smaller than a pipe.

mod command;
mod lines;
mod log;
mod pauses;
mod settings;
mod wait;

use std::io::Write as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use command::{EngineCommand, Timeouts};
pub(crate) use lines::Line;
use lines::{Heard, Lines};
pub use log::{EngineLog, Log};
pub(crate) use pauses::Pauses;
pub(crate) use settings::{uci_settings, xboard_settings};
pub(crate) use wait::{Stop, Wait};

use crate::fault::{Fault, FaultKind};

/// How long a process whose pipe has closed may take to be seen as ended.
const EXIT_SEEN_WITHIN: Duration = Duration::from_millis(200);
/// How often a wait looks whether the process is still there.
const LOOK: Duration = Duration::from_millis(50);
/// What a process said before its end is read within this time.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// Bytes for one answer; all that an engine says about a move in an hour is less.
const MOST_FOR_AN_ANSWER: usize = 1 << 26;

/// A running engine.
pub(crate) struct Process {
    child: Child,
    /// None once it is to end.
    input: Option<ChildStdin>,
    lines: Lines,
    /// Bytes heard since the last question.
    heard: usize,
    /// When that was.
    asked: Instant,
    pauses: Arc<Pauses>,
    log: Option<EngineLog>,
}

impl Process {
    /// Starts a program.
    pub(crate) fn start(command: &EngineCommand) -> Result<Process, Fault> {
        let fault = |error: std::io::Error| {
            let program = command.program.display();
            Fault::new(FaultKind::Start, format!("{program}: {error}"))
        };
        let mut wanted = Command::new(&command.program);
        wanted
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(directory) = &command.directory {
            wanted.current_dir(directory);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut wanted, 0);
        let mut child = wanted.spawn().map_err(fault)?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("it was asked to be a pipe");
        let lines = match Lines::of(output) {
            Ok(lines) => lines,
            Err(error) => {
                kill_group(&mut child);
                let _ = child.wait();
                return Err(fault(error));
            }
        };
        let mut process = Process {
            child,
            input,
            lines,
            heard: 0,
            asked: Instant::now(),
            pauses: Pauses::watched(),
            log: command.log.clone(),
        };
        for line in &command.initial_lines {
            process.send(line)?;
        }
        Ok(process)
    }

    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line, or several with line ends between.
    pub(crate) fn send(&mut self, text: &str) -> Result<(), Fault> {
        let Some(input) = &mut self.input else {
            return Err(Fault::new(FaultKind::Crash, "it has ended"));
        };
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'\n');
        self.heard = 0;
        if let Some(log) = &self.log {
            log.sent(self.child.id(), text);
        }
        self.asked = Instant::now();
        match input.write_all(&bytes) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.crash("closed its input")),
        }
    }

    /// The next line; none if none comes in time.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<Option<Line>, Fault> {
        loop {
            if let Some(line) = self.look(self.extended(deadline))? {
                return Ok(Some(line));
            }
            if Instant::now() >= self.extended(deadline) {
                return Ok(None);
            }
        }
    }

    /// The same, but it comes back at the next look around.
    pub(crate) fn look(&mut self, deadline: Instant) -> Result<Option<Line>, Fault> {
        match self.lines.next(deadline.min(Instant::now() + LOOK)) {
            Heard::Line(line) => self.heard(line).map(Some),
            Heard::Silence => match peek_exit(&mut self.child) {
                Some(how) => self.last_words(&how).map(Some),
                None => Ok(None),
            },
            Heard::Flood(what) => Err(Fault::new(FaultKind::Flood, what)),
            Heard::End => Err(self.crash("closed its output")),
        }
    }

    fn heard(&mut self, line: Line) -> Result<Line, Fault> {
        self.note(&line);
        self.heard += line.text.len();
        if self.heard > MOST_FOR_AN_ANSWER {
            let detail = format!("more than {} MiB and no answer", MOST_FOR_AN_ANSWER >> 20);
            return Err(Fault::new(FaultKind::Flood, detail));
        }
        Ok(line)
    }

    fn note(&self, line: &Line) {
        if let Some(log) = &self.log {
            log.heard(self.child.id(), line.at, &line.text);
        }
    }

    /// The process has ended, its pipe is open: what it said before is still to be read.
    fn last_words(&mut self, how: &str) -> Result<Line, Fault> {
        match self.lines.next(Instant::now() + LAST_WORDS) {
            Heard::Line(line) => self.heard(line),
            Heard::Silence => {
                let detail = format!("ended with {how}, and what it started holds its output open");
                Err(Fault::new(FaultKind::Crash, detail))
            }
            Heard::Flood(what) => Err(Fault::new(FaultKind::Flood, what)),
            Heard::End => Err(self.crash("closed its output")),
        }
    }

    /// A deadline for an answer to the last question, later by the time in which this program was paused since.
    pub(crate) fn extended(&self, deadline: Instant) -> Instant {
        let paused = self.pauses.between(self.asked, Instant::now());
        deadline.checked_add(paused).unwrap_or(deadline)
    }

    /// The time that passed for the engine from one moment to another.
    pub(crate) fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        self.pauses.elapsed(from, to)
    }

    /// Passes over what was said unasked.
    pub(crate) fn forget_lines(&mut self) -> Result<(), Fault> {
        loop {
            match self.lines.waiting() {
                Heard::Line(line) => self.note(&line),
                Heard::Silence | Heard::End => return Ok(()),
                Heard::Flood(what) => return Err(Fault::new(FaultKind::Flood, what)),
            }
        }
    }

    /// Asks it to quit, and ends it if it does not.
    pub(crate) fn quit(mut self, timeouts: Duration) {
        let _ = self.send("quit");
        self.input = None;
        let deadline = Instant::now() + timeouts;
        while matches!(self.lines.next(deadline), Heard::Line(_)) {}
    }

    /// A pipe has closed: what became of the process?
    fn crash(&mut self, what: &str) -> Fault {
        let deadline = Instant::now() + EXIT_SEEN_WITHIN;
        loop {
            if let Some(how) = peek_exit(&mut self.child) {
                return Fault::new(FaultKind::Crash, format!("ended with {how}"));
            }
            if Instant::now() >= deadline {
                return Fault::new(FaultKind::Crash, format!("{what} and runs on"));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The group goes first: while its leader is not waited for, no other process can have its number.
        kill_group(&mut self.child);
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = Pid::from_child(child);
    // What is gone already needs no killing.
    let _ = kill_process_group(group, Signal::KILL);
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

/// How a process has ended, if it has; it stays to be waited for.
#[cfg(unix)]
fn peek_exit(child: &mut Child) -> Option<String> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(Pid::from_child(child)), options).ok()??;
    Some(match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (_, Some(signal)) => format!("signal {signal}"),
        _ => "an unknown status".to_owned(),
    })
}

#[cfg(not(unix))]
fn peek_exit(child: &mut Child) -> Option<String> {
    let status = child.try_wait().ok()??;
    Some(status.to_string())
}

/// A line parted after its first word.
pub(crate) fn first_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}
