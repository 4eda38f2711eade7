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

/// Writes a file under a temporary name beside it and renames it when it is complete.
pub(crate) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    write_bytes(path, text.as_bytes())
}

/// The same for data that is no text.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let attempt = || -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // Temporary files are private; this one becomes a file like any other (the mask still applies).
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    attempt().with_context(|| format!("cannot write {}", path.display()))
}

/// Prints a line of help to standard error.
pub(crate) fn hint(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
