//! The results that a rating is made from: players by name, and one tally for every pairing.
//!
//! A million games of two hundred players are forty thousand tallies: everything after reading works
//! on those. A pairing is ordered, because colours matter. Tallies are real numbers, so that a weight,
//! a virtual game or a published percentage can be put in as well as a game.

use std::collections::HashMap;

use vidmar_chess::Outcome;

/// A player's number: its index in [`Games::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlayerId(pub(crate) u32);

impl PlayerId {
    /// The index of the player in [`Games::names`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Results of one pairing, from White's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games won by White.
    pub wins: f64,
    /// Games drawn.
    pub draws: f64,
    /// Games lost by White.
    pub losses: f64,
}

impl Tally {
    /// Number of games.
    pub fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    /// White's points: a win is one, a draw a half.
    pub fn points(&self) -> f64 {
        self.wins + 0.5 * self.draws
    }
}

/// All games of one player with White against one other with Black.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// The player with the white pieces.
    pub white: PlayerId,
    /// The player with the black pieces.
    pub black: PlayerId,
    /// The results, from White's point of view.
    pub tally: Tally,
}

/// Players and the results between them.
#[derive(Clone, Debug, Default)]
pub struct Games {
    names: Vec<String>,
    by_name: HashMap<String, PlayerId>,
    pairings: Vec<Pairing>,
    by_pair: HashMap<(PlayerId, PlayerId), u32>,
    against_self: u64,
}

impl Games {
    /// The player of that name, entered if new.
    pub fn player(&mut self, name: &str) -> PlayerId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = PlayerId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), id);
        id
    }

    /// The player of that name, if there is one.
    pub fn find(&self, name: &str) -> Option<PlayerId> {
        self.by_name.get(name).copied()
    }

    /// Adds one game.
    pub fn add(&mut self, white: PlayerId, black: PlayerId, outcome: Outcome) {
        let mut tally = Tally::default();
        match outcome {
            Outcome::WHITE_WINS => tally.wins = 1.0,
            Outcome::Draw => tally.draws = 1.0,
            Outcome::BLACK_WINS => tally.losses = 1.0,
        }
        self.add_tally(white, black, tally);
    }

    /// Adds many games of one pairing. Games of a player against itself say nothing about its strength:
    /// they are counted apart and never rated.
    pub fn add_tally(&mut self, white: PlayerId, black: PlayerId, tally: Tally) {
        if white == black {
            self.against_self += tally.games() as u64;
            return;
        }
        let pairings = &mut self.pairings;
        let index = *self.by_pair.entry((white, black)).or_insert_with(|| {
            pairings.push(Pairing {
                white,
                black,
                tally: Tally::default(),
            });
            pairings.len() as u32 - 1
        });
        let sum = &mut pairings[index as usize].tally;
        sum.wins += tally.wins;
        sum.draws += tally.draws;
        sum.losses += tally.losses;
    }

    /// Names of the players, by number.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The pairings with their results, in the order of their first game.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// Number of games between different players.
    pub fn total(&self) -> f64 {
        self.pairings.iter().map(|pairing| pairing.tally.games()).sum()
    }

    /// Number of games left out because both players had the same name.
    pub fn against_self(&self) -> u64 {
        self.against_self
    }
}
