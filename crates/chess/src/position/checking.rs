//! Which moves give check, asked for many moves of one position.
//!
//! A move that is no promotion, castling or capture in passing gives check in two ways: the piece arrives on a square from which
//! its kind reaches the king, or it leaves the line of a slider behind it. Both sets are the same for all moves of a
//! position. (A slider cannot hide its own target: standing on a line to the king and able to move along it, it would
//! give check already.) The rare kinds of moves are made in thought, as [`Position::gives_check`] does for all.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::{Side, with_side};
use crate::generator::Sink;
use crate::moves::{Generate, Move, MoveKind, MoveList};
use crate::piece::Role;
use crate::position::Position;
use crate::square::Square;

/// From where the side to move gives check.
#[derive(Copy, Clone, Debug)]
pub struct CheckingSquares {
    /// The king in question.
    king: Square,
    /// By the role that arrives there.
    arrivals: [Bitboard; 6],
    /// Own pieces that alone stand between the king and an own slider.
    covering: Bitboard,
}

impl Position {
    /// From where the side to move gives check here.
    pub fn checking_squares(&self) -> CheckingSquares {
        with_side!(self.turn, S => self.checking_squares_of::<S>())
    }

    fn checking_squares_of<S: Side>(&self) -> CheckingSquares {
        let king = self.sets.king::<S::Opponent>();
        let diagonal = attacks::bishop(king, self.occupied());
        let straight = attacks::rook(king, self.occupied());
        let pawns = attacks::pawn(S::Opponent::COLOR, king);
        CheckingSquares {
            king,
            arrivals: [
                pawns,
                attacks::knight(king),
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ],
            covering: self.sets.covering::<S>(),
        }
    }

    /// Whether a legal move gives check: [`Position::gives_check`] with what was found out before.
    #[inline]
    pub fn gives_check_knowing(&self, squares: &CheckingSquares, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        match (m.kind(), self.roles[from.index()]) {
            (MoveKind::Normal, Some(role)) => squares.among(role, from, to.into()).any(),
            _ => self.gives_check(m),
        }
    }

    /// Adds the quiet moves that give check, promotions left out, in the order in which [`Generate::Quiets`] has them.
    pub fn generate_quiet_checks(&self, moves: &mut MoveList) {
        let mut sink = QuietChecks {
            position: self,
            squares: self.checking_squares(),
            moves,
        };
        with_side!(self.turn, S => self.sets.generate::<S>(&self.checks, Generate::Quiets, &mut sink));
    }
}

impl CheckingSquares {
    /// Those of the targets on which a piece from there gives check.
    #[inline(always)]
    fn among(&self, role: Role, from: Square, targets: Bitboard) -> Bitboard {
        let uncovering = if self.covering.contains(from) {
            !attacks::line(self.king, from)
        } else {
            Bitboard::EMPTY
        };
        targets & (self.arrivals[role as usize] | uncovering)
    }
}

/// Keeps of the moves found those that give check.
struct QuietChecks<'a> {
    position: &'a Position,
    squares: CheckingSquares,
    moves: &'a mut MoveList,
}

impl Sink for QuietChecks<'_> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        self.moves.piece(role, from, self.squares.among(role, from, to));
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i32) {
        for to in to {
            let from = to.step(-delta);
            self.piece(Role::Pawn, from, to.into());
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, to: Bitboard, delta: i32) {
        self.pawns(to, delta);
    }

    fn promotions(&mut self, _: Bitboard, _: i32) {}

    fn en_passant(&mut self, _: Square, _: Square) {}

    fn castling(&mut self, king: Square, rook: Square) {
        if self
            .position
            .gives_check(Move::new(king, rook, MoveKind::Castling))
        {
            self.moves.castling(king, rook);
        }
    }
}
