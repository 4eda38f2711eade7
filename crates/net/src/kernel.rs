//! The two sums that a net consists of: a hidden layer changed by a few pieces, and a hidden layer weighed for the output.
//!
//! They are written once, in plain Rust over blocks of a cache line, and compiled for four kinds of processor (the second by hand for
//! two of them); which one runs is decided at run time. The portable one is what a test holds the others equal to, and what other processors than x86-64 use, whose
//! vectors need no asking (NEON belongs to every 64-bit ARM).

use std::fmt;

use crate::block::{Block, LANES};
use crate::network::QA;

/// One of the ways to compute the sums; all give the same numbers.
#[derive(Copy, Clone)]
pub struct Kernel {
    name: &'static str,
    change: Change,
    sum: Sum,
}

/// Writes a hidden layer: another one, or else the same one, with the weights of some inputs added and of others taken away.
type Change = fn(&mut [Block], Option<&[Block]>, &[&[Block]], &[&[Block]]);

/// The hidden values, limited to 0..=[`QA`], squared, weighed and added up.
type Sum = fn(&[Block], &[Block]) -> i32;

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Kernel {
    /// For any processor.
    pub const PORTABLE: Kernel = Kernel {
        name: "portable",
        change: |to, from, added, removed| change(to, from, added, removed),
        sum: |layer, weights| sum(layer, weights),
    };

    /// Those that run on this machine, the best first.
    pub fn all() -> impl Iterator<Item = Kernel> {
        for_processor::kernels()
            .into_iter()
            .flatten()
            .chain([Kernel::PORTABLE])
    }

    /// The best that runs on this machine.
    pub fn best() -> Kernel {
        Kernel::all().next().unwrap_or(Kernel::PORTABLE)
    }

    /// What it is compiled for.
    pub fn name(self) -> &'static str {
        self.name
    }

    #[inline]
    pub(crate) fn change(
        self,
        to: &mut [Block],
        from: Option<&[Block]>,
        added: &[&[Block]],
        removed: &[&[Block]],
    ) {
        (self.change)(to, from, added, removed);
    }

    #[inline]
    pub(crate) fn sum(self, layer: &[Block], weights: &[Block]) -> i32 {
        (self.sum)(layer, weights)
    }
}

/// Moves, captures and castling in one pass each; what is rarer row by row.
#[inline(always)]
fn change(to: &mut [Block], from: Option<&[Block]>, added: &[&[Block]], removed: &[&[Block]]) {
    match (added, removed) {
        (&[a], &[b]) => pass(to, from, [a], [b]),
        (&[a], &[b, c]) => pass(to, from, [a], [b, c]),
        (&[a, b], &[c, d]) => pass(to, from, [a, b], [c, d]),
        _ => {
            if let Some(from) = from {
                to.copy_from_slice(from);
            }
            for row in added {
                pass(to, None, [row], []);
            }
            for row in removed {
                pass(to, None, [], [row]);
            }
        }
    }
}

#[inline(always)]
fn pass<const A: usize, const R: usize>(
    to: &mut [Block],
    from: Option<&[Block]>,
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    let added = added.map(|row| &row[..to.len()]);
    let removed = removed.map(|row| &row[..to.len()]);
    match from.map(|from| &from[..to.len()]) {
        Some(from) => {
            for (number, to) in to.iter_mut().enumerate() {
                *to = changed(from[number], number, added, removed);
            }
        }
        None => {
            for (number, to) in to.iter_mut().enumerate() {
                *to = changed(*to, number, added, removed);
            }
        }
    }
}

#[inline(always)]
#[allow(
    clippy::needless_range_loop,
    reason = "plain loops over lanes become vectors; adaptors may not be inlined"
)]
fn changed<const A: usize, const R: usize>(
    mut block: Block,
    number: usize,
    added: [&[Block]; A],
    removed: [&[Block]; R],
) -> Block {
    for row in added {
        for lane in 0..LANES {
            block.0[lane] = block.0[lane].wrapping_add(row[number].0[lane]);
        }
    }
    for row in removed {
        for lane in 0..LANES {
            block.0[lane] = block.0[lane].wrapping_sub(row[number].0[lane]);
        }
    }
    block
}

/// The product of a hidden value and its weight fits 16 bits (255 · 127), so that two products of 16 bits with their sum are one
/// instruction of most processors.
#[inline(always)]
#[allow(
    clippy::needless_range_loop,
    reason = "plain loops over lanes become vectors; adaptors may not be inlined"
)]
fn sum(layer: &[Block], weights: &[Block]) -> i32 {
    let mut sums = [0_i32; LANES / 2];
    for (block, weights) in layer.iter().zip(weights) {
        for lane in 0..LANES / 2 {
            let product = |at: usize| {
                let value = block.0[at].clamp(0, QA);
                i32::from(value.wrapping_mul(weights.0[at])) * i32::from(value)
            };
            let two = product(2 * lane).wrapping_add(product(2 * lane + 1));
            sums[lane] = sums[lane].wrapping_add(two);
        }
    }
    sums.iter().fold(0, |all, &sum| all.wrapping_add(sum))
}

/// The kernels compiled for what a processor may have beyond the least. The sum for wide vectors is written in their instructions: the
/// compiler takes pairs apart before it multiplies them, which costs three times as many.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod for_processor {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
        _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm512_add_epi32, _mm512_load_si512,
        _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32,
        _mm512_set1_epi16, _mm512_setzero_si512,
    };

    use super::{Block, Kernel, QA, change, sum};

    macro_rules! kernel {
        ($name:literal, $features:literal, $sum:ident) => {
            Kernel {
                name: $name,
                change: |to, from, added, removed| {
                    #[target_feature(enable = $features)]
                    fn compiled(
                        to: &mut [Block],
                        from: Option<&[Block]>,
                        added: &[&[Block]],
                        removed: &[&[Block]],
                    ) {
                        change(to, from, added, removed);
                    }
                    // SAFETY: only `kernels` gives this function away, after it has found these features.
                    unsafe { compiled(to, from, added, removed) }
                },
                sum: |layer, weights| {
                    #[target_feature(enable = $features)]
                    fn compiled(layer: &[Block], weights: &[Block]) -> i32 {
                        $sum(layer, weights)
                    }
                    // SAFETY: as above.
                    unsafe { compiled(layer, weights) }
                },
            }
        };
    }

    pub(super) fn kernels() -> [Option<Kernel>; 3] {
        let avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        let avx2 = is_x86_feature_detected!("avx2");
        let sse41 = is_x86_feature_detected!("sse4.1");
        [
            avx512.then_some(kernel!("AVX-512", "avx512f,avx512bw", sum_by_avx512)),
            avx2.then_some(kernel!("AVX2", "avx2", sum_by_avx2)),
            sse41.then_some(kernel!("SSE4.1", "sse4.1", sum)),
        ]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn sum_by_avx512(layer: &[Block], weights: &[Block]) -> i32 {
        let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA));
        let mut sums = zero;
        for (block, weights) in layer.iter().zip(weights) {
            // SAFETY: a block is 64 bytes at a multiple of 64.
            let (values, weights) = unsafe {
                (
                    _mm512_load_si512(std::ptr::from_ref(block).cast()),
                    _mm512_load_si512(std::ptr::from_ref(weights).cast()),
                )
            };
            let values = _mm512_min_epi16(_mm512_max_epi16(values, zero), most);
            let products = _mm512_mullo_epi16(values, weights);
            sums = _mm512_add_epi32(sums, _mm512_madd_epi16(products, values));
        }
        _mm512_reduce_add_epi32(sums)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn sum_by_avx2(layer: &[Block], weights: &[Block]) -> i32 {
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA));
        let mut sums = [zero; 2];
        for (block, weights) in layer.iter().zip(weights) {
            for (half, sum) in sums.iter_mut().enumerate() {
                // SAFETY: a block is 64 bytes at a multiple of 64, and has two halves.
                let (values, weights) = unsafe {
                    (
                        _mm256_load_si256(std::ptr::from_ref(block).cast::<__m256i>().add(half)),
                        _mm256_load_si256(std::ptr::from_ref(weights).cast::<__m256i>().add(half)),
                    )
                };
                let values = _mm256_min_epi16(_mm256_max_epi16(values, zero), most);
                let products = _mm256_mullo_epi16(values, weights);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(products, values));
            }
        }
        let both = _mm256_add_epi32(sums[0], sums[1]);
        // SAFETY: both are 32 bytes of which every value is one.
        let lanes: [i32; 8] = unsafe { std::mem::transmute(both) };
        lanes.iter().fold(0, |all, &sum| all.wrapping_add(sum))
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod for_processor {
    use super::Kernel;

    pub(super) fn kernels() -> [Option<Kernel>; 0] {
        []
    }
}
