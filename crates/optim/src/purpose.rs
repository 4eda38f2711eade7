//! Where chance comes from: the streams of a run.
//!
//! A stream is opened at an address: run seed, [`Purpose`], round, individual, game. It needs no state that a checkpoint
//! would have to keep ([`vidmar_rng`] says what follows from that).

use vidmar_rng::Rng;

/// What a stream of random numbers is for; part of its address. The numbers are part of every saved run: never reuse one.
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

impl Purpose {
    /// Opens the stream of this address.
    ///
    /// ```
    /// use vidmar_optim::purpose::Purpose;
    /// let mut rng = Purpose::Mutation.rng(7, 3, 12, 0);
    /// let mut same = Purpose::Mutation.rng(7, 3, 12, 0);
    /// assert_eq!(rng.index(6), same.index(6));
    /// ```
    pub fn rng(self, seed: u64, round: u64, individual: u32, game: u32) -> Rng {
        let purpose = (self as u64).to_le_bytes();
        let second = u64::from(game) << 32 | u64::from(individual);
        Rng::new(seed, &purpose, round, second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Saved runs depend on it.
    #[test]
    fn golden_values() {
        let mut rng = Purpose::Mutation.rng(20, 3, 1, 4);
        assert_eq!(
            [rng.bits(), rng.bits()],
            [15395111133726249947, 10223969157557239014]
        );
    }

    #[test]
    fn every_part_of_the_address_matters() {
        let mut firsts = [
            Purpose::Mutation.rng(20, 3, 1, 4),
            Purpose::Mutation.rng(21, 3, 1, 4),
            Purpose::Crossover.rng(20, 3, 1, 4),
            Purpose::Mutation.rng(20, 4, 1, 4),
            Purpose::Mutation.rng(20, 3, 2, 4),
            Purpose::Mutation.rng(20, 3, 1, 5),
        ]
        .map(|mut rng| rng.bits());
        firsts.sort_unstable();
        assert!(firsts.windows(2).all(|pair| pair[0] != pair[1]), "{firsts:?}");
    }
}
