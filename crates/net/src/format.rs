//! The file format of nets. All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `VidmarNN` |
//! | 2 | version, 1 |
//! | 2 | hidden neurons *H*, a multiple of 32 from 32 to 1024 |
//! | 1 | output buckets *B*, 1 to 8 |
//! | 1 | king buckets: 0, or 1, 2, 4, 8 for so many sets of inputs *K*, each in a mirror where the own king stands on the right (0: *K* is 1) |
//! | 2 | scale: hundredths of a pawn for an output of 1.0 |
//! | 2 · 768 · *K* · *H* | input weights, `i16`: all of the first input, then all of the second, … |
//! | 2 · *H* | biases of the hidden neurons, `i16` |
//! | 2 · 2 · *H* · *B* | output weights, `i16`: for each bucket those of the side to move, then those of the other |
//! | 4 · *B* | output biases, `i32` |
//! | 4 | CRC-32 (IEEE) of all bytes before |
//!
//! A net of 256 hidden neurons without king buckets is 395 kB, the largest one 12.6 MB.

use crate::block::values;
use crate::error::NetworkError;
use crate::features::{Kings, MAX_KING_BUCKETS};
use crate::network::{MAX_BUCKETS, MAX_HIDDEN, Network, Parts, check_shape};

/// What every file begins with.
pub const MAGIC: [u8; 8] = *b"VidmarNN";
/// The version of the format.
pub const VERSION: u16 = 1;
/// The bytes of the largest net.
pub const MAX_BYTES: usize = match Kings::new(MAX_KING_BUCKETS) {
    Some(kings) => bytes(kings, MAX_HIDDEN, MAX_BUCKETS),
    None => 0,
};

const HEADER: usize = 16;
const CHECKSUM: usize = 4;

const fn bytes(kings: Kings, hidden: usize, buckets: usize) -> usize {
    HEADER + 2 * kings.inputs() * hidden + 2 * hidden + 4 * hidden * buckets + 4 * buckets + CHECKSUM
}

/// Whether bytes are meant as a net: they begin with [`MAGIC`].
pub fn is_network(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

impl Network {
    /// The net as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut file = Vec::with_capacity(bytes(self.kings, self.hidden(), self.buckets()));
        file.extend(MAGIC);
        let header = [
            VERSION,
            self.hidden() as u16,
            u16::from_le_bytes([self.buckets() as u8, self.kings.buckets() as u8]),
            self.scale as u16,
        ];
        file.extend(header.into_iter().flat_map(u16::to_le_bytes));
        for layer in [&self.feature_weights, &self.feature_biases, &self.output_weights] {
            file.extend(values(layer).flat_map(i16::to_le_bytes));
        }
        file.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        let checksum = crc32fast::hash(&file);
        file.extend(checksum.to_le_bytes());
        file
    }

    /// A number that tells nets apart: the checksum of the file.
    pub fn sum(&self) -> u32 {
        let file = self.to_bytes();
        crc32fast::hash(&file[..file.len() - size_of::<u32>()])
    }

    /// Reads a file.
    ///
    /// ```
    /// use vidmar_net::{Network, NetworkError};
    /// assert_eq!(Network::from_bytes(b"PawnValueOpening = 80"), Err(NetworkError::Magic));
    /// ```
    pub fn from_bytes(file: &[u8]) -> Result<Network, NetworkError> {
        if file.len() > MAX_BYTES {
            return Err(NetworkError::TooLarge);
        }
        if !is_network(file) {
            return Err(NetworkError::Magic);
        }
        let truncated = |expected| NetworkError::Truncated {
            found: file.len(),
            expected,
        };
        let (header, rest) = file
            .split_first_chunk::<HEADER>()
            .ok_or_else(|| truncated(HEADER))?;
        let field = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        if field(8) != VERSION {
            return Err(NetworkError::Version(field(8)));
        }
        let (hidden, buckets) = (usize::from(field(10)), usize::from(header[12]));
        let kings = usize::from(header[13]);
        let kings = Kings::new(kings).ok_or(NetworkError::KingBuckets(kings))?;
        let scale = i32::from(field(14));
        check_shape(hidden, buckets, scale)?;
        let expected = bytes(kings, hidden, buckets);
        let found = file.len();
        if found < expected {
            return Err(truncated(expected));
        }
        if found > expected {
            return Err(NetworkError::Size { found, expected });
        }
        check_checksum(file)?;
        let mut rest = rest;
        let mut halves = |count: usize| {
            let (part, after) = rest.split_at(2 * count);
            rest = after;
            let (pairs, _) = part.as_chunks::<2>();
            pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect()
        };
        let feature_weights = halves(kings.inputs() * hidden);
        let feature_biases = halves(hidden);
        let output_weights = halves(2 * hidden * buckets);
        let (words, _) = rest.as_chunks::<4>();
        Network::from_parts(&Parts {
            scale,
            kings,
            feature_weights,
            feature_biases,
            output_weights,
            output_biases: words[..buckets]
                .iter()
                .map(|&word| i32::from_le_bytes(word))
                .collect(),
        })
    }
}

fn check_checksum(file: &[u8]) -> Result<(), NetworkError> {
    let Some((contents, &written)) = file.split_last_chunk::<CHECKSUM>() else {
        return Ok(());
    };
    let (found, expected) = (crc32fast::hash(contents), u32::from_le_bytes(written));
    if found != expected {
        return Err(NetworkError::Checksum { found, expected });
    }
    Ok(())
}
