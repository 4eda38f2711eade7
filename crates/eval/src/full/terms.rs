//! The terms: one row each, its name in a breakdown and, where it is an extended term computed side by side, its code.
//!
//! A row with code is called for both sides whenever an extended weight is not 0 (`extended.rs` has the weights). The others are
//! added on the way, where the pieces or the pawns are walked through.

use serde::Serialize;
use vidmar_chess::Color;

use super::pieces::{Attacks, Scene};
use super::{king_attack, pieces, threats};
use crate::breakdown::{Sum, Trace};
use crate::extended::Extended;

macro_rules! terms {
    ($($variant:ident $name:literal $(=> $code:path)?;)*) => {
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

        /// Adds the extended terms of a side; compiled once for each, so that directions are constants in it.
        #[inline(always)]
        pub(super) fn extended_terms<T: Trace>(side: &Side<'_>, sum: &mut Sum<'_, T>) {
            $($($code(side, sum);)?)*
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
    KingAttack "king attack" => king_attack::extended_attack;
    PawnStructure "pawn structure";
    PassedPawns "passed pawns";
    Pieces "pieces and pawns" => pieces::among_pawns;
    Threats "threats" => threats::threats;
    Space "space" => threats::space;
    KingPlace "king place";
    Tempo "tempo" => tempo;
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
