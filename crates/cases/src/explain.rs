//! Why a behaviour plays what it plays: the nearest cases, where they come from, and what was made of them.

use std::fmt::{self, Write as _};

use serde::Serialize;
use vidmar_chess::{Color, Move, Outcome, Position};

use crate::adaptation::WHOLE_MOVE;
use crate::base::{CaseBase, SourceGame};
use crate::behaviour::{Basis, Behaviour, Decision};
use crate::list::Origin;
use crate::retrieval::Neighbour;
use crate::similarity::WHOLE;

/// The nearest cases of a position, explained.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
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

/// A decision, explained.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedChoice {
    /// The move, in SAN.
    pub r#move: String,
    /// `case`, `other-color` (turned round), `chance` or `search`.
    pub basis: &'static str,
    /// Equally good cases or candidates among which it was found.
    pub considered: usize,
    /// The case behind it.
    pub case: Option<ExplainedCase>,
}

/// A case, explained.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedCase {
    /// How alike the boards are, from 0 to 256.
    pub similarity: u16,
    /// Whether the case is of the other colour, turned round.
    pub mirrored: bool,
    /// Files and ranks by which the position was shifted to look alike.
    pub shift: [i8; 2],
    /// `played`, `varied` (made from a good capture) or `learned`.
    pub origin: &'static str,
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
#[derive(Clone, Debug, Serialize)]
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

impl Behaviour {
    /// Explains a position by its `k` nearest cases.
    pub fn explain(&self, position: &Position, k: usize) -> Explanation {
        let nearest = self.nearest(position, &position.legal_moves(), k);
        Explanation {
            fen: position.to_string(),
            expert: self.base().expert().to_owned(),
            cases: self.base().list(position.turn()).len(),
            nearest: nearest
                .iter()
                .map(|neighbour| explained(self.base(), position, neighbour))
                .collect(),
            choice: None,
        }
    }

    /// The same with what was decided; without a decision a search has chosen among what the cases suggest.
    pub(crate) fn explain_choice(
        &self,
        position: &Position,
        k: usize,
        best: Move,
        decision: Option<&Decision>,
    ) -> Explanation {
        let neighbour = decision.and_then(|decision| decision.neighbour);
        Explanation {
            choice: Some(ExplainedChoice {
                r#move: position.san(best).to_string(),
                basis: match decision.map(|decision| decision.basis) {
                    Some(Basis::Case) => "case",
                    Some(Basis::OtherColor) => "other-color",
                    Some(Basis::Chance) => "chance",
                    None => "search",
                },
                considered: decision.map_or(0, |decision| decision.considered),
                case: neighbour.map(|neighbour| explained(self.base(), position, &neighbour)),
            }),
            ..self.explain(position, k)
        }
    }
}

fn explained(base: &CaseBase, position: &Position, neighbour: &Neighbour) -> ExplainedCase {
    let (origin, place) = match neighbour.origin {
        Origin::Played { game, ply } => ("played", Some((game, ply))),
        Origin::Varied { game, ply } => ("varied", Some((game, ply))),
        Origin::Learned => ("learned", None),
    };
    let game = place.and_then(|(game, ply)| Some((base.games().get(game as usize)?, ply)));
    let adapted = neighbour.adapted;
    let there = game.as_ref().and_then(|(game, ply)| game.position_at(*ply));
    let played = match (&there, &game, origin) {
        (Some(there), Some((game, ply)), "played") => {
            let m = game.moves.get(*ply as usize).copied().flatten();
            m.map(|m| there.san(m).to_string())
        }
        _ => None,
    };
    ExplainedCase {
        similarity: neighbour.similarity,
        mirrored: neighbour.is_mirrored,
        shift: [neighbour.shift.files, neighbour.shift.ranks],
        origin,
        game: game.map(|(game, ply)| explained_game(game, ply)),
        fen: there.map(|there| there.to_string()),
        r#move: neighbour.case_move.to_string(),
        move_san: played,
        adapted: position.san(adapted.m).to_string(),
        adapted_uci: adapted.m.uci(position.castling_notation()).to_string(),
        move_similarity: adapted.similarity as f64 / WHOLE_MOVE as f64,
    }
}

fn explained_game(game: &SourceGame, ply: u32) -> ExplainedGame {
    ExplainedGame {
        white: game.players[Color::White].clone(),
        black: game.players[Color::Black].clone(),
        event: game.event.clone(),
        year: game.year().map(str::to_owned),
        result: Outcome::text(game.result).to_owned(),
        expert: game.expert().to_string(),
        move_number: game.move_number(ply),
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = if self.fen.contains(" b ") {
            Color::Black
        } else {
            Color::White
        };
        writeln!(f, "{} cases of {} as {color}", self.cases, self.expert)?;
        if self.nearest.is_empty() {
            return writeln!(f, "there is nothing to go by: a legal move by lot");
        }
        writeln!(
            f,
            "{:>10}  {:<6}{:<8}{:>6}  source",
            "similarity", "there", "here", "alike"
        )?;
        for case in &self.nearest {
            writeln!(f, "{case}")?;
        }
        match &self.choice {
            Some(choice) => writeln!(f, "{choice}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ExplainedChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.r#move)?;
        match (&self.case, self.basis) {
            (Some(case), _) => write!(f, "by one of {} cases: {case}", self.considered),
            (None, "search") => f.write_str("a search chose it among what the cases suggest"),
            (None, _) => f.write_str("by lot"),
        }
    }
}

impl fmt::Display for ExplainedCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>3} of {WHOLE}  {:<6}{:<8}{:>6.3}  ",
            self.similarity, self.r#move, self.adapted, self.move_similarity
        )?;
        match &self.game {
            None => f.write_str("its own solution")?,
            Some(game) => write!(f, "{game}")?,
        }
        let mut notes = String::new();
        if self.origin == "varied" {
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
