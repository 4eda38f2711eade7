//! Labelled positions from games of our own: the vector that tuning starts from plays itself. Games of other runs can be
//! added.
//!
//! Every game begins in another opening, for two equal players play the same game twice. Positions after the opening
//! count where they are quiet for the side to move: not in check, and no capture or promotion that wins anything, so
//! that the static score is what a quiescence search would say. Each is taken once. Its label is the result of its game,
//! or, as in temporal differences (Sutton 1988), a mean of what the searches from there on said and the result: a game has
//! one result, and a few thousand of them say little of two hundred parameters. Searches count as chances, with the
//! spread that suits them best to the results. The positions of a game are kept out of the fit or not together.

use std::collections::HashSet;
use std::path::Path;

use vidmar_arena::archive;
use vidmar_chess::{Color, Position, SIMPLE_VALUES, Score};
use vidmar_store::{Game, RunId, Store};

use super::super::PositionsError;
use super::samples::{Samples, Searched};
use crate::run::{RunError, STORE_FILE};
use crate::status::tuning_run;

/// Quiet positions of games, none of them twice.
pub(super) struct Gathering {
    samples: Samples,
    seen: HashSet<u64>,
    /// How many positions are wanted.
    most: usize,
}

/// A mate as a score: no doubt is left.
const MATE: f64 = 10_000.0;

impl Gathering {
    /// None yet, and at most so many.
    pub(super) fn new(most: usize) -> Gathering {
        Gathering {
            samples: Samples::default(),
            seen: HashSet::new(),
            most,
        }
    }

    /// Adds those of a run's games.
    pub(super) fn add_run(&mut self, store: &Store, run: RunId) -> Result<(), RunError> {
        store.for_each_game(run, |game| self.add(&game))
    }

    /// Adds those of the tuning run in a directory; not those of its validation, whose openings are not to learn from.
    pub(super) fn add_directory(&mut self, directory: &Path) -> Result<(), RunError> {
        let path = directory.join(STORE_FILE);
        let games = Store::read(&path, |store| match tuning_run(&store)? {
            Some(run) => Ok::<_, RunError>(store.games(run)?),
            None => Err(PositionsError::NoRun { path: path.clone() }.into()),
        })?;
        games.iter().try_for_each(|game| self.add(game))
    }

    fn add(&mut self, game: &Game) -> Result<(), RunError> {
        let Some(result) = game.result else { return Ok(()) };
        let points = f64::from(result.half_points(Color::White)) / 2.0;
        let (mut position, moves) = archive::moves(game).map_err(|error| RunError::State {
            what: "a game",
            reason: error.to_string(),
        })?;
        let mut plies = Vec::new();
        for (ply, &m) in moves.iter().enumerate() {
            if let Some(ply) = ply.checked_sub(game.given as usize) {
                let is_wanted = self.samples.len() < self.most
                    && is_quiet(&position)
                    && self.seen.insert(position.key().0);
                if is_wanted {
                    self.samples.add(game.number, position.clone(), points);
                }
                let thought = game.thoughts.get(ply).and_then(|thought| thought.score);
                plies.push((thought.map(|score| for_white(score, position.turn())), is_wanted));
            }
            position.play(m);
        }
        self.samples.add_searches(Searched {
            number: game.number,
            points,
            plies,
        });
        Ok(())
    }

    /// What was gathered, with the results for labels.
    pub(super) fn samples(self) -> Samples {
        self.samples
    }
}

fn for_white(score: Score, turn: Color) -> f64 {
    let score = match score {
        Score::Centipawns(value) => f64::from(value),
        Score::Mate(moves) => MATE.copysign(f64::from(moves)),
    };
    match turn {
        Color::White => score,
        Color::Black => -score,
    }
}

/// Whether the side to move wins nothing at once.
fn is_quiet(position: &Position) -> bool {
    let wins = |m: &vidmar_chess::Move| {
        let is_loud = position.is_capture(*m) || m.promotion().is_some();
        is_loud && position.see_ge(*m, 1, &SIMPLE_VALUES)
    };
    !position.in_check() && !position.legal_moves().iter().any(wins)
}

#[cfg(test)]
mod tests {
    use vidmar_chess::{MoveInfo, Outcome};

    use super::super::loss::{chance, fitted_spread};
    use super::*;

    #[test]
    fn quiet_is_what_wins_nothing() {
        let quiet = |fen: &str| is_quiet(&fen.parse().unwrap());
        assert!(quiet("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        // A queen that hangs, but only for the side to move.
        assert!(!quiet("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"));
        assert!(quiet("4k3/8/8/3q4/4P3/5P2/8/4K3 b - - 0 1"));
        // A guarded pawn is no prey for a rook; a check is not quiet, nor is a promotion.
        assert!(quiet("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1"));
        assert!(!quiet("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"));
        assert!(!quiet("7k/P7/8/8/8/8/8/4K3 w - - 0 1"));
    }

    /// A game of three moves with scores from the side to move, and one without any.
    fn games() -> [Game; 2] {
        let thought = |score| MoveInfo {
            score: Some(score),
            ..MoveInfo::default()
        };
        let told = Game {
            result: Some(Outcome::BLACK_WINS),
            given: 1,
            moves: "e2e4 e7e5 g1f3 b8c6".into(),
            thoughts: vec![
                thought(Score::Centipawns(-30)),
                thought(Score::Centipawns(80)),
                thought(Score::Mate(2)),
            ],
            ..Game::default()
        };
        let silent = Game {
            number: 1,
            result: Some(Outcome::WHITE_WINS),
            moves: "d2d4 d7d5".into(),
            ..Game::default()
        };
        [told, silent]
    }

    fn labels(lambda: f64) -> Vec<f64> {
        let mut gathering = Gathering::new(usize::MAX);
        for game in &games() {
            gathering.add(game).unwrap();
        }
        let mut samples = gathering.samples();
        samples.label(lambda);
        samples.labels().collect()
    }

    #[test]
    fn labels_by_hand() {
        // The opening's move is nobody's; a silent game has its result whatever lambda is.
        assert_eq!(labels(1.0), [0.0, 0.0, 0.0, 1.0, 1.0]);
        // For White: +30, +80, and mated, which is certain.
        let spread = fitted_spread(&[(30.0, 0.0), (80.0, 0.0), (-MATE, 0.0)]);
        let p = [30.0, 80.0, -MATE].map(|score| chance(score, spread));
        assert!(p[0] > 0.5 && p[1] > p[0] && p[2] < 0.01, "{p:?}");
        assert_eq!(labels(0.0), [p[0], p[1], p[2], 1.0, 1.0]);
        let last = 0.25 * p[2];
        let middle = 0.25 * p[1] + 0.75 * last;
        let first = 0.25 * p[0] + 0.75 * middle;
        let expected = [first, middle, last, 1.0, 1.0];
        for (label, expected) in labels(0.75).into_iter().zip(expected) {
            assert!((label - expected).abs() < 1e-12, "{label} {expected}");
        }
    }

    #[test]
    fn no_position_twice_and_no_more_than_wanted() {
        let count = |most: usize| {
            let mut gathering = Gathering::new(most);
            for game in games().iter().chain(&games()) {
                gathering.add(game).unwrap();
            }
            gathering.samples().len()
        };
        assert_eq!((count(usize::MAX), count(2)), (5, 2));
    }
}
