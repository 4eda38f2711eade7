//! The reader's thread: input, whatever it holds, as lines of text.

use std::io::{BufRead, Read as _};
use std::sync::mpsc::Sender;

use super::Event;

/// A longer line is no command; a game of a thousand moves has ten thousand bytes.
const MAX_LINE: usize = 1 << 20;

/// Sends every line until the input ends or nobody listens. What is not UTF-8 is replaced.
pub(super) fn read(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input
            .by_ref()
            .take(MAX_LINE as u64 + 1)
            .read_until(b'\n', &mut bytes);
        if read.is_err() || bytes.is_empty() {
            let _ = events.send(Event::End);
            return;
        }
        let event = if bytes.len() > MAX_LINE && !bytes.ends_with(b"\n") {
            if input.skip_until(b'\n').is_err() {
                let _ = events.send(Event::End);
                return;
            }
            Event::Overlong
        } else {
            Event::Line(String::from_utf8_lossy(&bytes).into_owned())
        };
        if events.send(event).is_err() {
            return;
        }
    }
}
