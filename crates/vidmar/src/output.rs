//! Where a command's answer goes: standard output or a file, whole or not at all.

use std::io::{self, StdoutLock, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;

/// Whether whoever reads standard output has gone (`| head`). That is not an error: the command ends quietly, whatever
/// became of the failed write on its way through other libraries (see `main`).
static READER_IS_GONE: AtomicBool = AtomicBool::new(false);

/// Whether whoever read standard output has seen enough.
pub(crate) fn reader_is_gone() -> bool {
    READER_IS_GONE.load(Ordering::Relaxed)
}

/// Standard output, which every command writes through. (A signal would end engines' runs and the server as well when one
/// of their own pipes closes; so SIGPIPE stays ignored.)
pub(crate) struct Stdout(StdoutLock<'static>);

pub(crate) fn stdout() -> Stdout {
    Stdout(io::stdout().lock())
}

impl Stdout {
    fn noted<T>(result: io::Result<T>) -> io::Result<T> {
        result.inspect_err(|error| {
            if error.kind() == io::ErrorKind::BrokenPipe {
                READER_IS_GONE.store(true, Ordering::Relaxed);
            }
        })
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Stdout::noted(self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Stdout::noted(self.0.flush())
    }
}

/// Prints data to standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.context("cannot write to standard output")
}

/// Prints a message to standard error. If nobody listens there, there is nobody to tell.
pub(crate) fn warn(message: &str) {
    let _ = writeln!(io::stderr(), "warning: {message}");
}

/// Prints why a command failed to standard error.
pub(crate) fn error(error: &anyhow::Error) {
    let _ = writeln!(io::stderr(), "error: {error:#}");
}

/// Writes a file, whole or not at all.
pub(crate) fn write_file(path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    vidmar_files::write(path, contents).with_context(|| format!("cannot write {}", path.display()))
}

/// The text of a CSV table.
pub(crate) fn csv_text(writer: csv::Writer<Vec<u8>>) -> anyhow::Result<String> {
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Prints a line of help to standard error.
pub(crate) fn hint(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
