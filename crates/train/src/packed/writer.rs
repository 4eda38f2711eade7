//! Writing packed games so that a killed writer loses nothing that was committed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::chunk::{Chunk, FULL_CHUNK, LARGEST_CHUNK};
use super::error::PackedError;
use super::game::PackedGame;
use super::reader::PackedReader;
use super::{MAGIC, VERSION};

/// Appends games to a file. Nobody else can while it is open.
#[derive(Debug)]
pub struct PackedWriter {
    path: PathBuf,
    file: File,
    /// The last chunk, which is not full, and where it begins.
    chunk: Chunk,
    offset: u64,
    /// Games in the file and in the chunk.
    games: u64,
    buffer: Vec<u8>,
}

impl PackedWriter {
    /// Opens a file to go on with it, or begins it. What a killed writer has left half-written is cut off. A file with another
    /// description is an error.
    pub fn open(path: &Path, description: &str) -> Result<PackedWriter, PackedError> {
        if !path.exists() {
            vidmar_files::write(path, head(description)).map_err(PackedError::io(path))?;
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(PackedError::io(path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(PackedError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(PackedError::io(path)(error)),
        }
        let mut reader = PackedReader::open(path)?;
        if reader.description() != description {
            return Err(PackedError::OtherDescription {
                path: path.to_owned(),
                found: reader.description().to_owned(),
                expected: description.to_owned(),
            });
        }
        let (mut games, mut last, mut begin) = (0, Chunk::default(), reader.offset());
        while let Some(chunk) = reader.next_chunk()? {
            games += u64::from(chunk.games());
            begin = reader.offset() - chunk.file_length();
            last = chunk;
        }
        file.set_len(reader.offset()).map_err(PackedError::io(path))?;
        if last.is_full() {
            (last, begin) = (Chunk::default(), reader.offset());
        }
        Ok(PackedWriter {
            path: path.to_owned(),
            file,
            chunk: last,
            offset: begin,
            games,
            buffer: Vec::new(),
        })
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many bytes the file has with all of them.
    pub fn bytes(&self) -> u64 {
        let rest = if self.chunk.games() == 0 {
            0
        } else {
            self.chunk.file_length()
        };
        self.offset + rest
    }

    /// Adds a game. It is safe once [`commit`](PackedWriter::commit) has returned.
    pub fn add(&mut self, game: &PackedGame) -> Result<(), PackedError> {
        self.buffer.clear();
        game.encode(&mut self.buffer);
        if self.buffer.len() > LARGEST_CHUNK - FULL_CHUNK {
            return Err(PackedError::TooLong(self.buffer.len()));
        }
        self.chunk.add(&self.buffer);
        self.games += 1;
        if self.chunk.is_full() {
            self.commit()?;
            self.offset += self.chunk.file_length();
            self.chunk = Chunk::default();
        }
        Ok(())
    }

    /// Hands all games to the system: from then on this process may be killed.
    pub fn commit(&mut self) -> Result<(), PackedError> {
        if self.chunk.games() > 0 {
            let bytes = self.chunk.to_file();
            let written = self
                .file
                .seek(SeekFrom::Start(self.offset))
                .and_then(|_| self.file.write_all(&bytes));
            written.map_err(PackedError::io(&self.path))?;
        }
        Ok(())
    }

    /// Commits, and waits until the disk has everything.
    pub fn finish(mut self) -> Result<(), PackedError> {
        self.commit()?;
        self.file.sync_all().map_err(PackedError::io(&self.path))
    }
}

/// What a file begins with.
fn head(description: &str) -> Vec<u8> {
    let length = (description.len() as u32).to_le_bytes();
    let checksum = crc32fast::hash(description.as_bytes()).to_le_bytes();
    [
        &MAGIC[..],
        &VERSION.to_le_bytes(),
        &length,
        &checksum,
        description.as_bytes(),
    ]
    .concat()
}
