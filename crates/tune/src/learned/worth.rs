//! What parameters are worth in Elo, by all games of a run.
//!
//! The strength of a vector is taken for a sum over its parameters, each with a slope and a bend over its interval; the
//! differences between the two vectors of every game, and its result, say what they are ([`Regression`]). Opponents that are no
//! vectors have a strength of their own. That leaves out what two parameters do only together, and is right near the vectors
//! that played: nothing is said of values that did not.

use std::collections::HashMap;

use vidmar_chess::{Color, Outcome};
use vidmar_optim::{Optimizer, Space};
use vidmar_rating::regression::{Prior, Regression, Rows};
use vidmar_rows::{Effect, EloInterval};
use vidmar_store::{Outline, RunId, Store};

use super::SIGMAS;
use crate::run::RunError;

/// At most so many games are looked at, and so many products are summed up: a second or two, some tens of MiB.
const MOST_GAMES: usize = 200_000;
const MOST_PRODUCTS: usize = 3_000_000_000;
/// Opponents that have a strength of their own; games with more than these are left out.
const MOST_OPPONENTS: usize = 50;

/// What is expected at first of a parameter from one end of its interval to the other, in Elo; the games choose a factor.
const SLOPE: Prior = Prior {
    elo: 100.0,
    is_scaled: true,
};
/// A bend of 8 lowers both ends by 1.
const BEND: Prior = Prior {
    elo: 400.0,
    is_scaled: true,
};
const ADVANTAGE: Prior = Prior {
    elo: 200.0,
    is_scaled: false,
};
const OPPONENT: Prior = Prior {
    elo: 1000.0,
    is_scaled: false,
};

/// Elo that nobody would play so many games for.
const NEGLIGIBLE: f64 = 5.0;

/// What all games say.
pub(super) struct Worth {
    scale: Scale,
    regression: Regression,
    games: u64,
    /// By dimension: the smallest and the largest value that played.
    tried: Vec<Option<(f64, f64)>>,
}

/// What is known of a parameter: estimates with half the width of their 95 % intervals.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParameterWorth {
    pub(super) tried: Option<(f64, f64)>,
    /// From the worst to the best of the values that played.
    pub(super) elo: (f64, f64),
    /// From before to after.
    pub(super) gain: (f64, f64),
    /// Whether that is more than chance makes of as many parameters.
    pub(super) matters: bool,
}

impl ParameterWorth {
    /// Whether it matters, where what is worth less than so much does not.
    pub(super) fn effect(&self, negligible: f64) -> Effect {
        let is_varied = self.tried.is_some_and(|(low, high)| low < high);
        match self.elo {
            _ if self.matters => Effect::Matters,
            (elo, error) if is_varied && elo + error < negligible => Effect::None,
            _ => Effect::Unknown,
        }
    }
}

/// What does not matter: what is worth less than this, or than a tenth of what matters most. Games that have shown of nothing
/// that it matters could not have shown it of the rest either: then of nothing is known that it does not.
pub(super) fn negligible(worths: &[ParameterWorth]) -> f64 {
    let matters = worths.iter().filter(|worth| worth.matters);
    let largest = matters.map(|worth| worth.elo.0).reduce(f64::max);
    largest.map_or(0.0, |largest| NEGLIGIBLE.max(largest / 10.0))
}

impl Worth {
    /// From the games of the rounds that the optimiser has learned from, so that it does not depend on how far those after it are; none
    /// where no two different vectors have met.
    pub(super) fn of(store: &Store, run: RunId, optimizer: &Optimizer) -> Result<Option<Worth>, RunError> {
        let (space, rounds) = (&optimizer.setup().space, optimizer.rounds());
        let scale = Scale::of(space);
        let columns = scale.columns.len() * 2 + 1 + MOST_OPPONENTS;
        let most = MOST_GAMES.min(MOST_PRODUCTS / (columns * columns));
        let games: Vec<Outline> = store
            .results(run)?
            .into_iter()
            .filter(|game| game.result.is_some() && game.white != game.black && game.round < rounds)
            .collect();
        let every = games.len().div_ceil(most.max(1)).max(1);
        let games: Vec<Outline> = games.into_iter().step_by(every).collect();
        let mut players: HashMap<u32, Option<Vec<f64>>> = HashMap::new();
        for game in &games {
            players.insert(game.white, None);
            players.insert(game.black, None);
        }
        store.for_each_player(run, |player| {
            if let Some(features) = players.get_mut(&player.number) {
                *features = serde_json::from_str(&player.description).ok();
            }
            Ok::<(), RunError>(())
        })?;
        let games = games.iter().filter_map(|game| {
            let [white, black] = [game.white, game.black].map(|number| match players.get(&number) {
                Some(Some(vector)) => Side::Vector(vector),
                _ => Side::Opponent(number),
            });
            Some((white, black, game.result?))
        });
        Ok(Worth::of_games(scale, games))
    }

    /// From games between vectors, and between vectors and others.
    pub(super) fn of_games<'a>(
        scale: Scale,
        games: impl Iterator<Item = (Side<'a>, Side<'a>, Outcome)> + Clone,
    ) -> Option<Worth> {
        let opponents = opponents(games.clone());
        let first = scale.columns.len() * 2 + 1;
        let mut rows = Rows::new(first + opponents.len());
        let mut tried: Vec<Option<(f64, f64)>> = vec![None; scale.dimensions];
        let mut buffer = vec![0.0; first + opponents.len()];
        for (white, black, outcome) in games {
            buffer.fill(0.0);
            buffer[first - 1] = 1.0;
            let mut is_counted = true;
            for (side, sign) in [(white, 1.0), (black, -1.0)] {
                match side {
                    Side::Vector(vector) => {
                        scale.add(&mut buffer, vector, sign);
                        note(&mut tried, vector);
                    }
                    Side::Opponent(number) => match opponents.iter().position(|&one| one == number) {
                        Some(at) => buffer[first + at] = sign,
                        None => is_counted = false,
                    },
                }
            }
            if is_counted {
                rows.push(&buffer, f64::from(outcome.half_points(Color::White)) / 2.0);
            }
        }
        let differs = scale.columns.iter().any(|column| {
            let range = tried[column.dimension];
            range.is_some_and(|(low, high)| low < high)
        });
        if !differs {
            return None;
        }
        let priors: Vec<Prior> = (scale.columns.iter().map(|_| SLOPE))
            .chain(scale.columns.iter().map(|_| BEND))
            .chain([ADVANTAGE])
            .chain(opponents.iter().map(|_| OPPONENT))
            .collect();
        Some(Worth {
            regression: Regression::of(&rows, &priors)?,
            games: rows.len() as u64,
            scale,
            tried,
        })
    }

    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// What the way from one vector to another is worth.
    pub(super) fn gain(&self, before: &[f64], after: &[f64]) -> EloInterval {
        let mut row = self.empty();
        self.scale.add(&mut row, after, 1.0);
        self.scale.add(&mut row, before, -1.0);
        let (elo, sd) = self.regression.worth(&row);
        EloInterval::symmetric(elo, SIGMAS * sd)
    }

    /// What is known of a dimension.
    pub(super) fn parameter(&self, dimension: usize, before: f64, after: f64) -> ParameterWorth {
        let tried = self.tried[dimension];
        let from_to = |from: f64, to: f64| {
            let mut row = self.empty();
            if let Some(index) = self.scale.index_of(dimension) {
                self.scale.add_one(&mut row, index, to, 1.0);
                self.scale.add_one(&mut row, index, from, -1.0);
            }
            self.regression.worth(&row)
        };
        let (gain, gain_sd) = from_to(before, after);
        let (low, high) = tried.unwrap_or((before, before));
        // The best and the worst are at the ends or at the vertex; some steps on the way find it well enough.
        let at = |step: u32| low + (high - low) * f64::from(step) / f64::from(STEPS);
        let worths = (0..=STEPS).map(|step| (at(step), from_to(low, at(step)).0));
        let (worst, best) = worths.fold(
            ((low, 0.0), (low, 0.0)),
            |(worst, best): ((f64, f64), (f64, f64)), one| {
                (
                    if one.1 < worst.1 { one } else { worst },
                    if one.1 > best.1 { one } else { best },
                )
            },
        );
        let (elo, sd) = from_to(worst.0, best.0);
        // Of a line with a bend any two points may have been picked for their luck (Scheffé: two degrees of freedom), and of
        // many parameters any (Bonferroni).
        let sigmas = |chance: f64| (-2.0 * chance.ln()).sqrt();
        let parameters = self.scale.columns.len().max(1) as f64;
        ParameterWorth {
            tried,
            elo: (elo, sigmas(0.05) * sd),
            gain: (gain, SIGMAS * gain_sd),
            matters: elo > sigmas(0.05 / parameters) * sd,
        }
    }

    fn empty(&self) -> Vec<f64> {
        vec![0.0; self.regression.columns()]
    }
}

/// Steps from the smallest to the largest value that played.
const STEPS: u32 = 32;

/// One of the two players of a game.
#[derive(Clone, Copy)]
pub(super) enum Side<'a> {
    Vector(&'a [f64]),
    Opponent(u32),
}

/// The opponents that are no vectors, by number, as many as have a column.
fn opponents<'a>(games: impl Iterator<Item = (Side<'a>, Side<'a>, Outcome)>) -> Vec<u32> {
    let mut found = Vec::new();
    for (white, black, _) in games {
        for side in [white, black] {
            if let Side::Opponent(number) = side
                && found.len() < MOST_OPPONENTS
                && !found.contains(&number)
            {
                found.push(number);
            }
        }
    }
    found
}

fn note(tried: &mut [Option<(f64, f64)>], vector: &[f64]) {
    for (range, &x) in tried.iter_mut().zip(vector) {
        *range = Some(range.map_or((x, x), |(low, high)| (low.min(x), high.max(x))));
    }
}

/// Where the parameters of a vector stand in a row of the regression: first all slopes, then all bends.
pub(super) struct Scale {
    columns: Vec<Column>,
    dimensions: usize,
}

struct Column {
    dimension: usize,
    middle: f64,
    width: f64,
}

impl Scale {
    pub(super) fn of(space: &Space) -> Scale {
        let column = |j: usize| {
            let d = &space.dimensions()[j];
            Column {
                dimension: j,
                middle: f64::midpoint(d.min, d.max),
                width: d.width(),
            }
        };
        Scale {
            columns: space.free().map(column).filter(|c| c.width > 0.0).collect(),
            dimensions: space.dimensions().len(),
        }
    }

    fn index_of(&self, dimension: usize) -> Option<usize> {
        self.columns
            .iter()
            .position(|column| column.dimension == dimension)
    }

    fn add_one(&self, row: &mut [f64], index: usize, value: f64, sign: f64) {
        let Column { middle, width, .. } = self.columns[index];
        let u = (value - middle) / width;
        row[index] += sign * u;
        row[self.columns.len() + index] += sign * u * u / 2.0;
    }

    fn add(&self, row: &mut [f64], vector: &[f64], sign: f64) {
        for (index, column) in self.columns.iter().enumerate() {
            self.add_one(row, index, vector[column.dimension], sign);
        }
    }
}
