//! Whether a single move is legal, and whether it gives check, without generating all moves.
//!
//! Hash tables, books and game files hand us moves that may belong to another position; the
//! answer for any 16-bit word is the same as looking for it in the list of legal moves.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::bitboards::Checks;
use crate::color::{Side, with_side};
use crate::moves::{Generate, Move, MoveKind, MoveList};
use crate::piece::Role;
use crate::position::Position;
use crate::square::{Rank, Square};

impl Position {
    /// Whether the move, whatever its origin, is legal here.
    pub fn is_legal(&self, m: Move) -> bool {
        with_side!(self.turn, S => self.is_legal_as::<S>(m))
    }

    fn is_legal_as<S: Side>(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let Some(role) = self.roles[from.index()].filter(|_| self.sets.color(S::COLOR).contains(from)) else {
            return false;
        };
        // A word with stray promotion bits names no move.
        if Move::new(from, to, m.kind()) != m {
            return false;
        }
        match m.kind() {
            MoveKind::Castling | MoveKind::EnPassant => {
                // Rare: asking the generator keeps one truth about them.
                let mut moves = MoveList::new();
                let what = if m.is_castling() {
                    Generate::Quiets
                } else {
                    Generate::Captures
                };
                self.generate(what, &mut moves);
                moves.contains(&m)
            }
            MoveKind::Promotion(_) => {
                role == Role::Pawn
                    && self.pawn_reaches::<S>(from, to, true)
                    && self.king_allows::<S>(from, to)
            }
            MoveKind::Normal if role == Role::Pawn => {
                self.pawn_reaches::<S>(from, to, false) && self.king_allows::<S>(from, to)
            }
            MoveKind::Normal => {
                let targets = attacks::of(role, S::COLOR, from, self.occupied()) & !self.sets.color(S::COLOR);
                targets.contains(to)
                    && if role == Role::King {
                        let occupied = self.occupied().without(from);
                        (self.sets.attackers_to(to, occupied) & self.sets.color(S::Opponent::COLOR))
                            .is_empty()
                    } else {
                        self.king_allows::<S>(from, to)
                    }
            }
        }
    }

    /// Whether a pawn gets there by a step or a capture, `promoting` or not.
    fn pawn_reaches<S: Side>(&self, from: Square, to: Square, promoting: bool) -> bool {
        if (to.rank() == Rank::Eighth.relative_to(S::COLOR)) != promoting {
            return false;
        }
        let up = if S::IS_WHITE { 8 } else { -8 };
        let steps = to as i32 - from as i32;
        let empty = !self.occupied();
        if steps == up {
            empty.contains(to)
        } else if steps == 2 * up {
            from.rank() == Rank::Second.relative_to(S::COLOR)
                && empty.contains(to)
                && empty.contains(from.step(up))
        } else {
            (attacks::pawn(S::COLOR, from) & self.sets.color(S::Opponent::COLOR)).contains(to)
        }
    }

    /// Whether a piece other than the king may go there: it stays on its pin and answers a check.
    fn king_allows<S: Side>(&self, from: Square, to: Square) -> bool {
        let Checks {
            king,
            checkers,
            pinned,
        } = self.checks;
        let answers = match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.several() => return false,
            Some(checker) => attacks::between(king, checker) | checker.into(),
        };
        answers.contains(to) && (!pinned.contains(from) || attacks::line(king, from).contains(to))
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, m: Move) -> bool {
        with_side!(self.turn, S => {
            let (from, to) = (m.from(), m.to());
            let after = match m.kind() {
                MoveKind::Normal => match self.roles[from.index()] {
                    Some(role) => self.sets.after_move::<S>(role, from, to),
                    None => return false,
                },
                MoveKind::Promotion(promotion) => self.sets.after_promotion::<S>(from, to, promotion),
                MoveKind::EnPassant => self.sets.after_en_passant::<S>(from, to),
                MoveKind::Castling => self.sets.after_castling::<S>(from, to),
            };
            after.checks::<<S as Side>::Opponent>().checkers.any()
        })
    }
}
