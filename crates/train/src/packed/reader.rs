//! Reading packed games, chunk by chunk.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use super::chunk::{CHUNK_HEAD, Chunk, ChunkHead, LARGEST_CHUNK};
use super::error::{Flaw, PackedError};
use super::{HEAD, LONGEST_DESCRIPTION, MAGIC, VERSION};

/// Reads packed games chunk by chunk: never more than one of them is in memory.
#[derive(Debug)]
pub struct PackedReader {
    path: PathBuf,
    file: BufReader<File>,
    description: String,
    /// Where the next chunk begins.
    offset: u64,
    /// Where the file ends.
    end: u64,
}

impl PackedReader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<PackedReader, PackedError> {
        let file = File::open(path).map_err(PackedError::io(path))?;
        PackedReader::new(path, file)
    }

    pub(super) fn new(path: &Path, file: File) -> Result<PackedReader, PackedError> {
        let end = file.metadata().map_err(PackedError::io(path))?.len();
        let mut file = BufReader::new(file);
        let mut head = [0; HEAD];
        file.read_exact(&mut head)
            .map_err(|_| PackedError::Magic(path.to_owned()))?;
        if head[..8] != *MAGIC {
            return Err(PackedError::Magic(path.to_owned()));
        }
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        if number(8) != VERSION {
            return Err(PackedError::Version {
                path: path.to_owned(),
                version: number(8),
            });
        }
        let damaged = || PackedError::Description(path.to_owned());
        let length = number(12) as usize;
        if length > LONGEST_DESCRIPTION {
            return Err(damaged());
        }
        let mut description = vec![0; length];
        file.read_exact(&mut description).map_err(|_| damaged())?;
        if crc32fast::hash(&description) != number(16) {
            return Err(damaged());
        }
        Ok(PackedReader {
            path: path.to_owned(),
            file,
            description: String::from_utf8(description).map_err(|_| damaged())?,
            offset: (HEAD + length) as u64,
            end,
        })
    }

    /// What whoever played the games says of them: JSON.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the next chunk begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes behind the last whole chunk, once there are no more chunks: what a killed writer left.
    pub fn unfinished(&self) -> u64 {
        self.end - self.offset
    }

    /// Goes to the chunk at an offset that [`offset`](PackedReader::offset) gave.
    pub fn seek(&mut self, offset: u64) -> Result<(), PackedError> {
        // A seek of the buffered reader by the difference keeps what it has read ahead.
        let by = offset as i64 - self.offset as i64;
        self.file.seek_relative(by).map_err(PackedError::io(&self.path))?;
        self.offset = offset;
        Ok(())
    }

    /// The next chunk; none at the end, or where only the rest of one is left.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk>, PackedError> {
        let begin = self.offset;
        let left = self.end.saturating_sub(begin);
        if left < CHUNK_HEAD as u64 {
            return Ok(None);
        }
        let mut head = [0; CHUNK_HEAD];
        self.file
            .read_exact(&mut head)
            .map_err(PackedError::io(&self.path))?;
        let head = ChunkHead::read(head);
        let length = (CHUNK_HEAD + head.length) as u64;
        if length > left && head.length <= LARGEST_CHUNK {
            return self.stay(begin);
        }
        if head.length > LARGEST_CHUNK {
            return Err(self.damaged(begin, Flaw::Number));
        }
        let mut bytes = vec![0; head.length];
        self.file
            .read_exact(&mut bytes)
            .map_err(PackedError::io(&self.path))?;
        match Chunk::checked(&head, bytes) {
            Ok(chunk) => {
                self.offset = begin + length;
                Ok(Some(chunk))
            }
            // The last one may have been half-written in the place of a shorter one.
            Err(_) if length == left => self.stay(begin),
            Err(flaw) => Err(self.damaged(begin, flaw)),
        }
    }

    /// What lies here is no whole chunk, and the last one.
    fn stay(&mut self, begin: u64) -> Result<Option<Chunk>, PackedError> {
        self.file
            .seek(SeekFrom::Start(begin))
            .map_err(PackedError::io(&self.path))?;
        Ok(None)
    }

    /// What is wrong with a chunk.
    pub fn damaged(&self, offset: u64, flaw: Flaw) -> PackedError {
        PackedError::Damaged {
            path: self.path.clone(),
            offset,
            flaw,
        }
    }
}
