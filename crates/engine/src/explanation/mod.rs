//! Why a player chose its move, as data that people, programs and the page read alike.
//!
//! A player that reasons in a way of its own gives its own reasons; what any other tells while it thinks becomes a
//! [`SearchExplanation`].

mod book;
mod cases;
mod evolution;
mod search;

use std::fmt;

use serde::Serialize;

pub use book::{BookExplanation, ExplainedBookMove};
pub use cases::{
    CaseBasis, CaseExplanation, CaseOrigin, ExplainedCase, ExplainedChoice, ExplainedGame, SIMILARITY_RANGE,
};
pub use evolution::{EvolutionExplanation, FirstMove, Sample};
pub use search::{ExplainedEvaluation, ExplainedLine, Lines, PieceBoard, SearchExplanation};

/// Why a player chose its move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Explanation {
    /// Lines of play with their scores, and the evaluation term by term.
    Search(SearchExplanation),
    /// The nearest cases.
    Cases(Box<CaseExplanation>),
    /// Lines that evolved.
    Evolution(EvolutionExplanation),
    /// What an opening book holds.
    Book(BookExplanation),
    /// Nothing: chance chose among so many legal moves.
    Chance {
        /// The legal moves.
        moves: usize,
    },
    /// Not known: it is a program of somebody else and told nothing.
    Untold,
}

/// For people.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Explanation::Search(search) => search.fmt(f),
            Explanation::Cases(cases) => cases.fmt(f),
            Explanation::Evolution(evolution) => evolution.fmt(f),
            Explanation::Book(book) => book.fmt(f),
            Explanation::Chance { moves } => write!(f, "by chance, one of {moves} legal moves"),
            Explanation::Untold => f.write_str("it told nothing of its reasons"),
        }
    }
}
