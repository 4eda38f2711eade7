//! Methods on synthetic landscapes: gains that must be there, and one that must not.

#![allow(missing_docs, clippy::float_cmp, clippy::unwrap_used)]

use vidmar_optim::landscape::{Gain, HEADROOM, Landscape, Shape, tune, tune_budgets};
use vidmar_optim::purpose::Purpose;
use vidmar_optim::{Answer, Ask, Budget, Evidence, Method, Optimizer, Repair, Settings, Setup, regression};

fn gain(method: Method, shape: Shape, dimensions: usize, games: u64, seed: u64) -> Gain {
    gain_with(method.settings(), shape, dimensions, games, seed)
}

fn gain_with(settings: Settings, shape: Shape, dimensions: usize, games: u64, seed: u64) -> Gain {
    let landscape = Landscape::new(shape, dimensions, seed).unwrap();
    let evidence = Evidence::Games {
        games: 2,
        paired: false,
    };
    tune(
        &landscape,
        settings,
        evidence,
        games,
        seed,
        &mut crate::support::bradley_terry,
    )
    .unwrap()
}

#[test]
fn nothing_is_gained_where_nothing_is_to_gain() {
    for method in Method::for_games() {
        let gain = gain(method, Shape::Null, 8, 500, 1);
        let others = gain.by_efficiency.into_iter().chain(gain.by_rating);
        assert!(
            others.chain([gain.centroid]).all(|elo| elo == 0.0),
            "{}",
            method.name()
        );
        assert!(
            gain.games <= 500 && gain.games > 400,
            "{} played {}",
            method.name(),
            gain.games
        );
    }
}

/// What a method hands over is far better than a vector drawn at random.
#[test]
fn every_method_beats_chance() {
    for method in Method::for_games() {
        let (mut found, mut random) = (0.0, 0.0);
        for seed in 0..3 {
            found += gain(method, Shape::Ellipsoid, 8, 4_000, seed).centroid / 3.0;
            let landscape = Landscape::new(Shape::Ellipsoid, 8, seed).unwrap();
            let mut rng = Purpose::Initial.rng(seed, 0, 0, 0);
            for _ in 0..200 {
                random += (landscape.elo(&landscape.space().random(&mut rng)) + HEADROOM) / 600.0;
            }
        }
        assert!(
            found > random + 150.0,
            "{}: {found} against {random} by chance",
            method.name()
        );
    }
}

#[test]
fn scaled_gains_hold_from_few_to_many_parameters() {
    for shape in [
        Shape::Ellipsoid,
        Shape::CorrelatedPairs,
        Shape::Quantised,
        Shape::Intransitive,
    ] {
        let few = gain(Method::ScaledSpsa, shape, 16, 4_000, 11).centroid;
        assert!(
            few > 0.65 * HEADROOM,
            "{few} of {HEADROOM} with 16 parameters on {shape:?}"
        );
        let many = gain(Method::ScaledSpsa, shape, 190, 10_000, 11).centroid;
        assert!(
            many > 0.35 * HEADROOM,
            "{many} of {HEADROOM} with 190 parameters on {shape:?}"
        );
    }
}

#[test]
fn a_gain_is_a_function_of_its_arguments() {
    let twice = [0, 1].map(|_| gain(Method::RatedDe, Shape::Quantised, 6, 900, 3));
    assert_eq!(twice[0], twice[1]);
    assert_ne!(twice[0], gain(Method::RatedDe, Shape::Quantised, 6, 900, 4));
}

/// Several budgets at once are the same as one after the other, whether the method plans ahead or not.
#[test]
fn budgets_may_be_read_from_one_run() {
    let landscape = Landscape::new(Shape::Ellipsoid, 6, 2).unwrap();
    let evidence = Evidence::Games {
        games: 2,
        paired: false,
    };
    let budgets = [150, 160, 900];
    for method in Method::for_games() {
        let mut rate = crate::support::bradley_terry;
        let together =
            tune_budgets(&landscape, &method.settings(), evidence, &budgets, 2, &mut rate).unwrap();
        let apart = budgets.map(|games| gain(method, Shape::Ellipsoid, 6, games, 2));
        assert_eq!(together, apart, "{}", method.name());
    }
}

/// Where games are few for so many parameters, what all of them say together is worth more than a step for each.
#[test]
fn a_regression_on_all_games_beats_steps_that_forget_them() {
    for shape in [
        Shape::Ellipsoid,
        Shape::CorrelatedPairs,
        Shape::Quantised,
        Shape::Intransitive,
    ] {
        let mean = |method| {
            (11..14)
                .map(|seed| gain(method, shape, 64, 1_000, seed).centroid)
                .sum::<f64>()
                / 3.0
        };
        let [all, steps, scaled] = [Method::Regression, Method::Spsa, Method::ScaledSpsa].map(mean);
        assert!(
            all > steps.max(scaled),
            "{all}, {steps} and {scaled} on {shape:?}"
        );
    }
}

/// The more Elo a perturbed player may lose, the further it is perturbed.
#[test]
fn perturbations_of_a_regression_follow_their_cost() {
    let gap = |cost: f64| {
        let settings = regression::Settings {
            cost,
            ..regression::Settings::usual()
        };
        let landscape = Landscape::new(Shape::Ellipsoid, 16, 3).unwrap();
        let setup = Setup {
            space: landscape.space().clone(),
            evidence: Evidence::Games {
                games: 2,
                paired: false,
            },
            budget: Budget::Jobs(4_000),
            seed: 3,
            repair: Repair::Mirror,
        };
        let mut optimizer = Optimizer::new(setup, Settings::Regression(settings)).unwrap();
        while !optimizer.is_finished() {
            let batch = optimizer.propose().clone();
            let Ask::Games(pairings) = &batch.ask else {
                unreachable!()
            };
            for (job, pairing) in pairings.iter().enumerate() {
                let [white, black] = [pairing.white, pairing.black].map(|p| landscape.elo(&batch.players[p]));
                let mut rng = Purpose::Result.rng(3, batch.round, job as u32, 0);
                let result = Landscape::result(white - black, &mut rng);
                optimizer.tell(batch.round, job, Answer::Game(result)).unwrap();
            }
        }
        let batch = optimizer.propose();
        (batch.players[2][5] - batch.players[3][5]).abs()
    };
    let (small, large) = (gap(40.0), gap(350.0));
    assert!(large > 1.5 * small, "{small} {large}");
}

/// Where the hill is no parabola, what was learned elsewhere has to lose its worth.
#[test]
fn a_regression_drifts_along_a_curved_valley() {
    let mean = |drift: f64| {
        let settings = Settings::Regression(regression::Settings {
            drift,
            ..regression::Settings::usual()
        });
        let gain = |seed| gain_with(settings.clone(), Shape::RosenbrockPairs, 16, 4_000, seed).centroid;
        (11..15).map(gain).sum::<f64>() / 4.0
    };
    let (never, drifting) = (mean(0.0), mean(1.0));
    assert!(drifting > never, "{never} {drifting}");
}
