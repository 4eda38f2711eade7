//! How alike two boards are: the sum of a small number for each square.
//!
//! A square gives 4 points if it is empty on both boards or holds the same piece, 3 for the same colour and another
//! type, 2 if only one of the two is occupied, 1 for the same type in the other colour and 0 otherwise. The most is
//! [`WHOLE`].

use vidmar_chess::{Piece, Square};
use vidmar_engine::explanation::SIMILARITY_RANGE;

use crate::board::{COLOR, CaseBoard};

/// The similarity of equal boards.
pub const WHOLE: u16 = SIMILARITY_RANGE;
/// The similarity of equal squares.
pub const WHOLE_SQUARE: u16 = 4;

/// How alike two squares are, from 0 to [`WHOLE_SQUARE`].
#[inline]
pub fn square_similarity(one: Option<Piece>, other: Option<Piece>) -> u16 {
    match (one, other) {
        (None, None) => 4,
        (None, Some(_)) | (Some(_), None) => 2,
        (Some(one), Some(other)) => {
            3 * u16::from(one.color == other.color) + u16::from(one.role == other.role)
        }
    }
}

/// How alike two boards are, square by square: the slow twin that every fast way is held equal to.
pub fn slow_similarity(one: &CaseBoard, other: &CaseBoard) -> u16 {
    Square::ALL
        .into_iter()
        .map(|square| square_similarity(one.piece_at(square), other.piece_at(square)))
        .sum()
}

impl CaseBoard {
    /// How alike two boards are, from 0 to [`WHOLE`].
    #[inline]
    pub fn similarity(&self, other: &CaseBoard) -> u16 {
        similarity_of_planes(self.planes, other.planes) as u16
    }
}

/// The similarity by counting bits.
///
/// Two pieces give 3 points for the colour and 1 for the type, and so do two empty squares, whose colour and type
/// bits are clear; only where a piece stands against an empty square the colour must not count, and 2 points do.
#[inline(always)]
pub(crate) const fn similarity_of_planes(one: [u64; 4], other: [u64; 4]) -> u64 {
    let occupied = one[1] | one[2] | one[3];
    let other_occupied = other[1] | other[2] | other[3];
    let half_empty = occupied ^ other_occupied;
    let other_color = one[COLOR] ^ other[COLOR];
    let other_type = (one[1] ^ other[1]) | (one[2] ^ other[2]) | (one[3] ^ other[3]);
    // 3 for a colour that is the same, 1 for a type, counted as what is missing from all 64.
    WHOLE as u64 - 3 * count_of(other_color | half_empty) - count_of(other_type) + 2 * count_of(half_empty)
}

#[inline(always)]
const fn count_of(squares: u64) -> u64 {
    squares.count_ones() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::{Color, Position, Role};

    #[test]
    fn squares_by_the_table() {
        let piece = |role: Role, color| Some(role.of(color));
        let white_pawn = piece(Role::Pawn, Color::White);
        for (other, points) in [
            (white_pawn, 4),
            (piece(Role::Queen, Color::White), 3),
            (None, 2),
            (piece(Role::Pawn, Color::Black), 1),
            (piece(Role::Queen, Color::Black), 0),
        ] {
            assert_eq!(square_similarity(white_pawn, other), points);
            assert_eq!(square_similarity(other, white_pawn), points);
        }
        assert_eq!(square_similarity(None, None), 4);
    }

    #[test]
    fn boards_counted_by_hand() {
        let board = |fen: &str| CaseBoard::new(&fen.parse::<Position>().unwrap());
        let start = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(start.similarity(&start), WHOLE);
        // 1. e4: two squares are occupied on one board only, 2 points less for each.
        let e4 = board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        assert_eq!(start.similarity(&e4), WHOLE - 4);
        // 1. e4 d5 2. exd5 against 1. e4 d5: e4 occupied once (-2), d5 a pawn of either colour (-3).
        let d5 = board("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        let taken = board("rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
        assert_eq!(d5.similarity(&taken), WHOLE - 5);
        // King and queen exchanged: two squares of the same colour and another type (-1 each).
        let swapped = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1");
        assert_eq!(start.similarity(&swapped), WHOLE - 2);
        // A white queen against a black king: nothing alike (-4).
        let one = board("7k/8/8/8/8/8/8/KQ6 w - - 0 1");
        let other = board("8/8/8/8/8/7K/8/1k6 w - - 0 1");
        // a1: K/- 2, b1: Q/k 0, h3: -/K 2, h8: k/- 2.
        assert_eq!(one.similarity(&other), WHOLE - 2 - 4 - 2 - 2);
    }
}
