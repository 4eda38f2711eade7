//! The best individual of the first populations: one definition for all methods.

#![allow(missing_docs, clippy::float_cmp, clippy::unwrap_used)]

use vidmar_optim::differential::Settings as De;
use vidmar_optim::{
    Answer, Ask, Budget, Dimension, Evidence, GameResult, Method, Optimizer, Repair, Settings, Setup, Space,
};

fn optimizer(settings: Settings) -> Optimizer {
    let setup = Setup {
        space: Space::new(
            (0..3)
                .map(|j| Dimension::integer(format!("x{j}"), 0, 100))
                .collect(),
        )
        .unwrap(),
        evidence: Evidence::Games {
            games: 4,
            paired: false,
        },
        budget: Budget::Generations(5),
        seed: 3,
        repair: Repair::Mirror,
    };
    Optimizer::new(setup, settings).unwrap()
}

/// Plays a round, the larger sum with some luck; who scored best per game in it, with games and efficiency.
fn play(optimizer: &mut Optimizer) -> (Vec<f64>, u32, f64) {
    let batch = optimizer.propose().clone();
    let Ask::Games(pairings) = &batch.ask else {
        panic!("{:?}", batch.ask)
    };
    let mut counters = vec![(0_u32, 0.0_f64); batch.players.len()];
    for (job, pairing) in pairings.iter().enumerate() {
        let sum = |player: usize| batch.players[player].iter().sum::<f64>();
        let luck = (pairing.seed % 101) as f64 - 50.0;
        let white_won = sum(pairing.white) + luck > sum(pairing.black);
        let winner = if white_won { pairing.white } else { pairing.black };
        counters[winner].1 += 1.0;
        counters[pairing.white].0 += 1;
        counters[pairing.black].0 += 1;
        let result = if white_won {
            GameResult::White
        } else {
            GameResult::Black
        };
        optimizer.tell(batch.round, job, Answer::Game(result)).unwrap();
    }
    let mut best = 0;
    for (player, &(games, points)) in counters.iter().enumerate() {
        let (most, at) = (
            counters[best].1 * f64::from(games),
            points * f64::from(counters[best].0),
        );
        if at > most || (at == most && games > counters[best].0) {
            best = player;
        }
    }
    let (games, points) = counters[best];
    (batch.players[best].clone(), games, points / f64::from(games))
}

#[test]
fn it_is_the_best_of_the_first_round_whatever_the_method_remembers() {
    let same = [
        Settings::HistoryDe(De::with_history()),
        Settings::PlainDe(De::without_history()),
    ];
    let mut found = Vec::new();
    for settings in same
        .into_iter()
        .chain([Method::Evolution.settings(), Method::DynamicBounds.settings()])
    {
        let method = settings.method();
        let mut optimizer = optimizer(settings);
        assert!(optimizer.initial().is_none());
        let expected = play(&mut optimizer);
        let initial = optimizer.initial().unwrap().clone();
        assert_eq!(
            (initial.vector.clone(), initial.games, initial.score),
            expected,
            "{method:?}"
        );
        play(&mut optimizer);
        assert_eq!(optimizer.initial(), Some(&initial), "{method:?}: it stays");
        found.push(initial);
    }
    assert_eq!(
        found[0], found[1],
        "the same games, the same individual, with and without history"
    );
}

#[test]
fn a_method_that_moves_one_point_has_none() {
    for method in [Method::Spsa, Method::HillClimbing, Method::CmaEs] {
        let mut optimizer = optimizer(method.settings());
        play(&mut optimizer);
        assert_eq!(optimizer.initial(), None, "{method:?}");
    }
}
