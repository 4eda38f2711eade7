//! The results of a match as JSON.

use serde::Serialize;
use vidmar_store::RunId;

use super::MatchReport;
use crate::estimate::Estimate;
use crate::matches::Ended;
use crate::sprt::{Decision, SprtModel};

#[derive(Serialize)]
struct Answer<'a> {
    /// Games with a result.
    games: u64,
    players: Vec<Player<'a>>,
    sprt: Option<Test>,
    /// `complete`, `decided` or `stopped`.
    state: &'static str,
    /// Games that have no result.
    unscored: u64,
    /// The points of every player against every other, and the games they took.
    against: Vec<Vec<(f64, u64)>>,
    seconds: f64,
    store: String,
    run: i64,
}

#[derive(Serialize)]
struct Player<'a> {
    name: &'a str,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    /// None where it is infinite: all games won or all lost.
    elo: Option<f64>,
    error: Option<f64>,
    normalised_elo: Option<f64>,
    normalised_error: Option<f64>,
    los: Option<f64>,
    draw_ratio: f64,
    /// Pairs of games with 0, ½, 1, 1½ and 2 points, where games come in pairs.
    pentanomial: Option<[u64; 5]>,
    faults: u64,
}

#[derive(Serialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: &'static str,
    llr: f64,
    lower: f64,
    upper: f64,
    /// `H0`, `H1` or nothing yet.
    decision: Option<&'static str>,
}

impl MatchReport<'_> {
    /// The results as one line of JSON: how the match ended, how long it took, and where it is kept.
    pub fn json(
        &self,
        ended: Ended,
        seconds: f64,
        store: &str,
        run: RunId,
    ) -> Result<String, serde_json::Error> {
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let players = self
            .standings
            .players
            .iter()
            .zip(self.names)
            .map(|(standing, name)| {
                let estimate = standing.estimate();
                let of = |field: fn(&Estimate) -> f64| estimate.as_ref().map(field).and_then(finite);
                Player {
                    name,
                    wins: standing.tally.wins,
                    draws: standing.tally.draws,
                    losses: standing.tally.losses,
                    points: standing.tally.points(),
                    elo: of(|estimate| estimate.elo),
                    error: of(|estimate| estimate.error),
                    normalised_elo: of(|estimate| estimate.normalised),
                    normalised_error: of(|estimate| estimate.normalised_error),
                    los: of(|estimate| estimate.superiority),
                    draw_ratio: standing.tally.draw_ratio(),
                    pentanomial: self.scoreboard.is_paired().then_some(standing.pairs.0),
                    faults: standing.faults,
                }
            });
        let test = self.sprt.zip(self.scoreboard.ratio()).map(|(sprt, llr)| {
            let (elo0, elo1) = sprt.hypotheses();
            let (alpha, beta) = sprt.errors();
            let (lower, upper) = sprt.bounds();
            Test {
                elo0,
                elo1,
                alpha,
                beta,
                model: SprtModel::name(sprt.model()),
                llr,
                lower,
                upper,
                decision: self.scoreboard.decision().map(|decision| match decision {
                    Decision::H0 => "H0",
                    Decision::H1 => "H1",
                }),
            }
        });
        let against = self
            .standings
            .against
            .iter()
            .map(|row| row.iter().map(|tally| (tally.points(), tally.games())).collect());
        let answer = Answer {
            games: self.standings.games,
            players: players.collect(),
            sprt: test,
            state: match ended {
                Ended::Complete => "complete",
                Ended::Decided(_) => "decided",
                Ended::Stopped => "stopped",
            },
            unscored: self.standings.unscored,
            against: against.collect(),
            seconds,
            store: store.to_owned(),
            run,
        };
        Ok(serde_json::to_string(&answer)? + "\n")
    }
}
