//! The results of a match as JSON.

use serde::Serialize;
use vidmar_rows::MatchTable;
use vidmar_store::RunId;

use super::MatchReport;
use crate::bracket::Tie;
use crate::matches::Ended;

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    table: MatchTable,
    /// `complete`, `decided` or `stopped`.
    state: &'static str,
    seconds: f64,
    store: &'a str,
    run: i64,
    /// Of a knockout.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bracket: Vec<TieRow<'a>>,
}

#[derive(Serialize)]
struct TieRow<'a> {
    /// From 1.
    round: usize,
    players: [&'a str; 2],
    points: [f64; 2],
    /// Who goes on, once that is decided.
    winner: Option<&'a str>,
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
        let name = |player: usize| self.names[player].as_str();
        let row = |tie: &Tie| TieRow {
            round: tie.round + 1,
            players: tie.players.map(name),
            points: tie.points,
            winner: tie.winner.map(name),
        };
        let answer = Answer {
            table: self.scoreboard.table(self.names),
            state: match ended {
                Ended::Complete => "complete",
                Ended::Decided(_) => "decided",
                Ended::Stopped => "stopped",
            },
            seconds,
            store,
            run,
            bracket: self.ties.iter().map(row).collect(),
        };
        Ok(serde_json::to_string(&answer)? + "\n")
    }
}
