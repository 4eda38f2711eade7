//! Playing weaker on purpose (`UCI_LimitStrength`, `UCI_Elo`).
//!
//! The means is fewer positions, whose number doubles every [`DOUBLING`] Elo; a little noise on the values of the best
//! few moves makes games differ and fades towards [`Strength::MAX`]. Both are free of the clock, and the noise
//! depends on the seed, the position and the length of the game only: a weak game is as repeatable as a strong one.
//!
//! The scale is a rough one, set by short matches with Stockfish 15.1 under the same `UCI_Elo` (0.05 to 0.3 s a
//! move for it, openings of six random plies): 4 wins, 2 draws, 10 losses at 1500 and 7, 2, 7 at 2000.

use vidmar_rng::Rng;
use vidmar_search::Value;

use vidmar_chess::Game;

/// A wished-for playing strength.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Strength {
    /// In Elo, from [`Strength::MIN`] to [`Strength::MAX`].
    pub elo: u32,
    /// Another seed, other slips.
    pub seed: u64,
}

/// Elo for twice the positions.
const DOUBLING: u32 = 120;
/// Positions for a move at the least strength.
const LEAST_NODES: u64 = 120;
/// Elo for a hundredth of a pawn less noise.
const NOISE_DIVISOR: u32 = 60;

impl Strength {
    /// The weakest.
    pub const MIN: u32 = 1000;
    /// The strongest that is still limited.
    pub const MAX: u32 = 2800;
    /// Among so many moves the choice is made.
    pub const CANDIDATES: usize = 3;

    fn elo(self) -> u32 {
        self.elo.clamp(Strength::MIN, Strength::MAX)
    }

    /// Positions for a move; whole doublings, and straight lines between them.
    pub fn nodes(self) -> u64 {
        let above = self.elo() - Strength::MIN;
        let doubled = LEAST_NODES << (above / DOUBLING);
        doubled + doubled * u64::from(above % DOUBLING) / u64::from(DOUBLING)
    }

    /// The most that chance adds to a move, in hundredths of a pawn.
    pub fn noise(self) -> Value {
        ((Strength::MAX - self.elo()) / NOISE_DIVISOR) as Value
    }

    /// The index of the chosen one among the values of the best moves, the best first.
    pub fn choose(self, game: &Game, values: &[Value]) -> usize {
        let mut rng = self.rng(game);
        let noise = self.noise() as u32 + 1;
        let noisy = values.iter().map(|&value| value + rng.below32(noise) as Value);
        // The first of equals: without noise, the best.
        noisy
            .enumerate()
            .fold((0, Value::MIN), |best, (index, value)| {
                if value > best.1 { (index, value) } else { best }
            })
            .0
    }

    fn rng(self, game: &Game) -> Rng {
        let plies = game.moves().len() as u64;
        Rng::new(self.seed, b"strength", game.position().key().0, plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strength(elo: u32) -> Strength {
        Strength { elo, seed: 1 }
    }

    #[test]
    fn more_elo_is_more_nodes_and_less_noise() {
        for elo in Strength::MIN..Strength::MAX {
            assert!(strength(elo).nodes() < strength(elo + 1).nodes() + 1);
            assert!(strength(elo).noise() >= strength(elo + 1).noise());
        }
        assert_eq!(strength(1000).nodes(), 120);
        assert_eq!(strength(1120).nodes(), 240);
        assert_eq!(strength(1180).nodes(), 360);
        assert_eq!(strength(2800).nodes(), 120 << 15);
        assert_eq!(strength(2800).noise(), 0);
        assert_eq!(strength(0).nodes(), 120);
    }

    #[test]
    fn the_choice_is_the_seeds_and_a_clear_best_move_is_played() {
        let game = Game::default();
        assert_eq!(strength(2800).choose(&game, &[10, 10, 9]), 0);
        assert_eq!(strength(1000).choose(&game, &[300, 0, 0, 0]), 0);
        let choices: Vec<usize> = (0..20)
            .map(|seed| Strength { elo: 1000, seed }.choose(&game, &[9, 6, 3, 0]))
            .collect();
        // Golden: another version of a dependency must not change games.
        assert_eq!(choices, GOLDEN);
    }

    const GOLDEN: [usize; 20] = [0, 1, 1, 0, 2, 1, 0, 0, 1, 2, 1, 0, 0, 2, 1, 1, 1, 1, 1, 0];
}
