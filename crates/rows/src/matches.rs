//! A match: its table, its test, how its games ended.

use std::collections::BTreeMap;

use serde::Serialize;
use ts_rs::TS;

use crate::{EloInterval, row};

/// The table of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
pub struct MatchTable {
    /// Games with a result that count.
    pub games: u64,
    /// Games without one.
    pub unscored: u64,
    /// In the order in which they entered.
    pub players: Vec<PlayerRow>,
    /// Indices of the players in the order of points a game.
    pub ranking: Vec<usize>,
    /// `against[a][b]`: the games of `a` with `b`, as `a` sees them: wins, draws, losses.
    pub against: Vec<Vec<[u64; 3]>>,
    /// Whether two games with one opening are one observation.
    pub paired: bool,
    /// What the games of the first of two players prove, in a sentence; none where a sequential test says it.
    pub statement: Option<String>,
    /// The sequential test, where there is one.
    pub sprt: Option<SprtRow>,
}

impl MatchTable {
    /// What came of it, in a line: what the games of two players prove, what their test has decided, or who of several is
    /// ahead. None before the first game with a result.
    pub fn headline(&self) -> Option<String> {
        if self.games == 0 {
            return None;
        }
        if let Some(sprt) = &self.sprt {
            let SprtRow { elo0, elo1, llr, .. } = sprt;
            return Some(match sprt.decision.as_deref() {
                Some("H0") => format!("elo0 = {elo0} is accepted (LLR {llr:.2})."),
                Some(_) => format!("elo1 = {elo1} is accepted (LLR {llr:.2})."),
                None => format!("Nothing decided between {elo0} and {elo1} Elo yet (LLR {llr:.2})."),
            });
        }
        self.statement.clone().or_else(|| {
            let first = self.players.get(*self.ranking.first()?)?;
            let games = first.wins + first.draws + first.losses;
            Some(format!(
                "{} is first with {} of {games}.",
                first.name, first.points
            ))
        })
    }
}

row! {
    /// A player of a match.
    pub struct PlayerRow {
        /// What it is called.
        pub name: String,
        /// Games won.
        pub wins: u64,
        /// Drawn.
        pub draws: u64,
        /// Lost.
        pub losses: u64,
        /// A draw is half of one.
        pub points: f64,
        /// Against its field; none where all games were won or lost.
        pub elo: Option<f64>,
        /// Half the width of the 95 % interval.
        pub error: Option<f64>,
        /// The lower end of that interval; none where it has none.
        pub low: Option<f64>,
        /// The upper end.
        pub high: Option<f64>,
        /// Elo in units of the noise of a game; none from a handful of games.
        pub normalised_elo: Option<f64>,
        /// Half the width of its 95 % interval.
        pub normalised_error: Option<f64>,
        /// The chance that it is stronger at all; none from a handful of games.
        pub los: Option<f64>,
        /// Draws of all its games; none without games.
        pub draw_ratio: Option<f64>,
        /// Its pairs with 0, ½, 1, 1½ and 2 points, where games come in pairs.
        pub pentanomial: Option<[u64; 5]>,
        /// Its games with White: wins, draws, losses.
        pub white: [u64; 3],
        /// Its misbehaviours: crashes, silences, illegal moves, fallen flags.
        pub faults: u64,
        /// The same by kind: `crash`, `hang`, `illegal-move`, `time-loss`, ….
        pub fault_kinds: BTreeMap<String, u64>,
    }
}

impl PlayerRow {
    /// Elo and its interval; none without games.
    pub fn interval(&self) -> Option<EloInterval> {
        EloInterval::of_row(self.elo, self.low, self.high)
    }
}

row! {
    /// A sequential test.
    pub struct SprtRow {
        /// The lower hypothesis.
        pub elo0: f64,
        /// The upper one.
        pub elo1: f64,
        /// The chance of accepting the upper one by mistake.
        pub alpha: f64,
        /// The chance of accepting the lower one by mistake.
        pub beta: f64,
        /// What the hypotheses are about: `normalised`, `logistic` or `bayesian`.
        pub model: String,
        /// The log-likelihood ratio.
        pub llr: f64,
        /// At or below this the lower hypothesis is accepted.
        pub lower: f64,
        /// At or above this the upper one is.
        pub upper: f64,
        /// `H0` or `H1`, once it is decided.
        pub decision: Option<String>,
    }
}

row! {
    /// How some games ended.
    pub struct TerminationRow {
        /// The termination.
        pub termination: String,
        /// Games that ended so.
        pub games: u64,
    }
}

row! {
    /// Where a match stood after some games.
    pub struct MatchPoint {
        /// Games counted.
        pub games: u64,
        /// Of the first player against the second.
        pub elo: Option<f64>,
        /// Half the width of the 95 % interval.
        pub error: Option<f64>,
        /// The lower end of that interval; none where it has none.
        pub low: Option<f64>,
        /// The upper end.
        pub high: Option<f64>,
        /// The log-likelihood ratio of the test.
        pub llr: Option<f64>,
    }
}
