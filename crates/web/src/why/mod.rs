//! Why a player chose its move, as the page shows it: its [`Explanation`] with a headline and arrows.
//!
//! | part | of | from |
//! | --- | --- | --- |
//! | `engine` | engines and searches | what they told while they thought, and the evaluation term by term |
//! | `cases` | the case-based player | the nearest cases |
//! | `evolved` | the player of evolved moves | the best line of each first move |

mod cases;
mod engine;
mod evolved;

use serde::Serialize;
use ts_rs::TS;
use vidmar_chess::{Move, Position};
use vidmar_engine::Explanation;

use crate::position::MoveText;

pub use cases::{CaseShown, CasesWhy};
pub use engine::{Chances, EngineWhy, EvalPiece, EvalTerm, WhyLine};
pub use evolved::{EvolvedLine, EvolvedSample, EvolvedWhy};

/// What kind of reasons there are.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum WhyKind {
    Engine,
    Cases,
    Evolved,
    Plain,
}

/// Why a player chose its move.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct Why {
    /// What the player is called.
    pub player: String,
    /// Which of the parts below is there; `plain` for none.
    pub kind: WhyKind,
    /// The position that was thought about.
    pub fen: String,
    /// The move, unless the player is still thinking or gives up.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub chosen: Option<MoveText>,
    /// The reason in one line.
    pub headline: String,
    /// The reason at length, as the player tells it; may be empty.
    pub text: String,
    /// What to draw on the board.
    pub arrows: Vec<Arrow>,
    /// Of engines and searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineWhy>,
    /// Of the case-based player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cases: Option<CasesWhy>,
    /// Of the player of evolved moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evolved: Option<EvolvedWhy>,
}

/// What an arrow means.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Brush {
    /// The chosen move.
    Best,
    /// The expected answer.
    Answer,
    /// Another move that was considered.
    Other,
}

/// An arrow on the board.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct Arrow {
    /// The square where it begins.
    pub from: String,
    /// The square where it ends.
    pub to: String,
    /// What it means.
    pub brush: Brush,
    /// A word beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Arrow {
    /// The arrow of a move in UCI notation.
    fn of(uci: &str, brush: Brush, label: Option<String>) -> Option<Arrow> {
        let (from, to) = (uci.get(0..2)?, uci.get(2..4)?);
        Some(Arrow {
            from: from.to_owned(),
            to: to.to_owned(),
            brush,
            label,
        })
    }
}

/// The most moves of an explanation that get an arrow.
const MOST_ARROWS: usize = 4;

fn from_book(why: &Why) -> String {
    let chosen = why.chosen.as_ref().map_or("", |chosen| &chosen.san);
    format!("{} plays {chosen} from its opening book", why.player)
}

impl Why {
    /// Explains what a player thought about a position, and what came of it, if anything has yet.
    pub(crate) fn new(
        player: &str,
        position: &Position,
        best: Option<Move>,
        explanation: Option<&Explanation>,
    ) -> Why {
        let mut why = Why {
            player: player.to_owned(),
            kind: WhyKind::Plain,
            fen: position.to_string(),
            chosen: best.map(|m| MoveText::new(position, m)),
            headline: String::new(),
            text: String::new(),
            arrows: Vec::new(),
            engine: None,
            cases: None,
            evolved: None,
        };
        match explanation {
            Some(Explanation::Search(search)) => engine::tell(&mut why, position, search),
            Some(Explanation::Cases(cases)) => cases::tell(&mut why, position, cases),
            Some(Explanation::Evolution(evolution)) => evolved::tell(&mut why, evolution),
            Some(Explanation::Book(_)) => why.headline = from_book(&why),
            Some(Explanation::Chance { .. } | Explanation::Untold) | None => {}
        }
        if let Some(explanation) = explanation.filter(|_| why.engine.is_none()) {
            why.text = explanation.to_string();
        }
        if why.arrows.is_empty()
            && let Some(chosen) = &why.chosen
        {
            why.arrows.extend(Arrow::of(&chosen.uci, Brush::Best, None));
        }
        if why.headline.is_empty() {
            why.headline = match &why.chosen {
                Some(chosen) => format!("{} plays {} and gives no reason", why.player, chosen.san),
                None => format!("{} has nothing to say yet", why.player),
            };
        }
        why
    }
}
