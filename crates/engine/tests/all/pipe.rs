//! A conversation with a server in the same process, over pipes in memory.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use vidmar_engine::uci::{ServeError, ServerSettings, serve};
use vidmar_engine::{FlagshipSettings, FlagshipThinker, Thinker};

/// Longer than anything here takes on the slowest machine.
const PATIENCE: Duration = Duration::from_mins(1);

struct Input {
    chunks: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            match self.chunks.recv() {
                Ok(chunk) => self.rest = chunk,
                Err(_) => return Ok(0),
            }
        }
        let count = buffer.len().min(self.rest.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// Sends whole lines on.
struct Output {
    lines: Sender<String>,
    partial: Vec<u8>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.partial)).expect("UTF-8");
                let _ = self.lines.send(line);
            } else {
                self.partial.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The other side of the server.
pub(crate) struct Talk {
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<String>,
    server: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Talk {
    pub(crate) fn new() -> Talk {
        let settings = FlagshipSettings {
            hash: 4,
            ..FlagshipSettings::default()
        };
        Talk::with(
            Box::new(FlagshipThinker::new(settings)),
            ServerSettings::default(),
        )
    }

    pub(crate) fn with(thinker: Box<dyn Thinker>, settings: ServerSettings) -> Talk {
        let (input, chunks) = mpsc::channel();
        let (sender, lines) = mpsc::channel();
        let server = thread::spawn(move || {
            let reader = BufReader::new(Input {
                chunks,
                rest: Vec::new(),
            });
            let writer = Output {
                lines: sender,
                partial: Vec::new(),
            };
            serve(reader, writer, thinker, settings)
        });
        Talk {
            input: Some(input),
            lines,
            server: Some(server),
        }
    }

    pub(crate) fn say(&self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn bytes(&self, bytes: &[u8]) {
        let input = self.input.as_ref().expect("not closed");
        input.send(bytes.to_vec()).expect("the server listens");
    }

    /// The next line.
    pub(crate) fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("an answer in time")
    }

    /// All lines up to one that begins like this, that one included.
    pub(crate) fn hear_until(&self, beginning: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.hear();
            heard.push(line);
            if heard.last().is_some_and(|line| line.starts_with(beginning)) {
                return heard;
            }
        }
    }

    /// The last line of what is said until one begins like this.
    pub(crate) fn wait_for(&self, beginning: &str) -> String {
        self.hear_until(beginning).pop().expect("at least that line")
    }

    /// Everything said in a span of time.
    pub(crate) fn hear_for(&self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut heard = Vec::new();
        while let Ok(line) = self
            .lines
            .recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            heard.push(line);
        }
        heard
    }

    /// `isready`, and everything that was said before the answer.
    pub(crate) fn sync(&self) -> Vec<String> {
        self.say("isready");
        let mut heard = self.hear_until("readyok");
        heard.pop();
        heard
    }

    /// Closes the input and waits for the end.
    pub(crate) fn close(mut self) -> (Vec<String>, Result<(), ServeError>) {
        self.input = None;
        let server = self.server.take().expect("closed once");
        let ended = server.join().expect("the server does not panic");
        (self.lines.try_iter().collect(), ended)
    }
}

/// The word after a word.
pub(crate) fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    words.find(|&other| other == word)?;
    words.next()
}
