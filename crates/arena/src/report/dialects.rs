//! The lines of other match runners, word for word, so that what reads theirs reads ours: with ± and, where they have no
//! number, `inf` and `nan` as they print them. They say nothing of players without a game, and so do we.

use std::fmt::Write as _;

use super::MatchReport;
use crate::estimate::{Estimate, PlainEstimate};
use crate::sprt::Decision;

impl MatchReport<'_> {
    /// The block that fastchess prints, of the first two players.
    pub(super) fn fastchess(&self) -> String {
        let standing = &self.standings.players[0];
        let tally = standing.tally;
        let rule = "-".repeat(50);
        let header = self
            .header
            .map_or_else(String::new, |header| format!(" ({header})"));
        let mut text = format!(
            "{rule}\nResults of {} vs {}{header}:\n",
            self.names[0], self.names[1]
        );
        let estimate = standing.estimate();
        if let Some(Estimate { interval, plain, .. }) = estimate {
            let _ = writeln!(
                text,
                "Elo: {} +/- {}, nElo: {} +/- {}",
                number(interval.elo, 2),
                width(plain.error, 2),
                number(plain.normalised, 2),
                width(normalised_error(&plain), 2),
            );
        }
        let [ll, ld, level, wd, ww] = standing.pairs.0;
        let paired = self.scoreboard.is_paired();
        let draw_ratio = if paired {
            standing.pairs.draw_ratio()
        } else {
            tally.draw_ratio()
        };
        if let Some(Estimate { plain, .. }) = estimate {
            let superiority = number(100.0 * plain.superiority, 2);
            let _ = write!(
                text,
                "LOS: {superiority} %, DrawRatio: {:.2} %",
                100.0 * draw_ratio
            );
            if paired {
                let ratio = (wd + ww) as f64 / (ll + ld) as f64;
                let _ = write!(text, ", PairsRatio: {}", number(ratio, 2));
            }
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
            tally.games(),
            tally.wins,
            tally.losses,
            tally.draws,
            tally.points(),
            100.0 * tally.points() / tally.games().max(1) as f64
        );
        if paired {
            let _ = writeln!(text, "Ptnml(0-2): [{ll}, {ld}, {level}, {wd}, {ww}]");
        }
        if let (Some(sprt), Some(ratio)) = (self.sprt, self.scoreboard.ratio()) {
            let (lower, upper) = sprt.bounds();
            let (elo0, elo1) = sprt.hypotheses();
            let share = if ratio >= 0.0 {
                ratio / upper
            } else {
                -ratio / lower
            };
            let _ = writeln!(
                text,
                "LLR: {ratio:.2} ({:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]",
                100.0 * share
            );
        }
        text + &rule + "\n"
    }

    /// The line that cutechess prints after a game.
    pub(super) fn cutechess_score(&self) -> String {
        let tally = self.standings.players[0].tally;
        format!(
            "Score of {} vs {}: {} - {} - {}  [{:.3}] {}\n",
            self.names[0],
            self.names[1],
            tally.wins,
            tally.losses,
            tally.draws,
            tally.points() / tally.games().max(1) as f64,
            tally.games()
        )
    }

    /// The lines that cutechess prints about ratings.
    pub(super) fn cutechess_rating(&self) -> String {
        let standing = &self.standings.players[0];
        let mut text = String::new();
        if let Some(Estimate { interval, plain, .. }) = standing.estimate() {
            let _ = writeln!(
                text,
                "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {:.1} %",
                number(interval.elo, 1),
                width(plain.error, 1),
                number(100.0 * plain.superiority, 1),
                100.0 * standing.tally.draw_ratio()
            );
        }
        if let (Some(sprt), Some(ratio)) = (self.sprt, self.scoreboard.ratio()) {
            let (lower, upper) = sprt.bounds();
            let share = if ratio >= 0.0 {
                ratio / upper
            } else {
                -ratio / lower
            };
            let verdict = match self.scoreboard.decision() {
                None => "",
                Some(Decision::H0) => " - H0 was accepted",
                Some(Decision::H1) => " - H1 was accepted",
            };
            let _ = writeln!(
                text,
                "SPRT: llr {ratio:.3} ({:.1}%), lbound {lower:.2}, ubound {upper:.2}{verdict}",
                100.0 * share
            );
        }
        text
    }
}

/// A number as C++ prints it.
fn number(value: f64, digits: usize) -> String {
    if value.is_nan() {
        "nan".to_owned()
    } else {
        // Rust and C++ agree on `inf`.
        format!("{value:.digits$}")
    }
}

/// Half the width of an interval: those programs have none where one of its ends is infinite.
fn width(value: f64, digits: usize) -> String {
    number(if value.is_finite() { value } else { f64::NAN }, digits)
}

/// Of a sample without variance fastchess has none.
fn normalised_error(plain: &PlainEstimate) -> f64 {
    if plain.normalised.is_finite() {
        plain.normalised_error
    } else {
        f64::NAN
    }
}
