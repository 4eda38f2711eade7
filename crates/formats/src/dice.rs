//! Random draws that depend on nothing but their address: a seed, a purpose, and two numbers of the caller.
//!
//! The address *is* the `ChaCha8` key, so two addresses never share a stream and no thread's order can change a draw.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of draws.
///
/// ```
/// use vidmar_formats::Dice;
/// let mut dice = Dice::new(7, b"examples", 1, 0);
/// let mut same = Dice::new(7, b"examples", 1, 0);
/// assert_eq!(dice.below(6), same.below(6));
/// ```
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The stream of this address.
    pub fn new(seed: u64, purpose: &[u8; 8], first: u64, second: u64) -> Dice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(purpose);
        key[16..24].copy_from_slice(&first.to_le_bytes());
        key[24..].copy_from_slice(&second.to_le_bytes());
        Dice(ChaCha8Rng::from_seed(key))
    }

    /// An integer in `0..n`, every one equally likely (Lemire's multiply and reject).
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "a draw from nothing");
        let reject = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(n);
            if (product as u64) >= reject {
                return (product >> 64) as u64;
            }
        }
    }

    /// One of the items, every one equally likely; none of none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get(self.below(items.len() as u64) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_draws_are_those_of_every_other_machine_and_version() {
        let draws = |first| -> Vec<u64> {
            let mut dice = Dice::new(1, b"golden--", first, 2);
            (0..10).map(|_| dice.below(100)).collect()
        };
        assert_eq!(draws(1), GOLDEN);
        assert_ne!(draws(2), GOLDEN);
    }

    #[test]
    fn every_item_is_as_likely() {
        let mut dice = Dice::new(3, b"fairness", 0, 0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[dice.below(6) as usize] += 1;
        }
        // Five standard deviations of a binomial count.
        assert!(
            counts.iter().all(|count| count.abs_diff(10_000) < 460),
            "{counts:?}"
        );
        assert_eq!(dice.pick::<u8>(&[]), None);
    }

    const GOLDEN: [u64; 10] = [23, 8, 2, 1, 81, 39, 16, 59, 73, 43];
}
