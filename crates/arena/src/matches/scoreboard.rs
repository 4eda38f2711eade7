//! The games of a match so far, and the decision of its test.

use std::collections::BTreeMap;

use vidmar_chess::Color;
use vidmar_store::Outline;

use crate::sprt::{Decision, Sprt};
use crate::standings::Standings;
use crate::tally::{Pairs, Tally};

/// What has been played. Games may come in any order; what it says is the same for every order.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    players: usize,
    paired: bool,
    games: BTreeMap<u64, Outline>,
    /// Game, player and kind of every fault.
    faults: Vec<(u64, usize, String)>,
    test: Option<Test>,
}

/// A test on the games in their order, as far as none is missing.
#[derive(Clone, Debug)]
struct Test {
    sprt: Sprt,
    /// The first game that has not been looked at.
    next: u64,
    pairs: Pairs,
    tally: Tally,
    ratio: f64,
    /// The decision, and the number of games that it took.
    decision: Option<(Decision, u64)>,
}

impl Scoreboard {
    pub(super) fn new(players: usize, paired: bool, sprt: Option<Sprt>) -> Scoreboard {
        Scoreboard {
            players,
            paired,
            games: BTreeMap::new(),
            faults: Vec::new(),
            test: sprt.map(|sprt| Test {
                sprt,
                next: 0,
                pairs: Pairs::default(),
                tally: Tally::default(),
                ratio: 0.0,
                decision: None,
            }),
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: Outline) {
        self.games.insert(game.number, game);
        if let Some(test) = &mut self.test {
            test.look(&self.games, self.paired);
        }
    }

    /// Adds a fault of a kind.
    pub fn add_fault(&mut self, game: u64, player: usize, kind: &str) {
        self.faults.push((game, player, kind.to_owned()));
    }

    /// Lets go of all faults, for whoever reads them again.
    pub fn clear_faults(&mut self) {
        self.faults.clear();
    }

    /// What all games came to, by number.
    pub fn games(&self) -> &BTreeMap<u64, Outline> {
        &self.games
    }

    /// How many games there are, those without a result and those beyond a decision included.
    pub fn len(&self) -> u64 {
        self.games.len() as u64
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The decision of the test.
    pub fn decision(&self) -> Option<Decision> {
        self.test.as_ref()?.decision.map(|decision| decision.0)
    }

    /// The test itself.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.test.as_ref().map(|test| &test.sprt)
    }

    /// The test's log-likelihood ratio.
    pub fn ratio(&self) -> Option<f64> {
        self.test.as_ref().map(|test| test.ratio)
    }

    /// The numbers of the games that count are below this: those beyond a decision do not.
    pub fn counted(&self) -> u64 {
        let decision = self.test.as_ref().and_then(|test| test.decision);
        decision.map_or(u64::MAX, |decision| decision.1)
    }

    /// The table of the games that count.
    pub fn standings(&self) -> Standings {
        let counted = self.counted();
        let games = self.games.range(..counted).map(|(_, game)| *game);
        let mut standings = Standings::new(self.players, games, self.paired);
        for (game, player, kind) in &self.faults {
            if let Some(standing) = standings.players.get_mut(*player).filter(|_| *game < counted) {
                *standing.fault_kinds.entry(kind.clone()).or_default() += 1;
            }
        }
        standings
    }

    /// Whether games count in pairs.
    pub fn is_paired(&self) -> bool {
        self.paired
    }
}

impl Test {
    /// Looks at the games that have become complete; a pair is looked at as one.
    fn look(&mut self, games: &BTreeMap<u64, Outline>, paired: bool) {
        while self.decision.is_none() {
            if paired {
                let (Some(one), Some(two)) = (games.get(&self.next), games.get(&(self.next + 1))) else {
                    return;
                };
                self.next += 2;
                let (Some(one), Some(two)) = (half_points(one), half_points(two)) else {
                    continue;
                };
                self.pairs.add(one + two);
                self.ratio = self.sprt.of_pairs(&self.pairs);
            } else {
                let Some(game) = games.get(&self.next) else { return };
                self.next += 1;
                match half_points(game) {
                    None => continue,
                    Some(0) => self.tally.losses += 1,
                    Some(1) => self.tally.draws += 1,
                    Some(_) => self.tally.wins += 1,
                }
                self.ratio = self.sprt.of_games(&self.tally);
            }
            self.decision = self
                .sprt
                .decision(self.ratio)
                .map(|decision| (decision, self.next));
        }
    }
}

/// What the first player of the match made of a game.
fn half_points(game: &Outline) -> Option<usize> {
    let side = if game.white == 0 {
        Color::White
    } else {
        Color::Black
    };
    Some(usize::from(game.result?.half_points(side)))
}
