//! Weights in blocks of a cache line, so that a vector register is filled by one aligned read.

/// Values in a block.
pub(crate) const LANES: usize = 32;

/// 32 values of 16 bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [i16; LANES]);

/// The values in blocks; their number is a multiple of [`LANES`].
pub(crate) fn blocks(values: &[i16]) -> Box<[Block]> {
    let (whole, rest) = values.as_chunks::<LANES>();
    debug_assert!(rest.is_empty(), "a layer fills its blocks");
    whole.iter().map(|&chunk| Block(chunk)).collect()
}

/// The values of blocks, one after another.
pub(crate) fn values(blocks: &[Block]) -> impl Iterator<Item = i16> {
    blocks.iter().flat_map(|block| block.0)
}
