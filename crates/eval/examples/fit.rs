//! Fits a vector to game results: the mean squared difference between the result of a game and the result that
//! the score of one of its quiet positions makes expect is made smaller, one parameter and one step at a time.
//!
//! ```sh
//! cargo run --release -p vidmar-eval --example fit -- POSITIONS.epd SET SWEEPS [START] > fitted.txt
//! ```
//!
//! START is a named vector, `guess` unless given; 0 sweeps only report on it. A line of the file is an EPD record with the result as `c9 "1-0";`. Every fifth block of 1,000 lines is
//! kept out of the fit and reported beside it. The colours are treated alike. Parameters stay inside the hull of their two intervals. The same
//! file gives the same vector on any number of cores.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use std::error::Error;
use std::ops::RangeInclusive;
use std::thread;

use vidmar_chess::{Color, Position};
use vidmar_eval::parameters::{COUNT, PARAMETERS, ParameterSet, place};
use vidmar_eval::{FullEvaluation, SetError, Vector};

/// Parts whose sums are added in order, so that the number of cores does not matter.
const PARTS: usize = 16;

struct Sample {
    position: Position,
    /// White's points.
    result: f64,
}

struct Samples {
    fitted: Vec<Sample>,
    kept_out: Vec<Sample>,
    /// Hundredths of a pawn that change the odds by the factor e.
    spread: f64,
}

impl Samples {
    fn read(text: &str) -> Result<Samples, Box<dyn Error>> {
        let (mut fitted, mut kept_out) = (Vec::new(), Vec::new());
        for (index, line) in text.lines().enumerate() {
            let fault = || format!("line {}: expected a position and c9 \"RESULT\";", index + 1);
            let (fields, result) = line.split_once(" c9 ").ok_or_else(fault)?;
            let result = match result.trim_matches(|c| c == '"' || c == ';') {
                "1-0" => 1.0,
                "1/2-1/2" => 0.5,
                "0-1" => 0.0,
                _ => return Err(fault().into()),
            };
            let position = format!("{fields} 0 1").parse()?;
            let samples = if index / 1000 % 5 == 4 {
                &mut kept_out
            } else {
                &mut fitted
            };
            samples.push(Sample { position, result });
        }
        let mut samples = Samples {
            fitted,
            kept_out,
            spread: 0.0,
        };
        // The spread belongs to the unit of the scores: it is found once, for the first vector.
        let guess = Vector::guess();
        let loss = |spread: u32| error(&guess, &samples.fitted, f64::from(spread));
        let best = (50..400).step_by(2).min_by(|&a, &b| loss(a).total_cmp(&loss(b)));
        samples.spread = f64::from(best.unwrap_or(140));
        Ok(samples)
    }
}

/// The mean squared difference.
fn error(vector: &Vector, samples: &[Sample], spread: f64) -> f64 {
    let evaluation = FullEvaluation::new(vector);
    let part_error = |part: &[Sample]| -> f64 {
        part.iter()
            .map(|sample| {
                let score = f64::from(evaluation.evaluate(&sample.position));
                let white = if sample.position.turn() == Color::White {
                    score
                } else {
                    -score
                };
                let expected = 1.0 / (1.0 + (-white / spread).exp());
                (sample.result - expected).powi(2)
            })
            .sum()
    };
    let size = samples.len().div_ceil(PARTS).max(1);
    let sum: f64 = thread::scope(|scope| {
        let threads: Vec<_> = samples
            .chunks(size)
            .map(|part| scope.spawn(move || part_error(part)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic in it"))
            .sum()
    });
    sum / samples.len() as f64
}

/// The attack units, White's and Black's by turns.
const UNITS: RangeInclusive<usize> = place("KingAttackUnit[4]")..=place("KingAttackUnit[11]");

fn is_white_unit(at: usize) -> bool {
    UNITS.contains(&at) && (at - UNITS.start()).is_multiple_of(2)
}

/// Sets a value, and if it is a unit of White's, Black's too: the evaluation is to treat the colours alike.
fn set_for_both_sides(vector: &mut Vector, at: usize, value: i32) -> Result<(), SetError> {
    if is_white_unit(at) {
        vector.set_at(at + 1, value)?;
    }
    vector.set_at(at, value)
}

/// The largest useful first step: an eighth of the interval.
fn first_step(place: usize) -> i32 {
    (PARAMETERS[place].narrow.max - PARAMETERS[place].narrow.min) / 8
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (file, set, sweeps, start) = match arguments.as_slice() {
        [file, set, sweeps] => (file, set, sweeps, "guess"),
        [file, set, sweeps, start] => (file, set, sweeps, start.as_str()),
        _ => return Err("usage: fit POSITIONS.epd SET SWEEPS [START]".into()),
    };
    let set = ParameterSet::named(set).ok_or("unknown set")?;
    let sweeps: u32 = sweeps.parse()?;
    let samples = Samples::read(&std::fs::read_to_string(file)?)?;
    let fixed = |at: usize| {
        let is_black_unit = UNITS.contains(&at) && !is_white_unit(at);
        is_black_unit || [place("PawnValueEndgame"), place("QueenUnit")].contains(&at)
    };

    let mut vector = Vector::named(start)?;
    // The queen's unit only moves a constant between its value and its mobility; a pawn stays the unit of all.
    vector.set("QueenUnit", 13)?;
    let mut best = error(&vector, &samples.fitted, samples.spread);
    let mut steps: Vec<i32> = (0..COUNT).map(|place| first_step(place).max(1)).collect();
    for sweep in 0..=sweeps {
        let kept_out = error(&vector, &samples.kept_out, samples.spread);
        eprintln!(
            "sweep {sweep}: fitted {best:.6}, kept out {kept_out:.6}, spread {}",
            samples.spread
        );
        if sweep == sweeps {
            break;
        }
        for place in set.places().filter(|place| !fixed(*place)) {
            let row = &PARAMETERS[place];
            let hull = row.narrow.min.min(row.wide.min)..=row.narrow.max.max(row.wide.max);
            let before = vector.at(place);
            let mut moved = false;
            for value in [before + steps[place], before - steps[place]] {
                if !hull.contains(&value) {
                    continue;
                }
                set_for_both_sides(&mut vector, place, value)?;
                let now = error(&vector, &samples.fitted, samples.spread);
                if now < best {
                    best = now;
                    moved = true;
                    break;
                }
                set_for_both_sides(&mut vector, place, before)?;
            }
            if !moved {
                steps[place] = (steps[place] / 2).max(1);
            }
        }
    }
    print!("{vector}");
    Ok(())
}
