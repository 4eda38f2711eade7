//! A set-up board, not yet checked, and what can be wrong with it.
//!
//! [`Setup`] holds whatever a text or a user says; [`Setup::position`] makes a playable
//! [`Position`] of it or reports *every* fault. Code that has a `Position` never checks again.

use std::fmt;
use std::num::NonZeroU16;

use thiserror::Error;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::{ByColor, Color};
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::square::{Rank, Square};

/// Pieces on a board and the other fields of a FEN, possible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands on each square, a1 first.
    pub board: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The rooks with which castling is still allowed.
    pub castling: Bitboard,
    /// The square that a pawn passed with the last move.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// The number of the move to come, from 1.
    pub fullmoves: NonZeroU16,
}

/// One reason why a setup cannot be played.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupFault {
    /// A side has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A side has more than one king.
    #[error("{0} has {1} kings")]
    SeveralKings(Color, u32),
    /// A side has more than 16 pieces.
    #[error("{0} has {1} pieces (at most 16)")]
    TooManyPieces(Color, u32),
    /// A side has more than eight pawns.
    #[error("{0} has {1} pawns (at most 8)")]
    TooManyPawns(Color, u32),
    /// A side has more promoted pieces than pawns are missing.
    #[error("{0} has {1} promoted pieces but lacks only {2} pawns")]
    TooManyPromoted(Color, u32, u32),
    /// A pawn stands where no pawn can.
    #[error("a pawn stands on {0}")]
    PawnOnLastRank(Square),
    /// The side that has just moved left its king attacked.
    #[error("{0} is in check but it is not {0}'s move")]
    OpponentInCheck(Color),
    /// No sequence of moves leads to so many checks.
    #[error("{0} pieces give check at once (at most 2)")]
    TooManyCheckers(u32),
    /// A castling right without its rook.
    #[error("castling with {0}: there is no {1} rook")]
    CastlingWithoutRook(Square, Color),
    /// A castling right whose king has left the back rank.
    #[error("castling with {0}: the {1} king is not on its back rank")]
    CastlingWithoutKing(Square, Color),
    /// Two castling rights on one wing.
    #[error("castling with {0}: another rook of the same wing has the right as well")]
    CastlingTwiceOnAWing(Square),
    /// No pawn can just have passed that square.
    #[error("no pawn can just have passed the en-passant square {0}")]
    EnPassant(Square),
}

/// Everything that is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct SetupError {
    /// The faults, at least one.
    pub faults: Vec<SetupFault>,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("impossible position: ")?;
        for (i, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl Default for Setup {
    /// An empty board with White to move.
    fn default() -> Setup {
        Setup {
            board: [None; 64],
            turn: Color::White,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmoves: 0,
            fullmoves: NonZeroU16::MIN,
        }
    }
}

impl Setup {
    /// A playable position, or every reason why there is none.
    pub fn position(&self) -> Result<Position, SetupError> {
        let faults = self.faults();
        if faults.is_empty() {
            Ok(Position::from_valid(self))
        } else {
            Err(SetupError { faults })
        }
    }

    /// The squares of a side's pieces of one role.
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.squares_where(|piece| piece == role.of(color))
    }

    fn squares_where(&self, test: impl Fn(Piece) -> bool) -> Bitboard {
        Square::ALL
            .into_iter()
            .filter(|s| self.board[s.index()].is_some_and(&test))
            .collect()
    }

    /// What is wrong, if anything.
    fn faults(&self) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        for color in Color::ALL {
            self.check_material(color, &mut faults);
        }
        let pawns = self.squares_where(|piece| piece.role == Role::Pawn);
        faults.extend(
            (pawns & (Bitboard::of_rank(Rank::First) | Rank::Eighth.into()))
                .into_iter()
                .map(SetupFault::PawnOnLastRank),
        );
        let kings = ByColor::from_fn(|color| self.pieces(color, Role::King).single());
        if let Some(king) = kings[!self.turn]
            && self.attackers(king, self.turn).any()
        {
            faults.push(SetupFault::OpponentInCheck(!self.turn));
        }
        if let Some(king) = kings[self.turn] {
            let checkers = self.attackers(king, !self.turn).len();
            if checkers > 2 {
                faults.push(SetupFault::TooManyCheckers(checkers));
            }
        }
        self.check_castling(kings, &mut faults);
        if let Some(square) = self.en_passant
            && !self.can_have_passed(square)
        {
            faults.push(SetupFault::EnPassant(square));
        }
        faults
    }

    fn check_material(&self, color: Color, faults: &mut Vec<SetupFault>) {
        let count = |role| self.pieces(color, role).len();
        match count(Role::King) {
            0 => faults.push(SetupFault::NoKing(color)),
            1 => {}
            kings => faults.push(SetupFault::SeveralKings(color, kings)),
        }
        let pieces = self.squares_where(|piece| piece.color == color).len();
        if pieces > 16 {
            faults.push(SetupFault::TooManyPieces(color, pieces));
        }
        let pawns = count(Role::Pawn);
        if pawns > 8 {
            faults.push(SetupFault::TooManyPawns(color, pawns));
        }
        let promoted = count(Role::Knight).saturating_sub(2)
            + count(Role::Bishop).saturating_sub(2)
            + count(Role::Rook).saturating_sub(2)
            + count(Role::Queen).saturating_sub(1);
        let missing = 8_u32.saturating_sub(pawns);
        if promoted > missing {
            faults.push(SetupFault::TooManyPromoted(color, promoted, missing));
        }
    }

    fn check_castling(&self, kings: ByColor<Option<Square>>, faults: &mut Vec<SetupFault>) {
        let mut wings = ByColor::new([false; 2], [false; 2]);
        for rook in self.castling {
            let color = if rook.rank() as u8 <= Rank::Fourth as u8 {
                Color::White
            } else {
                Color::Black
            };
            let home = Rank::back(color);
            if rook.rank() != home || self.board[rook.index()] != Some(Role::Rook.of(color)) {
                faults.push(SetupFault::CastlingWithoutRook(rook, color));
                continue;
            }
            let Some(king) = kings[color].filter(|king| king.rank() == home) else {
                faults.push(SetupFault::CastlingWithoutKing(rook, color));
                continue;
            };
            if std::mem::replace(&mut wings[color][usize::from(rook < king)], true) {
                faults.push(SetupFault::CastlingTwiceOnAWing(rook));
            }
        }
    }

    /// Whether the last move can have been a pawn's double step over the square.
    fn can_have_passed(&self, square: Square) -> bool {
        let them = !self.turn;
        let up = if them == Color::White { 1 } else { -1 };
        let at = |ranks| square.offset(0, ranks).and_then(|s| self.board[s.index()]);
        square.rank() == Rank::Third.relative_to(them)
            && at(up) == Some(Role::Pawn.of(them))
            && at(0).is_none()
            && at(-up).is_none()
    }

    fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let occupied = self.squares_where(|_| true);
        Role::ALL
            .into_iter()
            .map(|role| attacks::of(role, !by, square, occupied) & self.pieces(by, role))
            .fold(Bitboard::EMPTY, |all, some| all | some)
    }
}
