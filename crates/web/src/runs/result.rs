//! How much a run has gained, as a number with its interval; what that proves is said in `Run::result`.

use serde::Serialize;
use ts_rs::TS;
use vidmar_rows::{EloInterval, MatchTable, ValidationRow, Verdict, finite};

/// Elo with its 95 % interval: of the recommended vector over what the run began with, or of the first of two players over the
/// second.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct RunElo {
    /// None where every game was won or lost.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval; none where it has none.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// What is proven.
    pub verdict: Verdict,
}

impl RunElo {
    /// Of a tuning run whose validation has begun.
    pub(super) fn of_validation(validations: &[ValidationRow]) -> Option<RunElo> {
        let first = validations.iter().find(|one| one.recommended)?;
        RunElo::new(first.interval()?, first.verdict)
    }

    /// Of a match of two.
    pub(super) fn of_match(table: &MatchTable) -> Option<RunElo> {
        let [first, _] = table.players.as_slice() else {
            return None;
        };
        let interval = first.interval()?;
        let verdict = match &table.sprt {
            // The end of a test flatters the interval: what is proven is what the test says.
            Some(test) if test.decision.as_deref() == Some("H1") && test.elo0 >= 0.0 => Verdict::Gain,
            Some(_) => Verdict::Nothing,
            None => interval.verdict(),
        };
        RunElo::new(interval, verdict)
    }

    fn new(interval: EloInterval, verdict: Verdict) -> Option<RunElo> {
        let (elo, low, high) = (finite(interval.elo), finite(interval.low), finite(interval.high));
        (elo.is_some() || low.is_some() || high.is_some()).then_some(RunElo {
            elo,
            low,
            high,
            verdict,
        })
    }
}
