//! The lines of other match runners, word for word, so that what reads theirs reads ours: with ±, and with a likelihood of
//! superiority. Where they print `inf`, `nan`, `+/- 0.00` or a superiority of 100 % from a pair or two, the interval stands
//! there that our own table has, and what is not known is left out. They say nothing of players without a game, and so do we.

use std::fmt::Write as _;

use super::MatchReport;
use crate::estimate::Estimate;
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
        if let Some(estimate) = estimate {
            let elo = match half_width(&estimate) {
                Some(width) => format!("{:.2} +/- {width:.2}", estimate.interval.elo),
                None => estimate.interval.to_string(),
            };
            let _ = write!(text, "Elo: {elo}");
            if let Some((normalised, error)) = estimate.normalised() {
                let _ = write!(text, ", nElo: {normalised:.2} +/- {error:.2}");
            }
            text.push('\n');
        }
        let [ll, ld, level, wd, ww] = standing.pairs.0;
        let paired = self.scoreboard.is_paired();
        let draw_ratio = if paired {
            standing.pairs.draw_ratio()
        } else {
            tally.draw_ratio()
        };
        if let Some(estimate) = estimate {
            let mut shares = Vec::new();
            if let Some(superiority) = estimate.superiority() {
                shares.push(format!("LOS: {:.2} %", 100.0 * superiority));
            }
            shares.push(format!("DrawRatio: {:.2} %", 100.0 * draw_ratio));
            if paired && ll + ld > 0 {
                let ratio = (wd + ww) as f64 / (ll + ld) as f64;
                shares.push(format!("PairsRatio: {ratio:.2}"));
            }
            let _ = writeln!(text, "{}", shares.join(", "));
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
        if let Some(estimate) = standing.estimate() {
            let elo = match half_width(&estimate) {
                Some(width) => format!("{:.1} +/- {width:.1}", estimate.interval.elo),
                None => estimate.interval.to_string(),
            };
            let _ = write!(text, "Elo difference: {elo}");
            if let Some(superiority) = estimate.superiority() {
                let _ = write!(text, ", LOS: {:.1} %", 100.0 * superiority);
            }
            let _ = writeln!(text, ", DrawRatio: {:.1} %", 100.0 * standing.tally.draw_ratio());
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

/// Half the width of the interval of Elo as those programs have it; none from a sample of which we say nothing more than our own
/// interval: too small, without variance, or with an end that is infinite.
fn half_width(estimate: &Estimate) -> Option<f64> {
    estimate.normalised().map(|_| estimate.plain.error)
}
