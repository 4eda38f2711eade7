//! Random numbers that depend on nothing but their address.
//!
//! A [`Stream`] is opened at an address: run seed, [`Purpose`], round, individual, game. The address *is* the
//! `ChaCha8` key, so two addresses never share a stream, and a stream needs no state that a checkpoint would have to
//! keep. From that follow the two promises of this crate: the order in which threads finish games cannot change a
//! result, and a resumed run draws what the uninterrupted one would have drawn.
//!
//! The sampling functions are ours, and the transcendental functions come from `libm` (pure Rust) instead of the
//! system, so that another machine or another version of a dependency gives the same bits. Golden values in the
//! tests hold both still.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What a stream is for; part of its address. The numbers are part of every saved run: never reuse one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// The first vectors of a run.
    Initial = 1,
    /// Parents of a mutant and the noise of a mutation.
    Mutation = 2,
    /// Which components a trial takes from its mutant.
    Crossover = 3,
    /// Whether this generation is turned into its opposite.
    Opposition = 4,
    /// Which remembered vectors return, and whom they replace.
    Injection = 5,
    /// Who plays whom.
    Opponent = 6,
    /// The seed that a game carries (its opening, its search).
    Game = 7,
    /// Control parameters that the optimiser adapts.
    Control = 8,
    /// Whether a worse candidate is kept.
    Acceptance = 9,
    /// How a real value becomes an integer by chance.
    Rounding = 10,
    /// The shape of a synthetic landscape.
    Landscape = 11,
    /// The result of a synthetic game.
    Result = 12,
}

/// A stream of random numbers.
///
/// ```
/// use vidmar_optim::random::{Purpose, Stream};
/// let mut dice = Stream::new(7, Purpose::Mutation, 3, 12, 0);
/// let mut same = Stream::new(7, Purpose::Mutation, 3, 12, 0);
/// assert_eq!(dice.below(6), same.below(6));
/// ```
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// Opens the stream of this address.
    pub fn new(seed: u64, purpose: Purpose, round: u64, individual: u32, game: u32) -> Self {
        let mut key = [0; 32];
        key[0..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&(purpose as u64).to_le_bytes());
        key[16..24].copy_from_slice(&round.to_le_bytes());
        key[24..28].copy_from_slice(&individual.to_le_bytes());
        key[28..32].copy_from_slice(&game.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// An integer in `0..n`, every one equally likely (Lemire's multiply and reject).
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a draw from nothing");
        let n = n as u64;
        let reject = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            if (product as u64) >= reject {
                return (product >> 64) as usize;
            }
        }
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

    /// Puts `items` into a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
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
                let candidate = self.below(n);
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
            return self.below(weights.len());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stream() -> Stream {
        Stream::new(20, Purpose::Mutation, 3, 1, 4)
    }

    /// From a separate implementation of `ChaCha8` and of these functions, written in Python.
    #[test]
    fn golden_values() {
        let mut s = stream();
        assert_eq!([s.bits(), s.bits()], [15395111133726249947, 10223969157557239014]);
        let mut s = stream();
        assert_eq!(
            (0..8).map(|_| s.below(10)).collect::<Vec<_>>(),
            [8, 5, 8, 8, 0, 9, 0, 5]
        );
        let mut s = stream();
        assert_eq!(
            [s.unit(), s.normal(), s.cauchy(0.5, 0.1)].map(f64::to_bits),
            [4605692363653541186, 4597512623867209544, 4604475207332341782]
        );
        let mut s = stream();
        let mut deck: Vec<u8> = (0..10).collect();
        s.shuffle(&mut deck);
        assert_eq!(deck, [3, 2, 1, 7, 9, 0, 5, 6, 4, 8]);
        assert_eq!(s.distinct::<5>(9, 4), [6, 5, 7, 3, 1]);
        assert_eq!(
            (0..8)
                .map(|_| s.roulette(&[1.0, 0.0, 3.0, 2.0]))
                .collect::<Vec<_>>(),
            [2, 0, 0, 0, 3, 0, 3, 3]
        );
    }

    #[test]
    fn every_part_of_the_address_matters() {
        let mut firsts = vec![
            stream().bits(),
            Stream::new(21, Purpose::Mutation, 3, 1, 4).bits(),
            Stream::new(20, Purpose::Crossover, 3, 1, 4).bits(),
            Stream::new(20, Purpose::Mutation, 4, 1, 4).bits(),
            Stream::new(20, Purpose::Mutation, 3, 2, 4).bits(),
            Stream::new(20, Purpose::Mutation, 3, 1, 5).bits(),
        ];
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 6);
    }

    /// Chi-square over the faces of a die that does not divide 2⁶⁴; 99.9 % of fair dice stay below 24.3 (7 faces:
    /// 6 degrees of freedom, 22.46).
    #[test]
    fn integers_are_uniform() {
        let mut s = stream();
        let mut count = [0_u32; 7];
        for _ in 0..70_000 {
            count[s.below(7)] += 1;
        }
        let chi2: f64 = count
            .iter()
            .map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(chi2 < 22.46, "{count:?}");
    }

    #[test]
    fn normal_has_its_moments() {
        let mut s = stream();
        let draws: Vec<f64> = (0..100_000).map(|_| s.normal()).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let variance = draws.iter().map(|x| x * x).sum::<f64>() / 1e5;
        let beyond = draws.iter().filter(|x| x.abs() > 1.959964).count();
        assert!(mean.abs() < 0.013, "{mean}");
        assert!((variance - 1.0).abs() < 0.018, "{variance}");
        assert!((4750..5250).contains(&beyond), "{beyond}");
    }

    #[test]
    fn distinct_draws_are_distinct_and_skip_the_excluded() {
        for round in 0..200 {
            let mut drawn = Stream::new(1, Purpose::Mutation, round, 0, 0).distinct::<5>(6, 2);
            drawn.sort_unstable();
            assert_eq!(drawn, [0, 1, 3, 4, 5]);
        }
    }

    #[test]
    fn roulette_keeps_proportions_and_falls_back_to_uniform() {
        let mut s = stream();
        let mut count = [0; 3];
        for _ in 0..30_000 {
            count[s.roulette(&[1.0, 0.0, 2.0])] += 1;
        }
        assert_eq!(count[1], 0);
        assert!((9_600..10_400).contains(&count[0]), "{count:?}");
        let mut seen = [false; 3];
        for _ in 0..100 {
            seen[s.roulette(&[0.0; 3])] = true;
        }
        assert_eq!(seen, [true; 3]);
    }
}
