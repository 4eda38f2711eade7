//! Ratings against known strengths, against an optimiser of another kind, and against symmetry.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use proptest::prelude::*;
use vidmar_chess::Outcome;
use vidmar_rating::{
    Games, Model, Options, Parameter, RateError, Ratings, Reference, Scale, Solver, Tally, rate,
};
use vidmar_rng::Rng;

fn play(random: &mut Rng, model: &Model, white: f64, black: f64) -> Outcome {
    let [win, draw, _] = model.chances(white, black);
    let ticket = random.unit();
    if ticket < win {
        Outcome::WHITE_WINS
    } else if ticket < win + draw {
        Outcome::Draw
    } else {
        Outcome::BLACK_WINS
    }
}

/// A round robin of players with these strengths, `rounds` games with each colour.
fn tournament(random: &mut Rng, model: &Model, strengths: &[f64], rounds: usize) -> Games {
    let mut games = Games::default();
    let ids: Vec<_> = (0..strengths.len())
        .map(|player| games.player(&format!("p{player}")))
        .collect();
    for white in 0..strengths.len() {
        for black in (0..strengths.len()).filter(|&black| black != white) {
            for _ in 0..rounds {
                games.add(
                    ids[white],
                    ids[black],
                    play(random, model, strengths[white], strengths[black]),
                );
            }
        }
    }
    games
}

fn plain() -> Options {
    Options {
        prior: 0.0,
        scale: Scale::None,
        ..Options::default()
    }
}

fn elo(ratings: &Ratings, name: &str) -> f64 {
    ratings
        .players
        .iter()
        .find(|player| player.name == name)
        .unwrap()
        .elo
}

/// Share of true strengths inside their intervals, over many tournaments.
fn coverage(options: &Options, seed: u64) -> f64 {
    let model = Model {
        advantage: 40.0,
        draw_elo: 120.0,
    };
    let strengths = [-220.0, -150.0, -90.0, -20.0, 0.0, 10.0, 60.0, 90.0, 130.0, 190.0];
    let mut random = Rng::from_seed(seed);
    let (mut inside, mut all) = (0, 0);
    for _ in 0..600 {
        let games = tournament(&mut random, &model, &strengths, 6);
        let ratings = rate(&games, options).unwrap();
        assert_eq!(
            ratings.groups.len(),
            1,
            "choose more rounds: a player won or lost everything"
        );
        for player in &ratings.players {
            let index: usize = player.name[1..].parse().unwrap();
            let interval = player.interval.unwrap();
            if interval > 0.0 {
                inside += usize::from((player.elo - strengths[index]).abs() <= interval);
                all += 1;
            }
        }
    }
    inside as f64 / all as f64
}

#[test]
fn true_strengths_lie_in_their_intervals_95_times_in_100() {
    let fixed = Options {
        advantage: Parameter::Fixed(40.0),
        draw_elo: Parameter::Fixed(120.0),
        ..plain()
    };
    let fitted = Options {
        advantage: Parameter::Fitted,
        draw_elo: Parameter::Fitted,
        ..plain()
    };
    let anchored = Options {
        anchors: vec![("p4".to_owned(), 0.0)],
        ..fitted.clone()
    };
    for (name, options) in [("fixed", fixed), ("fitted", fitted), ("anchored", anchored)] {
        let share = coverage(&options, 20);
        println!("{name}: {:.2} % inside", 100.0 * share);
        assert!((share - 0.95).abs() < 0.02, "{name}: {share}");
    }
}

#[test]
fn intervals_that_ignore_half_the_games_would_be_caught() {
    // The coverage test can fail: intervals of twice the games are too narrow and cover about 83 %.
    let model = Model {
        advantage: 40.0,
        draw_elo: 120.0,
    };
    let strengths = [-100.0, -30.0, 30.0, 100.0];
    let options = Options {
        advantage: Parameter::Fixed(40.0),
        draw_elo: Parameter::Fixed(120.0),
        ..plain()
    };
    let mut random = Rng::from_seed(3);
    let mut inside = 0;
    for _ in 0..500 {
        let ratings = rate(&tournament(&mut random, &model, &strengths, 10), &options).unwrap();
        for player in &ratings.players {
            let index: usize = player.name[1..].parse().unwrap();
            let interval = player.interval.unwrap() / std::f64::consts::SQRT_2;
            inside += usize::from((player.elo - strengths[index]).abs() <= interval);
        }
    }
    let share = f64::from(u32::try_from(inside).unwrap()) / 2000.0;
    assert!((0.78..0.88).contains(&share), "{share}");
}

/// Another way to the maximum that shares nothing with the library: the likelihood written down from the
/// formulas of the specification, each parameter in turn moved to its best value by ternary search.
fn from_scratch(
    results: &[(usize, usize, [f64; 3])],
    players: usize,
    fit_model: bool,
) -> (Vec<f64>, f64, f64) {
    let value = |x: &[f64]| -> f64 {
        let mut sum = 0.0;
        for (white, black, counts) in results {
            let difference = x[*white] - x[*black] + x[players];
            let win = 1.0 / (1.0 + 10f64.powf((x[players + 1] - difference) / 400.0));
            let loss = 1.0 / (1.0 + 10f64.powf((x[players + 1] + difference) / 400.0));
            for (count, chance) in counts.iter().zip([win, 1.0 - win - loss, loss]) {
                if *count > 0.0 {
                    sum += count * chance.ln();
                }
            }
        }
        sum
    };
    let mut x = vec![0.0f64; players + 2];
    (x[players], x[players + 1]) = (32.8, 97.3);
    let moving = if fit_model { players + 2 } else { players };
    for _ in 0..400 {
        let before = x.clone();
        for index in 1..moving {
            let (mut low, mut high) = (x[index] - 60.0, x[index] + 60.0);
            if index == players + 1 {
                low = low.max(1e-6);
            }
            while high - low > 1e-7 {
                let third = (high - low) / 3.0;
                let (mut left, mut right) = (x.clone(), x.clone());
                left[index] = low + third;
                right[index] = high - third;
                if value(&left) < value(&right) {
                    low += third;
                } else {
                    high -= third;
                }
            }
            x[index] = f64::midpoint(low, high);
        }
        if x.iter().zip(&before).all(|(now, then)| (now - then).abs() < 1e-5) {
            break;
        }
    }
    (x[..players].to_vec(), x[players], x[players + 1])
}

#[test]
fn equal_to_a_solution_from_scratch() {
    let mut random = Rng::from_seed(77);
    for round in 0..6 {
        let players = 3 + round % 4;
        let strengths: Vec<f64> = (0..players).map(|_| 400.0 * random.unit() - 200.0).collect();
        let games = tournament(&mut random, &Model::default(), &strengths, 8);
        let results: Vec<_> = games
            .pairings()
            .iter()
            .map(|p| {
                (
                    p.white.index(),
                    p.black.index(),
                    [p.tally.wins, p.tally.draws, p.tally.losses],
                )
            })
            .collect();
        for fit_model in [false, true] {
            let parameter = |value| {
                if fit_model {
                    Parameter::Fitted
                } else {
                    Parameter::Fixed(value)
                }
            };
            let options = Options {
                advantage: parameter(32.8),
                draw_elo: parameter(97.3),
                ..plain()
            };
            let (expected, advantage, draw_elo) = from_scratch(&results, players, fit_model);
            for solver in [Solver::Newton, Solver::Mm] {
                let ratings = rate(
                    &games,
                    &Options {
                        solver,
                        ..options.clone()
                    },
                )
                .unwrap();
                for (player, expected) in expected.iter().enumerate() {
                    let difference = elo(&ratings, &format!("p{player}")) - elo(&ratings, "p0");
                    assert!((difference - expected).abs() < 0.01, "{difference} {expected}");
                }
                assert!((ratings.advantage - advantage).abs() < 0.01);
                assert!((ratings.draw_elo - draw_elo).abs() < 0.01);
            }
        }
    }
}

#[test]
fn both_solvers_meet_on_a_long_chain() {
    // Players who only met their neighbours: the hard case for minorisation-maximisation.
    let mut games = Games::default();
    let mut random = Rng::from_seed(5);
    let ids: Vec<_> = (0..40)
        .map(|player| games.player(&format!("p{player}")))
        .collect();
    for pair in ids.windows(2) {
        for _ in 0..20 {
            games.add(pair[0], pair[1], play(&mut random, &Model::default(), 0.0, 30.0));
            games.add(pair[1], pair[0], play(&mut random, &Model::default(), 30.0, 0.0));
        }
    }
    let options = Options {
        intervals: false,
        ..Options::default()
    };
    let newton = rate(&games, &options).unwrap();
    let mm = rate(
        &games,
        &Options {
            solver: Solver::Mm,
            ..options
        },
    )
    .unwrap();
    assert!(
        newton.steps < 20 && mm.steps > 100,
        "{} steps and {} sweeps",
        newton.steps,
        mm.steps
    );
    for player in &newton.players {
        assert!(
            (player.elo - elo(&mm, &player.name)).abs() < 0.001,
            "{}",
            player.name
        );
    }
}

#[test]
fn the_prior_is_bayeselos() {
    // One game, won by White, and two virtual draws: one from each player's half, spread over both
    // colours. The same maximum must come from writing those draws down as games.
    let mut games = Games::default();
    let (a, b) = (games.player("a"), games.player("b"));
    games.add(a, b, Outcome::WHITE_WINS);
    let with_prior = rate(&games, &Options::default()).unwrap();
    games.add_tally(
        a,
        b,
        Tally {
            draws: 1.0,
            ..Tally::default()
        },
    );
    games.add_tally(
        b,
        a,
        Tally {
            draws: 1.0,
            ..Tally::default()
        },
    );
    let written_down = rate(
        &games,
        &Options {
            prior: 0.0,
            ..Options::default()
        },
    )
    .unwrap();
    assert!((elo(&with_prior, "a") - elo(&written_down, "a")).abs() < 1e-6);
}

#[test]
fn anchors_hold() {
    let mut random = Rng::from_seed(9);
    let games = tournament(&mut random, &Model::default(), &[0.0, 50.0, 100.0, 150.0], 10);
    let free = rate(&games, &Options::default()).unwrap();
    let one = Options {
        anchors: vec![("p0".to_owned(), 2300.0)],
        ..Options::default()
    };
    let anchored = rate(&games, &one).unwrap();
    for player in &anchored.players {
        let expected = elo(&free, &player.name) - elo(&free, "p0") + 2300.0;
        assert!((player.elo - expected).abs() < 1e-6);
    }
    let anchor = anchored
        .players
        .iter()
        .find(|player| player.name == "p0")
        .unwrap();
    assert_eq!(anchor.interval, Some(0.0));
    let around_mean = rate(
        &games,
        &Options {
            reference: Reference::Mean,
            ..one.clone()
        },
    )
    .unwrap();
    for (ours, theirs) in around_mean.players.iter().zip(&free.players) {
        assert!((ours.interval.unwrap() - theirs.interval.unwrap()).abs() < 1e-6);
    }

    let two = Options {
        anchors: vec![("p0".to_owned(), 2300.0), ("p3".to_owned(), 2800.0)],
        ..one
    };
    let held = rate(&games, &two).unwrap();
    assert!((elo(&held, "p0") - 2300.0).abs() < 1e-9 && (elo(&held, "p3") - 2800.0).abs() < 1e-9);
    let fitted = Options {
        draw_elo: Parameter::Fitted,
        ..two
    };
    let held = rate(&games, &fitted).unwrap();
    assert!((elo(&held, "p3") - elo(&held, "p0") - 500.0).abs() < 1e-9);
}

#[test]
fn differences_have_the_same_error_in_every_gauge() {
    let mut random = Rng::from_seed(11);
    let games = tournament(&mut random, &Model::default(), &[0.0, 50.0, 100.0], 10);
    let mean = rate(&games, &Options::default()).unwrap();
    let anchored = rate(
        &games,
        &Options {
            anchors: vec![("p1".to_owned(), 0.0)],
            ..Options::default()
        },
    )
    .unwrap();
    for first in 0..3 {
        for second in (0..3).filter(|&second| second != first) {
            let (a, b) = (
                mean.superiority(first, second).unwrap(),
                anchored.superiority(first, second).unwrap(),
            );
            assert!((a - b).abs() < 1e-9);
            assert!((a + mean.superiority(second, first).unwrap() - 1.0).abs() < 1e-12);
        }
        // Around the mean, errors add up to nothing.
        let row: f64 = (0..3).map(|second| mean.covariance(first, second).unwrap()).sum();
        assert!(row.abs() < 1e-6, "{row}");
    }
}

#[test]
fn groups_without_games_between_them() {
    let mut games = Games::default();
    let ids: Vec<_> = ["a", "b", "c", "d"].map(|name| games.player(name)).to_vec();
    games.add(ids[0], ids[1], Outcome::WHITE_WINS);
    games.add(ids[2], ids[3], Outcome::Draw);
    let ratings = rate(&games, &Options::default()).unwrap();
    assert_eq!(ratings.groups.len(), 2);
    assert_eq!(ratings.superiority(0, 2), None);
    assert!(ratings.superiority(0, 1).is_some());
}

#[test]
fn without_a_prior_the_unbeaten_stand_apart() {
    let mut games = Games::default();
    let ids: Vec<_> = ["best", "x", "y"].map(|name| games.player(name)).to_vec();
    games.add(ids[0], ids[1], Outcome::WHITE_WINS);
    games.add(ids[2], ids[0], Outcome::BLACK_WINS);
    games.add(ids[1], ids[2], Outcome::Draw);
    games.add(ids[1], ids[2], Outcome::WHITE_WINS);
    let ratings = rate(&games, &plain()).unwrap();
    assert_eq!(ratings.groups, [vec![0], vec![1, 2]]);
    assert_eq!(
        (ratings.players[0].name.as_str(), ratings.players[0].interval),
        ("best", None)
    );
    assert!(ratings.players[1].interval.is_some());
}

#[test]
fn errors_say_what_is_wrong() {
    let mut games = Games::default();
    assert_eq!(rate(&games, &plain()).unwrap_err(), RateError::NoGames);
    let (a, b) = (games.player("a"), games.player("b"));
    games.add(a, a, Outcome::Draw);
    assert_eq!(rate(&games, &plain()).unwrap_err(), RateError::NoGames);
    assert_eq!(games.against_self(), 1);
    games.add(a, b, Outcome::WHITE_WINS);
    games.add(b, a, Outcome::WHITE_WINS);
    let anchors = |names: &[&str]| {
        names
            .iter()
            .map(|name| ((*name).to_owned(), 1.0))
            .collect::<Vec<_>>()
    };
    let unknown = rate(
        &games,
        &Options {
            anchors: anchors(&["c"]),
            ..plain()
        },
    );
    assert_eq!(unknown.unwrap_err(), RateError::UnknownAnchor("c".to_owned()));
    let repeated = rate(
        &games,
        &Options {
            anchors: anchors(&["a", "a"]),
            ..plain()
        },
    );
    assert_eq!(repeated.unwrap_err(), RateError::RepeatedAnchor("a".to_owned()));
    assert!(matches!(
        rate(
            &games,
            &Options {
                prior: -1.0,
                ..plain()
            }
        ),
        Err(RateError::BadOption { .. })
    ));
    assert!(matches!(
        rate(
            &games,
            &Options {
                prior: f64::NAN,
                ..plain()
            }
        ),
        Err(RateError::BadOption { .. })
    ));
    // White won every game: its advantage has no finite best value.
    let unbounded = rate(
        &games,
        &Options {
            advantage: Parameter::Fitted,
            ..plain()
        },
    );
    assert_eq!(unbounded.unwrap_err(), RateError::Unbounded("White's advantage"));
    // No draw at all: the draw parameter ends at 0.
    let drawless = rate(
        &games,
        &Options {
            draw_elo: Parameter::Fitted,
            ..plain()
        },
    )
    .unwrap();
    assert!(drawless.draw_elo.abs() < 1e-12);
}

#[test]
fn only_draws_leave_no_draw_parameter() {
    let mut games = Games::default();
    let (a, b) = (games.player("a"), games.player("b"));
    games.add(a, b, Outcome::Draw);
    let outcome = rate(
        &games,
        &Options {
            draw_elo: Parameter::Fitted,
            ..plain()
        },
    );
    assert_eq!(outcome.unwrap_err(), RateError::Unbounded("the draw parameter"));
}

/// Some tournament of up to six players.
fn some_tournament() -> impl Strategy<Value = Vec<(usize, usize, [u8; 3])>> {
    prop::collection::vec((0usize..6, 0usize..6, [0u8..6, 0u8..6, 0u8..6]), 1..30)
}

fn filled(
    results: &[(usize, usize, [u8; 3])],
    turn: impl Fn(usize, usize, [f64; 3]) -> (usize, usize, [f64; 3]),
) -> Games {
    let mut games = Games::default();
    let ids: Vec<_> = (0..6).map(|player| games.player(&format!("p{player}"))).collect();
    for (white, black, counts) in results {
        let (white, black, [wins, draws, losses]) = turn(*white, *black, counts.map(f64::from));
        games.add_tally(ids[white], ids[black], Tally { wins, draws, losses });
    }
    games
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Wins made losses: every rating changes its sign, White's advantage too.
    #[test]
    fn swapping_wins_and_losses_turns_the_list_around(results in some_tournament(), advantage in -80.0..80.0f64) {
        let fixed = |advantage| Options { advantage: Parameter::Fixed(advantage), ..Options::default() };
        let straight = rate(&filled(&results, |w, b, c| (w, b, c)), &fixed(advantage));
        let turned = rate(&filled(&results, |w, b, [x, y, z]| (w, b, [z, y, x])), &fixed(-advantage));
        let (Ok(straight), Ok(turned)) = (straight, turned) else { return Ok(()) };
        for player in &straight.players {
            let other = turned.players.iter().find(|other| other.name == player.name).unwrap();
            prop_assert!((player.elo + other.elo).abs() < 1e-4);
            prop_assert!((player.interval.unwrap_or(0.0) - other.interval.unwrap_or(0.0)).abs() < 1e-4);
        }
    }

    /// Colours swapped with the advantage's sign: nothing changes.
    #[test]
    fn swapping_colours_changes_the_sign_of_the_advantage_only(results in some_tournament(), advantage in -80.0..80.0f64) {
        let fixed = |advantage| Options { advantage: Parameter::Fixed(advantage), ..Options::default() };
        let straight = rate(&filled(&results, |w, b, c| (w, b, c)), &fixed(advantage));
        let swapped = rate(&filled(&results, |w, b, [x, y, z]| (b, w, [z, y, x])), &fixed(-advantage));
        let (Ok(straight), Ok(swapped)) = (straight, swapped) else { return Ok(()) };
        for player in &straight.players {
            let other = swapped.players.iter().find(|other| other.name == player.name).unwrap();
            prop_assert!((player.elo - other.elo).abs() < 1e-4);
        }
    }

    /// Whatever the games: ratings are finite, or the error says why not.
    #[test]
    fn never_not_a_number(results in some_tournament(), prior in 0u8..3, fit in any::<bool>()) {
        let parameter = |value| if fit { Parameter::Fitted } else { Parameter::Fixed(value) };
        let options = Options {
            prior: f64::from(prior), advantage: parameter(32.8), draw_elo: parameter(97.3), ..Options::default()
        };
        match rate(&filled(&results, |w, b, c| (w, b, c)), &options) {
            Ok(ratings) => for player in &ratings.players {
                prop_assert!(player.elo.is_finite());
                prop_assert!(player.interval.is_none_or(f64::is_finite));
            },
            Err(error) => prop_assert!(
                matches!(error, RateError::NoGames | RateError::Unbounded(_) | RateError::HiddenAdvantage), "{error}"
            ),
        }
    }
}
