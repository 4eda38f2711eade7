//! Methods on synthetic landscapes: gains that must be there, and one that must not.

#![allow(missing_docs, clippy::float_cmp, clippy::unwrap_used)]

use vidmar_optim::landscape::{Gain, HEADROOM, Landscape, Shape, tune, tune_budgets};
use vidmar_optim::purpose::Purpose;
use vidmar_optim::{Evidence, Method};

fn gain(method: Method, shape: Shape, dimensions: usize, games: u64, seed: u64) -> Gain {
    let landscape = Landscape::new(shape, dimensions, seed).unwrap();
    let evidence = Evidence::Games {
        games: 2,
        paired: false,
    };
    tune(
        &landscape,
        method.settings(),
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
