//! The rating list: what [`rate`](crate::rate()) returns.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::covariance::SquareMatrix;

/// One player's line of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// The player's name.
    pub name: String,
    /// The rating.
    pub elo: f64,
    /// Half the width of the 95 % interval. `None`: not asked for, or nobody to be compared with.
    pub interval: Option<f64>,
    /// Games won.
    pub wins: f64,
    /// Games drawn.
    pub draws: f64,
    /// Games lost.
    pub losses: f64,
    /// Mean rating of the opponents, each game counted, in the player's group.
    pub opponents: Option<f64>,
    /// Number of the player's group: its index in [`Ratings::groups`].
    pub group: usize,
}

impl Rated {
    /// Number of games.
    pub fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    /// A win is one point, a draw a half.
    pub fn points(&self) -> f64 {
        self.wins + 0.5 * self.draws
    }
}

/// A rating list.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The players: group by group, the best first.
    pub players: Vec<Rated>,
    /// The groups as indices in `players`: the largest first, but without a prior the stronger ones first
    /// where games say so. More than one means that ratings of different groups cannot
    /// be compared.
    pub groups: Vec<Vec<usize>>,
    /// White's advantage, given or fitted.
    pub advantage: f64,
    /// The draw parameter, given or fitted.
    pub draw_elo: f64,
    /// The factor that the ratings carry.
    pub scale: f64,
    /// Logarithm of the likelihood at the maximum, virtual draws included.
    pub log_likelihood: f64,
    /// Steps of the solver.
    pub steps: usize,
    /// Covariance of the ratings in the order of `players`, in Elo squared.
    pub(crate) covariance: Option<SquareMatrix>,
}

impl Ratings {
    /// Covariance of two ratings by their indices in `players`, as [`Reference`](crate::Reference) has it.
    pub fn covariance(&self, first: usize, second: usize) -> Option<f64> {
        self.covariance.as_ref().map(|matrix| matrix.at(first, second))
    }

    /// Likelihood of superiority: the chance that the first player is stronger than the second, from the
    /// normal approximation of the difference. `None` across groups and without intervals.
    pub fn superiority(&self, first: usize, second: usize) -> Option<f64> {
        let matrix = self.covariance.as_ref()?;
        let (a, b) = (&self.players[first], &self.players[second]);
        if a.group != b.group || first == second {
            return None;
        }
        let variance = matrix.at(first, first) + matrix.at(second, second) - 2.0 * matrix.at(first, second);
        let difference = a.elo - b.elo;
        if variance <= 0.0 {
            return Some(if difference > 0.0 {
                1.0
            } else if difference < 0.0 {
                0.0
            } else {
                0.5
            });
        }
        Some(Normal::standard().cdf(difference / variance.sqrt()))
    }
}
