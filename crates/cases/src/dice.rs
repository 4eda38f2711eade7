//! Random numbers that depend on nothing but their address: a seed, a purpose and two numbers.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What a draw is for; part of its address.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Purpose {
    /// Which of several cases, in a position after so many plies.
    Choice,
    /// How the board of a good capture is varied, in a game at a ply.
    Variation,
    /// Which rounds a resampled study has.
    Resampling,
}

impl Purpose {
    const fn name(self) -> &'static [u8; 8] {
        match self {
            Purpose::Choice => b"cbr pick",
            Purpose::Variation => b"cbr vary",
            Purpose::Resampling => b"cbr boot",
        }
    }
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    pub(crate) fn new(seed: u64, purpose: Purpose, one: u64, other: u64) -> Dice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(purpose.name());
        key[16..24].copy_from_slice(&one.to_le_bytes());
        key[24..].copy_from_slice(&other.to_le_bytes());
        Dice(ChaCha8Rng::from_seed(key))
    }

    /// A number below `n`, every one equally likely (Lemire's multiply and reject).
    ///
    /// # Panics
    /// If `n` is 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a draw from nothing");
        let n = n as u64;
        let reject = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(n);
            if product as u64 >= reject {
                return (product >> 64) as usize;
            }
        }
    }

    /// Puts items into a random order, every one equally likely.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_do_not_change() {
        let draws = |seed, purpose| {
            let mut dice = Dice::new(seed, purpose, 3, 4);
            [(); 8].map(|()| dice.below(100))
        };
        // Golden: another version of a dependency must not change games.
        assert_eq!(draws(0, Purpose::Choice), GOLDEN[0]);
        assert_eq!(draws(1, Purpose::Variation), GOLDEN[1]);
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
        Dice::new(2, Purpose::Resampling, 0, 0).shuffle(&mut order);
        assert_eq!(order, GOLDEN[2]);
    }

    /// From a separate implementation of `ChaCha8` and of these functions, written in Python.
    const GOLDEN: [[usize; 8]; 3] = [
        [30, 2, 22, 74, 88, 6, 88, 5],
        [0, 54, 36, 10, 12, 10, 12, 79],
        [5, 1, 4, 3, 6, 0, 2, 7],
    ];

    #[test]
    fn all_numbers_come_up_about_as_often() {
        let mut dice = Dice::new(7, Purpose::Choice, 0, 0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[dice.below(6)] += 1;
        }
        // Standard deviation 91: five of them.
        assert!(
            counts.iter().all(|count| count.abs_diff(10_000) < 460),
            "{counts:?}"
        );
    }
}
