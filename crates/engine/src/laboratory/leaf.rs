//! The evaluations that a laboratory search can put at its leaves.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use vidmar_chess::Board;
use vidmar_eval::{Evaluation, FullEvaluation, SimpleEvaluation, Vector};
use vidmar_text::Excerpt;

/// Declares the kinds: `Variant, "name", "help";` a row.
macro_rules! leaves {
    ($($variant:ident, $name:literal, $help:literal;)*) => {
        /// The evaluations by name.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum LeafKind { $(#[doc = $help] $variant),* }

        impl LeafKind {
            /// Every one, in the order of the table.
            pub const ALL: &[LeafKind] = &[$(LeafKind::$variant),*];
            /// The names in the same order.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The name by which users choose it.
            pub const fn name(self) -> &'static str {
                match self { $(LeafKind::$variant => $name),* }
            }

            /// One line about it.
            pub const fn help(self) -> &'static str {
                match self { $(LeafKind::$variant => $help),* }
            }
        }
    };
}

leaves! {
    Simple, "simple", "material and mobility";
    SimpleSquares, "simple-squares", "the same with piece-square terms";
    Full, "full", "the parameters of a vector, by default those of `guess`";
}

impl fmt::Display for LeafKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for LeafKind {
    type Err = UnknownLeaf;

    fn from_str(text: &str) -> Result<LeafKind, UnknownLeaf> {
        let found = LeafKind::ALL.iter().copied().find(|kind| kind.name() == text);
        found.ok_or_else(|| UnknownLeaf(text.into()))
    }
}

/// There is no evaluation of that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown evaluation '{0}' (known: {known})", known = LeafKind::NAMES.join(", "))]
pub struct UnknownLeaf(pub Excerpt);

/// An evaluation of the user's choice.
pub enum LeafEvaluation {
    /// Material and mobility.
    Simple(SimpleEvaluation),
    /// Everything.
    Full(Box<FullEvaluation>),
}

impl LeafEvaluation {
    /// The evaluation of that kind; the vector matters to [`LeafKind::Full`] alone.
    pub fn new(kind: LeafKind, vector: &Vector) -> LeafEvaluation {
        match kind {
            LeafKind::Full => LeafEvaluation::Full(Box::new(FullEvaluation::new(vector))),
            simple => LeafEvaluation::Simple(SimpleEvaluation {
                piece_squares: simple == LeafKind::SimpleSquares,
            }),
        }
    }
}

impl<B: Board> Evaluation<B> for LeafEvaluation {
    fn evaluate(&self, board: &mut B, legal_moves: usize) -> i32 {
        match self {
            LeafEvaluation::Simple(simple) => simple.evaluate(board, legal_moves),
            LeafEvaluation::Full(full) => Evaluation::evaluate(full.as_ref(), board, legal_moves),
        }
    }
}
