//! A score term by term.
//!
//! The evaluation adds every term to a [`Sum`]. Played games use one that only adds up; a [`Breakdown`]
//! comes from one that also traces each entry. Both are the same code, so a breakdown sums to the score by
//! construction.

use serde::Serialize;
use vidmar_chess::{ByColor, Color};

use crate::full::Term;
use crate::net::NetBreakdown;
use crate::tapered::Tapered;

/// What is told of every entry.
pub(crate) trait Trace {
    fn record(&mut self, term: Term, side: Color, value: Tapered);
}

/// Traces nothing: the fast path.
pub(crate) struct NoTrace;

impl Trace for NoTrace {
    #[inline(always)]
    fn record(&mut self, _: Term, _: Color, _: Tapered) {}
}

/// A running sum, White's minus Black's.
pub(crate) struct Sum<'a, T> {
    pub(crate) total: Tapered,
    pub(crate) trace: &'a mut T,
}

impl<'a, T: Trace> Sum<'a, T> {
    #[inline(always)]
    pub(crate) fn new(trace: &'a mut T) -> Self {
        Sum {
            total: Tapered::ZERO,
            trace,
        }
    }

    /// Adds a term of a side.
    #[inline(always)]
    pub(crate) fn add(&mut self, term: Term, side: Color, value: Tapered) {
        match side {
            Color::White => self.total += value,
            Color::Black => self.total -= value,
        }
        self.trace.record(term, side, value);
    }

    /// Adds the two terms of a piece on a square, which are kept as one sum.
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

/// A score and where it comes from: terms of an evaluation that people wrote, or pieces as a net sees them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum AnyBreakdown {
    /// Term by term.
    Terms(Breakdown),
    /// Piece by piece.
    Pieces(NetBreakdown),
}

impl AnyBreakdown {
    /// The score in hundredths of a pawn from White's point of view.
    pub fn white_score(&self) -> i32 {
        match self {
            AnyBreakdown::Terms(terms) => terms.white_score,
            AnyBreakdown::Pieces(pieces) => pieces.white_score,
        }
    }

    /// The terms of the hand-crafted evaluation, whether it has decided or a net.
    pub fn hand_crafted(&self) -> &Breakdown {
        match self {
            AnyBreakdown::Terms(terms) => terms,
            AnyBreakdown::Pieces(pieces) => &pieces.hand_crafted,
        }
    }
}

impl From<Breakdown> for AnyBreakdown {
    fn from(terms: Breakdown) -> AnyBreakdown {
        AnyBreakdown::Terms(terms)
    }
}

impl From<NetBreakdown> for AnyBreakdown {
    fn from(pieces: NetBreakdown) -> AnyBreakdown {
        AnyBreakdown::Pieces(pieces)
    }
}

/// What each term gives each side in either phase, and how they make the score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Breakdown {
    /// The terms of the evaluation, in the order of [`Term::ALL`].
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

/// Writes every entry of the full evaluation down.
pub(crate) struct Recorder(Vec<ByColor<Tapered>>);

impl Recorder {
    pub(crate) fn new() -> Recorder {
        Recorder(vec![ByColor::default(); Term::FULL.len()])
    }

    pub(crate) fn terms(&self) -> Vec<TermScore> {
        let terms = Term::FULL.iter().zip(&self.0);
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
