//! The knock-out evolution of [urminsky-2007], with its published chromosome, against a second, plain implementation.

#![allow(missing_docs, clippy::float_cmp, clippy::unwrap_used)]

use vidmar_optim::dynamic_bounds::{Rule, Settings as Bounds};
use vidmar_optim::purpose::Purpose;
use vidmar_optim::{
    Answer, Ask, Budget, Constraint, Dimension, Evidence, GameResult, Optimizer, Repair, Settings, Setup,
    Space,
};

const SEED: u64 = 41;
/// Queen, rook, bishop, knight, doubled pawn, mobility: name, interval, probability, half-range.
const GENES: [(&str, f64, f64, f64, Option<f64>); 6] = [
    ("queen", 0.0, 20.0, 0.25, Some(2.0)),
    ("rook", 0.0, 20.0, 0.25, Some(2.0)),
    ("bishop", 0.0, 20.0, 0.25, Some(2.0)),
    ("knight", 0.0, 20.0, 0.25, Some(2.0)),
    ("doubled", -1.0, 1.0, 0.10, Some(0.2)),
    ("mobility", 0.01, 0.5, 0.10, None),
];

fn strength(v: &[f64]) -> f64 {
    -(v[0] - 9.0).abs() - (v[1] - 5.0).abs() - (v[2] - 3.0).abs() - (v[3] - 3.0).abs()
}

/// 2: White wins, 1: draw, 0: Black wins.
fn stub(white: &[f64], black: &[f64], seed: u64) -> usize {
    let edge = strength(white) - strength(black) + 0.2 * (seed % 5) as f64 - 0.4;
    1 + usize::from(edge > 0.1) - usize::from(edge < -0.1)
}

fn repaired(mut x: Vec<f64>) -> Vec<f64> {
    for (value, gene) in x.iter_mut().zip(&GENES) {
        *value = value.clamp(gene.1, gene.2);
    }
    // The queen never falls below the largest other piece.
    x[0] = x[0].max(x[1]).max(x[2]).max(x[3]);
    x
}

fn mutated(x: &[f64], round: u64, place: usize) -> Vec<f64> {
    let mut s = Purpose::Mutation.rng(SEED, round, place as u32, 0);
    let mut y = x.to_vec();
    for (value, &(_, min, max, probability, half)) in y.iter_mut().zip(&GENES) {
        let (happens, r) = (s.unit() < probability, s.unit());
        let (lower, upper) = match half {
            Some(h) => (*value - h, *value + h),
            None => (min, max),
        };
        if happens {
            let exponent = 1.0 / 21.0;
            let delta = if r < 0.5 {
                libm::pow(2.0 * r, exponent) - 1.0
            } else {
                1.0 - libm::pow(2.0 * (1.0 - r), exponent)
            };
            *value = (*value + (upper - lower) * delta).clamp(lower, upper);
        }
    }
    repaired(y)
}

#[test]
fn a_hundred_generations() {
    let dimensions = GENES
        .iter()
        .map(|&(name, min, max, ..)| Dimension::real(name, min, max))
        .collect();
    let constraints = ["rook", "bishop", "knight"]
        .map(|other| Constraint::at_least("queen", &[other], 0.0))
        .to_vec();
    let rules = GENES
        .iter()
        .map(|&(name, _, _, probability, half_range)| Rule {
            name: name.into(),
            probability,
            half_range,
        })
        .collect();
    let setup = Setup {
        space: Space::constrained(dimensions, constraints).unwrap(),
        evidence: Evidence::Games {
            games: 2,
            paired: false,
        },
        budget: Budget::Generations(100),
        seed: SEED,
        repair: Repair::Clamp,
    };
    let settings = Bounds {
        rules,
        ..Bounds::published()
    };
    let mut optimizer = Optimizer::new(setup, Settings::DynamicBounds(settings)).unwrap();

    let mut population: Vec<Vec<f64>> = (0..5)
        .map(|i| {
            let mut s = Purpose::Initial.rng(SEED, 0, i, 0);
            repaired(
                GENES
                    .iter()
                    .map(|&(_, min, max, ..)| s.uniform(min, max))
                    .collect(),
            )
        })
        .collect();
    let first_best = population.iter().map(|x| strength(x)).fold(f64::MIN, f64::max);
    let mut round = 0;
    let mut decided = 0;
    for generation in 0..100 {
        for first in 0..4 {
            let rest: Vec<usize> = (first + 1..5).collect();
            let second = rest[Purpose::Opponent
                .rng(SEED, round, first as u32, 0)
                .index(rest.len())];
            // One game of each colour; a win is a point, anything else nothing.
            let seed = |game| Purpose::Game.rng(SEED, round, 0, game).bits();
            let as_white = stub(&population[first], &population[second], seed(0));
            let as_black = stub(&population[second], &population[first], seed(1));
            let first_points = usize::from(as_white == 2) + usize::from(as_black == 0);
            let second_points = usize::from(as_white == 0) + usize::from(as_black == 2);
            if first_points != second_points {
                decided += 1;
                let winner = if first_points > second_points {
                    first
                } else {
                    second
                };
                population[second] = population[winner].clone();
                population[first] = mutated(&population[second], round, first);
            }

            let batch = optimizer.propose().clone();
            let Ask::Games(pairings) = &batch.ask else {
                panic!("games were to be asked")
            };
            assert_eq!(pairings.len(), 2);
            for (job, p) in pairings.iter().enumerate() {
                let result = stub(&batch.players[p.white], &batch.players[p.black], p.seed);
                let result = [GameResult::Black, GameResult::Draw, GameResult::White][result];
                optimizer.tell(round, job, Answer::Game(result)).unwrap();
            }
            round += 1;
        }
        let found: Vec<Vec<f64>> = optimizer.population().into_iter().map(|c| c.vector).collect();
        assert_eq!(found, population, "generation {generation}");
    }
    assert_eq!(optimizer.generation(), 100);
    assert!(decided > 100, "{decided}");
    assert!(
        strength(&population[4]) > first_best + 5.0,
        "{first_best} {:?}",
        population[4]
    );
}
