//! What to make of what a run has learned, in sentences for terminal, JSON and page alike.

use std::fmt::Write as _;

use vidmar_rows::{Effect, EloInterval, ParameterRow, Verdict, more_games};

/// Names in one sentence; of more, their number.
const MOST_NAMED: usize = 6;

pub(super) fn statements(
    games: u64,
    gain: Option<EloInterval>,
    parameters: &[ParameterRow],
    negligible: f64,
) -> Vec<String> {
    let mut statements = Vec::new();
    if let Some(gain) = gain {
        statements.push(signal(gain, games));
        let with = |effect: Effect| {
            let mut found: Vec<&ParameterRow> = parameters
                .iter()
                .filter(|row| row.effect == Some(effect))
                .collect();
            found.sort_by(|a, b| b.elo.unwrap_or(0.0).total_cmp(&a.elo.unwrap_or(0.0)));
            found
        };
        let (matters, does_not) = (with(Effect::Matters), with(Effect::None));
        if !matters.is_empty() {
            let worth = |row: &&ParameterRow| {
                let (elo, error) = (row.elo.unwrap_or(0.0), row.elo_error.unwrap_or(0.0));
                format!("{} ({elo:.0} ± {error:.0} Elo)", row.parameter)
            };
            let named = matters.iter().map(worth).collect();
            statements.push(format!(
                "What matters, over the values that played: {}.",
                list(named)
            ));
        }
        if !does_not.is_empty() {
            let named = does_not.iter().map(|row| row.parameter.clone()).collect();
            statements.push(format!(
                "What never mattered (less than {negligible:.0} Elo): {}.",
                list(named)
            ));
        }
        match with(Effect::Unknown).len() {
            0 => {}
            all if all == parameters.len() => {
                statements.push("These games cannot tell of any parameter whether it matters.".to_owned());
            }
            some => statements.push(format!(
                "Of {some} of {} parameters these games cannot tell whether they matter.",
                parameters.len()
            )),
        }
    }
    statements.extend(at_bounds(parameters));
    statements
}

/// Whether there is more than noise.
fn signal(gain: EloInterval, games: u64) -> String {
    let (elo, error) = (gain.elo, gain.error().unwrap_or(0.0));
    match gain.verdict() {
        Verdict::Gain => format!(
            "A regression on the {games} games of the run puts the change from the start at {elo:+.0} ± {error:.0} Elo, if every \
             parameter acts by itself; only games against the start prove it (vidmar tune verify)."
        ),
        _ => format!(
            "Noise exceeds signal: a regression on the {games} games of the run puts the change from the start at {elo:+.0} ± {error:.0} Elo{}.",
            more_games(gain, games)
        ),
    }
}

fn at_bounds(parameters: &[ParameterRow]) -> Option<String> {
    let at_bound: Vec<&ParameterRow> = parameters.iter().filter(|row| row.at_bound).collect();
    let first = at_bound.first()?;
    let room = first.max - first.min;
    let (min, max) = if first.after <= first.min {
        (first.min - room, first.max)
    } else {
        (first.min, first.max + room)
    };
    let named = at_bound.iter().map(|row| row.parameter.clone()).collect();
    Some(format!(
        "At a bound: {}. A wider interval may be worth a try: tune resume --widen {}={min}..{max}",
        list(named),
        first.parameter
    ))
}

fn list(mut named: Vec<String>) -> String {
    let more = named.len().saturating_sub(MOST_NAMED);
    named.truncate(MOST_NAMED);
    let mut text = named.join(", ");
    if more > 0 {
        let _ = write!(text, " and {more} more");
    }
    text
}
