//! Single moves judged without generating the others: is it legal, does it give check.

use super::attack::{Change, pawn_captures};
use super::geometry::Geometry;
use super::relation::{NORTH, SOUTH, step_of};
use super::{Mailbox, NO_CELL};
use crate::bitboards::{castling_targets, en_passant_victim};
use crate::color::Side;
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::square::{Rank, Square};

impl<G: Geometry> Mailbox<G> {
    #[inline]
    pub(super) fn is_in_check<S: Side>(&self) -> bool {
        self.is_attacked_by::<S::Opponent>(self.armies[S::COLOR].king())
    }

    /// Whether a move, whatever its origin, is legal.
    pub(super) fn allows<S: Side>(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let content = self.look(G::cell(from));
        // A word with stray promotion bits names no move.
        if !content.is_of(S::COLOR) || Move::new(from, to, m.kind()) != m {
            return false;
        }
        let role = content.role();
        match m.kind() {
            MoveKind::Castling => {
                role == Role::King
                    && self.castling.contains(to)
                    && to.rank() == Rank::back(S::COLOR)
                    && !self.is_in_check::<S>()
                    && self.may_castle::<S>(from, to)
            }
            MoveKind::EnPassant => {
                self.en_passant == Some(to)
                    && self.en_passant_origins::<S>(to).any(|origin| origin == from)
                    && self.en_passant_is_safe::<S>(from, to)
            }
            MoveKind::Promotion(_) => {
                role == Role::Pawn
                    && self.pawn_reaches::<S>(from, to, true)
                    && self.leaves_king_safe::<S>(from, to)
            }
            MoveKind::Normal if role == Role::Pawn => {
                self.pawn_reaches::<S>(from, to, false) && self.leaves_king_safe::<S>(from, to)
            }
            MoveKind::Normal => {
                let (from, to) = (G::cell(from), G::cell(to));
                let way = Self::relation(from, to);
                way.reaches(role)
                    && !self.look(to).is_of(S::COLOR)
                    && (role == Role::Knight || self.is_open(from, way))
                    && self.leaves_king_safe::<S>(G::square(from), G::square(to))
            }
        }
    }

    /// Whether a pawn gets there by a step or a capture, `promoting` or not.
    fn pawn_reaches<S: Side>(&self, from: Square, to: Square, promoting: bool) -> bool {
        if (to.rank() == Rank::Eighth.relative_to(S::COLOR)) != promoting {
            return false;
        }
        let target = G::cell(to);
        if self.look(target).is_of(S::Opponent::COLOR) {
            return pawn_captures::<S>()
                .into_iter()
                .any(|direction| G::step(G::cell(from), step_of(direction)) == Some(target));
        }
        let ahead = step_of(if S::IS_WHITE { NORTH } else { SOUTH });
        let vacant = |cell| G::step(cell, ahead).filter(|&next| self.look(next).is_empty());
        let Some(one) = vacant(G::cell(from)) else {
            return false;
        };
        one == target || (from.rank() == Rank::Second.relative_to(S::COLOR) && vacant(one) == Some(target))
    }

    /// Whether the own king is out of danger after a piece, the king or another, goes there.
    fn leaves_king_safe<S: Side>(&self, from: Square, to: Square) -> bool {
        let (from, to) = (G::cell(from), G::cell(to));
        let king = self.armies[S::COLOR].king();
        let target = if king == from { to } else { king };
        !self.will_be_attacked_by::<S::Opponent>(target, Change::plain(from, to), to)
    }

    /// Whether a legal move gives check.
    pub(super) fn will_check<S: Side>(&self, m: Move) -> bool {
        let (from, to) = (G::cell(m.from()), G::cell(m.to()));
        let plain = Change::plain(from, to);
        match m.kind() {
            MoveKind::Normal => self.checks_after::<S>(self.look(from).role(), to, plain),
            MoveKind::Promotion(promotion) => self.checks_after::<S>(promotion.role(), to, plain),
            MoveKind::EnPassant => {
                let victim = G::cell(en_passant_victim(m.from(), m.to()));
                let change = Change {
                    emptied: [from, victim],
                    filled: [to, NO_CELL],
                };
                self.checks_after::<S>(Role::Pawn, to, change)
            }
            MoveKind::Castling => {
                let (king_to, rook_to) = castling_targets(m.from(), m.to());
                let change = Change {
                    emptied: [from, to],
                    filled: [G::cell(king_to), G::cell(rook_to)],
                };
                self.checks_after::<S>(Role::Rook, G::cell(rook_to), change)
            }
        }
    }
}
