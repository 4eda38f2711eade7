//! The reasons of a case-based player: the nearest cases, where they come from, and what was made of them.

use std::fmt::{self, Write as _};

use serde::Serialize;
use vidmar_chess::Color;

/// The similarity of equal boards: four for each square.
pub const SIMILARITY_RANGE: u16 = 4 * 64;

/// The nearest cases of a position, explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseExplanation {
    /// The position.
    pub fen: String,
    /// The expert whose games the cases are of.
    pub expert: String,
    /// Cases of the colour to move.
    pub cases: usize,
    /// The nearest cases, the nearest first.
    pub nearest: Vec<ExplainedCase>,
    /// What was played, if that is to be explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<ExplainedChoice>,
}

/// What a decision goes by.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseBasis {
    /// A case of the colour to move.
    Case,
    /// A case of the other colour, turned round.
    OtherColor,
    /// Chance: there is no case to go by.
    Chance,
    /// A search among what the cases suggest.
    Search,
}

/// How something came to be a case.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseOrigin {
    /// The expert played it.
    Played,
    /// It was made from a good capture of the expert's.
    Varied,
    /// The player learned it from its own solutions.
    Learned,
}

/// A decision, explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedChoice {
    /// The move, in SAN.
    pub r#move: String,
    /// What it goes by.
    pub basis: CaseBasis,
    /// Equally good cases or candidates among which it was found.
    pub considered: usize,
    /// The case behind it.
    pub case: Option<ExplainedCase>,
}

/// A case, explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedCase {
    /// How alike the boards are, from 0 to 256.
    pub similarity: u16,
    /// Whether the case is of the other colour, turned round.
    pub mirrored: bool,
    /// Files and ranks by which the position was shifted to look alike.
    pub shift: [i8; 2],
    /// How it came to be a case.
    pub origin: CaseOrigin,
    /// The game, unless the case was learned.
    pub game: Option<ExplainedGame>,
    /// The board there, if it is one of a game.
    pub fen: Option<String>,
    /// The move there, in UCI notation.
    pub r#move: String,
    /// The move there, in SAN, where it was played.
    pub move_san: Option<String>,
    /// The legal move made from it, in SAN.
    pub adapted: String,
    /// The same in UCI notation.
    pub adapted_uci: String,
    /// How similar the two moves are, from 0 to 1.
    pub move_similarity: f64,
}

/// Where a case comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedGame {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The event.
    pub event: String,
    /// The year, if known.
    pub year: Option<String>,
    /// How it ended.
    pub result: String,
    /// The expert's side.
    pub expert: String,
    /// The number of the move.
    pub move_number: u32,
}

impl fmt::Display for CaseExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = if self.fen.contains(" b ") {
            Color::Black
        } else {
            Color::White
        };
        writeln!(f, "{} cases of {} as {color}", self.cases, self.expert)?;
        if self.nearest.is_empty() {
            return f.write_str("there is nothing to go by: a legal move by lot");
        }
        writeln!(
            f,
            "{:>10}  {:<6}{:<8}{:>6}  source",
            "similarity", "there", "here", "alike"
        )?;
        let cases: Vec<String> = self.nearest.iter().map(ToString::to_string).collect();
        f.write_str(&cases.join("\n"))?;
        match &self.choice {
            Some(choice) => write!(f, "\n{choice}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ExplainedChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.r#move)?;
        match (&self.case, self.basis) {
            (Some(case), _) => write!(f, "by one of {} cases: {case}", self.considered),
            (None, CaseBasis::Search) => f.write_str("a search chose it among what the cases suggest"),
            (None, _) => f.write_str("by lot"),
        }
    }
}

impl fmt::Display for ExplainedCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>3} of {SIMILARITY_RANGE}  {:<6}{:<8}{:>6.3}  ",
            self.similarity, self.r#move, self.adapted, self.move_similarity
        )?;
        match &self.game {
            None => f.write_str("its own solution")?,
            Some(game) => write!(f, "{game}")?,
        }
        let mut notes = String::new();
        if self.origin == CaseOrigin::Varied {
            notes.push_str(", varied");
        }
        if self.mirrored {
            notes.push_str(", turned round");
        }
        if self.shift != [0, 0] {
            write!(notes, ", shifted by {} and {}", self.shift[0], self.shift[1])?;
        }
        f.write_str(&notes)
    }
}

impl fmt::Display for ExplainedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} - {}", self.white, self.black)?;
        if let Some(year) = &self.year {
            write!(f, " {year}")?;
        }
        if !self.event.is_empty() {
            write!(f, ", {}", self.event)?;
        }
        write!(f, ", move {}", self.move_number)
    }
}
