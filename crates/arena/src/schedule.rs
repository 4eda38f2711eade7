//! Who plays whom, when, from which opening, with which colours.
//!
//! A schedule is arithmetic: the game of every number follows from the number alone, so that any worker can play any
//! game, and a resumed match knows what is missing. The words are those of cutechess: an *encounter* is a few games of
//! the same two players in a row, a *round* one encounter of every two players that meet. Only of a [knockout](crate::bracket) the
//! later games depend on results: they are known once the rounds before them are played ([`Schedule::advance`]).

use std::collections::BTreeMap;

use thiserror::Error;
use vidmar_store::Outline;

use crate::bracket::{Bracket, Tie, decide};

/// Who meets whom.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first so many players meet all others.
    Gauntlet {
        /// How many.
        seeds: usize,
    },
    /// Whoever loses a tie is out. A tie is as many encounters as there are rounds.
    Knockout,
}

/// When the next opening is taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum OpeningPolicy {
    /// After so many games of an encounter, and with every new one.
    Games(u32),
    /// With every encounter.
    Encounter,
    /// With every round: all encounters of a round begin alike.
    Round,
}

/// A tournament cannot be made of these.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// Nobody to play against.
    #[error("a match needs at least two players, not {0}")]
    TooFewPlayers(usize),
    /// A gauntlet of everybody.
    #[error(
        "{seeds} of {players} players run the gauntlet: expected at least 1 and fewer than there are players"
    )]
    Seeds {
        /// How many run it.
        seeds: usize,
        /// How many there are.
        players: usize,
    },
    /// Nothing to play.
    #[error("{0} must be at least 1")]
    Zero(&'static str),
    /// More games than anybody will play.
    #[error("so many rounds and games are too many")]
    TooMany,
}

/// What to play.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Who meets whom.
    pub tournament: Tournament,
    /// How many rounds.
    pub rounds: u64,
    /// Games of an encounter.
    pub games: u32,
    /// Whether the players exchange colours from game to game.
    pub swap: bool,
    /// Whether the second player of an encounter begins with White.
    pub reverse: bool,
    /// When the next opening is taken.
    pub openings: OpeningPolicy,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            tournament: Tournament::RoundRobin,
            rounds: 2,
            games: 2,
            swap: true,
            reverse: false,
            openings: OpeningPolicy::Encounter,
        }
    }
}

/// One game of a schedule.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its number, from 0.
    pub number: u64,
    /// Its round, from 0.
    pub round: u64,
    /// Its encounter, from 0, over all rounds.
    pub encounter: u64,
    /// Its index in the encounter, from 0.
    pub game: u32,
    /// The player with the white pieces, by index.
    pub white: usize,
    /// The player with the black pieces, by index.
    pub black: usize,
    /// Which opening of the sequence, from 0.
    pub opening: u64,
}

/// All games of a match, in order.
#[derive(Clone, Debug)]
pub struct Schedule {
    plan: Plan,
    /// The encounters of a round; of a knockout none.
    encounters: Vec<(usize, usize)>,
    bracket: Option<Bracket>,
    players: usize,
}

impl Schedule {
    /// The schedule of a plan for so many players.
    pub fn new(plan: Plan, players: usize) -> Result<Schedule, ScheduleError> {
        if players < 2 {
            return Err(ScheduleError::TooFewPlayers(players));
        }
        if plan.rounds == 0 {
            return Err(ScheduleError::Zero("the number of rounds"));
        }
        if plan.games == 0 {
            return Err(ScheduleError::Zero("the number of games"));
        }
        if plan.openings == OpeningPolicy::Games(0) {
            return Err(ScheduleError::Zero("the number of games with an opening"));
        }
        let encounters = match plan.tournament {
            Tournament::RoundRobin => round_robin(players),
            Tournament::Gauntlet { seeds } if seeds == 0 || seeds >= players => {
                return Err(ScheduleError::Seeds { seeds, players });
            }
            Tournament::Gauntlet { seeds } => gauntlet(players, seeds),
            Tournament::Knockout => Vec::new(),
        };
        let bracket = (plan.tournament == Tournament::Knockout).then(|| Bracket::new(players));
        let schedule = Schedule {
            plan,
            encounters,
            bracket,
            players,
        };
        schedule
            .encounters_of_a_round()
            .checked_mul(u64::from(plan.games))
            .and_then(|games| games.checked_mul(plan.rounds))
            .filter(|&games| games < 1 << 48)
            .ok_or(ScheduleError::TooMany)?;
        Ok(schedule)
    }

    /// Encounters of a round; of a knockout, ties in all.
    fn encounters_of_a_round(&self) -> u64 {
        match self.bracket {
            Some(_) => self.players as u64 - 1,
            None => self.encounters.len() as u64,
        }
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.plan.rounds * self.encounters_of_a_round() * u64::from(self.plan.games)
    }

    /// How many of them, from the first on, have known players.
    pub fn known_games(&self) -> u64 {
        match &self.bracket {
            Some(bracket) => bracket.ties().len() as u64 * self.games_of_a_tie(),
            None => self.games(),
        }
    }

    fn games_of_a_tie(&self) -> u64 {
        self.plan.rounds * u64::from(self.plan.games)
    }

    /// Lets the winners of a round of a knockout meet, once all of its games are among the results, which are in the order of their numbers;
    /// false if nothing new is known.
    pub fn advance(&mut self, results: &BTreeMap<u64, Outline>) -> bool {
        let ties = self.ties(results);
        let winner = |tie: usize| ties.get(tie).and_then(|tie| tie.winner);
        self.bracket
            .as_mut()
            .is_some_and(|bracket| bracket.advance(winner))
    }

    /// The ties of a knockout that are known, and what came of them; none of any other tournament.
    pub fn ties(&self, results: &BTreeMap<u64, Outline>) -> Vec<Tie> {
        let games = self.games_of_a_tie();
        let known = self.bracket.iter().flat_map(Bracket::ties);
        let tie = |(at, &(one, other)): (usize, &(usize, usize))| {
            let first = at as u64 * games;
            let own = results.range(first..first + games).map(|(_, game)| game);
            let (points, winner) = decide([one, other], own, games);
            Tie {
                round: Bracket::round(at, self.players),
                players: [one, other],
                points,
                winner,
            }
        };
        known.enumerate().map(tie).collect()
    }

    /// How many openings they are played from.
    pub fn openings(&self) -> u64 {
        self.opening(self.games() - 1) + 1
    }

    /// Whether games come in pairs: colours exchanged, the same opening.
    pub fn has_pairs(&self) -> bool {
        let same_opening = match self.plan.openings {
            OpeningPolicy::Games(repeat) => repeat % 2 == 0,
            OpeningPolicy::Encounter | OpeningPolicy::Round => true,
        };
        self.plan.swap && self.plan.games.is_multiple_of(2) && same_opening
    }

    /// The opening of a game.
    fn opening(&self, number: u64) -> u64 {
        let games = u64::from(self.plan.games);
        let (encounter, game) = (number / games, number % games);
        match self.plan.openings {
            OpeningPolicy::Encounter => encounter,
            // All ties of a knockout begin alike.
            OpeningPolicy::Round if self.bracket.is_some() => encounter % self.plan.rounds,
            OpeningPolicy::Round => encounter / self.encounters.len() as u64,
            OpeningPolicy::Games(repeat) => {
                encounter * u64::from(self.plan.games.div_ceil(repeat)) + game / u64::from(repeat)
            }
        }
    }

    /// The game of a number; `number` must be below [`known_games`](Schedule::known_games).
    pub fn game(&self, number: u64) -> ScheduledGame {
        let games = u64::from(self.plan.games);
        let encounter = number / games;
        let game = (number % games) as u32;
        let (round, (first, second)) = if let Some(bracket) = &self.bracket {
            let tie = (encounter / self.plan.rounds) as usize;
            (Bracket::round(tie, self.players) as u64, bracket.ties()[tie])
        } else {
            let encounters = self.encounters.len() as u64;
            let pair = self.encounters[(encounter % encounters) as usize];
            (encounter / encounters, pair)
        };
        let exchanged = (self.plan.swap && game % 2 == 1) != self.plan.reverse;
        let (white, black) = if exchanged {
            (second, first)
        } else {
            (first, second)
        };
        ScheduledGame {
            number,
            round,
            encounter,
            game,
            white,
            black,
            opening: self.opening(number),
        }
    }
}

/// Everybody meets everybody once: the circle method, in which the first player stays and the others go round. No
/// player plays twice before all have played, and colours of the first games are spread evenly.
fn round_robin(players: usize) -> Vec<(usize, usize)> {
    let seats = players + players % 2;
    let mut encounters = Vec::with_capacity(players * (players - 1) / 2);
    for turn in 0..seats - 1 {
        let seat = |index: usize| {
            if index == 0 {
                0
            } else {
                (index - 1 + turn) % (seats - 1) + 1
            }
        };
        for index in 0..seats / 2 {
            let (a, b) = (seat(index), seat(seats - 1 - index));
            if a < players && b < players {
                // The player who stays would have White every time.
                let exchanged = if index == 0 { turn % 2 == 1 } else { index % 2 == 1 };
                encounters.push(if exchanged { (b, a) } else { (a, b) });
            }
        }
    }
    encounters
}

fn gauntlet(players: usize, seeds: usize) -> Vec<(usize, usize)> {
    (seeds..players)
        .flat_map(|opponent| (0..seeds).map(move |seed| (seed, opponent)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scheduled(plan: Plan, players: usize) -> Vec<ScheduledGame> {
        let schedule = Schedule::new(plan, players).expect("a schedule");
        (0..schedule.games())
            .map(|number| schedule.game(number))
            .collect()
    }

    #[test]
    fn two_players_play_pairs_with_one_opening_each() {
        let plan = Plan {
            rounds: 3,
            ..Plan::default()
        };
        let found: Vec<_> = scheduled(plan, 2)
            .iter()
            .map(|game| (game.round, game.white, game.black, game.opening))
            .collect();
        assert_eq!(
            found,
            [
                (0, 0, 1, 0),
                (0, 1, 0, 0),
                (1, 0, 1, 1),
                (1, 1, 0, 1),
                (2, 0, 1, 2),
                (2, 1, 0, 2)
            ]
        );
    }

    #[test]
    fn everybody_meets_everybody_once_a_round_with_both_colours() {
        for players in 2..=9 {
            let plan = Plan {
                rounds: 1,
                ..Plan::default()
            };
            let mut games = vec![vec![0; players]; players];
            for game in scheduled(plan, players) {
                assert_ne!(game.white, game.black);
                games[game.white][game.black] += 1;
            }
            for (white, row) in games.iter().enumerate() {
                for (black, &count) in row.iter().enumerate() {
                    assert_eq!(count, i32::from(white != black), "{players} players");
                }
            }
        }
    }

    #[test]
    fn colours_of_single_games_are_spread() {
        for players in 2..=9 {
            let plan = Plan {
                rounds: 1,
                games: 1,
                ..Plan::default()
            };
            let mut balance = vec![0_i32; players];
            for game in scheduled(plan, players) {
                balance[game.white] += 1;
                balance[game.black] -= 1;
            }
            assert!(
                balance.iter().all(|difference| difference.abs() <= 2),
                "{balance:?}"
            );
        }
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let plan = Plan {
            tournament: Tournament::Gauntlet { seeds: 2 },
            rounds: 1,
            ..Plan::default()
        };
        let found = scheduled(plan, 5);
        assert_eq!(found.len(), 2 * 3 * 2);
        assert!(found.iter().all(|game| (game.white < 2) != (game.black < 2)));
    }

    #[test]
    fn colours_and_openings_as_asked() {
        let plan = Plan {
            rounds: 2,
            games: 4,
            openings: OpeningPolicy::Games(2),
            reverse: true,
            ..Plan::default()
        };
        let found: Vec<_> = scheduled(plan, 2)
            .iter()
            .map(|game| (game.white, game.opening))
            .collect();
        assert_eq!(
            found,
            [(1, 0), (0, 0), (1, 1), (0, 1), (1, 2), (0, 2), (1, 3), (0, 3)]
        );
        let plan = Plan {
            swap: false,
            openings: OpeningPolicy::Round,
            ..plan
        };
        assert!(
            scheduled(plan, 2)
                .iter()
                .all(|game| game.white == 1 && game.opening == game.round)
        );
    }

    #[test]
    fn pairs_need_both_colours_and_one_opening() {
        let has = |plan| Schedule::new(plan, 2).expect("a schedule").has_pairs();
        let plan = Plan::default();
        assert!(has(plan));
        assert!(!has(Plan { swap: false, ..plan }));
        assert!(!has(Plan { games: 1, ..plan }));
        let openings = OpeningPolicy::Games(1);
        assert!(!has(Plan { openings, ..plan }));
    }

    #[test]
    fn senseless_plans_are_refused() {
        let plan = Plan::default();
        let refused = |plan, players| Schedule::new(plan, players).err();
        assert_eq!(refused(plan, 1), Some(ScheduleError::TooFewPlayers(1)));
        assert!(matches!(
            refused(Plan { rounds: 0, ..plan }, 2),
            Some(ScheduleError::Zero(_))
        ));
        assert_eq!(
            refused(
                Plan {
                    rounds: u64::MAX,
                    ..plan
                },
                2
            ),
            Some(ScheduleError::TooMany)
        );
        let tournament = Tournament::Gauntlet { seeds: 2 };
        assert_eq!(
            refused(Plan { tournament, ..plan }, 2),
            Some(ScheduleError::Seeds { seeds: 2, players: 2 })
        );
    }
}
