//! The lines of other match runners, word for word, so that what reads theirs reads ours.

use std::fmt::Write as _;

use super::MatchReport;
use crate::estimate::Estimate;
use crate::sprt::Decision;

impl MatchReport<'_> {
    /// The block that fastchess prints, of the first two players.
    pub(super) fn fastchess(&self) -> String {
        let standing = &self.standings.players[0];
        let tally = standing.tally;
        let estimate = standing.estimate().unwrap_or(NOTHING);
        let rule = "-".repeat(50);
        let mut text = format!("{rule}\nResults of {} vs {}:\n", self.names[0], self.names[1]);
        let _ = writeln!(
            text,
            "Elo: {:.2} +/- {:.2}, nElo: {:.2} +/- {:.2}",
            estimate.elo, estimate.error, estimate.normalised, estimate.normalised_error
        );
        let [ll, ld, level, wd, ww] = standing.pairs.0;
        let paired = self.scoreboard.is_paired();
        let draw_ratio = if paired {
            standing.pairs.draw_ratio()
        } else {
            tally.draw_ratio()
        };
        let _ = write!(
            text,
            "LOS: {:.2} %, DrawRatio: {:.2} %",
            100.0 * estimate.superiority,
            100.0 * draw_ratio
        );
        if paired {
            let _ = write!(text, ", PairsRatio: {:.2}", (wd + ww) as f64 / (ll + ld) as f64);
        }
        let _ = writeln!(
            text,
            "\nGames: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
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
        let estimate = standing.estimate().unwrap_or(NOTHING);
        let mut text = format!(
            "Elo difference: {:.1} +/- {:.1}, LOS: {:.1} %, DrawRatio: {:.1} %\n",
            estimate.elo,
            estimate.error,
            100.0 * estimate.superiority,
            100.0 * standing.tally.draw_ratio()
        );
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

/// No games, as those programs print it.
const NOTHING: Estimate = Estimate {
    score: 0.5,
    elo: 0.0,
    error: f64::NAN,
    normalised: 0.0,
    normalised_error: f64::NAN,
    superiority: 0.5,
};
