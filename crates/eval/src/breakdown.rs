//! A score term by term.
//!
//! The evaluation books every term in a ledger. Played games use a ledger that only adds up; a
//! [`Breakdown`] comes from one that also writes each entry down. Both are the same code, so a breakdown
//! sums to the score by construction.

use serde::Serialize;
use vidmar_chess::{ByColor, Color};

use crate::tapered::Tapered;

macro_rules! terms {
    ($($variant:ident $name:literal;)*) => {
        /// A kind of knowledge.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize)]
        #[allow(missing_docs)]
        pub enum Term { $(#[serde(rename = $name)] $variant),* }

        impl Term {
            /// All terms, in the order of a report.
            pub const ALL: &[Term] = &[$(Term::$variant),*];

            /// Its name in a report.
            pub const fn name(self) -> &'static str {
                match self { $(Term::$variant => $name),* }
            }
        }
    };
}

terms! {
    Material "material";
    PieceSquares "piece squares";
    BishopPair "bishop pair";
    Patterns "patterns";
    Mobility "mobility";
    RooksAndQueens "rooks and queens";
    Outposts "outposts";
    Shelter "king shelter";
    KingAttack "king attack";
    PawnStructure "pawn structure";
    PassedPawns "passed pawns";
    Pieces "pieces and pawns";
    Threats "threats";
    Space "space";
    KingPlace "king place";
    Tempo "tempo";
}

/// What hears of every entry.
pub(crate) trait Trace {
    fn record(&mut self, term: Term, side: Color, value: Tapered);
}

/// Listens to nothing: the fast way.
pub(crate) struct NoTrace;

impl Trace for NoTrace {
    #[inline(always)]
    fn record(&mut self, _: Term, _: Color, _: Tapered) {}
}

/// A running sum, White's minus Black's.
pub(crate) struct Ledger<'a, T> {
    pub(crate) total: Tapered,
    pub(crate) trace: &'a mut T,
}

impl<'a, T: Trace> Ledger<'a, T> {
    #[inline(always)]
    pub(crate) fn new(trace: &'a mut T) -> Self {
        Ledger {
            total: Tapered::ZERO,
            trace,
        }
    }

    /// Books a term to a side's credit.
    #[inline(always)]
    pub(crate) fn add(&mut self, term: Term, side: Color, value: Tapered) {
        match side {
            Color::White => self.total += value,
            Color::Black => self.total -= value,
        }
        self.trace.record(term, side, value);
    }

    /// Books the two terms of a piece on a square, which are kept as one sum.
    #[inline(always)]
    pub(crate) fn add_piece(&mut self, side: Color, value: Tapered, material: Tapered) {
        match side {
            Color::White => self.total += value,
            Color::Black => self.total -= value,
        }
        self.trace.record(Term::Material, side, material);
        self.trace.record(Term::PieceSquares, side, value - material);
    }
}

/// What each term gives each side in either phase, and how they make the score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Breakdown {
    /// The terms in the order of [`Term::ALL`].
    pub terms: Vec<TermScore>,
    /// White's sum minus Black's.
    pub total: Tapered,
    /// Material left without pawns: 24 in the start position, 0 with kings and pawns only. The opening
    /// value counts in this proportion.
    pub phase: i32,
    /// What is left, in 1/64, of the leader's endgame value.
    pub endgame_scale: i32,
    /// What is left, in 1/64, of the blended score in an ending that is hard or impossible to win.
    pub draw_scale: i32,
    /// The score in hundredths of a pawn from White's point of view.
    pub white_score: i32,
    /// The score in hundredths of a pawn for the side to move.
    pub score: i32,
}

/// A term of a [`Breakdown`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TermScore {
    /// Which one.
    pub term: Term,
    /// What White gets.
    pub white: Tapered,
    /// What Black gets.
    pub black: Tapered,
}

/// Writes every entry down.
pub(crate) struct Recorder(Vec<ByColor<Tapered>>);

impl Recorder {
    pub(crate) fn new() -> Recorder {
        Recorder(vec![ByColor::default(); Term::ALL.len()])
    }

    pub(crate) fn terms(&self) -> Vec<TermScore> {
        let terms = Term::ALL.iter().zip(&self.0);
        terms
            .map(|(&term, value)| TermScore {
                term,
                white: value[Color::White],
                black: value[Color::Black],
            })
            .collect()
    }
}

impl Trace for Recorder {
    fn record(&mut self, term: Term, side: Color, value: Tapered) {
        self.0[term as usize][side] += value;
    }
}
