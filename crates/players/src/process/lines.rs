//! The reading side of an engine: a thread that makes lines of bytes, and never takes more than it can hold.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A longer line is no line of any protocol.
const LONGEST_LINE: usize = 1 << 16;
/// Lines that may wait to be read.
const MOST_LINES: usize = 1 << 13;
/// Bytes that may wait to be read.
const MOST_BYTES: usize = 1 << 22;

/// A line and the time of its arrival.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) at: Instant,
    pub(crate) text: String,
}

/// What the reader says.
#[derive(Debug)]
pub(crate) enum Heard {
    Line(Line),
    /// It was too much: nothing more is read.
    Flood(&'static str),
    /// The other side has closed.
    End,
    /// Nothing until the time was over.
    Silence,
}

/// The lines of an engine.
pub(crate) struct Lines(Arc<Queue>);

/// What was read and not yet taken.
struct Queue {
    state: Mutex<State>,
    news: Condvar,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Line>,
    bytes: usize,
    end: Option<End>,
}

/// Why the reader has ended.
#[derive(Copy, Clone)]
enum End {
    Closed,
    Flood(&'static str),
}

impl Lines {
    /// Reads a source in a thread of its own, to its end.
    pub(crate) fn of(source: impl Read + Send + 'static) -> std::io::Result<Lines> {
        let queue = Arc::new(Queue {
            state: Mutex::default(),
            news: Condvar::new(),
        });
        let own = Arc::clone(&queue);
        std::thread::Builder::new()
            .name("engine output".to_owned())
            .spawn(move || {
                let end = own.fill(BufReader::new(source));
                own.state().end = Some(end);
                own.news.notify_one();
            })?;
        Ok(Lines(queue))
    }

    /// The next line, if one comes in time.
    pub(crate) fn next(&self, deadline: Instant) -> Heard {
        let mut state = self.0.state();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match state.take() {
                Heard::Silence if !left.is_zero() => {
                    let waited = self.0.news.wait_timeout(state, left);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                heard => return heard,
            }
        }
    }

    /// A line that is there already.
    pub(crate) fn waiting(&self) -> Heard {
        self.0.state().take()
    }
}

impl State {
    fn take(&mut self) -> Heard {
        match (self.lines.pop_front(), self.end) {
            (Some(line), _) => {
                self.bytes -= line.text.len();
                Heard::Line(line)
            }
            (None, Some(End::Closed)) => Heard::End,
            (None, Some(End::Flood(what))) => Heard::Flood(what),
            (None, None) => Heard::Silence,
        }
    }
}

impl Queue {
    /// A line is pushed whole or not at all, so a panic elsewhere does not spoil the queue.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fill(&self, mut source: impl BufRead) -> End {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let mut limited = source.by_ref().take(LONGEST_LINE as u64 + 1);
            if limited.read_until(b'\n', &mut bytes).is_err() || bytes.is_empty() {
                return End::Closed;
            }
            let at = Instant::now();
            if bytes.len() > LONGEST_LINE {
                return End::Flood("a line without an end");
            }
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            if text.is_empty() {
                continue;
            }
            let can_wait = is_thinking_aloud(&text);
            let mut state = self.state();
            state.bytes += text.len();
            state.lines.push_back(Line { at, text });
            if state.bytes > MOST_BYTES || state.lines.len() > MOST_LINES {
                return End::Flood("more lines than can be read");
            }
            drop(state);
            if !can_wait {
                self.news.notify_one();
            }
        }
    }
}

/// Lines about the engine's thoughts, in either protocol, wake nobody: they are read with the next line that matters, or
/// when the one who waits looks around. At short searches this halves the cost of listening.
fn is_thinking_aloud(text: &str) -> bool {
    text.starts_with("info ") || text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn heard(bytes: Vec<u8>) -> Vec<Heard> {
        let lines = Lines::of(std::io::Cursor::new(bytes)).unwrap();
        let mut all = Vec::new();
        loop {
            match lines.next(Instant::now() + Duration::from_secs(10)) {
                Heard::End => return all,
                heard => all.push(heard),
            }
            if matches!(all.last(), Some(Heard::Flood(_))) {
                return all;
            }
        }
    }

    #[test]
    fn lines_are_lines_whatever_their_ends_and_bytes() {
        let texts: Vec<String> = heard(b"uciok\r\n\n  info x \nna\xefve\nlast".to_vec())
            .into_iter()
            .map(|heard| match heard {
                Heard::Line(line) => line.text,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(texts, ["uciok", "info x", "na\u{fffd}ve", "last"]);
    }

    #[test]
    fn a_line_without_an_end_is_a_flood() {
        let long = vec![b'x'; LONGEST_LINE + 10];
        assert!(matches!(heard(long).as_slice(), [Heard::Flood(_)]));
        let mut fits = vec![b'x'; LONGEST_LINE - 1];
        fits.push(b'\n');
        assert!(matches!(heard(fits).as_slice(), [Heard::Line(_)]));
    }

    #[test]
    fn what_nobody_reads_is_not_kept() {
        let lines = Lines::of(std::io::Cursor::new(b"x\n".repeat(MOST_LINES + 100))).unwrap();
        std::thread::sleep(Duration::from_millis(200));
        let mut count = 0;
        loop {
            match lines.next(Instant::now() + Duration::from_secs(10)) {
                Heard::Line(_) => count += 1,
                Heard::Flood(_) => break,
                other => panic!("{other:?}"),
            }
        }
        assert!(count <= MOST_LINES + 1, "{count}");
    }
}
