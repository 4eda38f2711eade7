//! The evolutionary algorithm in [boskovic-2010] against a second, plain implementation.

#![allow(missing_docs, clippy::float_cmp, clippy::unwrap_used)]
// Loops with indices, as the listing has them.
#![allow(clippy::needless_range_loop)]

use vidmar_optim::evolution::Settings as Ea;
use vidmar_optim::purpose::Purpose;
use vidmar_optim::{
    Answer, Ask, Budget, Dimension, Evidence, GameResult, Optimizer, Repair, Settings, Setup, Space,
};

const SEED: u64 = 5;
const PARENTS: usize = 4;
const GAMES: u32 = 4;
const BOUNDS: [(f64, f64); 2] = [(0.0, 40.0), (-5.0, 5.0)];

/// White's points.
fn stub(white: &[f64], black: &[f64], seed: u64) -> f64 {
    let strength = |v: &[f64]| -(v[0] - 30.0).abs() - 4.0 * (v[1] - 2.0).abs();
    let edge = strength(white) - strength(black) + (seed % 21) as f64 - 10.0;
    if edge > 2.0 {
        1.0
    } else if edge < -2.0 {
        0.0
    } else {
        0.5
    }
}

/// x, s, games, points.
type Individual = (Vec<f64>, Vec<f64>, u32, f64);

fn rounded(x: &[f64]) -> Vec<f64> {
    // The first dimension is an integer one, and a rounded value may need its bound.
    vec![(x[0] + 0.5).floor().min(40.0), x[1]]
}

fn mirrored(mut x: f64, (min, max): (f64, f64)) -> f64 {
    while x < min || x > max {
        x = if x < min { min + (min - x) } else { max - (x - max) };
    }
    x
}

fn slow_generation(parents: Vec<Individual>, round: u64) -> Vec<Individual> {
    let mut everyone = parents;
    for i in 0..PARENTS {
        let mut s = Purpose::Mutation.rng(SEED, round, i as u32, 0);
        let (mut x, mut steps) = (everyone[i].0.clone(), everyone[i].1.clone());
        for j in 0..2 {
            steps[j] = f64::max(0.5, steps[j] * 0.5 * libm::exp(s.normal()));
            x[j] = mirrored(x[j] + steps[j] * s.normal(), BOUNDS[j]);
        }
        everyone.push((x, steps, 0, 0.0));
    }
    let all = everyone.len();
    let mut fitness = vec![0.0; all];
    for i in 0..all {
        for game in 0..GAMES {
            let mut others: Vec<usize> = (0..all).collect();
            others.remove(i);
            let m = others[Purpose::Opponent.rng(SEED, round, i as u32, game).index(all - 1)];
            let seed = Purpose::Game.rng(SEED, round, i as u32, game).bits();
            let (a, b) = (rounded(&everyone[i].0), rounded(&everyone[m].0));
            let points = if game % 2 == 0 {
                stub(&a, &b, seed)
            } else {
                1.0 - stub(&b, &a, seed)
            };
            fitness[i] += points;
            for (who, points) in [(i, points), (m, 1.0 - points)] {
                everyone[who].2 += 1;
                everyone[who].3 += points;
            }
        }
    }
    let mut next = Vec::new();
    for _ in 0..PARENTS {
        let mut best = 0;
        for k in 1..all {
            if fitness[k] > fitness[best] {
                best = k;
            }
        }
        next.push(everyone[best].clone());
        fitness[best] = -1.0;
    }
    next
}

#[test]
fn twenty_generations() {
    let space = Space::new(vec![
        Dimension::integer("a", 0, 40),
        Dimension::real("b", -5.0, 5.0),
    ])
    .unwrap();
    let evidence = Evidence::Games {
        games: GAMES,
        paired: false,
    };
    let setup = Setup {
        space,
        evidence,
        budget: Budget::Generations(20),
        seed: SEED,
        repair: Repair::Mirror,
    };
    let settings = Ea {
        parents: PARENTS,
        ..Ea::published()
    };
    let mut optimizer = Optimizer::new(setup, Settings::Evolution(settings)).unwrap();

    let mut parents: Vec<Individual> = (0..PARENTS)
        .map(|i| {
            let mut s = Purpose::Initial.rng(SEED, 0, i as u32, 0);
            let x = BOUNDS.iter().map(|&(min, max)| s.uniform(min, max)).collect();
            let steps = BOUNDS
                .iter()
                .map(|&(min, max)| s.uniform(0.0, (max - min) / 4.0))
                .collect();
            (x, steps, 0, 0.0)
        })
        .collect();
    for round in 0..20 {
        let batch = optimizer.propose().clone();
        let Ask::Games(pairings) = &batch.ask else {
            panic!("games were to be asked")
        };
        for (job, pairing) in pairings.iter().enumerate() {
            let points = stub(
                &batch.players[pairing.white],
                &batch.players[pairing.black],
                pairing.seed,
            );
            let result = [GameResult::Black, GameResult::Draw, GameResult::White][(2.0 * points) as usize];
            optimizer.tell(round, job, Answer::Game(result)).unwrap();
        }
        parents = slow_generation(parents, round);
        let expected: Vec<_> = parents
            .iter()
            .map(|(x, _, games, points)| (rounded(x), *games, points / f64::from(*games)))
            .collect();
        let found: Vec<_> = optimizer
            .population()
            .into_iter()
            .map(|c| (c.vector, c.games, c.score))
            .collect();
        assert_eq!(found, expected, "generation {round}");
    }
    assert_eq!(optimizer.generation(), 20);
    let champion = optimizer.report().centroid;
    assert!(
        (champion[0] - 30.0).abs() < 8.0 && (champion[1] - 2.0).abs() < 2.0,
        "{champion:?}"
    );
}
