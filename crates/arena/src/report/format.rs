//! In which lines the results of a match are printed: while it goes on, and in the end.

use vidmar_chess::Outcome;
use vidmar_store::Game;
use vidmar_text::named_enum;

use super::MatchReport;
use crate::matches::Ended;

named_enum! {
    /// Whose lines results are printed in.
    #[derive(Default)]
    pub enum OutputFormat: "output format";
    #[default]
    Table, "vidmar", "a table";
    Fastchess, "fastchess", "the blocks of fastchess";
    Cutechess, "cutechess", "the lines of cutechess-cli";
}

/// Games between two reports; 0 for none.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Intervals {
    /// Ratings.
    pub rating: u64,
    /// The score, where ratings and scores are two things.
    pub score: u64,
}

impl Default for Intervals {
    fn default() -> Intervals {
        Intervals { rating: 10, score: 1 }
    }
}

impl OutputFormat {
    /// What is printed when a game begins: its number from 0, of how many, who has White and who Black.
    pub fn started(self, game: u64, total: u64, [white, black]: [&str; 2]) -> String {
        match self {
            OutputFormat::Table => String::new(),
            OutputFormat::Fastchess | OutputFormat::Cutechess => {
                format!("Started game {} of {total} ({white} vs {black})\n", game + 1)
            }
        }
    }

    /// What is printed when a game has ended, before what is counted.
    pub fn finished(self, game: &Game, [white, black]: [&str; 2]) -> String {
        match self {
            OutputFormat::Table => String::new(),
            OutputFormat::Fastchess | OutputFormat::Cutechess => {
                let mut letters = game.termination.chars();
                let first = letters.next().map(|letter| letter.to_ascii_uppercase());
                let reason: String = first.into_iter().chain(letters).collect();
                let (number, result) = (game.number + 1, Outcome::text(game.result));
                format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}\n")
            }
        }
    }

    /// What is printed after a game, the last of so many; our own table is the business of whoever has a terminal.
    pub fn after_game(self, report: &MatchReport<'_>, games: u64, intervals: Intervals) -> String {
        let every = |interval: u64| interval > 0 && games.is_multiple_of(interval);
        let mut text = String::new();
        match self {
            // Pairs are what fastchess counts.
            OutputFormat::Fastchess if every(intervals.rating.saturating_mul(2)) => text = report.fastchess(),
            OutputFormat::Table | OutputFormat::Fastchess => {}
            OutputFormat::Cutechess => {
                if every(intervals.score) {
                    text = report.cutechess_score();
                }
                if every(intervals.rating) {
                    text.push_str(&report.cutechess_rating());
                }
            }
        }
        text
    }

    /// What is printed in the end.
    pub fn in_the_end(self, report: &MatchReport<'_>, ended: Ended) -> String {
        match self {
            OutputFormat::Table => report.table(),
            OutputFormat::Fastchess => {
                let decided = match ended {
                    Ended::Decided(decision) => format!("SPRT completed - {decision:?} was accepted\n"),
                    Ended::Complete | Ended::Stopped => String::new(),
                };
                report.fastchess() + &report.tie_lines() + &decided
            }
            OutputFormat::Cutechess => {
                let results = report.cutechess_score() + &report.cutechess_rating();
                results + &report.tie_lines() + "Finished match\n"
            }
        }
    }
}
