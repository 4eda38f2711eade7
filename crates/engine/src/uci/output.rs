//! Whole lines to the other side, from whichever thread.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<Channel>>);

struct Channel {
    writer: Box<dyn Write + Send>,
    /// After the first failure nothing more is tried.
    failure: Option<io::Error>,
    is_broken: bool,
}

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(Channel {
            writer: Box::new(writer),
            failure: None,
            is_broken: false,
        })))
    }

    /// A line, and it goes out now.
    pub(super) fn line(&self, line: &str) {
        let mut channel = self.channel();
        if channel.is_broken {
            return;
        }
        let writer = &mut channel.writer;
        if let Err(error) = writeln!(writer, "{line}").and_then(|()| writer.flush()) {
            channel.is_broken = true;
            channel.failure = Some(error);
        }
    }

    /// Some lines at once.
    pub(super) fn text(&self, text: &str) {
        self.line(text.trim_end());
    }

    /// One line about something that was not understood.
    pub(super) fn complain(&self, message: &str) {
        self.line(&format!("info string {message}"));
    }

    /// The first failure to write.
    pub(super) fn check(&self) -> io::Result<()> {
        self.channel().failure.take().map_or(Ok(()), Err)
    }

    fn channel(&self) -> MutexGuard<'_, Channel> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
