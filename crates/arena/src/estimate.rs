//! How much stronger: Elo, normalised Elo and the likelihood of superiority, each with its interval.
//!
//! Two games with the same opening and colours exchanged are one observation, a *pair*: their results hang together
//! through the opening, and counting them apart overstates the noise (or, with lopsided openings, understates it). A
//! pair has five results, so its counts are a pentanomial sample; games without a partner are a trinomial one. All that
//! follows is the mean of such a sample, its variance and the central limit.
//!
//! Normalised Elo measures the same in units of the noise: (mean - 1/2) / (deviation of one game), times 800 / ln 10,
//! which is 1 Elo where there are no draws (Michel Van den Bergh, "Normalized Elo").

/// Half the width of a 95 % interval in standard deviations.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Normalised Elo of a mean one standard deviation of a game above 1/2.
pub(crate) const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Games by result, from one player's side.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// All of them.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A win is one, a draw a half.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Drawn games among all, 0 without games.
    pub fn draw_ratio(&self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    /// Counts by points, the fewest first.
    pub const fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// The same from the other side.
    pub const fn mirrored(&self) -> Tally {
        Tally {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// Pairs of games by the points of one player: 0, ½, 1, 1½, 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// How many pairs.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds a pair in which the player made so many half points.
    ///
    /// # Panics
    /// If a pair cannot have so many.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Drawn pairs among all, 0 without pairs.
    pub fn draw_ratio(&self) -> f64 {
        self.0[2] as f64 / self.total().max(1) as f64
    }

    /// The same from the other side.
    pub fn mirrored(mut self) -> Pairs {
        self.0.reverse();
        self
    }
}

/// What a sample says about the difference between two players.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Mean points of a game.
    pub score: f64,
    /// Elo; infinite where every game was won or lost.
    pub elo: f64,
    /// Half the width of its 95 % interval; infinite where the interval has an infinite end or the sample no variance.
    pub error: f64,
    /// Normalised Elo; not a number where the sample has no variance.
    pub normalised: f64,
    /// Half the width of its 95 % interval.
    pub normalised_error: f64,
    /// Likelihood of superiority: the chance that the player is stronger at all.
    pub superiority: f64,
}

impl Estimate {
    /// From games that have no partner; none without games.
    pub fn of_games(tally: &Tally) -> Option<Estimate> {
        estimate(&tally.counts(), 1.0)
    }

    /// From pairs; none without pairs.
    pub fn of_pairs(pairs: &Pairs) -> Option<Estimate> {
        estimate(&pairs.0, 2.0)
    }
}

/// Mean and variance of counts over equally spaced scores from 0 to 1.
pub(crate) fn moments(counts: &[f64]) -> (f64, f64) {
    let top = (counts.len() - 1) as f64;
    let total: f64 = counts.iter().sum();
    let weighted = |f: &dyn Fn(f64) -> f64| {
        let sum: f64 = counts
            .iter()
            .enumerate()
            .map(|(at, count)| count * f(at as f64 / top))
            .sum();
        sum / total
    };
    let mean = weighted(&|score| score);
    (mean, weighted(&|score| (score - mean).powi(2)))
}

fn estimate(counts: &[u64], games_each: f64) -> Option<Estimate> {
    let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    let total: f64 = counts.iter().sum();
    if total == 0.0 {
        return None;
    }
    let (score, variance) = moments(&counts);
    let deviation = (variance / total).sqrt();
    let reach = NORMAL_95 * deviation;
    // One game varies as much as `games_each` times their mean.
    let game_deviation = (variance * games_each).sqrt();
    Some(Estimate {
        score,
        elo: elo(score),
        // Observations that are all alike do not say how much they vary.
        error: if variance > 0.0 {
            (elo(score + reach) - elo(score - reach)) / 2.0
        } else {
            f64::INFINITY
        },
        normalised: (score - 0.5) / game_deviation * NORMALISED_UNIT,
        normalised_error: NORMAL_95 / (total * games_each).sqrt() * NORMALISED_UNIT,
        superiority: if variance > 0.0 {
            libm::erfc((0.5 - score) / deviation / std::f64::consts::SQRT_2) / 2.0
        } else {
            // All observations alike: certain unless all are even.
            match score.total_cmp(&0.5) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 1.0,
            }
        },
    })
}

/// The Elo difference that expects this score, infinite at and beyond the ends.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Adding 0 makes the -0 of a level score a plain 0.
        -400.0 * libm::log10(1.0 / score - 1.0) + 0.0
    }
}

/// The score that an Elo difference expects.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found} is not {expected}");
    }

    /// Figures that fastchess publishes in its own tests (`elo_test.cpp`), to the two decimals it gives them with.
    #[test]
    fn agrees_with_fastchess() {
        for ((wins, losses, draws), normalised, error) in [
            ((76, 89, 123), -20.76, 40.13),
            ((136, 96, 111), 49.77, 36.77),
            ((34, 356, 0), -508.44, 34.48),
        ] {
            let found = Estimate::of_games(&Tally { wins, draws, losses }).expect("there are games");
            near(found.normalised, normalised, 0.006);
            near(found.normalised_error, error, 0.006);
        }
        let tally = Tally {
            wins: 136,
            draws: 111,
            losses: 96,
        };
        let found = Estimate::of_games(&tally).expect("there are games");
        near(found.elo, 40.70, 0.006);
        near(found.error, 30.43, 0.006);
        near(found.superiority, 0.9960, 0.00006);

        for (pairs, elo, error, normalised, normalised_error) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 57.94, 28.28),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, -9.17, 10.96),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, -19.01, 2.65),
        ] {
            let found = Estimate::of_pairs(&Pairs(pairs)).expect("there are pairs");
            near(found.elo, elo, 0.006);
            near(found.error, error, 0.006);
            near(found.normalised, normalised, 0.006);
            near(found.normalised_error, normalised_error, 0.006);
        }
        let found = Estimate::of_pairs(&Pairs([332, 433, 498, 333, 334])).expect("there are pairs");
        near(found.superiority, 0.0505, 0.00006);
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let pairs = Pairs([34, 54, 63, 64, 75]);
        let (ours, theirs) = (
            Estimate::of_pairs(&pairs).expect("pairs"),
            Estimate::of_pairs(&pairs.mirrored()).expect("pairs"),
        );
        near(ours.elo + theirs.elo, 0.0, 1e-9);
        near(ours.superiority + theirs.superiority, 1.0, 1e-12);
        near(ours.error, theirs.error, 1e-9);
    }

    #[test]
    fn ends_are_infinite_not_wrong() {
        assert_eq!(Estimate::of_games(&Tally::default()), None);
        let won = Estimate::of_pairs(&Pairs([0, 0, 0, 0, 5])).expect("pairs");
        assert_eq!((won.elo, won.superiority), (f64::INFINITY, 1.0));
        let drawn = Estimate::of_pairs(&Pairs([0, 0, 5, 0, 0])).expect("pairs");
        assert_eq!(
            (drawn.elo, drawn.error, drawn.superiority),
            (0.0, f64::INFINITY, 0.5)
        );
        assert!(drawn.elo.is_sign_positive());
        near(expected_score(elo(0.37)), 0.37, 1e-15);
    }
}
