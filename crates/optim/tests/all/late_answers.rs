//! Methods that may be told late: what they propose depends on the answers, never on when they came.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::VecDeque;

use vidmar_optim::purpose::Purpose;
use vidmar_optim::{
    Answer, Ask, Batch, Budget, Dimension, Evidence, GameResult, Method, Optimizer, Repair, Settings, Setup,
    Space, Told,
};

const ROUND: u64 = 16;

fn late(method: Method, lag: u32) -> Settings {
    let mut settings = method.settings();
    match &mut settings {
        Settings::Spsa(it) | Settings::ScaledSpsa(it) => it.lag = lag,
        Settings::Regression(it) => it.lag = lag,
        other => panic!("{other:?} has no lag"),
    }
    settings
}

fn optimizer(settings: Settings, budget: Budget) -> Optimizer {
    let dimensions = (0..30).map(|j| Dimension::integer(format!("n{j}"), 0, 1000));
    let setup = Setup {
        space: Space::new(dimensions.collect()).unwrap(),
        evidence: Evidence::Games {
            games: 2,
            paired: true,
        },
        budget,
        seed: 5,
        repair: Repair::Mirror,
    };
    Optimizer::new(setup, settings).unwrap()
}

/// The larger sum wins a little more often.
fn answer(batch: &Batch, job: usize) -> Answer {
    let Ask::Games(pairings) = &batch.ask else {
        panic!("games were to be asked")
    };
    let worth = |player: usize| batch.players[player].iter().sum::<f64>();
    let luck = Purpose::Result
        .rng(9, batch.round, job as u32, 0)
        .uniform(-9000.0, 9000.0);
    let edge = worth(pairings[job].white) - worth(pairings[job].black) + luck;
    Answer::Game(if edge > 0.0 {
        GameResult::White
    } else {
        GameResult::Black
    })
}

fn tell_all(optimizer: &mut Optimizer, batch: &Batch) -> Told {
    let told = (0..batch.ask.jobs()).map(|job| optimizer.tell(batch.round, job, answer(batch, job)).unwrap());
    told.last().unwrap()
}

fn rounds(optimizer: &mut Optimizer) -> Vec<u64> {
    optimizer.batches().map(|batch| batch.round).collect()
}

const LATE: [Method; 3] = [Method::Spsa, Method::ScaledSpsa, Method::Regression];

/// 40 games of 16 are three rounds more; the budget of ten rounds is not overstepped.
#[test]
fn as_many_rounds_are_open_as_the_lag_allows_and_the_budget_has() {
    for method in LATE {
        let budgets = [
            Budget::Jobs(10 * ROUND),
            Budget::Generations(10),
            Budget::Jobs(10 * ROUND - 3),
        ];
        for budget in budgets {
            let mut it = optimizer(late(method, 40), budget);
            assert_eq!(rounds(&mut it), [0, 1, 2, 3]);
            let mut played = 0;
            while !it.is_finished() {
                let first = it.propose().clone();
                assert_eq!(rounds(&mut it).len() as u64, 4.min(10 - played), "{budget:?}");
                tell_all(&mut it, &first);
                played += 1;
            }
            assert_eq!((played, it.jobs()), (10, 10 * ROUND));
        }
        assert_eq!(rounds(&mut optimizer(late(method, 0), budgets[0])), [0]);
        assert_eq!(rounds(&mut optimizer(late(method, 16), budgets[0])), [0, 1]);
    }
}

/// Answers come in any order, and the batches of a run are those of one that was told strictly in order.
#[test]
fn when_answers_come_changes_nothing() {
    for method in LATE {
        let fresh = || optimizer(late(method, 40), Budget::Jobs(20 * ROUND));
        let (mut straight, mut shuffled) = (fresh(), fresh());
        let mut proposed = Vec::new();
        while !straight.is_finished() {
            let batch = straight.propose().clone();
            tell_all(&mut straight, &batch);
            proposed.push(batch);
        }
        let mut rng = Purpose::Opponent.rng(3, 0, 0, 0);
        let (mut seen, mut waiting) = (Vec::<Batch>::new(), Vec::new());
        while !shuffled.is_finished() {
            let fresh: Vec<Batch> = shuffled
                .batches()
                .skip_while(|it| it.round < seen.len() as u64)
                .cloned()
                .collect();
            for batch in &fresh {
                waiting.extend((0..batch.ask.jobs()).map(|job| (batch.round, job)));
            }
            seen.extend(fresh);
            let (round, job) = waiting.swap_remove(rng.index(waiting.len()));
            let told = answer(&seen[round as usize], job);
            shuffled.tell(round, job, told).unwrap();
            if rng.unit() < 0.1 {
                shuffled = serde_json::from_str(&serde_json::to_string(&shuffled).unwrap()).unwrap();
            }
        }
        assert_eq!(seen, proposed, "{}", method.name());
        assert_eq!(shuffled, straight, "{}", method.name());
    }
}

/// A round is planned where the point was so many rounds ago, and moves the point that there is when it is learned from.
#[test]
fn a_late_answer_moves_the_point_that_there_is() {
    for method in LATE {
        let mut it = optimizer(late(method, 32), Budget::Jobs(50 * ROUND));
        let middle = |batch: &Batch| {
            let (a, b) = (&batch.players[2], &batch.players[3]);
            f64::midpoint(a[0], b[0])
        };
        let start = middle(it.propose());
        let mut open: VecDeque<Batch> = it.batches().cloned().collect();
        // Stochastic rounding moves each side by one at most.
        assert!(open.iter().all(|batch| (middle(batch) - start).abs() <= 1.0));
        let (mut points, mut middles) = (vec![start], Vec::new());
        for _ in 0..12 {
            let batch = open.pop_front().unwrap();
            middles.push(middle(&batch));
            tell_all(&mut it, &batch);
            points.push(it.population()[0].vector[0]);
            open.extend(it.batches().last().cloned());
        }
        for (round, middle) in middles.iter().enumerate().skip(2) {
            let known = points[round - 2];
            assert!(
                (middle - known).abs() <= 2.0,
                "{}: round {round}, {middle}, {known}",
                method.name()
            );
        }
        assert!(
            (points[12] - points[9]).abs() > 2.0,
            "{}: {points:?}",
            method.name()
        );
    }
}

/// Perturbation and step are those of the round, though several rounds are planned at once.
#[test]
fn gains_follow_the_round_and_not_the_clock() {
    for method in [Method::Spsa, Method::ScaledSpsa] {
        let budget = Budget::Jobs(6 * ROUND);
        let spread = |batch: &Batch| (batch.players[0][0] - batch.players[1][0]).abs() / 2.0;
        let mut patient = optimizer(method.settings(), budget);
        let expected: Vec<f64> = (0..4)
            .map(|_| {
                let batch = patient.propose().clone();
                tell_all(&mut patient, &batch);
                spread(&batch)
            })
            .collect();
        let mut it = optimizer(late(method, 48), budget);
        let found: Vec<f64> = it.batches().map(spread).collect();
        assert_eq!(found.len(), 4);
        // Stochastic rounding moves each side by one at most.
        assert!(found[3] < found[0] - 5.0, "{}: {found:?}", method.name());
        for (found, expected) in found.iter().zip(&expected) {
            assert!(
                (found - expected).abs() <= 1.0,
                "{}: {found}, {expected}",
                method.name()
            );
        }
    }
}

/// A round that is told before those before it waits for them.
#[test]
fn what_comes_early_waits() {
    let mut it = optimizer(late(Method::Spsa, 16), Budget::Jobs(10 * ROUND));
    let open: Vec<Batch> = it.batches().cloned().collect();
    assert_eq!(tell_all(&mut it, &open[1]), Told::Waiting(0));
    assert_eq!(it.jobs(), 0);
    assert_eq!(tell_all(&mut it, &open[0]), Told::Complete);
    assert_eq!((it.jobs(), it.generation()), (2 * ROUND, 2));
    assert_eq!(rounds(&mut it), [2, 3]);
}

/// What was saved before there was a lag is read as without one.
#[test]
fn states_without_a_lag_are_read() {
    for method in LATE {
        let mut it = optimizer(method.settings(), Budget::Jobs(10 * ROUND));
        let batch = it.propose().clone();
        tell_all(&mut it, &batch);
        let text = serde_json::to_string(&it).unwrap();
        assert!(!text.contains("ahead"), "{text}");
        let old = text.replace("\"lag\":0,", "");
        assert_ne!(old, text);
        assert_eq!(serde_json::from_str::<Optimizer>(&old).unwrap(), it);
    }
}
