//! How table files are read: small ones whole, large ones piece by piece.
//!
//! A probe reads a handful of bytes at several offsets of a file. From memory that costs nothing; from the system it is a
//! call each. The tables of up to five pieces are small enough to be kept; of the larger ones the system keeps what it can.

use std::io;
use std::path::{Path, PathBuf};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

/// The largest file that is kept in memory.
const SMALL: u64 = 16 << 20;

#[derive(Default)]
pub(super) struct Files {
    system: OsFilesystem,
}

impl Filesystem for Files {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.system.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        if self.regular_file_size(path)? > SMALL {
            return self.system.open(path);
        }
        Ok(Box::new(InMemory(std::fs::read(path)?)))
    }
}

/// A whole file.
struct InMemory(Vec<u8>);

impl RandomAccessFile for InMemory {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.0.get(offset..));
        let rest = rest.unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
