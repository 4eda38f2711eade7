//! The results of a match in words: a table, the lines of fastchess and cutechess, JSON.

mod dialects;
mod format;
mod json;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};
use vidmar_rows::elo_text;

use crate::bracket::Tie;
use crate::matches::Scoreboard;
use crate::schedule::Schedule;
use crate::sprt::{Decision, Sprt};
use crate::standings::{Standing, Standings};

pub use format::{Intervals, OutputFormat};

/// The results of a match so far.
pub struct MatchReport<'a> {
    names: &'a [String],
    scoreboard: &'a Scoreboard,
    standings: Standings,
    sprt: Option<Sprt>,
    /// What was played, in brackets of fastchess's heading: the clocks and the openings.
    header: Option<&'a str>,
    /// Of a knockout.
    ties: Vec<Tie>,
}

impl<'a> MatchReport<'a> {
    /// A report on players of these names.
    pub fn new(names: &'a [String], scoreboard: &'a Scoreboard, sprt: Option<Sprt>) -> MatchReport<'a> {
        MatchReport {
            names,
            scoreboard,
            standings: scoreboard.standings(),
            sprt,
            header: None,
            ties: Vec::new(),
        }
    }

    /// The same with what was played: `10+0.1, book.epd`.
    pub fn with_header(self, header: &'a str) -> MatchReport<'a> {
        MatchReport {
            header: Some(header),
            ..self
        }
    }

    /// The same with the ties of a knockout that are known by now.
    pub fn with_schedule(self, schedule: &Schedule) -> MatchReport<'a> {
        let mut schedule = schedule.clone();
        while schedule.advance(self.scoreboard.games()) {}
        MatchReport {
            ties: schedule.ties(self.scoreboard.games()),
            ..self
        }
    }

    /// The ties of a knockout, a line each, and who won the last.
    pub(super) fn tie_lines(&self) -> String {
        let mut text = String::new();
        for tie in &self.ties {
            let [one, other] = tie.players.map(|player| &self.names[player]);
            let [left, right] = tie.points.map(points);
            let winner = match tie.winner {
                Some(player) => format!("{} goes on", self.names[player]),
                None => "not decided".to_owned(),
            };
            let _ = writeln!(
                text,
                "round {}: {one} {left} – {right} {other}: {winner}",
                tie.round + 1
            );
        }
        let last = self
            .ties
            .last()
            .filter(|_| self.ties.len() + 1 == self.names.len());
        if let Some(winner) = last.and_then(|tie| tie.winner) {
            let _ = writeln!(text, "{} wins the knockout", self.names[winner]);
        }
        text
    }

    /// Everybody's line, the details of two players, everybody's score against everybody of more.
    pub fn table(&self) -> String {
        let mut table = plain_table(&[
            "",
            "name",
            "Elo (95 %)",
            "points",
            "games",
            "won",
            "drawn",
            "lost",
            "draws",
            "faults",
        ]);
        for (rank, &index) in self.standings.ranking().iter().enumerate() {
            let standing = &self.standings.players[index];
            let tally = standing.tally;
            let interval = standing.estimate().map(|estimate| estimate.interval);
            table.add_row([
                (rank + 1).to_string(),
                self.names[index].clone(),
                elo_text(interval),
                points(tally.points()),
                tally.games().to_string(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                share_of(tally.games(), tally.draw_ratio()),
                standing.faults().to_string(),
            ]);
        }
        let mut text = self
            .header
            .map_or_else(String::new, |header| format!("{header}\n"));
        let _ = writeln!(text, "{table}");
        if self.names.len() == 2 {
            text.push_str(&self.details());
        } else {
            text.push_str(&self.cross_table());
        }
        text.push_str(&self.tie_lines());
        text.push_str(&self.fault_lines());
        if self.standings.unscored > 0 {
            let _ = writeln!(text, "{} without a result", games(self.standings.unscored));
        }
        text
    }

    /// What went wrong, a line for everybody with whom something did.
    fn fault_lines(&self) -> String {
        let mut text = String::new();
        for (name, standing) in self.names.iter().zip(&self.standings.players) {
            let kinds = standing.fault_kinds.iter();
            let kinds: Vec<String> = kinds.map(|(kind, count)| format!("{count} {kind}")).collect();
            if !kinds.is_empty() {
                let _ = writeln!(text, "faults of {name}: {}", kinds.join(", "));
            }
        }
        text
    }

    /// What there is to say of the first player against the second.
    fn details(&self) -> String {
        let mut text = String::new();
        let standing = &self.standings.players[0];
        if let Some(statement) = self.scoreboard.statement(self.names, &self.standings) {
            let _ = writeln!(text, "{statement}");
        }
        let estimate = standing.estimate();
        if let Some((normalised, error)) = estimate.and_then(|estimate| estimate.normalised()) {
            let _ = write!(text, "normalised Elo {normalised:+.1} ± {error:.1}");
            if let Some(superiority) = estimate.and_then(|estimate| estimate.superiority()) {
                let _ = write!(text, ", LOS {:.1} %", 100.0 * superiority);
            }
            text.push('\n');
        }
        let [a, b, c, d, e] = standing.pairs.0;
        if self.scoreboard.is_paired() && a + b + c + d + e > 0 {
            let _ = writeln!(
                text,
                "pairs with 0, ½, 1, 1½, 2 points: {a}, {b}, {c}, {d}, {e}; level pairs {:.1} %",
                100.0 * standing.pairs.draw_ratio()
            );
        }
        text.push_str(&self.test_line());
        text
    }

    fn test_line(&self) -> String {
        let (Some(sprt), Some(ratio)) = (self.sprt, self.scoreboard.ratio()) else {
            return String::new();
        };
        let (lower, upper) = sprt.bounds();
        let (elo0, elo1) = sprt.hypotheses();
        let verdict = match self.scoreboard.decision() {
            None => String::new(),
            Some(Decision::H0) => format!(": elo0 = {elo0} is accepted"),
            Some(Decision::H1) => format!(": elo1 = {elo1} is accepted"),
        };
        format!(
            "LLR {ratio:.2} ({lower:.2} to {upper:.2}) for {elo0} to {elo1} {} Elo{verdict}\n",
            sprt.model().name()
        )
    }

    fn cross_table(&self) -> String {
        let ranking = self.standings.ranking();
        let heads: Vec<String> = (1..=ranking.len()).map(|rank| rank.to_string()).collect();
        let mut columns = vec!["", "name"];
        columns.extend(heads.iter().map(String::as_str));
        let mut table = plain_table(&columns);
        for (rank, &player) in ranking.iter().enumerate() {
            let mut row = vec![(rank + 1).to_string(), self.names[player].clone()];
            row.extend(ranking.iter().map(|&opponent| {
                let tally = self.standings.against[player][opponent];
                match tally.games() {
                    0 => String::new(),
                    games => format!("{}/{games}", points(tally.points())),
                }
            }));
            table.add_row(row);
        }
        format!("{table}\n")
    }

    /// One line for those who read along without a terminal.
    pub fn line(&self) -> String {
        let standing = &self.standings.players[0];
        let mut text = if self.names.len() == 2 {
            let points = standing.tally.points();
            format!(
                "{} {} - {} {}",
                self.names[0],
                self::points(points),
                self::points(standing.tally.games() as f64 - points),
                self.names[1]
            )
        } else {
            let best = self.standings.ranking()[0];
            format!("{} leads", self.names[best])
        };
        if let (2, Some(estimate)) = (self.names.len(), standing.estimate()) {
            let _ = write!(text, ", Elo {}", estimate.interval);
            if let Some(superiority) = estimate.superiority() {
                let _ = write!(text, ", LOS {:.1} %", 100.0 * superiority);
            }
        }
        if let (Some(sprt), Some(ratio)) = (self.sprt, self.scoreboard.ratio()) {
            let (lower, upper) = sprt.bounds();
            let _ = write!(text, ", LLR {ratio:.2} ({lower:.2}, {upper:.2})");
        }
        let faults: u64 = self.standings.players.iter().map(Standing::faults).sum();
        if faults > 0 {
            let _ = write!(text, ", {faults} faults");
        }
        text
    }
}

fn plain_table(columns: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(columns);
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if at != 1 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn points(value: f64) -> String {
    format!("{value:.1}")
}

/// A share of games in per cent; of no game there is none.
fn share_of(games: u64, share: f64) -> String {
    if games == 0 {
        "–".to_owned()
    } else {
        format!("{:.1} %", 100.0 * share)
    }
}

fn games(count: u64) -> String {
    if count == 1 {
        "1 game".to_owned()
    } else {
        format!("{count} games")
    }
}
