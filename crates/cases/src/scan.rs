//! Many boards compared with one: a stream of vectors, one board a lane.
//!
//! Eight boards lie together in a [`Block`], plane by plane, so that a vector register holds the same plane of several
//! boards and the whole comparison is a dozen logical operations and three counts of bits. The kernel is written once,
//! in plain Rust, and compiled for three kinds of processor; which one runs is decided at run time. What it reads
//! per case is 32 bytes, and on a large base that is what it waits for.

use crate::board::CaseBoard;
use crate::similarity::similarity_of_planes;

/// Boards in a block.
pub(crate) const LANES: usize = 8;
/// Blocks that a kernel takes at a time.
const CHUNK: usize = 16;

/// Eight boards, plane by plane: 64 bytes for each plane, a cache line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Block {
    pub(crate) planes: [[u64; LANES]; 4],
}

impl Block {
    pub(crate) fn board(&self, lane: usize) -> CaseBoard {
        CaseBoard {
            planes: self.planes.map(|plane| plane[lane]),
        }
    }

    pub(crate) fn set(&mut self, lane: usize, board: &CaseBoard) {
        for (plane, &bits) in self.planes.iter_mut().zip(&board.planes) {
            plane[lane] = bits;
        }
    }
}

/// The similarities of a chunk, in order.
type Similarities = [u16; CHUNK * LANES];

/// Writes the similarities of at most [`CHUNK`] blocks and gives the highest of them.
type Compare = fn(&[Block], &CaseBoard, &mut Similarities) -> u16;

/// One of the ways to compare many boards with one.
#[derive(Copy, Clone, Debug)]
pub struct ScanKernel {
    name: &'static str,
    compare: Compare,
}

impl ScanKernel {
    /// Those that run on this machine, the best first.
    pub fn all() -> impl Iterator<Item = ScanKernel> {
        for_processor::kernels()
            .into_iter()
            .flatten()
            .chain([ScanKernel::PORTABLE])
    }

    /// The best that runs on this machine.
    pub fn best() -> ScanKernel {
        ScanKernel::all().next().unwrap_or(ScanKernel::PORTABLE)
    }

    /// What it is compiled for.
    pub fn name(self) -> &'static str {
        self.name
    }

    const PORTABLE: ScanKernel = ScanKernel {
        name: "portable",
        compare: compare_portably,
    };
}

/// Compares a board with every board of the blocks, and calls `visit` with an index and a similarity for
/// each that is at least what `visit` asked for last (at first: anything).
pub(crate) fn scan(
    kernel: ScanKernel,
    blocks: &[Block],
    board: &CaseBoard,
    mut visit: impl FnMut(usize, u16) -> u16,
) {
    let mut least = 0;
    let mut similarities = [0; CHUNK * LANES];
    for (number, chunk) in blocks.chunks(CHUNK).enumerate() {
        let highest = (kernel.compare)(chunk, board, &mut similarities);
        if highest < least {
            continue;
        }
        let first = number * CHUNK * LANES;
        for (lane, &similarity) in similarities[..chunk.len() * LANES].iter().enumerate() {
            if similarity >= least {
                least = visit(first + lane, similarity);
            }
        }
    }
}

/// The one kernel. The counts are kept in 64 bits, as wide as the planes, so that no lane changes its width before the end.
#[inline(always)]
#[allow(
    clippy::needless_range_loop,
    reason = "plain loops over lanes become vectors; adaptors may not be inlined"
)]
fn compare(blocks: &[Block], board: &CaseBoard, similarities: &mut Similarities) -> u16 {
    let mut highest = [0_u64; LANES];
    let mut number = 0;
    while number < blocks.len() && number < CHUNK {
        let [color, low, middle, high] = &blocks[number].planes;
        let mut found = [0_u64; LANES];
        for lane in 0..LANES {
            let planes = [color[lane], low[lane], middle[lane], high[lane]];
            found[lane] = similarity_of_planes(planes, board.planes);
        }
        for lane in 0..LANES {
            highest[lane] = if found[lane] > highest[lane] {
                found[lane]
            } else {
                highest[lane]
            };
        }
        for lane in 0..LANES {
            similarities[number * LANES + lane] = found[lane] as u16;
        }
        number += 1;
    }
    let mut most = 0;
    for lane in 0..LANES {
        most = if highest[lane] > most { highest[lane] } else { most };
    }
    most as u16
}

fn compare_portably(blocks: &[Block], board: &CaseBoard, similarities: &mut Similarities) -> u16 {
    compare(blocks, board, similarities)
}

/// A sum over all words, as fast as they come: what a scan is measured against.
pub(crate) fn read_all(blocks: &[Block]) -> u64 {
    let mut sums = [0_u64; LANES];
    let mut number = 0;
    while number < blocks.len() {
        let [color, low, middle, high] = &blocks[number].planes;
        for lane in 0..LANES {
            let words = color[lane]
                .wrapping_add(low[lane])
                .wrapping_add(middle[lane])
                .wrapping_add(high[lane]);
            sums[lane] = sums[lane].wrapping_add(words);
        }
        number += 1;
    }
    sums.iter().fold(0, |all, &sum| all.wrapping_add(sum))
}

/// The kernel compiled for what a processor may have beyond the least.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod for_processor {
    use super::{Block, CaseBoard, ScanKernel, Similarities, compare};

    pub(super) fn kernels() -> [Option<ScanKernel>; 2] {
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq");
        let avx2 = is_x86_feature_detected!("avx2");
        [
            avx512.then_some(ScanKernel {
                name: "AVX-512",
                compare: by_avx512,
            }),
            avx2.then_some(ScanKernel {
                name: "AVX2",
                compare: by_avx2,
            }),
        ]
    }

    fn by_avx512(blocks: &[Block], board: &CaseBoard, similarities: &mut Similarities) -> u16 {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq")]
        fn compiled(blocks: &[Block], board: &CaseBoard, similarities: &mut Similarities) -> u16 {
            compare(blocks, board, similarities)
        }
        // SAFETY: only `kernels` gives this function away, after it has found these features.
        unsafe { compiled(blocks, board, similarities) }
    }

    fn by_avx2(blocks: &[Block], board: &CaseBoard, similarities: &mut Similarities) -> u16 {
        // Without "popcnt": with it the compiler counts lane by lane and is two and a half times slower.
        #[target_feature(enable = "avx2")]
        fn compiled(blocks: &[Block], board: &CaseBoard, similarities: &mut Similarities) -> u16 {
            compare(blocks, board, similarities)
        }
        // SAFETY: only `kernels` gives this function away, after it has found these features.
        unsafe { compiled(blocks, board, similarities) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod for_processor {
    pub(super) fn kernels() -> [Option<super::ScanKernel>; 0] {
        []
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::{WHOLE, slow_similarity};
    use vidmar_chess::{Color, Role, Square};
    use vidmar_rng::Rng;

    /// Boards with anything anywhere.
    fn boards(count: usize) -> Vec<CaseBoard> {
        let mut rng = Rng::from_seed(1);
        (0..count)
            .map(|number| {
                let mut board = CaseBoard::default();
                for square in Square::ALL {
                    let role = Role::ALL[rng.index(6)];
                    let color = Color::ALL[rng.index(2)];
                    let empty = rng.index(8) < number % 9;
                    board.set(square, (!empty).then_some(role.of(color)));
                }
                board
            })
            .collect()
    }

    fn blocks(boards: &[CaseBoard]) -> Vec<Block> {
        boards
            .chunks(LANES)
            .map(|chunk| {
                let mut block = Block::default();
                for (lane, board) in chunk.iter().enumerate() {
                    block.set(lane, board);
                    assert_eq!(block.board(lane), *board);
                }
                block
            })
            .collect()
    }

    #[test]
    fn every_kernel_counts_like_the_slow_twin() {
        let boards = boards(1_000);
        let blocks = blocks(&boards);
        for query in boards.iter().step_by(37) {
            let slow: Vec<u16> = boards.iter().map(|board| slow_similarity(board, query)).collect();
            for (board, &similarity) in boards.iter().zip(&slow) {
                assert_eq!(board.similarity(query), similarity);
            }
            for kernel in ScanKernel::all() {
                let mut seen = Vec::new();
                scan(kernel, &blocks, query, |index, similarity| {
                    assert_eq!(index, seen.len());
                    seen.push(similarity);
                    0
                });
                assert_eq!(seen, slow, "{}", kernel.name());
            }
        }
    }

    #[test]
    fn only_what_is_asked_for_is_shown() {
        let boards = boards(1_000);
        let blocks = blocks(&boards);
        let query = boards[777];
        let mut shown = Vec::new();
        let mut least = 0;
        scan(ScanKernel::best(), &blocks, &query, |index, similarity| {
            assert!(similarity >= least);
            least = similarity;
            shown.push((index, similarity));
            least
        });
        assert_eq!(shown.last(), Some(&(777, WHOLE)));
        scan(ScanKernel::best(), &[], &query, |_, _| {
            panic!("there is nothing to see")
        });
    }
}
