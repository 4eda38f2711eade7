//! How games end.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::piece::Role;
use crate::square::Square;

/// The end of a game by the rules of chess.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move is in check and has no move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no move.
    Stalemate,
    /// No sequence of moves leads to a mate.
    InsufficientMaterial,
    /// The position occurred for the third time: a draw if a player claims it.
    ThreefoldRepetition,
    /// The position occurred for the fifth time.
    FivefoldRepetition,
    /// 50 moves of each side without a capture or pawn move: a draw if a player claims it.
    FiftyMoves,
    /// 75 moves of each side without a capture or pawn move.
    SeventyFiveMoves,
}

impl Outcome {
    /// The side that has won, if any.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Checkmate { winner } => write!(f, "checkmate, {winner} wins"),
            Outcome::Stalemate => f.write_str("stalemate"),
            Outcome::InsufficientMaterial => f.write_str("insufficient material"),
            Outcome::ThreefoldRepetition => f.write_str("threefold repetition"),
            Outcome::FivefoldRepetition => f.write_str("fivefold repetition"),
            Outcome::FiftyMoves => f.write_str("50-move rule"),
            Outcome::SeventyFiveMoves => f.write_str("75-move rule"),
        }
    }
}

/// Bare kings, a single minor piece, or any number of bishops that all stand on one colour of squares.
pub(crate) fn insufficient_material(board: &impl Board) -> bool {
    let count = |role| board.count(Color::White, role) + board.count(Color::Black, role);
    if count(Role::Pawn) + count(Role::Rook) + count(Role::Queen) > 0 {
        return false;
    }
    match (count(Role::Knight), count(Role::Bishop)) {
        (0 | 1, 0) | (0, 1) => true,
        (0, _) => {
            let bishops: Bitboard = Square::ALL
                .into_iter()
                .filter(|&square| {
                    board
                        .piece_at(square)
                        .is_some_and(|piece| piece.role == Role::Bishop)
                })
                .collect();
            (bishops & Bitboard::LIGHT).is_empty() || (bishops & Bitboard::DARK).is_empty()
        }
        _ => false,
    }
}
