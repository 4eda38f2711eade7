//! The results of a match as JSON.

use serde::Serialize;
use vidmar_arena::{Decision, Ended, SprtModel};

use super::report::Report;

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

/// What the report itself does not know.
pub(super) struct Circumstances {
    pub(super) ended: Ended,
    pub(super) seconds: f64,
    pub(super) store: String,
    pub(super) run: i64,
}

pub(super) fn render(report: &Report<'_>, circumstances: &Circumstances) -> anyhow::Result<String> {
    let finite = |value: f64| Some(value).filter(|value| value.is_finite());
    let players = report
        .standings
        .players
        .iter()
        .zip(report.names)
        .map(|(standing, name)| {
            let estimate = standing.estimate();
            let of =
                |field: fn(&vidmar_arena::Estimate) -> f64| estimate.as_ref().map(field).and_then(finite);
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
                pentanomial: report.scoreboard.is_paired().then_some(standing.pairs.0),
                faults: standing.faults,
            }
        });
    let test = report.sprt.zip(report.scoreboard.ratio()).map(|(sprt, llr)| {
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
            decision: report.scoreboard.decision().map(|decision| match decision {
                Decision::H0 => "H0",
                Decision::H1 => "H1",
            }),
        }
    });
    let against = report
        .standings
        .against
        .iter()
        .map(|row| row.iter().map(|tally| (tally.points(), tally.games())).collect());
    let answer = Answer {
        games: report.standings.games,
        players: players.collect(),
        sprt: test,
        state: match circumstances.ended {
            Ended::Complete => "complete",
            Ended::Decided(_) => "decided",
            Ended::Stopped => "stopped",
        },
        unscored: report.standings.unscored,
        against: against.collect(),
        seconds: circumstances.seconds,
        store: circumstances.store.clone(),
        run: circumstances.run,
    };
    Ok(serde_json::to_string(&answer)? + "\n")
}
