//! The positions of packed games in one flat file, for trainers that want them in memory: `crates/train/gpu/train.py` puts them on a graphics card.
//!
//! | bytes | what; all numbers little-endian |
//! | --- | --- |
//! | 8 | `VidmarSA` |
//! | 4, 4 | version, 1; bytes of a position, 32 |
//! | 8, 8, 8 | positions of games to learn from; positions near them, with a teacher's scores; positions of other games, to validate with |
//! | 32 each | the positions, in this order |
//! | 4 | CRC-32 (IEEE) of all bytes before |
//!
//! | bytes of a position | what, seen by the side to move, who plays up the board |
//! | --- | --- |
//! | 8 | squares with pieces, a1 the lowest bit |
//! | 16 | what stands there, in the order of the squares, four bits each, the lower half of a byte first: own pawn, knight, bishop, rook, queen, king 0 to 5, the other side's 6 to 11 |
//! | 2 | its score in hundredths of a pawn, `i16` |
//! | 1 | what it got, in half points |
//! | 1 | 1 if nobody may castle, so that the mirror image is worth the same |
//! | 4 | 0 |

use std::io::{self, Write};

use thiserror::Error;
use vidmar_engine::Control;

use crate::dataset::{Dataset, DatasetError};
use crate::nearby::Teacher;
use crate::sample::{SAMPLE_BYTES, Sample};

/// What every file begins with.
pub const MAGIC: [u8; 8] = *b"VidmarSA";
/// The version of the format.
pub const VERSION: u32 = 1;
/// Positions that are made at a time.
const BATCH: usize = 1 << 16;

/// Why there is no file.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The games cannot be read.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// Somebody said stop.
    #[error("stopped")]
    Stopped,
}

/// Positions near those of games, with the scores of a teacher: so many for each of theirs.
#[derive(Debug)]
pub struct Nearby {
    /// Who says what they are worth.
    pub teacher: Teacher,
    /// How many for each position of a game.
    pub epochs: u64,
}

/// Writes all positions; `observe` hears how many there are so far. The order is random and depends on the games and the seed alone.
pub fn export(
    dataset: &Dataset,
    nearby: &Nearby,
    control: &Control,
    out: &mut dyn Write,
    observe: &mut dyn FnMut(u64),
) -> Result<(), ExportError> {
    let counts = dataset.counts();
    let mut out = Summed {
        out,
        sum: crc32fast::Hasher::new(),
    };
    out.write_all(&MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&(SAMPLE_BYTES as u32).to_le_bytes())?;
    for count in [
        counts.training,
        counts.training * nearby.epochs,
        counts.validation,
    ] {
        out.write_all(&count.to_le_bytes())?;
    }
    let mut written = 0;
    let mut write = |batch: Vec<Sample>| -> Result<(), ExportError> {
        if control.is_stopped() {
            return Err(ExportError::Stopped);
        }
        let bytes: Vec<u8> = batch.iter().flat_map(|sample| sample.to_bytes()).collect();
        out.write_all(&bytes)?;
        written += batch.len() as u64;
        observe(written);
        Ok(())
    };
    for epoch in 0..=nearby.epochs {
        let teacher = (epoch > 0).then_some(&nearby.teacher);
        let mut batches = dataset.epoch(epoch, BATCH, false, teacher);
        while let Some(batch) = batches.next()? {
            write(batch)?;
        }
    }
    let mut batches = dataset.validation(BATCH);
    while let Some(batch) = batches.next()? {
        write(batch)?;
    }
    let sum = out.sum.clone().finalize();
    out.write_all(&sum.to_le_bytes())?;
    Ok(())
}

/// Sums what passes.
struct Summed<'a> {
    out: &'a mut dyn Write,
    sum: crc32fast::Hasher,
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
