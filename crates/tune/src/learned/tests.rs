//! Synthetic games of a known answer.

use vidmar_chess::Outcome;
use vidmar_optim::Dimension;
use vidmar_rng::Rng;
use vidmar_rows::Effect;

use super::worth::{Scale, Side};
use super::*;

/// Four parameters from 0 to 100, all 50 at the start: a slope of 300 Elo, a hill with its top at 75 and 90 Elo above the
/// start, and two that do nothing.
fn space() -> Space {
    let names = ["Slope", "Hill", "Idle", "Void"];
    let dimension = |name: &str| Dimension::integer(name, 0, 100).starting_at(50.0);
    Space::new(names.map(dimension).to_vec()).unwrap()
}

fn truth(vector: &[f64]) -> f64 {
    let top = (vector[1] - 75.0) / 25.0;
    3.0 * (vector[0] - 50.0) + 90.0 * (1.0 - top * top)
}

/// Games of vectors on both sides of points that wander through the intervals, as SPSA's do.
fn games(count: u32, seed: u64) -> Vec<(Vec<f64>, Vec<f64>, Outcome)> {
    let mut rng = Rng::new(seed, b"learned-", 0, 0);
    let game = |_| {
        let centre: Vec<f64> = (0..4).map(|_| 30.0 + 40.0 * rng.unit()).collect();
        let flips: Vec<f64> = (0..4).map(|_| 15.0 * rng.sign()).collect();
        let side = |sign: f64| -> Vec<f64> { centre.iter().zip(&flips).map(|(c, f)| c + sign * f).collect() };
        let (white, black) = (side(1.0), side(-1.0));
        let elo = truth(&white) - truth(&black) + 20.0;
        let chance = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let outcome = if rng.unit() < chance {
            Outcome::WHITE_WINS
        } else {
            Outcome::BLACK_WINS
        };
        (white, black, outcome)
    };
    (0..count).map(game).collect()
}

fn learned(games: &[(Vec<f64>, Vec<f64>, Outcome)], after: &[f64]) -> Learned {
    let sides = games
        .iter()
        .map(|(white, black, outcome)| (Side::Vector(white), Side::Vector(black), *outcome));
    let worth = Worth::of_games(Scale::of(&space()), sides);
    Learned::from(&space(), (&[50.0; 4], after), None, worth.as_ref())
}

#[test]
fn what_is_known_of_synthetic_games_is_found() {
    let after = [70.0, 75.0, 40.0, 60.0];
    let found = learned(&games(6_000, 1), &after);
    let row = |name: &str| found.parameters.iter().find(|row| row.parameter == name).unwrap();
    assert_eq!(row("Slope").effect, Some(Effect::Matters));
    assert_eq!(row("Hill").effect, Some(Effect::Matters));
    assert_ne!(row("Idle").effect, Some(Effect::Matters));
    assert_ne!(row("Void").effect, Some(Effect::Matters));
    let is_near = |found: Option<f64>, error: Option<f64>, truth: f64| {
        let (found, error) = (found.unwrap(), error.unwrap());
        assert!(
            (found - truth).abs() < 1.5 * error && error < 60.0,
            "{found} ± {error}, {truth}"
        );
    };
    // From 15 to 85; and from 50 to 70, from the start to the top.
    is_near(row("Slope").elo, row("Slope").elo_error, 210.0);
    is_near(row("Slope").gain, row("Slope").gain_error, 60.0);
    is_near(row("Hill").gain, row("Hill").gain_error, 90.0);
    is_near(found.gain, found.gain_error, 150.0);
    assert!(row("Slope").tried_min.unwrap() < 20.0 && row("Slope").tried_max.unwrap() > 80.0);
    let text = found.statements.join("\n");
    assert!(
        text.starts_with("A regression on the 6000 games of the run puts the change from the start at +"),
        "{text}"
    );
    let matters = text
        .lines()
        .find(|line| line.starts_with("What matters"))
        .unwrap();
    assert!(
        matters.contains("Slope (") && matters.contains("Hill (") && !matters.contains("Idle"),
        "{text}"
    );
}

#[test]
fn noise_is_called_noise() {
    let mut noise = games(300, 2);
    let mut rng = Rng::new(5, b"noise---", 0, 0);
    for (_, _, outcome) in &mut noise {
        *outcome = if rng.unit() < 0.5 {
            Outcome::WHITE_WINS
        } else {
            Outcome::BLACK_WINS
        };
    }
    let found = learned(&noise, &[80.0, 80.0, 20.0, 20.0]);
    let text = found.statements.join("\n");
    assert!(
        text.starts_with("Noise exceeds signal: a regression on the 300 games"),
        "{text}"
    );
    assert!(text.contains(" Elo takes about "), "{text}");
    // Neither that they matter nor that they do not.
    assert!(
        found
            .parameters
            .iter()
            .all(|row| row.effect == Some(Effect::Unknown)),
        "{text}"
    );
    assert!(text.contains("cannot tell of any parameter"), "{text}");
}

/// What is at its bound is told with an interval to try; what was not varied is unknown; without games nothing is said.
#[test]
fn bounds_and_silence() {
    let found = learned(&games(50, 3), &[100.0, 50.0, 50.0, 50.0]);
    assert!(found.parameters[0].at_bound && !found.parameters[1].at_bound);
    let last = found.statements.last().unwrap();
    assert!(
        last.starts_with("At a bound: Slope.") && last.ends_with("--widen Slope=0..200"),
        "{last}"
    );
    let same = vec![(vec![50.0; 4], vec![50.0; 4], Outcome::Draw); 10];
    let silent = learned(&same, &[50.0; 4]);
    assert_eq!((silent.games, silent.gain, silent.statements.len()), (0, None, 0));
    assert!(
        silent
            .parameters
            .iter()
            .all(|row| row.elo.is_none() && row.effect.is_none())
    );
}

/// What is said of chance stays inside the interval: steps that were taken back at its ends do not add up beyond it.
#[test]
fn no_error_is_wider_than_the_interval() {
    let errors = Some((Uncertainty::Chance, vec![3.0, 1e4, 0.0, 20.0]));
    let found = Learned::from(&space(), (&[50.0; 4], &[60.0; 4]), errors, None);
    let told: Vec<f64> = found.parameters.iter().filter_map(|row| row.error).collect();
    assert_eq!(told.len(), 4);
    assert!(told[0] < 6.0 && told[3] < 40.0, "{told:?}");
    assert_eq!((told[1], told[2]), (100.0, 0.0));
}

/// An opponent that is no vector has a strength of its own, and what the parameters are worth is found all the same.
#[test]
fn games_with_others_tell_too() {
    let space = space();
    let opponents = games(6_000, 4);
    let mut rng = Rng::new(6, b"others--", 0, 0);
    let sides: Vec<(Vec<f64>, bool)> = opponents
        .into_iter()
        .map(|(vector, _, _)| {
            let elo = truth(&vector) + 100.0;
            let wins = rng.unit() < 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
            (vector, wins)
        })
        .collect();
    let games = sides.iter().map(|(vector, wins)| {
        let outcome = if *wins {
            Outcome::WHITE_WINS
        } else {
            Outcome::BLACK_WINS
        };
        (Side::Vector(vector), Side::Opponent(7), outcome)
    });
    let worth = Worth::of_games(Scale::of(&space), games).unwrap();
    let found = Learned::from(
        &space,
        (&[50.0; 4], &[70.0, 75.0, 50.0, 50.0]),
        None,
        Some(&worth),
    );
    let (gain, error) = (found.gain.unwrap(), found.gain_error.unwrap());
    assert!(
        (gain - 150.0).abs() < 1.5 * error && error < 60.0,
        "{gain} ± {error}"
    );
}
