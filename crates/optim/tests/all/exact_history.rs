//! Where values are exact, the history knows every vector by its value, and nobody by less.

#![allow(missing_docs, clippy::float_cmp, clippy::unwrap_used)]

use vidmar_optim::{Answer, Ask, Budget, Dimension, Evidence, Method, Optimizer, Repair, Setup, Space};

/// Below 0 everywhere, as minus a loss is: an entry without a value must not lead with 0.
fn value(vector: &[f64]) -> f64 {
    -1.0 - vector.iter().map(|x| (x - 60.0).abs()).sum::<f64>()
}

#[test]
fn every_entry_has_its_value() {
    for method in [
        Method::HistoryDe,
        Method::HistoryJde,
        Method::HistoryLShade,
        Method::HistoryEvolution,
    ] {
        let setup = Setup {
            space: Space::new(
                (0..3)
                    .map(|j| Dimension::integer(format!("x{j}"), 0, 100))
                    .collect(),
            )
            .unwrap(),
            evidence: Evidence::Values { noisy: false },
            budget: Budget::Generations(20),
            seed: 5,
            repair: Repair::Mirror,
        };
        let mut optimizer = Optimizer::new(setup, method.settings()).unwrap();
        let mut asked_again = 0;
        while !optimizer.is_finished() {
            let batch = optimizer.propose().clone();
            let Ask::Values(asked) = &batch.ask else {
                panic!("{:?}", batch.ask)
            };
            asked_again += usize::from(asked.len() == batch.players.len());
            for (job, &player) in asked.iter().enumerate() {
                let told = Answer::Value(value(&batch.players[player]));
                optimizer.tell(batch.round, job, told).unwrap();
            }
            let entries = optimizer.finalists(usize::MAX);
            for entry in &entries {
                assert!(entry.games > 0, "{method:?}: {entry:?} has no evidence");
                assert!(
                    (entry.score - value(&entry.vector)).abs() < 1e-9,
                    "{method:?}: {entry:?}"
                );
            }
            let scores: Vec<f64> = entries.iter().map(|entry| entry.score).collect();
            assert!(scores.is_sorted_by(|a, b| a >= b), "{method:?}: {scores:?}");
        }
        assert!(
            asked_again < 5,
            "{method:?}: what is known is not asked for again"
        );
        // Everyone of the population but those who came in last is in the history, so it is led by one as good.
        let report = optimizer.report();
        let (best, led) = (report.by_value.unwrap(), report.by_efficiency.unwrap());
        assert!(
            led.score > -10.0 && best.score >= led.score - 1e-9,
            "{method:?}: {led:?} {best:?}"
        );
    }
}
