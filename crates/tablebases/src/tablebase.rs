//! One tablebase in memory and on disk.
//!
//! Five values make a byte (3⁵ = 243), 64 bytes a block of 320 positions, and equal blocks are kept once: most of an
//! ending is won or drawn throughout. Numbers that no position has take whatever value makes their block like others.
//!
//! The file, all numbers little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 0–7 | `VIDMARWD` |
//! | 8–11 | version, 1 |
//! | 12–27 | the ending's name, filled up with zeros |
//! | 28–31 | sides: 2, or 1 if both sides have the same pieces (then only "White to move" is kept) |
//! | 32–35 | numbers of positions for each side |
//! | 36–39 | different blocks |
//! | 40–63 | lost, drawn and won positions with White to move, then with Black to move (zeros if `sides` is 1) |
//! | 64– | for each side, for each block of its positions, the index of the block (4 bytes) |
//! | … | the different blocks, 64 bytes each |
//! | last 4 | CRC-32 (IEEE) of everything before |

use std::collections::HashMap;

use thiserror::Error;
use vidmar_text::Excerpt;

use crate::ending::{Ending, EndingError};
use crate::layout::Layout;
use crate::wdl::Wdl;

/// The value of a number, if a position has it.
pub(crate) type Cell = Option<Wdl>;

const MAGIC: &[u8; 8] = b"VIDMARWD";
const VERSION: u32 = 1;
const HEADER: usize = 64;
const CHECKSUM: usize = 4;
const NAME: std::ops::Range<usize> = 12..28;
const VALUES_IN_BYTE: usize = 5;
const BLOCK_BYTES: usize = 64;
const BLOCK: usize = VALUES_IN_BYTE * BLOCK_BYTES;

/// How many positions a side to move loses, draws and wins.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lost positions.
    pub losses: u32,
    /// Drawn positions.
    pub draws: u32,
    /// Won positions.
    pub wins: u32,
}

/// Why a file is no tablebase.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    /// Not one of ours at all.
    #[error("not a tablebase: it begins with {0} instead of VIDMARWD")]
    Magic(Excerpt),
    /// From another time.
    #[error("format version {0} (expected {VERSION})")]
    Version(u32),
    /// The name inside.
    #[error("the name inside: {0}")]
    Name(#[from] EndingError),
    /// A part is missing or too much.
    #[error("{found} bytes (expected {expected})")]
    Length {
        /// What the file has.
        found: usize,
        /// What the header promises.
        expected: usize,
    },
    /// Some bit has changed.
    #[error("checksum {found:08x} (expected {expected:08x}): the file is damaged")]
    Checksum {
        /// Of the bytes as they are.
        found: u32,
        /// As it was written.
        expected: u32,
    },
    /// The checksum is right and the contents are not: made by something else.
    #[error("{0}")]
    Contents(&'static str),
}

/// The values of an ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tablebase {
    ending: Ending,
    counts: [Counts; 2],
    sides: usize,
    /// Positions for each side.
    len: usize,
    /// For each side and block, where its bytes are.
    indices: Vec<u32>,
    blocks: Vec<u8>,
}

impl Tablebase {
    /// Packs the values of one or two sides.
    pub(crate) fn pack(ending: Ending, sides: &[Vec<Cell>]) -> Tablebase {
        let mut tablebase = Tablebase {
            ending,
            counts: [Counts::default(); 2],
            sides: sides.len(),
            len: sides[0].len(),
            indices: Vec::new(),
            blocks: Vec::new(),
        };
        let mut known: HashMap<[u8; BLOCK_BYTES], u32> = HashMap::new();
        for (side, cells) in sides.iter().enumerate() {
            tablebase.counts[side] = count(cells);
            for block in cells.chunks(BLOCK) {
                let bytes = packed(block);
                let index = *known.entry(bytes).or_insert_with(|| {
                    tablebase.blocks.extend(bytes);
                    (tablebase.blocks.len() / BLOCK_BYTES - 1) as u32
                });
                tablebase.indices.push(index);
            }
        }
        tablebase
    }

    /// The ending.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// What its positions are worth to the side to move: first with the stronger side to move, then with the weaker. If
    /// both have the same pieces there is only the first.
    pub fn counts(&self) -> &[Counts] {
        &self.counts[..self.sides]
    }

    /// The value of a number, one that a position has.
    #[inline]
    pub(crate) fn get(&self, side: usize, number: u32) -> Wdl {
        let number = number as usize;
        let index = self.indices[side * self.len.div_ceil(BLOCK) + number / BLOCK] as usize;
        let byte = self.blocks[index * BLOCK_BYTES + number % BLOCK / VALUES_IN_BYTE];
        Wdl::ALL[usize::from(DIGITS[usize::from(byte)][number % VALUES_IN_BYTE])]
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.file_len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        let mut name = [0; NAME.end - NAME.start];
        let text = self.ending.to_string();
        name[..text.len()].copy_from_slice(text.as_bytes());
        bytes.extend(name);
        let different = self.blocks.len() / BLOCK_BYTES;
        for number in [self.sides, self.len, different] {
            bytes.extend((number as u32).to_le_bytes());
        }
        for Counts { losses, draws, wins } in self.counts {
            for number in [losses, draws, wins] {
                bytes.extend(number.to_le_bytes());
            }
        }
        debug_assert_eq!(bytes.len(), HEADER);
        bytes.extend(self.indices.iter().flat_map(|index| index.to_le_bytes()));
        bytes.extend(&self.blocks);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// How long its file is.
    pub fn file_len(&self) -> usize {
        HEADER + 4 * self.indices.len() + self.blocks.len() + CHECKSUM
    }

    /// Reads the bytes of a file and checks all of them, so that no later look-up can fail.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tablebase, FileError> {
        let length = |expected| FileError::Length {
            found: bytes.len(),
            expected,
        };
        if !bytes.starts_with(MAGIC) {
            let start = &bytes[..bytes.len().min(MAGIC.len())];
            return Err(FileError::Magic(format!("{start:?}").as_str().into()));
        }
        if bytes.len() < HEADER + CHECKSUM {
            return Err(length(HEADER + CHECKSUM));
        }
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        if word(8) != VERSION {
            return Err(FileError::Version(word(8)));
        }
        let (body, _) = bytes.split_at(bytes.len() - CHECKSUM);
        let (found, expected) = (crc32fast::hash(body), word(body.len()));
        let name = String::from_utf8_lossy(&bytes[NAME]);
        let ending: Ending = name.trim_end_matches('\0').parse()?;
        let sides = if ending.is_symmetric() { 1 } else { 2 };
        let len = Layout::new(ending).len();
        if [word(28) as usize, word(32) as usize] != [sides, len] {
            return Err(FileError::Contents("the header does not fit the ending"));
        }
        let indices_end = HEADER + 4 * sides * len.div_ceil(BLOCK);
        let promised = indices_end + BLOCK_BYTES * word(36) as usize + CHECKSUM;
        if bytes.len() != promised {
            return Err(length(promised));
        }
        if found != expected {
            return Err(FileError::Checksum { found, expected });
        }
        let counts = [40, 52].map(|at| Counts {
            losses: word(at),
            draws: word(at + 4),
            wins: word(at + 8),
        });
        let tablebase = Tablebase {
            ending,
            counts,
            sides,
            len,
            indices: (HEADER..indices_end).step_by(4).map(word).collect(),
            blocks: body[indices_end..].to_vec(),
        };
        if tablebase.indices.iter().any(|&index| index >= word(36)) {
            return Err(FileError::Contents("a block is missing"));
        }
        if tablebase
            .blocks
            .iter()
            .any(|&byte| usize::from(byte) >= DIGITS_USED)
        {
            return Err(FileError::Contents("a byte is not five values"));
        }
        Ok(tablebase)
    }
}

fn count(cells: &[Cell]) -> Counts {
    let mut counts = Counts::default();
    for cell in cells.iter().flatten() {
        match cell {
            Wdl::Loss => counts.losses += 1,
            Wdl::Draw => counts.draws += 1,
            Wdl::Win => counts.wins += 1,
        }
    }
    counts
}

/// A block as bytes. Cells without a value take that of the cell before, or of the first that has one: a block of
/// one value stays a block of one value.
fn packed(cells: &[Cell]) -> [u8; BLOCK_BYTES] {
    let mut last = cells.iter().flatten().next().copied().unwrap_or(Wdl::Draw);
    let mut bytes = [0; BLOCK_BYTES];
    let filled = cells
        .iter()
        .chain(std::iter::repeat(&None))
        .take(BLOCK)
        .map(|cell| {
            last = cell.unwrap_or(last);
            last as u8
        });
    for (index, digit) in filled.enumerate() {
        bytes[index / VALUES_IN_BYTE] += digit * POWERS[index % VALUES_IN_BYTE];
    }
    bytes
}

const POWERS: [u8; VALUES_IN_BYTE] = [1, 3, 9, 27, 81];
const DIGITS_USED: usize = 243;

/// The five values of every byte.
static DIGITS: [[u8; VALUES_IN_BYTE]; 256] = digits();

const fn digits() -> [[u8; VALUES_IN_BYTE]; 256] {
    let mut digits = [[0; VALUES_IN_BYTE]; 256];
    let mut byte = 0;
    while byte < DIGITS_USED {
        let mut index = 0;
        while index < VALUES_IN_BYTE {
            digits[byte][index] = byte as u8 / POWERS[index] % 3;
            index += 1;
        }
        byte += 1;
    }
    digits
}
