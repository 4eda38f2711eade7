//! The table of a match: who made how many points against whom, and what that says.

use std::collections::BTreeMap;

use vidmar_chess::{Color, Outcome};
use vidmar_store::Outline;

use crate::estimate::Estimate;
use crate::tally::{Pairs, Tally};

/// One player's line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// Its games.
    pub tally: Tally,
    /// Its pairs of games, where games come in pairs.
    pub pairs: Pairs,
    /// Its games with White among those.
    pub white: Tally,
    /// Its faults, by kind.
    pub fault_kinds: BTreeMap<String, u64>,
}

impl Standing {
    /// All its faults.
    pub fn faults(&self) -> u64 {
        self.fault_kinds.values().sum()
    }

    /// What its results say: from the pairs where there are some, from single games otherwise.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of_pairs(&self.pairs).or_else(|| Estimate::of_games(&self.tally))
    }
}

/// Everybody's line, by index in the list of players, and everybody's score against everybody.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standings {
    /// By index.
    pub players: Vec<Standing>,
    /// `against[a][b]`: the games of `a` with `b`, as `a` sees them.
    pub against: Vec<Vec<Tally>>,
    /// Games with a result.
    pub games: u64,
    /// Games that have none.
    pub unscored: u64,
}

impl Standings {
    /// The table of these games, which are in order of their numbers. With `paired`, games 2k and 2k + 1 are a pair; one
    /// whose partner is missing or has no result counts as a game, not as a pair.
    pub fn new(players: usize, games: impl IntoIterator<Item = Outline>, paired: bool) -> Standings {
        let mut standings = Standings {
            players: vec![Standing::default(); players],
            against: vec![vec![Tally::default(); players]; players],
            ..Standings::default()
        };
        let mut before: Option<Outline> = None;
        for game in games {
            standings.add(&game);
            if let Some(first) = before
                .take()
                .filter(|first| paired && first.number / 2 == game.number / 2)
            {
                standings.add_pair(&first, &game);
            }
            before = Some(game);
        }
        standings
    }

    fn add(&mut self, game: &Outline) {
        let (white, black) = (game.white as usize, game.black as usize);
        let Some(result) = game.result else {
            self.unscored += 1;
            return;
        };
        if white >= self.players.len() || black >= self.players.len() || white == black {
            self.unscored += 1;
            return;
        }
        self.games += 1;
        let mut tally = Tally::default();
        match result {
            Outcome::WHITE_WINS => tally.wins = 1,
            Outcome::Draw => tally.draws = 1,
            Outcome::BLACK_WINS => tally.losses = 1,
        }
        add(&mut self.players[white].white, tally);
        for (player, opponent, tally) in [(white, black, tally), (black, white, tally.mirrored())] {
            add(&mut self.players[player].tally, tally);
            add(&mut self.against[player][opponent], tally);
        }
    }

    fn add_pair(&mut self, first: &Outline, second: &Outline) {
        let exchanged = first.white == second.black && first.black == second.white;
        let (Some(one), Some(two)) = (first.result, second.result) else {
            return;
        };
        if !exchanged || first.white == first.black {
            return;
        }
        let half_points = one.half_points(Color::White) + two.half_points(Color::Black);
        for (player, made) in [(first.white, half_points), (first.black, 4 - half_points)] {
            if let Some(standing) = self.players.get_mut(player as usize) {
                standing.pairs.add(usize::from(made));
            }
        }
    }

    /// Indices in the order of points a game, the best first; ties as they entered.
    pub fn ranking(&self) -> Vec<usize> {
        let mean = |index: usize| {
            let tally = self.players[index].tally;
            tally.points() / tally.games().max(1) as f64
        };
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)).then(a.cmp(&b)));
        order
    }
}

fn add(sum: &mut Tally, tally: Tally) {
    sum.wins += tally.wins;
    sum.draws += tally.draws;
    sum.losses += tally.losses;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(results: &[Option<Outcome>]) -> Vec<Outline> {
        let outline = |(at, &result): (usize, &Option<Outcome>)| Outline {
            number: at as u64,
            round: at as u64 / 2,
            white: (at % 2) as u32,
            black: 1 - (at % 2) as u32,
            result,
        };
        results.iter().enumerate().map(outline).collect()
    }

    #[test]
    fn pairs_are_counted_by_points() {
        // Player 0: 1 + 1, ½ + 0, 0 + 0, 1 + ½, and a pair with a hole.
        let results = [
            Some(Outcome::WHITE_WINS),
            Some(Outcome::BLACK_WINS),
            Some(Outcome::Draw),
            Some(Outcome::WHITE_WINS),
            Some(Outcome::BLACK_WINS),
            Some(Outcome::WHITE_WINS),
            Some(Outcome::WHITE_WINS),
            Some(Outcome::Draw),
            Some(Outcome::WHITE_WINS),
            None,
        ];
        let standings = Standings::new(2, games(&results), true);
        assert_eq!(standings.players[0].pairs, Pairs([1, 1, 0, 1, 1]));
        assert_eq!(standings.players[1].pairs, Pairs([1, 1, 0, 1, 1]).mirrored());
        assert_eq!(
            standings.players[0].tally,
            Tally {
                wins: 4,
                draws: 2,
                losses: 3
            }
        );
        assert_eq!((standings.games, standings.unscored), (9, 1));
        assert_eq!(standings.against[1][0], standings.players[0].tally.mirrored());
        assert_eq!(standings.ranking(), [0, 1]);
        let single = Standings::new(2, games(&results), false);
        assert_eq!(single.players[0].pairs.total(), 0);
    }

    #[test]
    fn a_missing_partner_makes_no_pair() {
        let mut some = games(&[Some(Outcome::WHITE_WINS); 6]);
        some.remove(1);
        some.remove(1);
        // Left are 0, 3, 4, 5: only 4 and 5 belong together.
        let standings = Standings::new(2, some, true);
        assert_eq!(standings.players[0].pairs, Pairs([0, 0, 1, 0, 0]));
    }
}
