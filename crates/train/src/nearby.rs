//! What the hand-crafted evaluation says of positions near those of the games.
//!
//! Games of an hour show too few positions to teach a net what a queen is worth on every square, and hardly any in which somebody has just lost one: a
//! search evaluates little else. The hand-crafted evaluation knows it, and answers a million times a second. A net that has learnt its answers
//! begins where it ends; the games then teach what it does not know.

use vidmar_chess::Position;
use vidmar_eval::{FullEvaluation, Vector};
use vidmar_rng::Rng;

use crate::sample::Sample;

/// The most random moves that lead away from a position of a game.
const MOST_PLIES: u32 = 3;

/// The hand-crafted evaluation, asked about positions near those of games.
#[derive(Debug)]
pub(crate) struct Teacher(FullEvaluation);

impl Teacher {
    pub(crate) fn new() -> Teacher {
        Teacher(FullEvaluation::new(&Vector::default()))
    }

    /// The position itself or one that up to three random moves lead to; never one in check, if this one is not.
    pub(crate) fn sample(&self, position: &Position, rng: &mut Rng) -> Sample {
        let (mut last, mut walk) = (position.clone(), position.clone());
        for _ in 0..rng.below32(MOST_PLIES + 1) {
            let moves = walk.legal_moves();
            if moves.is_empty() {
                break;
            }
            walk.play(moves[rng.below32(moves.len() as u32) as usize]);
            if !walk.in_check() {
                last = walk.clone();
            }
        }
        let score = self.0.evaluate(&last).clamp(i16::MIN.into(), i16::MAX.into());
        Sample::new(&last, score as i16, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_the_evaluation() {
        let teacher = Teacher::new();
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position: Position = fen.parse().unwrap();
        let mut rng = Rng::from_seed(1);
        let samples: Vec<Sample> = (0..200).map(|_| teacher.sample(&position, &mut rng)).collect();
        let score = FullEvaluation::new(&Vector::default()).evaluate(&position);
        let itself = Sample::new(&position, score as i16, 1);
        let same = samples.iter().filter(|&&sample| sample == itself).count();
        assert!((20..80).contains(&same), "{same}");
        assert!(samples.iter().any(|sample| sample.pieces() < 32));
        // Stalemate: nobody can go on.
        let cornered: Position = "7k/8/5KQ1/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert!(cornered.legal_moves().is_empty());
        let alone = teacher.sample(&cornered, &mut rng);
        assert_eq!(alone.pieces(), 3);
    }
}
