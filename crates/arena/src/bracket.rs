//! The bracket of a knockout: who meets whom, round after round.
//!
//! The players are seeds in the order in which they are named. Their places are the usual ones: the best two can only meet in the
//! final, the best four only from the semi-finals on, and where there are fewer players than places the best have no opponent in the first
//! round. Of a tie the winner is whoever has more points; if both have as many, whoever won more games with Black; else the better seed. So every tie
//! has the same number of games, and the game of every number follows from the results of the rounds before it.

use std::cmp::Reverse;

use vidmar_chess::Color;
use vidmar_store::Outline;

/// The bracket so far.
#[derive(Clone, Debug)]
pub(crate) struct Bracket {
    /// Who is in the last round that is known, in the order of the places; none is nobody.
    places: Vec<Option<usize>>,
    /// The ties of all rounds so far, in the order in which they are played.
    ties: Vec<(usize, usize)>,
    /// The first tie of every round so far.
    rounds: Vec<usize>,
}

/// A tie with what came of it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Tie {
    /// The round, from 0.
    pub round: usize,
    /// Who meets, by index, the better seed first.
    pub players: [usize; 2],
    /// Their points so far.
    pub points: [f64; 2],
    /// Who goes on, once all is played.
    pub winner: Option<usize>,
}

impl Bracket {
    /// The first round of so many players, two at least.
    pub(crate) fn new(players: usize) -> Bracket {
        let mut order = vec![0];
        while order.len() < players {
            let places = 2 * order.len();
            order = order.iter().flat_map(|&seed| [seed, places - 1 - seed]).collect();
        }
        let place = |seed: usize| (seed < players).then_some(seed);
        let mut bracket = Bracket {
            places: order.into_iter().map(place).collect(),
            ties: Vec::new(),
            rounds: Vec::new(),
        };
        bracket.pair();
        bracket
    }

    /// The ties of the round that begins.
    fn pair(&mut self) {
        self.rounds.push(self.ties.len());
        for pair in self.places.chunks_exact(2) {
            if let &[Some(one), Some(other)] = pair {
                self.ties.push((one.min(other), one.max(other)));
            }
        }
    }

    /// The ties that are known, in the order in which they are played.
    pub(crate) fn ties(&self) -> &[(usize, usize)] {
        &self.ties
    }

    /// The round of a tie, which need not be known yet, of so many players.
    pub(crate) fn round(tie: usize, players: usize) -> usize {
        let places = players.next_power_of_two();
        let (mut first, mut ties) = (0, players - places / 2);
        let mut round = 0;
        while tie >= first + ties && ties > 0 {
            first += ties;
            // After the first round all places are taken.
            ties = places >> (round + 2);
            round += 1;
        }
        round
    }

    /// The next round, once all ties of the last one have a winner; false if there is none.
    pub(crate) fn advance(&mut self, winner: impl Fn(usize) -> Option<usize>) -> bool {
        if self.places.len() <= 2 {
            return false;
        }
        let mut tie = self.rounds.last().copied().unwrap_or_default();
        let mut places = Vec::with_capacity(self.places.len() / 2);
        for pair in self.places.chunks_exact(2) {
            places.push(match *pair {
                [Some(_), Some(_)] => {
                    let Some(winner) = winner(tie) else { return false };
                    tie += 1;
                    Some(winner)
                }
                [one, other] => one.or(other),
                _ => None,
            });
        }
        self.places = places;
        self.pair();
        true
    }
}

/// What a tie of two players came to, from its games; `games` is how many it has.
pub(crate) fn decide<'g>(
    players: [usize; 2],
    results: impl Iterator<Item = &'g Outline>,
    games: u64,
) -> ([f64; 2], Option<usize>) {
    let (mut half_points, mut black_wins, mut played) = ([0_u64; 2], [0_u64; 2], 0);
    for game in results {
        played += 1;
        let Some(outcome) = game.result else { continue };
        for (side, index) in [(Color::White, game.white), (Color::Black, game.black)] {
            let Some(at) = players.iter().position(|&player| player == index as usize) else {
                continue;
            };
            let own = u64::from(outcome.half_points(side));
            half_points[at] += own;
            black_wins[at] += u64::from(side == Color::Black && own == 2);
        }
    }
    let better = (0..2).max_by_key(|&at| (half_points[at], black_wins[at], Reverse(players[at])));
    let winner = better.filter(|_| played >= games).map(|at| players[at]);
    (half_points.map(|points| points as f64 / 2.0), winner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::Outcome;

    /// All ties, if the better seed always wins.
    fn ties(players: usize) -> Vec<(usize, (usize, usize))> {
        let mut bracket = Bracket::new(players);
        loop {
            let known = bracket.ties().to_vec();
            if !bracket.advance(|tie| Some(known[tie].0)) {
                break;
            }
        }
        let ties = bracket.ties().iter().enumerate();
        ties.map(|(at, &tie)| (Bracket::round(at, players), tie))
            .collect()
    }

    #[test]
    fn the_best_meet_last_and_have_the_byes() {
        assert_eq!(ties(2), [(0, (0, 1))]);
        assert_eq!(ties(3), [(0, (1, 2)), (1, (0, 1))]);
        assert_eq!(ties(4), [(0, (0, 3)), (0, (1, 2)), (1, (0, 1))]);
        assert_eq!(
            ties(6),
            [(0, (3, 4)), (0, (2, 5)), (1, (0, 3)), (1, (1, 2)), (2, (0, 1))]
        );
        for players in 2..40 {
            let all = ties(players);
            assert_eq!(all.len(), players - 1);
            assert_eq!(all.last().map(|tie| tie.1), Some((0, 1)));
            // Everybody but the winner loses once.
            let mut losers: Vec<usize> = all.iter().map(|tie| tie.1.1).collect();
            losers.sort_unstable();
            assert!(losers.into_iter().eq(1..players), "{players}");
        }
    }

    #[test]
    fn a_tie_is_decided_by_points_then_black_then_seed() {
        let game = |number, white, result| Outline {
            number,
            round: 0,
            white,
            black: 1 - white,
            result,
        };
        let (white, black) = (Some(Outcome::WHITE_WINS), Some(Outcome::BLACK_WINS));
        let draw = Some(Outcome::Draw);
        let decided = |results: &[(u32, Option<Outcome>)]| {
            let games: Vec<Outline> = (0..)
                .zip(results)
                .map(|(number, &(player, result))| game(number, player, result))
                .collect();
            decide([0, 1], games.iter(), 2)
        };
        assert_eq!(decided(&[(0, draw), (1, white)]), ([0.5, 1.5], Some(1)));
        assert_eq!(decided(&[(0, draw), (1, draw)]), ([1.0, 1.0], Some(0)));
        // Both won once, the second with Black.
        assert_eq!(decided(&[(0, black), (0, white)]), ([1.0, 1.0], Some(1)));
        assert_eq!(decided(&[(0, white)]), ([1.0, 0.0], None));
        assert_eq!(decided(&[(0, None), (1, None)]), ([0.0, 0.0], Some(0)));
    }
}
