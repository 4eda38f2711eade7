//! What a caller may choose about a rating.

use crate::model::{DEFAULT_ADVANTAGE, DEFAULT_DRAW_ELO};

/// A parameter of the model: given, or estimated with the ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameter {
    /// This many Elo.
    Fixed(f64),
    /// The maximum-likelihood estimate.
    Fitted,
}

/// What the ratings are multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// [`Model::bayeselo_scale`](crate::Model::bayeselo_scale), as published lists have it.
    BayesElo,
    /// 1: ratings are those of the model's formulas.
    None,
}

/// What an interval is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The difference to the mean rating of the group.
    Mean,
    /// The difference to the anchor, whose own interval is then 0; without one, to the mean.
    Anchor,
}

/// The way to the maximum; every one ends at the same ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// Newton's method with conjugate gradients: a handful of steps.
    Newton,
    /// Minorisation-maximisation: the published algorithm, hundreds of sweeps.
    Mm,
}

/// How to rate.
#[derive(Clone, Debug)]
pub struct Options {
    /// White's advantage.
    pub advantage: Parameter,
    /// The draw parameter.
    pub draw_elo: Parameter,
    /// Virtual draws for every player.
    pub prior: f64,
    /// The factor on the ratings.
    pub scale: Scale,
    /// Players with known ratings. Several are held at their differences while the others are fitted.
    pub anchors: Vec<(String, f64)>,
    /// The mean rating of a group without an anchor.
    pub mean: f64,
    /// What the intervals are about.
    pub reference: Reference,
    /// Whether to compute intervals at all.
    pub intervals: bool,
    /// The algorithm.
    pub solver: Solver,
}

impl Default for Options {
    /// `BayesElo`'s defaults.
    fn default() -> Self {
        Options {
            advantage: Parameter::Fixed(DEFAULT_ADVANTAGE),
            draw_elo: Parameter::Fixed(DEFAULT_DRAW_ELO),
            prior: 2.0,
            scale: Scale::BayesElo,
            anchors: Vec::new(),
            mean: 0.0,
            reference: Reference::Anchor,
            intervals: true,
            solver: Solver::Newton,
        }
    }
}
