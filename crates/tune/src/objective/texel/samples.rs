//! Labelled positions: what Texel's method learns from, and what it is tried on.

use std::path::Path;

use vidmar_chess::{Color, Outcome, Position};
use vidmar_formats::epd::Epd;

use super::super::positions::{PositionsError, records};
use super::loss::{chance, fitted_spread};

/// A position and what it teaches.
pub(super) struct Sample {
    pub(super) position: Position,
    /// White's points in its game.
    pub(super) points: f64,
    /// What is expected of them, as far as it is learned from.
    pub(super) label: f64,
}

/// Labelled positions, some of them kept out.
#[derive(Default)]
pub(super) struct Samples {
    pub(super) fitted: Vec<Sample>,
    pub(super) kept_out: Vec<Sample>,
    /// Where the groups of the fitted ones begin: positions of one game have its result in common.
    pub(super) groups: Vec<usize>,
    last_group: Option<u64>,
    /// The games that positions are of, where searches are known, in the order of the positions.
    games: Vec<Searched>,
    /// That of their scores, once it is known.
    spread: Option<f64>,
}

/// What the searches of a game said.
pub(super) struct Searched {
    /// Its group.
    pub(super) number: u64,
    /// White's points.
    pub(super) points: f64,
    /// By ply: the score for White, and whether the position before the move is one of the samples.
    pub(super) plies: Vec<(Option<f64>, bool)>,
}

/// One group of so many is kept out.
const KEPT_OUT: u64 = 5;
/// So many lines of a file are a group: neighbours are of the same game.
const GROUP: u64 = 1_000;

impl Samples {
    /// Reads records with the result as `c9 "1-0"`; positions in check are left out.
    pub(super) fn read(path: &Path, most: usize) -> Result<Samples, PositionsError> {
        let mut samples = Samples::default();
        let mut lines = 0;
        records(path, most, |record: Epd| {
            let outcome = record.text("c9").and_then(|text| text.parse::<Outcome>().ok());
            let Some(outcome) = outcome else {
                return Err("expected c9 \"1-0\", \"1/2-1/2\" or \"0-1\"".into());
            };
            lines += 1;
            let is_judged = !record.position.in_check();
            if is_judged {
                let points = f64::from(outcome.half_points(Color::White)) / 2.0;
                samples.add((lines - 1) / GROUP, record.position, points);
            }
            Ok(is_judged)
        })?;
        Ok(samples)
    }

    /// Adds a position with White's points; those of a group are kept out or not together.
    pub(super) fn add(&mut self, group: u64, position: Position, points: f64) {
        let part = if is_kept_out(group) {
            &mut self.kept_out
        } else {
            if self.last_group.replace(group) != Some(group) {
                self.groups.push(self.fitted.len());
            }
            &mut self.fitted
        };
        part.push(Sample {
            position,
            points,
            label: points,
        });
    }

    /// Adds what was searched in the game whose positions were added last.
    pub(super) fn add_searches(&mut self, game: Searched) {
        self.games.push(game);
        self.spread = None;
    }

    /// Labels the positions of games anew (see [`super::Settings::lambda`]); those of a file have their results.
    pub(super) fn label(&mut self, lambda: f64) {
        let spread = *self.spread.get_or_insert_with(|| {
            let scored = self.games.iter().flat_map(|game| {
                let scores = game.plies.iter().filter_map(|(score, _)| *score);
                scores.map(|score| (score, game.points))
            });
            fitted_spread(&scored.collect::<Vec<_>>())
        });
        let (mut fitted, mut kept_out) = (self.fitted.iter_mut(), self.kept_out.iter_mut());
        for game in &self.games {
            let mut label = game.points;
            let mut labels: Vec<f64> = Vec::with_capacity(game.plies.len());
            for (score, is_taken) in game.plies.iter().rev() {
                if let Some(score) = score {
                    label = lambda * label + (1.0 - lambda) * chance(*score, spread);
                }
                labels.extend(is_taken.then_some(label));
            }
            let samples = if is_kept_out(game.number) {
                &mut kept_out
            } else {
                &mut fitted
            };
            for (label, sample) in labels.into_iter().rev().zip(samples) {
                sample.label = label;
            }
        }
    }

    #[cfg(test)]
    pub(super) fn labels(&self) -> impl Iterator<Item = f64> {
        let all = self.fitted.iter().chain(&self.kept_out);
        all.map(|sample| sample.label)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.fitted.len() + self.kept_out.len()
    }

    /// Whether nothing can be fitted.
    pub(super) fn is_empty(&self) -> bool {
        self.fitted.is_empty()
    }
}

fn is_kept_out(group: u64) -> bool {
    group % KEPT_OUT == KEPT_OUT - 1
}
