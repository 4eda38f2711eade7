//! Why bytes or weights are not a net.

use thiserror::Error;

use crate::format::{MAX_BYTES, VERSION};
use crate::network::{MAX_BIAS, MAX_BUCKETS, MAX_HIDDEN, MAX_OUTPUT_WEIGHT, MAX_SCALE};

/// Why bytes or weights are not a net.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// It begins otherwise.
    #[error("not a net: it does not begin with 'VidmarNN'")]
    Magic,
    /// Made for another program.
    #[error("a net of format version {0} (this program reads version {VERSION})")]
    Version(u16),
    /// The number of hidden neurons.
    #[error("a net with {0} hidden neurons (expected a multiple of 32 from 32 to {MAX_HIDDEN})")]
    Hidden(usize),
    /// The number of output buckets.
    #[error("a net with {0} output buckets (expected 1 to {MAX_BUCKETS})")]
    Buckets(usize),
    /// The number of king buckets.
    #[error("a net with {0} king buckets (expected 0, 1, 2, 4 or 8)")]
    KingBuckets(usize),
    /// What the output is multiplied by.
    #[error("a net with the scale {0} (expected 1 to {MAX_SCALE})")]
    Scale(i32),
    /// The file ends too early.
    #[error("a truncated net: {found} bytes of {expected}")]
    Truncated {
        /// Bytes that are there.
        found: usize,
        /// Bytes that the header asks for.
        expected: usize,
    },
    /// The file goes on after its end.
    #[error("a net of the wrong size: {found} bytes (expected {expected} by its header)")]
    Size {
        /// Bytes that are there.
        found: usize,
        /// Bytes that the header asks for.
        expected: usize,
    },
    /// No net is so large.
    #[error("too large for a net: more than {MAX_BYTES} bytes")]
    TooLarge,
    /// The bytes have changed since they were written.
    #[error("a damaged net: its CRC-32 is {found:08x} and should be {expected:08x}")]
    Checksum {
        /// Of the bytes that are there.
        found: u32,
        /// As it was written.
        expected: u32,
    },
    /// More or fewer weights than the sizes ask for.
    #[error("{found} {part} (expected {expected})")]
    Count {
        /// Which weights.
        part: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A hidden value that 16 bits do not hold could come up.
    #[error("the sum of hidden neuron {neuron} can reach {reach}, which 16 bits do not hold")]
    HiddenSum {
        /// Its number, from 0.
        neuron: usize,
        /// The sum furthest from 0.
        reach: i32,
    },
    /// An output weight whose product with a hidden value 16 bits do not hold.
    #[error("output weight {index} is {value} (at most {MAX_OUTPUT_WEIGHT} either way)")]
    OutputWeight {
        /// Its number, from 0.
        index: usize,
        /// The weight.
        value: i16,
    },
    /// An output bias that is far beyond any score.
    #[error("output bias {index} is {value} (at most {MAX_BIAS} either way)")]
    OutputBias {
        /// Its number, from 0.
        index: usize,
        /// The bias.
        value: i32,
    },
    /// An output that 32 bits do not hold could come up.
    #[error("the sum of output bucket {bucket} can reach {reach}, which 32 bits do not hold")]
    OutputSum {
        /// Its number, from 0.
        bucket: usize,
        /// The sum furthest from 0.
        reach: i64,
    },
}
