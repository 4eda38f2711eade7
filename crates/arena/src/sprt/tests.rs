use vidmar_rng::Rng;

use super::*;

fn test(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a test")
}

fn games(wins: u64, losses: u64, draws: u64) -> Tally {
    Tally { wins, draws, losses }
}

use SprtModel::{Bayesian, Logistic, Normalised};

/// From the tests of fastchess (`sprt_test.cpp`), whose counts are finished tests of fishtest; within its 1 %. Two rows of
/// it are left out, nothing but draws (+2.97) and nothing but won pairs (2.94): there the maximum can be written down, and
/// the tests below hold us to it.
#[test]
fn agrees_with_fastchess_and_fishtest() {
    for (model, elo0, elo1, tally, expected) in [
        (Normalised, 0.0, 2.0, games(36433, 36027, 68692), 0.92),
        (Normalised, -1.75, 0.25, games(10871, 10650, 20431), 2.30),
        (Logistic, 0.5, 2.5, games(21404, 21184, 40708), -1.57),
        (Logistic, 0.0, 2.0, games(57433, 57030, 106593), -2.59),
        (Bayesian, 0.0, 2.0, games(68965, 68526, 128429), -1.26),
        (Bayesian, 0.5, 2.5, games(21629, 21484, 41111), -1.13),
    ] {
        let found = test(elo0, elo1, model).of_games(&tally);
        assert!(
            (found / expected - 1.0).abs() < 0.01,
            "{tally:?}: {found}, not {expected}"
        );
    }
    for (model, elo0, elo1, pairs, expected) in [
        (Normalised, 0.0, 2.0, [365, 16618, 36229, 16974, 390], 2.25),
        (Normalised, -1.75, 0.25, [127, 4883, 10712, 5150, 104], 3.01),
        (Logistic, 0.5, 2.5, [223, 9863, 21279, 10037, 246], -3.07),
        (Logistic, 0.0, 2.0, [871, 26175, 55983, 26678, 821], -4.98),
    ] {
        let found = test(elo0, elo1, model).of_pairs(&Pairs(pairs));
        assert!(
            (found / expected - 1.0).abs() < 0.01,
            "{pairs:?}: {found}, not {expected}"
        );
    }
}

/// Against a solution of the Lagrange equations of the same problem by a general root finder (`scipy.optimize.root`), which
/// shares no step with ours.
#[test]
fn agrees_with_a_general_solver() {
    for (model, elo0, elo1, pairs, expected) in [
        (
            Normalised,
            0.0,
            2.0,
            [365, 16618, 36229, 16974, 390],
            2.250367703541997,
        ),
        (
            Normalised,
            -1.75,
            0.25,
            [127, 4883, 10712, 5150, 104],
            3.010154196603253,
        ),
        (
            Logistic,
            0.5,
            2.5,
            [223, 9863, 21279, 10037, 246],
            -3.074126439591055,
        ),
        (
            Logistic,
            0.0,
            2.0,
            [871, 26175, 55983, 26678, 821],
            -4.978672863449901,
        ),
        (Normalised, 0.0, 10.0, [2, 10, 31, 17, 3], 0.3677762313341759),
        (Logistic, 0.0, 10.0, [2, 10, 31, 17, 3], 0.548818857866209),
        (Normalised, -5.0, 5.0, [0, 4, 9, 7, 1], 0.2514066366198051),
        (Logistic, -5.0, 5.0, [0, 4, 9, 7, 1], 0.4394507147646749),
    ] {
        let found = test(elo0, elo1, model).of_pairs(&Pairs(pairs));
        assert!(
            (found - expected).abs() < 1e-7,
            "{pairs:?}: {found}, not {expected}"
        );
    }
    for (model, elo1, tally, expected) in [
        (Normalised, 2.0, games(36433, 36027, 68692), 0.9232934509345796),
        (Normalised, 30.0, games(9, 5, 20), 0.41298912173095204),
        (Logistic, 30.0, games(9, 5, 20), 0.5372018903084523),
    ] {
        let found = test(0.0, elo1, model).of_games(&tally);
        assert!(
            (found - expected).abs() < 1e-7,
            "{tally:?}: {found}, not {expected}"
        );
    }
}

/// With draws alone, a hypothesis t > 0 about normalised Elo is met most cheaply by wins of probability t², so the
/// ratio is close to 16700 ln(1 - t²).
#[test]
fn draws_alone_speak_against_elo1() {
    let found = test(0.0, 5.0, Normalised).of_games(&games(0, 0, 16700));
    let t = 5.0 / NORMALISED_UNIT;
    assert!((found - 16700.0 * (-t * t).ln_1p()).abs() < 0.02, "{found}");
}

/// With won pairs alone, each hypothesis is met by won and lost pairs alone, p of them won where p - ½ = t √(p (1 - p)).
#[test]
fn won_pairs_alone_are_worth_a_coin() {
    let found = test(0.0, 5.0, Normalised).of_pairs(&Pairs([0, 0, 0, 0, 104]));
    let t = 5.0 / NORMALISED_UNIT * std::f64::consts::SQRT_2;
    let p = 0.5 + t / (2.0 * (1.0 + t * t).sqrt());
    assert!((found - 104.0 * (2.0 * p).ln()).abs() < 0.002, "{found}");
}

#[test]
fn bounds_are_walds() {
    let (lower, upper) = test(0.0, 2.0, Normalised).bounds();
    assert!((lower + 2.94443897916644).abs() < 1e-12 && (upper - 2.94443897916644).abs() < 1e-12);
    let sprt = test(0.0, 2.0, Normalised);
    assert_eq!(sprt.decision(-2.95), Some(Decision::H0));
    assert_eq!(sprt.decision(2.94), None);
    assert_eq!(sprt.decision(2.95), Some(Decision::H1));
}

/// The share of tests that end for `H1` when pairs are drawn from a distribution of this mean.
fn share_of_h1(sprt: &Sprt, mean: f64, trials: u64) -> f64 {
    // Pairs around a level game, shifted to the mean: the second and the fourth result share what it takes.
    let shift = 2.0 * (mean - 0.5);
    let chances = [0.05, 0.25 - shift, 0.4, 0.25 + shift, 0.05];
    let mut accepted = 0;
    for trial in 0..trials {
        let mut random = Rng::from_seed(trial);
        let mut pairs = Pairs::default();
        let decision = loop {
            for _ in 0..4 {
                let mut left = random.unit();
                let result = chances.iter().position(|chance| {
                    left -= chance;
                    left < 0.0
                });
                pairs.add(result.unwrap_or(4));
            }
            if let Some(decision) = sprt.decision(sprt.of_pairs(&pairs)) {
                break decision;
            }
        };
        accepted += u64::from(decision == Decision::H1);
    }
    accepted as f64 / trials as f64
}

/// Whoever is as strong as a hypothesis says is told so with the promised chance of error. Wald's bounds are
/// conservative (the ratio oversteps them), so the errors come out a little below 5 %; never far below, which would be
/// a test that wastes games. Three standard deviations of 1500 trials are 1.7 %.
#[test]
fn errors_are_as_promised() {
    let logistic = test(0.0, 30.0, Logistic);
    let false_positive = share_of_h1(&logistic, expected_score(0.0), 1500);
    let false_negative = 1.0 - share_of_h1(&logistic, expected_score(30.0), 1500);
    assert!((0.02..0.067).contains(&false_positive), "{false_positive}");
    assert!((0.02..0.067).contains(&false_negative), "{false_negative}");
    // Deviation of a pair's mean: sqrt(0.05 * 0.25 * 2 + 0.25 * 0.0625 * 2); of a game, √2 times that.
    let deviation = (0.05625_f64 * 2.0).sqrt();
    let normalised = test(0.0, 30.0, Normalised);
    let mean = 0.5 + 30.0 / NORMALISED_UNIT * deviation;
    let false_negative = 1.0 - share_of_h1(&normalised, mean, 1500);
    assert!((0.02..0.067).contains(&false_negative), "{false_negative}");
}

#[test]
fn nothing_says_nothing() {
    for &model in SprtModel::ALL {
        assert!(test(0.0, 5.0, model).of_games(&Tally::default()).abs() < 1e-300);
    }
    assert!(test(0.0, 5.0, Normalised).of_pairs(&Pairs::default()).abs() < 1e-300);
}

/// Whatever the counts, the ratio is a number, and more points never make it smaller.
#[test]
fn small_samples_are_numbers_and_ordered() {
    for model in [Normalised, Logistic] {
        for elo1 in [0.5, 5.0, 50.0, 200.0] {
            let sprt = test(-elo1, elo1, model);
            for code in 0..3_u64.pow(5) {
                let mut pairs = Pairs::default();
                for at in 0..5 {
                    pairs.0[at] = code / 3_u64.pow(at as u32) % 3 * 4;
                }
                let ratio = sprt.of_pairs(&pairs);
                assert!(ratio.is_finite(), "{pairs:?}");
                let mirrored = sprt.of_pairs(&pairs.mirrored());
                assert!(
                    (ratio + mirrored).abs() < 1e-6,
                    "{pairs:?}: {ratio} and {mirrored}"
                );
            }
        }
    }
}

#[test]
fn senseless_tests_are_refused() {
    let new = |elo0, elo1, alpha| Sprt::new(elo0, elo1, alpha, 0.05, Logistic);
    assert_eq!(
        new(5.0, 0.0, 0.05),
        Err(SprtError::Order { elo0: 5.0, elo1: 0.0 })
    );
    assert!(matches!(
        new(0.0, 1e9, 0.05),
        Err(SprtError::Elo { name: "elo1", .. })
    ));
    assert!(matches!(
        new(f64::NAN, 1.0, 0.05),
        Err(SprtError::Elo { name: "elo0", .. })
    ));
    assert!(matches!(
        new(0.0, 5.0, 0.0),
        Err(SprtError::Chance { name: "alpha", .. })
    ));
    assert!(matches!(
        new(0.0, 5.0, f64::NAN),
        Err(SprtError::Chance { name: "alpha", .. })
    ));
}
