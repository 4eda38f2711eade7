//! The database of page 3: every vector that ever played, every game, and a rating for each from all of them.
//!
//! The ratings come from outside: after every generation the optimiser asks for them with [`crate::Ask::Rate`], and
//! the cross table it asks about is complete, so the answer is a pure function of the question.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, foremost};
use crate::contest::Record;
use crate::history::{self, draw, returning};
use crate::protocol::{Answer, CrossEntry, GameResult, Pairing};
use crate::space::Vector;
use crate::vector_index::VectorIndex;
use vidmar_rng::Rng;

/// A vector of the database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rated {
    /// The vector as it played.
    pub vector: Vector,
    /// All its games.
    pub record: Record,
    /// Its rating, once asked for.
    pub rating: f64,
}

impl Rated {
    pub(crate) fn champion(&self) -> Champion {
        Champion {
            vector: self.vector.clone(),
            score: self.rating,
            games: self.record.games,
        }
    }
}

/// All vectors and games of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Database {
    entries: Vec<Rated>,
    /// Sorted by (white, black).
    games: Vec<CrossEntry>,
    #[serde(skip)]
    known: VectorIndex,
}

impl Database {
    /// All vectors in the order of their first game.
    pub fn entries(&self) -> &[Rated] {
        &self.entries
    }

    /// All games as a cross table.
    pub fn games(&self) -> &[CrossEntry] {
        &self.games
    }

    fn index(&mut self, vector: &[f64]) -> usize {
        let entries = &self.entries;
        let found = self
            .known
            .find(vector, entries.len(), |index| &entries[index].vector);
        found.unwrap_or_else(|| {
            self.entries.push(Rated {
                vector: vector.to_vec(),
                record: Record::default(),
                rating: 0.0,
            });
            self.entries.len() - 1
        })
    }

    /// Files a round's games between the players of its table.
    pub fn add(&mut self, players: &[Vector], pairings: &[Pairing], answers: &[Answer]) {
        let indices: Vec<usize> = players.iter().map(|player| self.index(player)).collect();
        for (pairing, answer) in pairings.iter().zip(answers) {
            let &Answer::Game(result) = answer else { continue };
            self.add_game(indices[pairing.white], indices[pairing.black], result);
        }
    }

    /// Files a round's values; where there are no games, the mean value is the rating.
    pub(crate) fn add_values(&mut self, players: &[Vector], records: &[Record]) {
        for (player, &record) in players.iter().zip(records).filter(|(_, record)| record.games > 0) {
            let index = self.index(player);
            let entry = &mut self.entries[index];
            entry.record.add(record);
            entry.rating = entry.record.efficiency();
        }
    }

    fn add_game(&mut self, white: usize, black: usize, result: GameResult) {
        let points = match result {
            GameResult::White => 1.0,
            GameResult::Draw => 0.5,
            GameResult::Black => 0.0,
            GameResult::Void => return,
        };
        self.entries[white].record.add(Record { games: 1, points });
        self.entries[black].record.add(Record {
            games: 1,
            points: 1.0 - points,
        });
        let found = self
            .games
            .binary_search_by_key(&(white, black), |entry| (entry.white, entry.black));
        let at = found.unwrap_or_else(|at| {
            self.games.insert(
                at,
                CrossEntry {
                    white,
                    black,
                    wins: 0,
                    draws: 0,
                    losses: 0,
                },
            );
            at
        });
        let entry = &mut self.games[at];
        match result {
            GameResult::White => entry.wins += 1,
            GameResult::Black => entry.losses += 1,
            _ => entry.draws += 1,
        }
    }

    /// Takes over the ratings of all entries.
    pub fn rate(&mut self, ratings: &[f64]) {
        for (entry, &rating) in self.entries.iter_mut().zip(ratings) {
            entry.rating = rating;
        }
    }

    /// Indices of the entries: highest rating first, then more games, then the earlier one.
    pub fn ranking(&self) -> Vec<usize> {
        self.foremost(usize::MAX)
    }

    /// Those none of whose games came to a result are not among them.
    fn foremost(&self, most: usize) -> Vec<usize> {
        let has_games = |index: usize| self.entries[index].record.games > 0;
        let mut indices = foremost(self.entries.len(), most, |a, b| {
            let (x, y) = (&self.entries[a], &self.entries[b]);
            let evidence = has_games(b).cmp(&has_games(a));
            let rating = y.rating.total_cmp(&x.rating);
            evidence.then(rating).then(y.record.games.cmp(&x.record.games))
        });
        indices.retain(|&index| has_games(index));
        indices
    }

    /// The first `most` vectors that are allowed, best rating first.
    /// Whether every vector is wide and every game has two players.
    pub(crate) fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool) -> bool {
        let known = |player: usize| player < self.entries.len();
        self.entries.iter().all(|entry| wide(&entry.vector))
            && self
                .games
                .iter()
                .all(|game| known(game.white) && known(game.black))
    }

    pub(crate) fn best(&self, most: usize, allowed: impl Fn(&[f64]) -> bool) -> Vec<&Rated> {
        let allowed = |&index: &usize| allowed(&self.entries[index].vector);
        let first = self.foremost(most);
        // Only a space changed between rounds forbids any.
        let indices: Vec<usize> = if first.iter().all(allowed) {
            first
        } else {
            self.ranking().into_iter().filter(allowed).take(most).collect()
        };
        indices.into_iter().map(|index| &self.entries[index]).collect()
    }

    /// The first `most` entries as champions, best rating first.
    pub fn champions(&self, most: usize) -> Vec<Champion> {
        let champion = |&index: &usize| self.entries[index].champion();
        self.foremost(most).iter().map(champion).collect()
    }

    /// Which of the best rated return, and in whose place: by selection proportional to the rating, shifted so that
    /// the worst of them has weight 1 ([erk-2008], Algorithm 2).
    pub fn inject(
        &self,
        settings: history::Settings,
        currents: &[&[f64]],
        trials: &[&[f64]],
        rng: &mut Rng,
    ) -> Vec<(Rated, usize)> {
        let best = self.foremost(settings.size);
        let best: Vec<&Rated> = best.iter().map(|&index| &self.entries[index]).collect();
        let lowest = best.last().map_or(0.0, |entry| entry.rating);
        let weights: Vec<f64> = best.iter().map(|entry| entry.rating - lowest + 1.0).collect();
        let draws = draw(&weights, settings.inject, trials.len(), rng);
        returning(&best, |entry| &entry.vector, &draws, currents, trials)
    }

    /// Whether nothing has been played yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::purpose::Purpose;

    fn database() -> Database {
        let mut database = Database::default();
        let players = vec![vec![1.0], vec![2.0], vec![1.0]];
        let pairings = [(0, 1), (1, 0), (2, 1), (1, 2), (0, 1)].map(|(white, black)| Pairing {
            white,
            black,
            seed: 0,
        });
        let results = [
            GameResult::White,
            GameResult::Draw,
            GameResult::Black,
            GameResult::Void,
            GameResult::White,
        ];
        database.add(&players, &pairings, &results.map(Answer::Game));
        database
    }

    #[test]
    fn one_entry_per_vector_and_every_game_once() {
        let database = database();
        let rows: Vec<_> = database
            .games()
            .iter()
            .map(|e| (e.white, e.black, e.wins, e.draws, e.losses))
            .collect();
        assert_eq!(rows, [(0, 1, 2, 0, 1), (1, 0, 0, 1, 0)]);
        let records: Vec<_> = database
            .entries()
            .iter()
            .map(|e| (e.record.games, e.record.points))
            .collect();
        assert_eq!(records, [(4, 2.5), (4, 1.5)]);
    }

    /// A crash is no result: the prior's 0 must not lead those who lost their games.
    #[test]
    fn nobody_is_ranked_without_a_result() {
        let mut database = database();
        let pairing = Pairing {
            white: 0,
            black: 0,
            seed: 0,
        };
        database.add(&[vec![3.0]], &[pairing], &[Answer::Game(GameResult::Void)]);
        database.rate(&[-5.0, -3.0, 0.0]);
        assert_eq!(database.ranking(), [1, 0]);
        assert_eq!(database.champions(1)[0].vector, [2.0]);
    }

    #[test]
    fn injection_weights_are_ratings_above_the_worst_plus_one() {
        let mut database = database();
        database.rate(&[5.0, 3.0]);
        // Weights 3 and 1.
        let mut first = 0;
        for round in 0..4000 {
            let mut rng = Purpose::Injection.rng(1, round, 0, 0);
            let settings = history::Settings {
                inject: 1,
                ..history::Settings::default()
            };
            let returned = database.inject(settings, &[], &[&[7.0]], &mut rng);
            first += usize::from(returned[0].0.vector == [1.0]);
        }
        assert!((2900..3100).contains(&first), "{first}");
    }
}
