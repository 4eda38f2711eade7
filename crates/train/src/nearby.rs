//! What an evaluation that is there already says of positions near those of the games.
//!
//! Games of an hour show too few positions to teach a net what a queen is worth on every square, and hardly any in which somebody has just lost one: a
//! search evaluates little else. The hand-crafted evaluation knows it, and answers a million times a second; so does an earlier net. A net that has
//! learnt their answers begins where they end; the games then teach what they do not know.

use std::sync::Arc;

use vidmar_chess::Position;
use vidmar_engine::ChosenEvaluation;
use vidmar_eval::{FullEvaluation, Vector};
use vidmar_net::Network;
use vidmar_rng::Rng;

use crate::sample::Sample;

/// The most random moves that lead away from a position of a game.
const MOST_PLIES: u32 = 3;

/// An evaluation that is asked about positions near those of games.
#[derive(Debug)]
pub struct Teacher {
    evaluation: Evaluation,
    sum: Option<u32>,
}

#[derive(Debug)]
enum Evaluation {
    HandCrafted(Box<FullEvaluation>),
    Net(Arc<Network>),
}

impl From<&ChosenEvaluation> for Teacher {
    fn from(evaluation: &ChosenEvaluation) -> Teacher {
        match evaluation {
            ChosenEvaluation::HandCrafted(vector) => Teacher {
                evaluation: Evaluation::HandCrafted(Box::new(FullEvaluation::new(vector))),
                sum: (**vector != Vector::default()).then(|| crc32fast::hash(vector.to_string().as_bytes())),
            },
            ChosenEvaluation::Net { network, .. } => Teacher {
                evaluation: Evaluation::Net(Arc::clone(network)),
                sum: Some(network.sum()),
            },
        }
    }
}

impl Teacher {
    /// The hand-crafted evaluation with the program's numbers.
    pub fn hand_crafted() -> Teacher {
        Teacher::from(&ChosenEvaluation::from(Vector::default()))
    }

    /// A number that tells teachers apart; none for the hand-crafted evaluation with the program's numbers.
    pub fn sum(&self) -> Option<u32> {
        self.sum
    }

    /// What the evaluation says of a position.
    fn score(&self, position: &Position) -> i32 {
        match &self.evaluation {
            Evaluation::HandCrafted(evaluation) => evaluation.evaluate(position),
            Evaluation::Net(network) => network.evaluate(position),
        }
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
        let score = self.score(&last).clamp(i16::MIN.into(), i16::MAX.into());
        Sample::new(&last, score as i16, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_the_evaluation() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position: Position = fen.parse().unwrap();
        let mut rng = Rng::from_seed(1);
        let network = vidmar_net::embedded();
        let hand_crafted = FullEvaluation::new(&Vector::default()).evaluate(&position);
        for (teacher, score) in [
            (Teacher::hand_crafted(), hand_crafted),
            (
                Teacher::from(&ChosenEvaluation::default()),
                network.evaluate(&position),
            ),
        ] {
            let samples: Vec<Sample> = (0..200).map(|_| teacher.sample(&position, &mut rng)).collect();
            let itself = Sample::new(&position, score as i16, 1);
            let same = samples.iter().filter(|&&sample| sample == itself).count();
            assert!((20..80).contains(&same), "{same}");
            assert!(samples.iter().any(|sample| sample.pieces() < 32));
        }
        let teacher = Teacher::hand_crafted();
        // Stalemate: nobody can go on.
        let cornered: Position = "7k/8/5KQ1/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert!(cornered.legal_moves().is_empty());
        let alone = teacher.sample(&cornered, &mut rng);
        assert_eq!(alone.pieces(), 3);
    }
}
