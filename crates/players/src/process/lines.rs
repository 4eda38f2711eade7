//! The reading side of an engine: a thread that makes lines of bytes, and never takes more than it can hold.

use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
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
pub(crate) struct Lines {
    queue: Receiver<Heard>,
    waiting: Arc<AtomicUsize>,
}

impl Lines {
    /// Reads a source in a thread of its own, to its end.
    pub(crate) fn of(source: impl Read + Send + 'static) -> std::io::Result<Lines> {
        let (sender, queue) = sync_channel(MOST_LINES);
        let waiting = Arc::new(AtomicUsize::new(0));
        let reader = Reader {
            sender,
            waiting: Arc::clone(&waiting),
        };
        std::thread::Builder::new()
            .name("engine output".to_owned())
            .spawn(move || reader.read(BufReader::new(source)))?;
        Ok(Lines { queue, waiting })
    }

    /// The next line, if one comes in time.
    pub(crate) fn next(&self, deadline: Instant) -> Heard {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.queue.recv_timeout(left) {
            Ok(heard) => self.taken(heard),
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// A line that is there already.
    pub(crate) fn waiting(&self) -> Heard {
        match self.queue.try_recv() {
            Ok(heard) => self.taken(heard),
            Err(TryRecvError::Empty) => Heard::Silence,
            Err(TryRecvError::Disconnected) => Heard::End,
        }
    }

    fn taken(&self, heard: Heard) -> Heard {
        if let Heard::Line(line) = &heard {
            self.waiting.fetch_sub(line.text.len(), Ordering::Relaxed);
        }
        heard
    }
}

struct Reader {
    sender: SyncSender<Heard>,
    waiting: Arc<AtomicUsize>,
}

impl Reader {
    fn read(&self, mut source: impl BufRead) {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let mut limited = source.by_ref().take(LONGEST_LINE as u64 + 1);
            if limited.read_until(b'\n', &mut bytes).is_err() || bytes.is_empty() {
                return;
            }
            let at = Instant::now();
            if bytes.len() > LONGEST_LINE {
                return self.flood("a line without an end");
            }
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            if text.is_empty() {
                continue;
            }
            let waiting = self.waiting.fetch_add(text.len(), Ordering::Relaxed) + text.len();
            if waiting > MOST_BYTES || self.sender.try_send(Heard::Line(Line { at, text })).is_err() {
                return self.flood("more lines than can be read");
            }
        }
    }

    /// The last word, said when there is room for it. Then the pipe closes, and whoever writes into it finds out.
    fn flood(&self, what: &'static str) {
        let _ = self.sender.send(Heard::Flood(what));
    }
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
        assert!(count <= MOST_LINES, "{count}");
    }
}
