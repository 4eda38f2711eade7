//! A tuning run: its vectors, its validation, its gauntlet.

use serde::Serialize;
use ts_rs::TS;

use crate::{EloInterval, Verdict, row};

row! {
    /// A vector of the population or the history, with all that is known of it.
    pub struct VectorRow {
        /// Its index among the players of the run, if it has played.
        pub player: Option<u32>,
        /// What the method goes by.
        pub score: Option<f64>,
        /// How many games or values that rests on.
        pub score_games: u32,
        /// Its rating from all games of the run.
        pub elo: Option<f64>,
        /// Half the width of the 95 % interval.
        pub error: Option<f64>,
        /// The lower end of that interval; none where it has none.
        pub low: Option<f64>,
        /// The upper end.
        pub high: Option<f64>,
        /// All its games.
        pub games: u32,
        /// Its points in them.
        pub points: f64,
        /// Its components, in the order of the parameters.
        pub values: Vec<f64>,
    }
}

row! {
    /// A vector that a run recommends or is compared with.
    pub struct ResultVectorRow {
        /// `efficiency`, `rating`, `value`, `centroid`; `initial` and `start` for what they are compared with.
        pub vector: String,
        /// Whether it is the one that the run recommends.
        pub recommended: bool,
        /// Games or values that its score rests on.
        pub games: u32,
        /// What the method goes by.
        pub score: Option<f64>,
        /// Its components, in the order of the parameters.
        pub values: Vec<f64>,
    }
}

row! {
    /// A match of the validation.
    pub struct ValidationRow {
        /// The vector: `centroid`, `rating`, ….
        pub vector: String,
        /// Whether it is the one that the run recommends.
        pub recommended: bool,
        /// What it played: `initial`, `start` or `origin`.
        pub against: String,
        /// Plies of every move; none where plies are no limit.
        pub depth: Option<u32>,
        /// How much deeper than in tuning: plies, or doublings of nodes and time.
        pub deeper: u32,
        /// What a move may take: `depth 5`, `600 nodes`, `8+0.08`.
        pub limit: String,
        /// Games with a result.
        pub games: u64,
        /// Of which won.
        pub wins: u64,
        /// Drawn.
        pub draws: u64,
        /// Lost.
        pub losses: u64,
        /// Elo over the opponent; none where all games were won or lost.
        pub elo: Option<f64>,
        /// Half the width of the 95 % interval.
        pub error: Option<f64>,
        /// The lower end of that interval; none where it has none.
        pub low: Option<f64>,
        /// The upper end.
        pub high: Option<f64>,
        /// The log-likelihood ratio of the sequential test, where one decides.
        pub llr: Option<f64>,
        /// `H0` or `H1`, once that test has decided.
        pub decision: Option<String>,
        /// What the interval proves, or the test where there is one.
        pub verdict: Verdict,
    }
}

impl ValidationRow {
    /// Elo and its interval; none without games.
    pub fn interval(&self) -> Option<EloInterval> {
        EloInterval::of_row(self.elo, self.low, self.high)
    }
}

row! {
    /// A line of the gauntlet's rating list.
    pub struct GauntletRow {
        /// The vector (`centroid`, `initial`, `start`, …) or the label of the reference engine.
        pub player: String,
        /// Whether it is a reference engine.
        pub reference: bool,
        /// Whether it is the vector that the run recommends.
        pub recommended: bool,
        /// Its rating.
        pub elo: f64,
        /// Half the width of the 95 % interval; none for an anchor.
        pub error: Option<f64>,
        /// The lower end of that interval; none where it has none.
        pub low: Option<f64>,
        /// The upper end.
        pub high: Option<f64>,
        /// Games with a result.
        pub games: u64,
        /// Of which won.
        pub wins: u64,
        /// Drawn.
        pub draws: u64,
        /// Lost.
        pub losses: u64,
    }
}

/// Whether a parameter matters, by the games of a run.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub enum Effect {
    /// What it is worth lies above what chance makes of as many parameters.
    #[serde(rename = "matters")]
    Matters,
    /// It is worth next to nothing, and the games are enough to say so.
    #[serde(rename = "does not matter")]
    None,
    /// The games cannot tell.
    #[serde(rename = "unknown")]
    Unknown,
}

impl Effect {
    /// In a word or three.
    pub const fn as_str(self) -> &'static str {
        match self {
            Effect::Matters => "matters",
            Effect::None => "does not matter",
            Effect::Unknown => "unknown",
        }
    }
}

row! {
    /// A parameter: where it began, where it ended, and what the games of the run say of it.
    pub struct ParameterRow {
        /// Its name.
        pub parameter: String,
        /// Where tuning started.
        pub before: f64,
        /// What is recommended.
        pub after: f64,
        /// Half the width of a 95 % interval around that; what it says depends on the method.
        pub error: Option<f64>,
        /// The smallest value allowed.
        pub min: f64,
        /// The largest.
        pub max: f64,
        /// Whether it ended at one of the two.
        pub at_bound: bool,
        /// The smallest value that played.
        pub tried_min: Option<f64>,
        /// The largest.
        pub tried_max: Option<f64>,
        /// From the worst to the best of the values that played, in Elo.
        pub elo: Option<f64>,
        /// Half the width of its 95 % interval, whatever the two values are.
        pub elo_error: Option<f64>,
        /// What the way from before to after is worth, in Elo.
        pub gain: Option<f64>,
        /// Half the width of its 95 % interval.
        pub gain_error: Option<f64>,
        /// Whether it matters; none where the run has no games between different vectors.
        pub effect: Option<Effect>,
    }
}
