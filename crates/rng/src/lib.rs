//! Random numbers that depend on nothing but their address.
//!
//! An [`Rng`] is opened at an address: a seed, a purpose, and two numbers of the caller. The address *is* the `ChaCha8`
//! key, so two addresses never share a stream, and a stream needs no state that a checkpoint would have to keep. From
//! that follow two promises of the whole program: the order in which threads finish games cannot change a result, and a
//! resumed run draws what the uninterrupted one would have drawn.
//!
//! The sampling functions are ours, and the transcendental functions come from `libm` (pure Rust) instead of the
//! system, so that another machine or another version of a dependency gives the same bits. Golden values in
//! `tests/golden.rs` hold both still.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// A stream of random numbers.
///
/// ```
/// use vidmar_rng::Rng;
/// let mut rng = Rng::new(7, b"examples", 1, 0);
/// let mut same = Rng::new(7, b"examples", 1, 0);
/// assert_eq!(rng.below(6), same.below(6));
/// ```
#[derive(Clone, Debug)]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// Opens the stream of this address.
    pub fn new(seed: u64, purpose: &[u8; 8], first: u64, second: u64) -> Rng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(purpose);
        key[16..24].copy_from_slice(&first.to_le_bytes());
        key[24..].copy_from_slice(&second.to_le_bytes());
        Rng(ChaCha8Rng::from_seed(key))
    }

    /// The stream of a seed alone, spread over the key as `rand` does it: for tests and examples that need one stream.
    pub fn from_seed(seed: u64) -> Rng {
        Rng(ChaCha8Rng::seed_from_u64(seed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// 32 random bits, half the price.
    pub fn bits32(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// An integer in `0..n`, every one equally likely (Lemire's multiply and reject).
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "a draw from nothing");
        let reject = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            if (product as u64) >= reject {
                return (product >> 64) as u64;
            }
        }
    }

    /// An integer in `0..n` from 32 bits, by the multiplication alone: equally likely within one in 2³².
    pub fn below32(&mut self, n: u32) -> u32 {
        ((u64::from(self.bits32()) * u64::from(n)) >> 32) as u32
    }

    /// An index of something with `len` items, every one equally likely.
    ///
    /// # Panics
    /// If there is none.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// One of the items, every one equally likely; none of none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get(self.index(items.len()))
    }

    /// A number in `[0, 1)`, a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// True with probability `p`. Always takes one draw, so that `p` does not shift what follows.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// A number in `[min, max)`.
    pub fn uniform(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * self.unit()
    }

    /// -1 or 1.
    pub fn sign(&mut self) -> f64 {
        if self.bits() >> 63 == 0 { 1.0 } else { -1.0 }
    }

    /// A standard normal number (Marsaglia's polar method; the second of the pair is not kept).
    pub fn normal(&mut self) -> f64 {
        loop {
            let u = self.uniform(-1.0, 1.0);
            let v = self.uniform(-1.0, 1.0);
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                return u * (-2.0 * libm::log(s) / s).sqrt();
            }
        }
    }

    /// A Cauchy number around `centre`.
    pub fn cauchy(&mut self, centre: f64, scale: f64) -> f64 {
        centre + scale * libm::tan(std::f64::consts::PI * (self.unit() - 0.5))
    }

    /// Puts `items` into a uniformly random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }

    /// `K` distinct numbers of `0..n`, none of them `excluded`, in the order drawn.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn distinct<const K: usize>(&mut self, n: usize, excluded: usize) -> [usize; K] {
        assert!(n - usize::from(excluded < n) >= K, "{K} distinct draws from {n}");
        let mut drawn = [usize::MAX; K];
        for k in 0..K {
            drawn[k] = loop {
                let candidate = self.index(n);
                if candidate != excluded && !drawn[..k].contains(&candidate) {
                    break candidate;
                }
            };
        }
        drawn
    }

    /// An index drawn in proportion to its weight; uniformly if all weights are 0. Negative weights count as 0.
    pub fn roulette(&mut self, weights: &[f64]) -> usize {
        let total: f64 = weights.iter().map(|w| w.max(0.0)).sum();
        if total <= 0.0 {
            return self.index(weights.len());
        }
        let mut left = self.unit() * total;
        for (index, weight) in weights.iter().enumerate() {
            left -= weight.max(0.0);
            if left < 0.0 {
                return index;
            }
        }
        // Rounding may leave a crumb: it belongs to the last one that can be drawn at all.
        weights.iter().rposition(|&w| w > 0.0).unwrap_or(0)
    }
}
