//! The arithmetic of training, for 32 hidden neurons at a time.
//!
//! Of 768 inputs at most 32 are on, so a position is two lists of rows to be added up, not a product of matrices. The hidden layer is
//! cut into [`Slice`](crate::model::Slice)s of 32 neurons. A slice's weights (96 kB) stay in the processor's second cache while a whole batch passes,
//! its sums stay in registers, and no two slices write to the same place: they are worked on by as many threads as there are, and every number is added
//! in the same order whichever thread does it, so that the result is the same to the bit.
//!
//! The kernels are written once in plain Rust and compiled for several kinds of processor. Nothing is contracted or reassociated, so all of
//! them give the same bits too.

use crate::sample::{Inputs, PIECES};

/// Neurons of a slice.
pub(crate) const LANES: usize = 32;

/// One weight for each neuron of a slice.
#[derive(Copy, Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Row(pub(crate) [f32; LANES]);

impl Row {
    pub(crate) const ZERO: Row = Row([0.0; LANES]);

    #[inline(always)]
    fn add(&mut self, other: &Row) {
        for lane in 0..LANES {
            self.0[lane] += other.0[lane];
        }
    }
}

/// A position of a batch.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Item {
    /// What is on, as many as pieces.
    pub(crate) inputs: Inputs,
    pub(crate) pieces: u8,
    /// Which output weights count.
    pub(crate) bucket: u8,
}

/// The rows of a slice: the biases, for every bucket the output weights of the side to move and of the other, and the weights of every input.
pub(crate) struct Layout;

impl Layout {
    pub(crate) const BIAS: usize = 0;
    pub(crate) const OUTPUT: usize = 1;
    /// The first input with so many buckets.
    pub(crate) const fn inputs(buckets: usize) -> usize {
        Layout::OUTPUT + 2 * buckets
    }
}

/// The hidden values of a position, before they are clipped: of the side to move and of the other.
pub(crate) type Hidden = [Row; 2];

/// What an optimiser's step needs.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Step {
    /// How far it goes.
    pub(crate) rate: f32,
    /// How much of a weight is taken away, besides.
    pub(crate) decay: f32,
    /// What the moments are multiplied by, since they began at 0.
    pub(crate) corrections: [f32; 2],
    /// No weight is larger than this, either way.
    pub(crate) most: f32,
}

/// Shares of the moments that are kept from step to step.
pub(crate) const MOMENTS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

type Forward = fn(&[Row], &[Item], &mut [Hidden], &mut [f32]);
type Backward = fn(&[Row], &[Item], &[Hidden], &[f32], &mut [Row]);
type TakeStep = fn(&mut [Row], &mut [Row], &mut [[Row; 2]], &Step);

/// The kernels, compiled for a kind of processor.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) forward: Forward,
    pub(crate) backward: Backward,
    pub(crate) step: TakeStep,
}

impl Kernel {
    /// Those that run on this machine, the best first.
    pub(crate) fn all() -> impl Iterator<Item = Kernel> {
        for_processor::kernels()
            .into_iter()
            .flatten()
            .chain([Kernel::PORTABLE])
    }

    /// The best that runs on this machine.
    pub(crate) fn best() -> Kernel {
        Kernel::all().next().unwrap_or(Kernel::PORTABLE)
    }

    const PORTABLE: Kernel = Kernel {
        forward: |rows, items, hidden, outputs| forward(rows, items, hidden, outputs),
        backward: |rows, items, hidden, slopes, gradient| backward(rows, items, hidden, slopes, gradient),
        step: |rows, gradient, moments, by| step(rows, gradient, moments, by),
    };
}

/// The hidden values of a batch, and the part of its outputs that comes from these neurons.
#[inline(always)]
fn forward(rows: &[Row], items: &[Item], hidden: &mut [Hidden], outputs: &mut [f32]) {
    for ((item, hidden), output) in items.iter().zip(hidden).zip(outputs) {
        let mut sums = Row::ZERO;
        for side in 0..2 {
            let mut value = rows[Layout::BIAS];
            for &input in &item.inputs.views[side][..usize::from(item.pieces).min(PIECES)] {
                value.add(&rows[usize::from(input)]);
            }
            hidden[side] = value;
            let weights = &rows[Layout::OUTPUT + 2 * usize::from(item.bucket) + side];
            for lane in 0..LANES {
                let clipped = value.0[lane].clamp(0.0, 1.0);
                sums.0[lane] += clipped * clipped * weights.0[lane];
            }
        }
        *output = total(&sums);
    }
}

/// The sum of all lanes, always in the same order.
#[inline(always)]
fn total(row: &Row) -> f32 {
    let mut sums = row.0;
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}

/// Adds to the gradient what a batch says, given the slope of the loss at every output.
#[inline(always)]
fn backward(rows: &[Row], items: &[Item], hidden: &[Hidden], slopes: &[f32], gradient: &mut [Row]) {
    for ((item, hidden), &slope) in items.iter().zip(hidden).zip(slopes) {
        for (side, value) in hidden.iter().enumerate() {
            let output = Layout::OUTPUT + 2 * usize::from(item.bucket) + side;
            let weights = &rows[output];
            let mut change = Row::ZERO;
            let mut squares = Row::ZERO;
            for lane in 0..LANES {
                let value = value.0[lane];
                let clipped = value.clamp(0.0, 1.0);
                squares.0[lane] = slope * (clipped * clipped);
                // Where it is clipped nothing changes.
                let steepness = if value < 1.0 { 2.0 * clipped } else { 0.0 };
                change.0[lane] = slope * weights.0[lane] * steepness;
            }
            gradient[output].add(&squares);
            gradient[Layout::BIAS].add(&change);
            for &input in &item.inputs.views[side][..usize::from(item.pieces).min(PIECES)] {
                gradient[usize::from(input)].add(&change);
            }
        }
    }
}

/// A step of `AdamW`, after which the gradient is 0 again.
#[inline(always)]
fn step(rows: &mut [Row], gradient: &mut [Row], moments: &mut [[Row; 2]], by: &Step) {
    for ((row, gradient), [first, second]) in rows.iter_mut().zip(gradient).zip(moments) {
        for lane in 0..LANES {
            let slope = gradient.0[lane];
            first.0[lane] = MOMENTS[0] * first.0[lane] + (1.0 - MOMENTS[0]) * slope;
            second.0[lane] = MOMENTS[1] * second.0[lane] + (1.0 - MOMENTS[1]) * (slope * slope);
            let size = (second.0[lane] * by.corrections[1]).sqrt() + EPSILON;
            let change = first.0[lane] * by.corrections[0] / size + by.decay * row.0[lane];
            row.0[lane] = (row.0[lane] - by.rate * change).max(-by.most).min(by.most);
        }
        *gradient = Row::ZERO;
    }
}

/// The kernels compiled for what a processor may have beyond the least.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod for_processor {
    use super::{Hidden, Item, Kernel, Row, Step, backward, forward, step};

    pub(super) fn kernels() -> [Option<Kernel>; 2] {
        [
            is_x86_feature_detected!("avx512f").then_some(Kernel {
                forward: avx512::forward,
                backward: avx512::backward,
                step: avx512::step,
            }),
            is_x86_feature_detected!("avx2").then_some(Kernel {
                forward: avx2::forward,
                backward: avx2::backward,
                step: avx2::step,
            }),
        ]
    }

    macro_rules! compiled_for {
        ($name:ident, $features:literal) => {
            mod $name {
                use super::{Hidden, Item, Row, Step};

                pub(super) fn forward(
                    rows: &[Row],
                    items: &[Item],
                    hidden: &mut [Hidden],
                    outputs: &mut [f32],
                ) {
                    #[target_feature(enable = $features)]
                    fn compiled(rows: &[Row], items: &[Item], hidden: &mut [Hidden], outputs: &mut [f32]) {
                        super::forward(rows, items, hidden, outputs);
                    }
                    // SAFETY: only `kernels` gives this function away, after it has found the features.
                    unsafe { compiled(rows, items, hidden, outputs) }
                }

                pub(super) fn backward(
                    rows: &[Row],
                    items: &[Item],
                    hidden: &[Hidden],
                    slopes: &[f32],
                    gradient: &mut [Row],
                ) {
                    #[target_feature(enable = $features)]
                    fn compiled(
                        rows: &[Row],
                        items: &[Item],
                        hidden: &[Hidden],
                        slopes: &[f32],
                        gradient: &mut [Row],
                    ) {
                        super::backward(rows, items, hidden, slopes, gradient);
                    }
                    // SAFETY: only `kernels` gives this function away, after it has found the features.
                    unsafe { compiled(rows, items, hidden, slopes, gradient) }
                }

                pub(super) fn step(
                    rows: &mut [Row],
                    gradient: &mut [Row],
                    moments: &mut [[Row; 2]],
                    by: &Step,
                ) {
                    #[target_feature(enable = $features)]
                    fn compiled(rows: &mut [Row], gradient: &mut [Row], moments: &mut [[Row; 2]], by: &Step) {
                        super::step(rows, gradient, moments, by);
                    }
                    // SAFETY: only `kernels` gives this function away, after it has found the features.
                    unsafe { compiled(rows, gradient, moments, by) }
                }
            }
        };
    }

    compiled_for!(avx512, "avx512f");
    compiled_for!(avx2, "avx2");
}

#[cfg(not(target_arch = "x86_64"))]
mod for_processor {
    pub(super) fn kernels() -> [Option<super::Kernel>; 0] {
        []
    }
}
