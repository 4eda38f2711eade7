//! What results prove, in one sentence, for terminal and page alike.
//!
//! Three things can hold: a gain is proven, a loss is proven, nothing is proven. The last is not "no gain": it says how far
//! the interval reaches to both sides, and how many games a shorter one would take.

use crate::{EloInterval, ValidationRow, Verdict};

/// What the games of one player against another prove.
pub fn match_statement(player: &str, opponent: &str, games: u64, interval: EloInterval) -> String {
    let (what, more) = match interval.verdict() {
        Verdict::Gain => ("Gain", String::new()),
        Verdict::Loss => ("Loss", String::new()),
        Verdict::Nothing | Verdict::NotPlayed => ("Nothing", more_games(interval, games)),
    };
    format!(
        "{what} proven for {player} against {opponent}: {}{more}.",
        said(interval)
    )
}

/// What the validation of a run proves of the vector that it recommends.
pub fn validation_statement(validations: &[ValidationRow]) -> String {
    let matches: Vec<&ValidationRow> = validations.iter().filter(|one| one.recommended).collect();
    let Some(first) = matches.first() else {
        return "The recommended vector is what the run began with: nothing was gained.".to_owned();
    };
    if let Some(test) = sequential(first).filter(|_| matches.len() == 1) {
        return test;
    }
    let count = |verdict: Verdict| matches.iter().filter(|one| one.verdict == verdict).count();
    let is_unanimous = count(first.verdict) == matches.len();
    match first.interval().filter(|_| first.verdict != Verdict::NotPlayed) {
        Some(interval) if is_unanimous => match_statement(
            "the recommended vector",
            opponent(&first.against),
            first.games,
            interval,
        ),
        None if is_unanimous => {
            "Not played: the validation of the recommended vector has no games yet.".to_owned()
        }
        _ => format!(
            "Of {} matches of the recommended vector, a gain is proven in {}, a loss in {}, nothing in {}.",
            matches.len(),
            count(Verdict::Gain),
            count(Verdict::Loss),
            count(Verdict::Nothing) + count(Verdict::NotPlayed)
        ),
    }
}

/// Whom the recommended vector met, in words; the table above the sentence has the short names.
fn opponent(against: &str) -> &str {
    match against {
        "start" => "the values that the run started from",
        "origin" => "the values that the first run started from",
        "initial" => "the best of the first population",
        other => other,
    }
}

/// What a sequential test of one match has decided.
fn sequential(row: &ValidationRow) -> Option<String> {
    let (llr, games, against) = (row.llr?, row.games, opponent(&row.against));
    let said = match row.decision.as_deref() {
        Some("H1") => "Gain proven by the sequential test",
        Some(_) => "No gain by the sequential test",
        None => "The sequential test has not decided",
    };
    Some(format!(
        "{said}: the recommended vector against {against}, {games} games, LLR {llr:+.2}."
    ))
}

/// `+214.8 Elo (95 % between +51.5 and +646.9)`.
fn said(interval: EloInterval) -> String {
    let ends = interval.ends();
    if interval.elo.is_finite() {
        format!("{:+.1} Elo ({ends})", interval.elo)
    } else if interval.elo > 0.0 {
        format!("every game won ({ends} Elo)")
    } else {
        format!("every game lost ({ends} Elo)")
    }
}

/// Half-widths that people ask for, in Elo.
const WANTED: [f64; 5] = [20.0, 10.0, 5.0, 2.0, 1.0];

/// How many games a shorter interval would take: four times the games for half of it. `; ± 10 Elo takes about 1,200 games`,
/// or nothing where there is no interval or it is short enough.
pub fn more_games(interval: EloInterval, games: u64) -> String {
    let Some(error) = interval.error() else {
        return String::new();
    };
    let Some(wanted) = WANTED.into_iter().find(|&wanted| wanted < error) else {
        return String::new();
    };
    let needed = games as f64 * (error / wanted).powi(2);
    format!("; ± {wanted} Elo takes about {} games", two_digits(needed))
}

/// Rounded to two digits, with its thousands set apart.
fn two_digits(value: f64) -> String {
    let scale = 10_f64.powf(value.max(1.0).log10().floor() - 1.0).max(1.0);
    let digits = format!("{:.0}", (value / scale).round() * scale);
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(elo: Option<f64>, low: Option<f64>, high: Option<f64>) -> ValidationRow {
        let interval = EloInterval::of_row(elo, low, high);
        ValidationRow {
            vector: "centroid".into(),
            recommended: true,
            against: "start".into(),
            depth: Some(4),
            deeper: 0,
            limit: "depth 4".into(),
            games: 200,
            wins: 0,
            draws: 0,
            losses: 0,
            elo,
            error: None,
            low,
            high,
            llr: None,
            decision: None,
            verdict: interval.map_or(Verdict::NotPlayed, |interval| interval.verdict()),
        }
    }

    /// A match that its own results have ended is told by the test alone: its interval is flattered.
    #[test]
    fn a_sequential_test_speaks_for_itself() {
        let mut test = row(Some(30.0), Some(10.0), Some(50.0));
        test.llr = Some(2.96);
        for (decision, expected) in [
            (
                Some("H1"),
                "Gain proven by the sequential test: the recommended vector against the values that the run started from, 200 games, LLR +2.96.",
            ),
            (
                Some("H0"),
                "No gain by the sequential test: the recommended vector against the values that the run started from, 200 games, LLR +2.96.",
            ),
            (
                None,
                "The sequential test has not decided: the recommended vector against the values that the run started from, 200 games, LLR +2.96.",
            ),
        ] {
            test.decision = decision.map(str::to_owned);
            assert_eq!(validation_statement(&[test.clone()]), expected);
        }
    }

    #[test]
    fn opponents_are_named_in_words() {
        let mut gain = row(Some(30.0), Some(10.0), Some(50.0));
        for (against, expected) in [
            (
                "origin",
                "against the values that the first run started from: +30.0",
            ),
            ("initial", "against the best of the first population: +30.0"),
            ("toga2", "against toga2: +30.0"),
        ] {
            gain.against = against.to_owned();
            let said = validation_statement(std::slice::from_ref(&gain));
            assert!(said.contains(expected), "{said}");
        }
    }

    #[test]
    fn each_of_the_three_is_said_for_itself() {
        let gain = row(Some(30.0), Some(10.0), Some(50.0));
        let loss = row(Some(-30.0), Some(-50.0), Some(-10.0));
        let nothing = row(Some(12.0), Some(-28.0), Some(52.0));
        let won = row(None, Some(484.0), None);
        for (rows, expected) in [
            (
                vec![&gain],
                "Gain proven for the recommended vector against the values that the run started from: +30.0 Elo (95 % between +10.0 and +50.0).",
            ),
            (
                vec![&won],
                "Gain proven for the recommended vector against the values that the run started from: every game won (95 % above +484.0 Elo).",
            ),
            (
                vec![&loss],
                "Loss proven for the recommended vector against the values that the run started from: -30.0 Elo (95 % between -50.0 and -10.0).",
            ),
            (
                vec![&nothing],
                "Nothing proven for the recommended vector against the values that the run started from: +12.0 Elo (95 % between -28.0 and +52.0); \
                 ± 20 Elo takes about 800 games.",
            ),
            (
                vec![&gain, &nothing],
                "Of 2 matches of the recommended vector, a gain is proven in 1, a loss in 0, nothing in 1.",
            ),
            (
                vec![&gain, &loss],
                "Of 2 matches of the recommended vector, a gain is proven in 1, a loss in 1, nothing in 0.",
            ),
            (
                vec![&row(None, None, None)],
                "Not played: the validation of the recommended vector has no games yet.",
            ),
            (
                vec![],
                "The recommended vector is what the run began with: nothing was gained.",
            ),
        ] {
            let rows: Vec<ValidationRow> = rows.into_iter().cloned().collect();
            assert_eq!(validation_statement(&rows), expected);
        }
        let interval = |row: &ValidationRow| row.interval().unwrap();
        assert_eq!(
            match_statement("a", "b", 2_000, interval(&row(Some(1.0), Some(-5.5), Some(7.5)))),
            "Nothing proven for a against b: +1.0 Elo (95 % between -5.5 and +7.5); ± 5 Elo takes about 3,400 games."
        );
        assert_eq!(
            match_statement("a", "b", 20, interval(&row(None, None, Some(-183.0)))),
            "Loss proven for a against b: every game lost (95 % below -183.0 Elo)."
        );
    }
}
