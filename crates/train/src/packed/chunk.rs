//! A run of games with a checksum.

use super::error::Flaw;
use super::game::{PackedGame, Replayed, replay};

/// A chunk is full once its games take so many bytes.
pub const FULL_CHUNK: usize = 1 << 15;
/// The most bytes that games of a chunk may take: the last one may go beyond [`FULL_CHUNK`].
pub const LARGEST_CHUNK: usize = 1 << 20;
/// Length, games, checksum.
pub(super) const CHUNK_HEAD: usize = 12;

/// The games of a chunk, as they lie in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    bytes: Vec<u8>,
    games: u32,
}

/// The beginning of a chunk.
pub(super) struct ChunkHead {
    pub(super) length: usize,
    games: u32,
    checksum: u32,
}

impl Chunk {
    /// How many games there are.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Adds a game.
    pub(super) fn add(&mut self, game: &[u8]) {
        self.bytes.extend_from_slice(game);
        self.games += 1;
    }

    /// Whether the next game belongs to another chunk.
    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() >= FULL_CHUNK
    }

    /// Its bytes in the file.
    pub(super) fn to_file(&self) -> Vec<u8> {
        let length = (self.bytes.len() as u32).to_le_bytes();
        let games = self.games.to_le_bytes();
        let checksum = checksum(length, games, &self.bytes).to_le_bytes();
        [&length[..], &games, &checksum, &self.bytes].concat()
    }

    /// How many bytes it takes in the file.
    pub(super) fn file_length(&self) -> u64 {
        (CHUNK_HEAD + self.bytes.len()) as u64
    }

    /// A chunk from its head and bytes.
    pub(super) fn checked(head: &ChunkHead, bytes: Vec<u8>) -> Result<Chunk, Flaw> {
        let length = (bytes.len() as u32).to_le_bytes();
        if checksum(length, head.games.to_le_bytes(), &bytes) != head.checksum {
            return Err(Flaw::Checksum);
        }
        Ok(Chunk {
            bytes,
            games: head.games,
        })
    }

    /// Shows every move of every game, in order, with the game's index in the chunk.
    pub fn replay(&self, mut visit: impl FnMut(u32, &Replayed<'_>)) -> Result<(), Flaw> {
        let mut rest = &self.bytes[..];
        for index in 0..self.games {
            replay(&mut rest, |replayed| visit(index, replayed))?;
        }
        if rest.is_empty() { Ok(()) } else { Err(Flaw::Long) }
    }

    /// Its games.
    pub fn decode(&self) -> Result<Vec<PackedGame>, Flaw> {
        let mut rest = &self.bytes[..];
        let games: Result<Vec<_>, _> = (0..self.games).map(|_| PackedGame::decode(&mut rest)).collect();
        let games = games?;
        if rest.is_empty() {
            Ok(games)
        } else {
            Err(Flaw::Long)
        }
    }
}

impl ChunkHead {
    pub(super) fn read(bytes: [u8; CHUNK_HEAD]) -> ChunkHead {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        ChunkHead {
            length: number(0) as usize,
            games: number(4),
            checksum: number(8),
        }
    }
}

fn checksum(length: [u8; 4], games: [u8; 4], bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length);
    hasher.update(&games);
    hasher.update(bytes);
    hasher.finalize()
}
