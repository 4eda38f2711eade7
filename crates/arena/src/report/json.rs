//! The results of a match as JSON.

use serde::Serialize;
use vidmar_rows::MatchTable;
use vidmar_store::RunId;

use super::MatchReport;
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
        };
        Ok(serde_json::to_string(&answer)? + "\n")
    }
}
