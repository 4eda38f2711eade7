//! Where a command's answer goes: standard output or a file, whole or not at all.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context as _;

/// Prints data to standard output. A reader that has seen enough (`| head`) is not an error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to standard output"),
    }
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
