//! What each piece gives: the score with it less the score without it.
//!
//! Pieces work together, so that the shares do not add up to the score. Kings have none, for without one there is no position.

use serde::{Serialize, Serializer};
use vidmar_chess::{Color, Piece, Position, Role, Square};

use crate::network::{Network, pieces};

/// What one piece gives.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceShare {
    /// Where it stands.
    #[serde(serialize_with = "name_of_square")]
    pub square: Square,
    /// What it is; as data, the letter of a FEN.
    #[serde(serialize_with = "letter_of_piece")]
    pub piece: Piece,
    /// Hundredths of a pawn that White's score loses without it.
    pub share: i32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn name_of_square<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn letter_of_piece<S: Serializer>(piece: &Piece, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(piece.char())
}

impl Network {
    /// What each piece but the kings gives, from a1 to h8; the side to move stays the same.
    pub fn shares(&self, position: &Position) -> Vec<PieceShare> {
        let (all, turn) = (pieces(position), position.turn());
        let for_white = |pieces: &[(Piece, Square)]| match turn {
            Color::White => self.score(pieces, turn),
            Color::Black => -self.score(pieces, turn),
        };
        let whole = for_white(&all);
        let mut shares = Vec::with_capacity(all.len());
        for (index, &(piece, square)) in all.iter().enumerate() {
            if piece.role != Role::King {
                let mut others = all.clone();
                others.remove(index);
                let share = whole - for_white(&others);
                shares.push(PieceShare { square, piece, share });
            }
        }
        shares
    }
}
