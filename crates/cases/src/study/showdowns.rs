//! From games to showdowns, and from showdowns to a row of the summary.

use serde::Serialize;
use vidmar_chess::{Color, Outcome};

use super::correlation::{Correlation, correlate};
use super::ordering::longest_ordering;
use vidmar_rng::Rng;

/// One game of the study; behaviours are numbered by their experts' ratings, 0 for the highest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyGame {
    /// White.
    pub white: usize,
    /// Black.
    pub black: usize,
    /// The round, from 1.
    pub round: u32,
    /// How it ended.
    pub result: Option<Outcome>,
    /// Whether both sides kept the time limit.
    pub time_kept: bool,
}

impl StudyGame {
    /// White's points.
    fn white_points(&self) -> f64 {
        match self.result.and_then(Outcome::winner) {
            Some(Color::White) => 1.0,
            Some(Color::Black) => 0.0,
            None => 0.5,
        }
    }
}

/// A 95 % interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// From.
    pub low: f64,
    /// To.
    pub high: f64,
}

/// The games of one setting, summarised.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudySummary {
    /// Games.
    pub games: usize,
    /// Whether every side kept the time limit.
    pub time_limit_kept: bool,
    /// The longest sequence in which each beat all later ones; 1 is the highest-rated expert's.
    pub longest_ordering: Vec<usize>,
    /// Whether that is all of them, the highest-rated first.
    pub same_as_elo: bool,
    /// Games not drawn, in percent.
    pub decided_games_percent: f64,
    /// Points in all games, the highest-rated expert's behaviour first.
    pub points: Vec<f64>,
    /// Showdowns that the behaviour of the higher-rated expert won, drew and lost.
    pub showdowns: [usize; 3],
    /// What the behaviours of the higher-rated experts scored, in percent, and its interval.
    pub higher_rated_percent: f64,
    /// By drawing rounds again.
    pub higher_rated_interval: Option<Interval>,
    /// How well the points agree with the ratings.
    pub correlation: Correlation,
    /// Of tau, by drawing rounds again.
    pub kendall_interval: Option<Interval>,
    /// Of rho, by drawing rounds again.
    pub spearman_interval: Option<Interval>,
}

/// Points by pair: `points[a][b]` is what `a` took from `b`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    points: Vec<Vec<f64>>,
}

impl Tally {
    /// No games between so many players.
    pub fn new(players: usize) -> Tally {
        Tally {
            points: vec![vec![0.0; players]; players],
        }
    }

    /// Counts a game.
    ///
    /// # Panics
    /// If it is of players that are not there.
    pub fn add(&mut self, game: &StudyGame) {
        self.points[game.white][game.black] += game.white_points();
        self.points[game.black][game.white] += 1.0 - game.white_points();
    }

    fn join(&mut self, other: &Tally) {
        for (row, more) in self.points.iter_mut().zip(&other.points) {
            for (points, more) in row.iter_mut().zip(more) {
                *points += more;
            }
        }
    }

    /// Who beat whom.
    fn beat(&self) -> Vec<Vec<bool>> {
        let players = self.points.len();
        let beat = |one: usize, other: usize| self.points[one][other] > self.points[other][one];
        (0..players)
            .map(|one| (0..players).map(|other| beat(one, other)).collect())
            .collect()
    }

    fn totals(&self) -> Vec<f64> {
        self.points.iter().map(|row| row.iter().sum()).collect()
    }

    /// What the players of lower number took from those of higher number, in percent.
    fn higher_rated_percent(&self) -> f64 {
        let (mut points, mut games) = (0.0, 0.0);
        for one in 0..self.points.len() {
            for other in one + 1..self.points.len() {
                points += self.points[one][other];
                games += self.points[one][other] + self.points[other][one];
            }
        }
        100.0 * points / games
    }

    fn showdowns(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for one in 0..self.points.len() {
            for other in one + 1..self.points.len() {
                let (won, lost) = (self.points[one][other], self.points[other][one]);
                let index = if won > lost {
                    0
                } else if won < lost {
                    2
                } else {
                    1
                };
                counts[index] += 1;
            }
        }
        counts
    }
}

/// Times that the rounds are drawn again.
const RESAMPLES: usize = 2000;
/// Fewer rounds say nothing about their spread.
const LEAST_ROUNDS: usize = 5;

/// Summarises the games of one setting between so many players.
pub fn summarise(games: &[StudyGame], players: usize) -> StudySummary {
    let mut rounds: Vec<u32> = games.iter().map(|game| game.round).collect();
    rounds.sort_unstable();
    rounds.dedup();
    let by_round: Vec<Tally> = rounds
        .iter()
        .map(|&round| {
            let mut tally = Tally::new(players);
            for game in games.iter().filter(|game| game.round == round) {
                tally.add(game);
            }
            tally
        })
        .collect();
    let mut all = Tally::new(players);
    for tally in &by_round {
        all.join(tally);
    }
    let ordering = longest_ordering(&all.beat());
    let decided = games
        .iter()
        .filter(|game| game.result.and_then(Outcome::winner).is_some())
        .count();
    let intervals = resampled(&by_round, players);
    StudySummary {
        games: games.len(),
        time_limit_kept: games.iter().all(|game| game.time_kept),
        same_as_elo: ordering.len() == players && ordering.is_sorted(),
        longest_ordering: ordering.into_iter().map(|index| index + 1).collect(),
        decided_games_percent: 100.0 * decided as f64 / games.len().max(1) as f64,
        points: all.totals(),
        showdowns: all.showdowns(),
        higher_rated_percent: all.higher_rated_percent(),
        correlation: correlate(&all.totals()),
        kendall_interval: intervals.map(|[kendall, _, _]| kendall),
        spearman_interval: intervals.map(|[_, spearman, _]| spearman),
        higher_rated_interval: intervals.map(|[_, _, percent]| percent),
    }
}

/// Percentile intervals of tau, rho and the percentage over rounds drawn again with replacement.
fn resampled(rounds: &[Tally], players: usize) -> Option<[Interval; 3]> {
    if rounds.len() < LEAST_ROUNDS {
        return None;
    }
    let mut rng = Rng::new(0, b"cbr boot", rounds.len() as u64, players as u64);
    let strength: Vec<f64> = (0..players).rev().map(|index| index as f64).collect();
    let mut values = [const { Vec::new() }; 3];
    for _ in 0..RESAMPLES {
        let mut drawn = Tally::new(players);
        for _ in 0..rounds.len() {
            drawn.join(&rounds[rng.index(rounds.len())]);
        }
        let totals = drawn.totals();
        values[0].push(super::kendall(&strength, &totals));
        values[1].push(super::spearman(&strength, &totals));
        values[2].push(drawn.higher_rated_percent());
    }
    Some(values.map(|mut values: Vec<f64>| {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let index = (share * (values.len().max(1) - 1) as f64).round() as usize;
            values.get(index).copied().unwrap_or(f64::NAN)
        };
        Interval {
            low: at(0.025),
            high: at(0.975),
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A study in which `white_result` says how games end.
    fn games(rounds: u32, white_result: impl Fn(usize, usize) -> Option<Outcome>) -> Vec<StudyGame> {
        let mut games = Vec::new();
        for round in 1..=rounds {
            for white in 0..7 {
                for black in (0..7).filter(|&black| black != white) {
                    games.push(StudyGame {
                        white,
                        black,
                        round,
                        result: white_result(white, black),
                        time_kept: true,
                    });
                }
            }
        }
        games
    }

    #[test]
    fn the_better_always_wins() {
        let result = |white, black| {
            if white < black {
                Some(Outcome::WHITE_WINS)
            } else {
                Some(Outcome::BLACK_WINS)
            }
        };
        let summary = summarise(&games(3, result), 7);
        assert_eq!(summary.games, 126);
        assert_eq!(summary.longest_ordering, [1, 2, 3, 4, 5, 6, 7]);
        assert!(summary.same_as_elo && summary.time_limit_kept);
        assert_eq!(summary.points, [36.0, 30.0, 24.0, 18.0, 12.0, 6.0, 0.0]);
        assert_eq!(summary.showdowns, [21, 0, 0]);
        assert!((summary.decided_games_percent - 100.0).abs() < 1e-9);
        assert!((summary.higher_rated_percent - 100.0).abs() < 1e-9);
        assert_eq!(summary.kendall_interval, None);
        let more = summarise(&games(6, result), 7);
        assert_eq!(more.kendall_interval, Some(Interval { low: 1.0, high: 1.0 }));
    }

    #[test]
    fn draws_and_one_circle() {
        // Everything drawn but 0 beats 1, 1 beats 2, 2 beats 0.
        let result = |white: usize, black: usize| match (white, black) {
            (0, 1) | (1, 2) | (2, 0) => Some(Outcome::WHITE_WINS),
            _ => Some(Outcome::Draw),
        };
        let mut played = games(1, result);
        played[0].time_kept = false;
        let summary = summarise(&played, 7);
        assert_eq!(summary.longest_ordering, [1, 2]);
        assert!(!summary.same_as_elo && !summary.time_limit_kept);
        assert_eq!(summary.showdowns, [2, 18, 1]);
        assert!((summary.decided_games_percent - 300.0 / 42.0).abs() < 1e-9);
    }
}
