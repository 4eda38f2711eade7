//! Texel's method: how well static scores foretell results (Österlund's "Texel's Tuning Method", with log-loss).
//!
//! A position of a game that ended with `r` (1, ½, 0 for White) and has the static score `s` for White costs
//! −r ln p − (1 − r) ln(1 − p), p = 1 / (1 + e^(−s / K)). K is fitted once, to the vector that tuning starts from:
//! it belongs to the unit of the scores, and a vector may not gain by shrinking or stretching that unit.

use std::path::Path;

use vidmar_chess::{Color, Position};
use vidmar_eval::FullEvaluation;
use vidmar_formats::epd::Epd;

use super::{PositionsError, records};
use crate::parameters::Candidate;

struct Sample {
    position: Position,
    /// White's points.
    result: f64,
}

/// Labelled positions and the spread of scores.
pub struct Texel {
    samples: Vec<Sample>,
    spread: f64,
}

impl Texel {
    /// Reads records with the result as `c9 "1-0"`; positions in check are left out.
    pub fn read(path: &Path, most: usize, start: &Candidate) -> Result<Texel, PositionsError> {
        let mut samples = Vec::new();
        records(path, most, |record: Epd| {
            let result = match record.text("c9") {
                Some("1-0") => 1.0,
                Some("1/2-1/2") => 0.5,
                Some("0-1") => 0.0,
                _ => return Err("expected c9 \"1-0\", \"1/2-1/2\" or \"0-1\"".into()),
            };
            let position = record.position;
            let is_judged = !position.in_check();
            if is_judged {
                samples.push(Sample { position, result });
            }
            Ok(is_judged)
        })?;
        let mut texel = Texel { samples, spread: 0.0 };
        texel.spread = texel.fitted_spread(start);
        Ok(texel)
    }

    /// Hundredths of a pawn that change the odds by the factor e.
    pub fn spread(&self) -> f64 {
        self.spread
    }

    /// Minus the mean log-loss.
    pub fn value(&self, candidate: &Candidate) -> f64 {
        let evaluation = FullEvaluation::new(&candidate.vector);
        let scores = self
            .samples
            .iter()
            .map(|sample| (for_white(&evaluation, sample), sample.result));
        -loss(scores, self.spread) / self.samples.len() as f64
    }

    /// By golden section: the loss has one minimum in K.
    fn fitted_spread(&self, start: &Candidate) -> f64 {
        let evaluation = FullEvaluation::new(&start.vector);
        let scores: Vec<(f64, f64)> = self
            .samples
            .iter()
            .map(|sample| (for_white(&evaluation, sample), sample.result))
            .collect();
        let at = |spread: f64| loss(scores.iter().copied(), spread);
        let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (20.0, 2000.0);
        while high - low > 0.01 {
            let (a, b) = (high - golden * (high - low), low + golden * (high - low));
            if at(a) < at(b) {
                high = b;
            } else {
                low = a;
            }
        }
        f64::midpoint(low, high)
    }
}

fn for_white(evaluation: &FullEvaluation, sample: &Sample) -> f64 {
    let score = f64::from(evaluation.evaluate(&sample.position));
    if sample.position.turn() == Color::White {
        score
    } else {
        -score
    }
}

/// The sum over (score, result).
fn loss(scores: impl Iterator<Item = (f64, f64)>, spread: f64) -> f64 {
    // ln(1 + e^x) without overflow.
    let softplus = |x: f64| if x > 30.0 { x } else { x.exp().ln_1p() };
    scores
        .map(|(score, result)| {
            let x = score / spread;
            result * softplus(-x) + (1.0 - result) * softplus(x)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: p = 1/2 at a score of 0, so every result costs ln 2; a sure win costs nothing.
    #[test]
    fn loss_by_hand() {
        let two = std::f64::consts::LN_2;
        for result in [0.0, 0.5, 1.0] {
            assert!((loss([(0.0, result)].into_iter(), 100.0) - two).abs() < 1e-12);
        }
        assert!(loss([(100_000.0, 1.0)].into_iter(), 100.0) < 1e-12);
        assert!((loss([(100_000.0, 0.0)].into_iter(), 100.0) - 1000.0).abs() < 1e-9);
        // p = 1 / (1 + e^-1): -ln p = ln(1 + e^-1).
        assert!((loss([(100.0, 1.0)].into_iter(), 100.0) - (1.0 + (-1.0_f64).exp()).ln()).abs() < 1e-12);
    }
}
