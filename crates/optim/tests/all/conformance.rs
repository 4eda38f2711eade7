//! What every row of the table of methods must pass. A new row is found here by itself.

#![allow(missing_docs, clippy::float_cmp, clippy::unwrap_used)]

use proptest::prelude::*;
use vidmar_optim::purpose::Purpose;
use vidmar_optim::{
    Answer, Ask, Batch, Budget, Derivatives, Dimension, Evidence, GameResult, Method, Optimizer, Repair,
    Settings, Setup, Space, TellError, Told,
};

const VALUES: Evidence = Evidence::Values { noisy: false };
const GAMES: Evidence = Evidence::Games {
    games: 2,
    paired: false,
};

fn setup(space: Space, evidence: Evidence, jobs: u64, seed: u64) -> Setup {
    Setup {
        space,
        evidence,
        budget: Budget::Jobs(jobs),
        seed,
        repair: Repair::Mirror,
    }
}

/// What a method can be told.
fn evidences(method: Method) -> Vec<Evidence> {
    if method.needs_gradients() {
        return vec![Evidence::Gradients];
    }
    let paired = Evidence::Games {
        games: 4,
        paired: true,
    };
    vec![
        VALUES,
        GAMES,
        Evidence::Gradients,
        paired,
        Evidence::Values { noisy: true },
    ]
}

/// Answers that depend on the batch alone; games are decided by the sum of components with some luck.
fn answer(batch: &Batch, job: usize) -> Answer {
    let worth = |player: usize| {
        batch.players[player]
            .iter()
            .enumerate()
            .map(|(j, x)| x / (j + 1) as f64)
            .sum::<f64>()
    };
    match &batch.ask {
        Ask::Values(asked) => Answer::Value(-(worth(asked[job]) - 3.0).powi(2)),
        Ask::Gradients(asked) => {
            let (n, above) = (batch.players[asked[job]].len(), worth(asked[job]) - 3.0);
            let share = |j: usize| 1.0 / (j + 1) as f64;
            let pairs = (0..n).flat_map(|j| (0..=j).map(move |k| (j, k)));
            Answer::Derivatives(Derivatives {
                value: -above.powi(2),
                gradient: (0..n).map(|j| -2.0 * above * share(j)).collect(),
                hessian: pairs.map(|(j, k)| 2.0 * share(j) * share(k)).collect(),
            })
        }
        Ask::Rate { players, games } => Answer::Ratings(crate::support::bradley_terry(*players, games)),
        Ask::Games(pairings) => {
            let pairing = &pairings[job];
            let luck = Purpose::Result.rng(pairing.seed, 0, 0, 0).uniform(-5.0, 5.0);
            let edge = worth(pairing.white) - worth(pairing.black) + luck;
            Answer::Game(match edge {
                _ if pairing.seed % 50 == 0 => GameResult::Void,
                e if e > 1.0 => GameResult::White,
                e if e < -1.0 => GameResult::Black,
                _ => GameResult::Draw,
            })
        }
    }
}

/// A method with all that it can be told; and where answers may be late, with games that are.
fn cases(method: Method) -> Vec<(Settings, Evidence)> {
    let mut late = serde_json::to_value(method.settings()).unwrap();
    let lag = late.get_mut("lag").map(|lag| *lag = 20.into());
    let late = lag.map(|()| (serde_json::from_value(late).unwrap(), GAMES));
    let usual = evidences(method)
        .into_iter()
        .map(|evidence| (method.settings(), evidence));
    usual.chain(late).collect()
}

fn tell_all(optimizer: &mut Optimizer, batch: &Batch) {
    for job in 0..batch.ask.jobs() {
        optimizer.tell(batch.round, job, answer(batch, job)).unwrap();
    }
}

fn small_space() -> Space {
    let mut dimensions: Vec<Dimension> = (0..4)
        .map(|j| Dimension::integer(format!("n{j}"), -4, 9 + j))
        .collect();
    dimensions.push(Dimension::real("r", 0.25, 2.5));
    dimensions.push(Dimension::integer("frozen", 0, 10).frozen_at(7.0));
    Space::new(dimensions).unwrap()
}

fn json(optimizer: &Optimizer) -> String {
    serde_json::to_string(optimizer).unwrap()
}

/// Minimises `loss` over five real parameters; the share of the start's loss that is left.
fn minimise(method: Method, seed: u64, loss: impl Fn(&[f64]) -> f64) -> f64 {
    let space = Space::new(
        (0..5)
            .map(|j| Dimension::real(format!("x{j}"), -5.0, 5.0))
            .collect(),
    )
    .unwrap();
    let start = loss(space.start());
    let evidence = evidences(method)[0];
    let mut optimizer = Optimizer::new(setup(space, evidence, 6_000, seed), method.settings()).unwrap();
    while !optimizer.is_finished() {
        let batch = optimizer.propose().clone();
        let (Ask::Values(asked) | Ask::Gradients(asked)) = &batch.ask else {
            panic!("values were to be asked")
        };
        for (job, &player) in asked.iter().enumerate() {
            let at = &batch.players[player];
            let told = match batch.ask {
                Ask::Gradients(_) => Answer::Derivatives(differenced(at, &loss)),
                _ => Answer::Value(-loss(at)),
            };
            optimizer.tell(batch.round, job, told).unwrap();
        }
    }
    loss(&optimizer.report().recommended().vector) / start
}

/// The derivatives of minus a loss without mixed terms, by differences.
fn differenced(at: &[f64], loss: impl Fn(&[f64]) -> f64) -> Derivatives {
    let moved = |j: usize, by: f64| {
        let mut vector = at.to_vec();
        vector[j] += by;
        -loss(&vector)
    };
    let (value, h) = (-loss(at), 1e-3);
    let second = |j: usize| (2.0 * value - moved(j, h) - moved(j, -h)) / (h * h);
    let pairs = (0..at.len()).flat_map(|j| (0..=j).map(move |k| (j, k)));
    Derivatives {
        value,
        gradient: (0..at.len())
            .map(|j| (moved(j, h) - moved(j, -h)) / (2.0 * h))
            .collect(),
        hessian: pairs.map(|(j, k)| if j == k { second(j) } else { 0.0 }).collect(),
    }
}

#[test]
fn sphere_and_ellipsoid_are_improved_from_a_seed() {
    for &method in Method::ALL {
        for seed in 0..3 {
            let sphere = minimise(method, seed, |x| x.iter().map(|v| (v - 3.0).powi(2)).sum());
            assert!(sphere < 0.05, "{} leaves {sphere} of the sphere", method.name());
            let weighted = |(j, v): (usize, &f64)| 10_f64.powf(j as f64 / 2.0) * (v - 3.0).powi(2);
            let ellipsoid = minimise(method, seed, |x| x.iter().enumerate().map(weighted).sum());
            assert!(
                ellipsoid < 0.05,
                "{} leaves {ellipsoid} of the ellipsoid",
                method.name()
            );
        }
    }
}

/// A method that does not plan ahead walks the same path under a longer budget, and may be given one; one that does may not.
#[test]
fn only_methods_that_plan_ahead_follow_the_budget() {
    for &method in Method::ALL {
        let evidence = evidences(method)[0];
        let run = |jobs: u64| {
            let mut optimizer =
                Optimizer::new(setup(small_space(), evidence, jobs, 5), method.settings()).unwrap();
            let batches: Vec<Batch> = (0..12)
                .map(|_| {
                    let batch = optimizer.propose().clone();
                    tell_all(&mut optimizer, &batch);
                    batch
                })
                .collect();
            (batches, optimizer.rebudget(Budget::Jobs(2 * jobs)))
        };
        let ((short, is_free), (long, _)) = (run(400), run(4_000));
        assert_eq!(is_free, !method.settings().plans_ahead(), "{}", method.name());
        assert!(
            method.settings().plans_ahead() || short == long,
            "{}",
            method.name()
        );
    }
}

/// What a method says that it needs, it insists on.
#[test]
fn only_methods_that_need_gradients_refuse_games() {
    for &method in Method::ALL {
        let made = Optimizer::new(setup(small_space(), GAMES, 400, 1), method.settings());
        assert_eq!(made.is_err(), method.needs_gradients(), "{}", method.name());
    }
}

#[test]
fn told_in_any_order_the_result_is_the_same() {
    for &method in Method::ALL {
        for (settings, evidence) in cases(method) {
            let fresh = || Optimizer::new(setup(small_space(), evidence, 400, 9), settings.clone()).unwrap();
            let (mut straight, mut shuffled) = (fresh(), fresh());
            for round in 0..25 {
                let batch = straight.propose().clone();
                assert_eq!(shuffled.propose(), &batch);
                let mut order: Vec<usize> = (0..batch.ask.jobs()).collect();
                tell_all(&mut straight, &batch);
                Purpose::Opponent.rng(1, round, 0, 0).shuffle(&mut order);
                let last = order
                    .iter()
                    .map(|&job| shuffled.tell(batch.round, job, answer(&batch, job)).unwrap())
                    .last();
                assert_eq!(last, Some(Told::Complete));
                assert_eq!(straight, shuffled, "{} with {evidence:?}", method.name());
            }
        }
    }
}

/// The optimiser is written, dropped and read back before every propose, after it, and after every single answer.
#[test]
fn resumed_at_every_boundary_it_is_the_uninterrupted_run() {
    for &method in Method::ALL {
        for (settings, evidence) in cases(method) {
            let fresh = || Optimizer::new(setup(small_space(), evidence, 300, 4), settings.clone()).unwrap();
            let again = |optimizer: &Optimizer| {
                serde_json::from_str::<Optimizer>(&json(optimizer))
                    .unwrap_or_else(|error| panic!("{}, {evidence:?}: {error}", method.name()))
            };
            let (mut whole, mut broken) = (fresh(), fresh());
            for _ in 0..8 {
                let batch = whole.propose().clone();
                tell_all(&mut whole, &batch);
                broken = again(&broken);
                let batch = broken.propose().clone();
                broken = again(&broken);
                assert_eq!(broken.propose(), &batch, "proposing again proposes the same");
                while let Some(&job) = broken.missing().first() {
                    broken.tell(batch.round, job, answer(&batch, job)).unwrap();
                    broken = again(&broken);
                    if broken.propose().round != batch.round {
                        break;
                    }
                }
                whole.propose();
                assert_eq!(json(&broken), json(&whole), "{} with {evidence:?}", method.name());
            }
        }
    }
}

#[test]
fn nan_and_infinity_are_refused_by_name_and_change_nothing() {
    for &method in Method::ALL {
        let evidence = evidences(method)[0];
        let mut optimizer =
            Optimizer::new(setup(small_space(), evidence, 100, 2), method.settings()).unwrap();
        let batch = optimizer.propose().clone();
        let (Ask::Values(asked) | Ask::Gradients(asked)) = &batch.ask else {
            panic!("values were to be asked")
        };
        let (before, job) = (json(&optimizer), asked.len() - 1);
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let told = match answer(&batch, job) {
                Answer::Derivatives(mut derivatives) => {
                    derivatives.gradient[2] = value;
                    Answer::Derivatives(derivatives)
                }
                _ => Answer::Value(value),
            };
            let error = optimizer.tell(0, job, told).unwrap_err();
            assert!(matches!(error, TellError::NotFinite { candidate, .. } if candidate == asked[job]));
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("candidate {} of round 0 was told", asked[job])),
                "{error}"
            );
        }
        assert_eq!(json(&optimizer), before);
    }
}

#[test]
fn answers_that_were_not_asked_for_are_refused() {
    let mut optimizer =
        Optimizer::new(setup(small_space(), GAMES, 100, 2), Method::HistoryDe.settings()).unwrap();
    let game = Answer::Game(GameResult::Draw);
    assert_eq!(
        optimizer.tell(0, 0, game.clone()),
        Err(TellError::NothingOpen { job: 0 })
    );
    let jobs = optimizer.propose().ask.jobs();
    assert_eq!(
        optimizer.tell(1, 0, game.clone()),
        Err(TellError::WrongRound { told: 1, open: 0 })
    );
    assert_eq!(
        optimizer.tell(0, jobs, game.clone()),
        Err(TellError::UnknownJob {
            job: jobs,
            round: 0,
            jobs
        })
    );
    assert_eq!(optimizer.tell(0, 3, game.clone()), Ok(Told::Waiting(jobs - 1)));
    assert_eq!(
        optimizer.tell(0, 3, game),
        Err(TellError::AlreadyTold { job: 3, round: 0 })
    );
    let error = optimizer.tell(0, 4, Answer::Value(1.0)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "job 4 of round 0 asks for a game, told a value"
    );
}

/// Freezing, thawing and widening between rounds: the run goes on inside the new space.
#[test]
fn the_space_can_change_between_rounds() {
    let with = |change: &dyn Fn(&mut Dimension)| {
        let mut dimensions = small_space().dimensions().to_vec();
        dimensions.iter_mut().for_each(change);
        Space::new(dimensions).unwrap()
    };
    let narrow = with(&|d| {
        if d.name == "n1" {
            (d.min, d.max) = (0.0, 2.0);
        }
    });
    let frozen = with(&|d| {
        if d.name.starts_with('n') {
            (d.start, d.frozen) = (Some(1.0), true);
        }
    });
    let thawed = with(&|d| d.frozen = false);
    for &method in Method::ALL {
        for (settings, evidence) in cases(method) {
            let mut optimizer = Optimizer::new(setup(small_space(), evidence, 2_000, 3), settings).unwrap();
            for space in [&narrow, &frozen, &thawed] {
                let mut moved = false;
                for _ in 0..12 {
                    let batch = optimizer.propose().clone();
                    tell_all(&mut optimizer, &batch);
                    moved |= batch.players.iter().any(|p| p[5] != 7.0);
                }
                assert!(!moved, "{} moved a frozen dimension", method.name());
                optimizer.withdraw();
                optimizer.respace((*space).clone()).unwrap();
                let batch = optimizer.propose();
                if !matches!(batch.ask, Ask::Rate { .. }) {
                    assert!(
                        batch.players.iter().all(|p| space.contains(p)),
                        "{} left the new space",
                        method.name()
                    );
                }
                let batch = batch.clone();
                assert!(
                    optimizer.respace((*space).clone()).is_err(),
                    "not in the middle of a round"
                );
                tell_all(&mut optimizer, &batch);
            }
        }
    }
}

prop_compose! {
    fn any_space()(
        bounds in prop::collection::vec((-50_i64..50, 0_i64..60, any::<bool>(), 0_u8..5), 1..7)
    ) -> Space {
        let dimension = |(j, (min, width, real, freeze)): (usize, (i64, i64, bool, u8))| {
            let name = format!("x{j}");
            let d = if real {
                Dimension::real(name, min as f64 / 3.0, (min + width) as f64 / 3.0)
            } else {
                Dimension::integer(name, min, min + width)
            };
            let at = d.min;
            if freeze == 0 && j > 0 { d.frozen_at(at) } else { d }
        };
        Space::new(bounds.into_iter().enumerate().map(dimension).collect()).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_player_is_inside_its_space(
        space in any_space(),
        method in prop::sample::select(Method::ALL),
        games in any::<bool>(),
        clamp in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let evidence = match (method.needs_gradients(), games) {
            (true, _) => Evidence::Gradients,
            (_, true) => GAMES,
            _ => VALUES,
        };
        let mut setup = setup(space.clone(), evidence, 300, seed);
        setup.repair = if clamp { Repair::Clamp } else { Repair::Mirror };
        let mut optimizer = Optimizer::new(setup, method.settings()).unwrap();
        for _ in 0..12 {
            let batch = optimizer.propose().clone();
            for player in &batch.players {
                prop_assert!(space.contains(player), "{:?} in {:?}", player, space);
            }
            tell_all(&mut optimizer, &batch);
        }
        let report = optimizer.report();
        prop_assert!(space.contains(&report.centroid));
        prop_assert!(space.contains(&report.recommended().vector));
        for champion in optimizer.population().iter().chain(&optimizer.finalists(5)) {
            prop_assert!(space.contains(&champion.vector));
        }
    }
}

/// Every list in a value, by the way to it; of a list only the first two entries are looked into.
fn lists(value: &serde_json::Value, path: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Array(items) => {
            found.push(path.to_owned());
            for (index, item) in items.iter().take(2).enumerate() {
                lists(item, &format!("{path}/{index}"), found);
            }
        }
        serde_json::Value::Object(fields) => {
            for (key, item) in fields {
                lists(item, &format!("{path}/{key}"), found);
            }
        }
        _ => {}
    }
}

/// A list of a saved state that is an entry shorter or longer than it was, or empty: the state is refused, or it works.
#[test]
fn a_shortened_list_in_a_saved_state_is_refused_or_does_no_harm() {
    let (mut refused, mut harmless) = (0, 0);
    for &method in Method::ALL {
        for evidence in evidences(method) {
            let mut optimizer =
                Optimizer::new(setup(small_space(), evidence, 300, 4), method.settings()).unwrap();
            for round in 0..3 {
                for is_open in [false, true].into_iter().filter(|_| round != 1) {
                    if is_open {
                        optimizer.propose();
                    }
                    let saved: serde_json::Value = serde_json::from_str(&json(&optimizer)).unwrap();
                    let mut paths = Vec::new();
                    lists(&saved, "", &mut paths);
                    for path in paths {
                        for how in ["shorter", "longer", "empty"] {
                            let mut changed = saved.clone();
                            let list = changed.pointer_mut(&path).unwrap().as_array_mut().unwrap();
                            let Some(last) = list.last().cloned() else {
                                continue;
                            };
                            match how {
                                "shorter" => drop(list.pop()),
                                "longer" => list.push(last),
                                _ => list.clear(),
                            }
                            let what =
                                format!("{}, {evidence:?}, round {round}: {path} {how}", method.name());
                            let Ok(mut read) = serde_json::from_value::<Optimizer>(changed) else {
                                refused += 1;
                                continue;
                            };
                            harmless += 1;
                            let works = std::panic::catch_unwind(move || {
                                for _ in 0..2 {
                                    let batch = read.propose().clone();
                                    for job in read.missing() {
                                        read.tell(batch.round, job, answer(&batch, job)).unwrap();
                                    }
                                    read.report();
                                    read.population();
                                    read.finalists(3);
                                    read.chance();
                                }
                            });
                            assert!(works.is_ok(), "{what}");
                        }
                    }
                }
                let batch = optimizer.propose().clone();
                tell_all(&mut optimizer, &batch);
            }
        }
    }
    println!("{refused} refused, {harmless} without harm");
    assert!(refused > 1000 && harmless > 0);
}
