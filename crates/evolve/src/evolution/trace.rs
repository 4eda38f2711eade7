//! What an evolution went through, in a bounded number of samples.

use crate::evaluator::Worth;

/// The most samples; when they are full, every second is dropped.
const MOST: usize = 256;

/// Fitness and diversity by generation, thinner the longer it gets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    /// Generation, fitness of the best line, mean difference of the others from it in thousandths.
    pub(crate) samples: Vec<(u32, Worth, u32)>,
    seen: u32,
    stride_bits: u32,
}

impl Trace {
    pub(crate) fn note(&mut self, fitness: Worth, diversity: u32) {
        if self.seen.is_multiple_of(1 << self.stride_bits) {
            if self.samples.len() == MOST {
                self.stride_bits += 1;
                let stride = 1 << self.stride_bits;
                self.samples
                    .retain(|(generation, _, _)| generation.is_multiple_of(stride));
            }
            if self.seen.is_multiple_of(1 << self.stride_bits) {
                self.samples.push((self.seen, fitness, diversity));
            }
        }
        self.seen = self.seen.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_even_and_few() {
        let mut trace = Trace::default();
        for generation in 0..10_000 {
            trace.note(generation, 0);
        }
        assert!(trace.samples.len() <= MOST && trace.samples.len() > MOST / 4);
        let stride = trace.samples[1].0;
        for (index, &(generation, fitness, _)) in trace.samples.iter().enumerate() {
            assert_eq!(generation, index as u32 * stride);
            assert_eq!(fitness, Worth::from(generation));
        }
    }
}
