//! Programs that runs bring along, for a worker whose owner accepts them (`--accept-binaries`): whoever may write to the server runs
//! programs on this machine then, with the rights of the worker.
//!
//! A program is started only after all of it is here and its SHA-256 is the one that the tasks name. It lies in a folder that nobody
//! else can look into and that ends with the worker; what one program and all of them take is bounded.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::jetstream::object_store::{Object, ObjectStore};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use thiserror::Error;
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::engines::EngineRef;
use crate::error::FleetError;
use crate::protocol::{Binary, LARGEST_BINARY, shortened};

/// Bytes of all programs that a worker holds.
const MOST_BYTES: u64 = 4 * LARGEST_BINARY;
/// How long the server may be silent.
const SILENCE: Duration = Duration::from_secs(10);

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum BinaryError {
    #[error("{engine} is offered with {bytes} bytes, where {LARGEST_BINARY} are the most that is accepted")]
    TooLarge { engine: String, bytes: u64 },
    #[error("{engine} is not accepted: with it the programs of runs would take more than {MOST_BYTES} bytes")]
    TooMuch { engine: String },
    #[error("what is offered as {engine} is another program (SHA-256 {found}), and is not run")]
    OtherContent { engine: String, found: String },
    #[error("{0}: no SHA-256 of a program")]
    Digest(String),
    #[error("{engine} cannot be fetched: {reason}")]
    Trouble { engine: String, reason: String },
}

impl BinaryError {
    /// Whether another attempt would come to the same.
    pub(super) fn is_final(&self) -> bool {
        !matches!(self, BinaryError::Trouble { .. })
    }
}

/// The programs that were fetched.
pub(super) struct Binaries {
    folder: TempDir,
    bytes: Mutex<u64>,
}

impl Binaries {
    /// None yet, and a folder for them.
    pub(super) fn new() -> Result<Binaries, FleetError> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("vidmar-worker-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o700));
        }
        let folder = builder.tempdir().map_err(|error| FleetError::File {
            path: std::env::temp_dir(),
            reason: error.to_string(),
        })?;
        Ok(Binaries {
            folder,
            bytes: Mutex::new(0),
        })
    }

    /// Fetches a program; one at a time.
    pub(super) async fn fetch(
        &self,
        store: &ObjectStore,
        engine: &EngineRef,
        binary: &Binary,
    ) -> Result<PathBuf, BinaryError> {
        if !is_digest(&engine.sha256) {
            return Err(BinaryError::Digest(shortened(&engine.sha256)));
        }
        let mut taken = self.bytes.lock().await;
        bounded(engine, binary.bytes, *taken)?;
        let trouble = |error: &dyn std::fmt::Display| BinaryError::Trouble {
            engine: engine.to_string(),
            reason: shortened(&error.to_string()),
        };
        let found = timeout(SILENCE, store.get(&engine.sha256)).await;
        let object = found
            .map_err(|error| trouble(&error))?
            .map_err(|error| trouble(&error))?;
        bounded(engine, object.info().size as u64, *taken)?;
        let part = self.folder.path().join("part");
        let bytes = copy(object, engine, &part, *taken).await?;
        let whole = self.folder.path().join(&engine.sha256);
        allow(&part)
            .and_then(|()| std::fs::rename(&part, &whole))
            .map_err(|error| trouble(&error))?;
        *taken += bytes;
        Ok(whole)
    }
}

/// Whether it is a SHA-256 in hexadecimal digits: it becomes the name of a file.
fn is_digest(text: &str) -> bool {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 64 && text.bytes().all(is_hex)
}

/// Whether so many bytes more are accepted.
fn bounded(engine: &EngineRef, bytes: u64, taken: u64) -> Result<(), BinaryError> {
    let engine = engine.to_string();
    if bytes > LARGEST_BINARY {
        return Err(BinaryError::TooLarge { engine, bytes });
    }
    if taken + bytes > MOST_BYTES {
        return Err(BinaryError::TooMuch { engine });
    }
    Ok(())
}

/// Writes a program to a file that nobody can start; its size, if it is the one that is wanted.
async fn copy(mut object: Object, engine: &EngineRef, to: &Path, taken: u64) -> Result<u64, BinaryError> {
    let trouble = |reason: String| BinaryError::Trouble {
        engine: engine.to_string(),
        reason: shortened(&reason),
    };
    let mut file = File::create(to)
        .await
        .map_err(|error| trouble(error.to_string()))?;
    let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 17]);
    loop {
        let read = match timeout(SILENCE, object.read(&mut buffer)).await {
            Err(_) => return Err(trouble("no answer in time".to_owned())),
            // Half of it is not what was put there; the hash says so in its own words.
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::InvalidData => break,
            Ok(Err(error)) => return Err(trouble(error.to_string())),
            Ok(Ok(0)) => break,
            Ok(Ok(read)) => read,
        };
        bytes += read as u64;
        // Whatever was said of its size.
        bounded(engine, bytes, taken)?;
        hash.update(&buffer[..read]);
        let written = file.write_all(&buffer[..read]).await;
        written.map_err(|error| trouble(error.to_string()))?;
    }
    file.flush().await.map_err(|error| trouble(error.to_string()))?;
    let found = format!("{:x}", hash.finalize());
    if found == engine.sha256 {
        return Ok(bytes);
    }
    Err(BinaryError::OtherContent {
        engine: engine.to_string(),
        found,
    })
}

/// Lets the owner of the worker start a file, and nobody change it.
#[cfg(unix)]
fn allow(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o500))
}

/// Elsewhere every file may be started, and one that is read-only could not be removed with its folder.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as its twin")]
fn allow(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_bounded() {
        let engine = EngineRef {
            name: "e".to_owned(),
            sha256: "0".repeat(64),
            arguments: String::new(),
        };
        assert_eq!(bounded(&engine, LARGEST_BINARY, 0), Ok(()));
        let too_large = bounded(&engine, LARGEST_BINARY + 1, 0);
        assert!(matches!(too_large, Err(BinaryError::TooLarge { .. })));
        assert_eq!(bounded(&engine, 1, MOST_BYTES - 1), Ok(()));
        let too_much = bounded(&engine, 2, MOST_BYTES - 1);
        assert!(matches!(too_much, Err(BinaryError::TooMuch { .. })));
    }

    #[test]
    fn a_digest_is_no_path() {
        assert!(is_digest(&"0a".repeat(32)));
        for wrong in [
            "",
            "../../x",
            &"0A".repeat(32),
            &"0a".repeat(33),
            &"/.".repeat(32),
        ] {
            assert!(!is_digest(wrong), "{wrong}");
        }
    }
}
