//! The terms: one row each, its name in a breakdown and, where it is an extended term computed side by side, its code.
//!
//! A row with code is called for both sides whenever an extended weight is not 0 (`extended.rs` has the weights). The others are
//! added on the way, where the pieces or the pawns are walked through. Rows under `simple` belong to the simple evaluation alone,
//! which shares the headings.

use vidmar_chess::Color;

use super::pieces::{Attacks, Scene};
use super::{king_attack, pieces, threats};
use crate::breakdown::{Sum, Trace};
use crate::extended::Extended;

macro_rules! terms {
    (full { $($variant:ident, $name:literal, $help:literal $(=> $code:path)?;)* }
     simple { $($other:ident, $other_name:literal, $other_help:literal;)* }) => {
        vidmar_text::named_enum! {
            /// A kind of knowledge, in the order of a report.
            pub enum Term: "term";
            $($variant, $name, $help;)*
            $($other, $other_name, $other_help;)*
        }
        vidmar_text::serde_by_name!(Term);

        impl Term {
            /// The terms of the full evaluation.
            pub const FULL: &'static [Term] = &[$(Term::$variant),*];
        }

        /// Adds the extended terms of a side; compiled once for each, so that directions are constants in it.
        #[inline(always)]
        pub(super) fn extended_terms<T: Trace>(side: &Side<'_>, sum: &mut Sum<'_, T>) {
            $($($code(side, sum);)?)*
        }
    };
}

terms! {
    full {
        Material, "material", "what the pieces are worth";
        PieceSquares, "piece squares", "where they stand";
        BishopPair, "bishop pair", "both bishops";
        Patterns, "patterns", "pieces shut in or trapped";
        Mobility, "mobility", "squares that pieces reach";
        RooksAndQueens, "rooks and queens", "open files and the seventh rank";
        Outposts, "outposts", "knights that no pawn can chase away";
        Shelter, "king shelter", "pawns before the king, and those that storm it";
        KingAttack, "king attack", "pieces that aim at the king" => king_attack::extended_attack;
        PawnStructure, "pawn structure", "doubled, isolated and backward pawns";
        PassedPawns, "passed pawns", "passed pawns and candidates";
        Pieces, "pieces and pawns", "pieces among the pawns" => pieces::among_pawns;
        Threats, "threats", "pieces that are attacked" => threats::threats;
        Space, "space", "room behind the pawns" => threats::space;
        KingPlace, "king place", "where the king stands";
        Tempo, "tempo", "the right to move" => tempo;
    }
    simple {
        Occupation, "occupation", "squares that one side alone controls";
    }
}

/// A side as the extended terms see it.
pub(super) struct Side<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) weights: &'a Extended,
    pub(super) us: Color,
    pub(super) own: &'a Attacks,
    pub(super) enemy: &'a Attacks,
}

#[inline(always)]
fn tempo<T: Trace>(side: &Side<'_>, sum: &mut Sum<'_, T>) {
    if side.scene.position.turn() == side.us {
        sum.add(Term::Tempo, side.us, side.weights.tempo);
    }
}
