//! What a node leaves behind: history for the order of moves, table entries, corrections of static values.

use vidmar_chess::{Bitboard, Board, Bound, Move, Piece, Role};
use vidmar_eval::Evaluation;

use super::history::{Continuation, CorrectionKeys};
use super::move_loop::Found;
use super::node::Node;
use super::picker::Context;
use super::table::{Entry, NO_STATIC};
use super::techniques::Technique;
use super::worker::Worker;
use crate::value::{DRAW, MATE, MAX_PLY, Value, is_mate, mated_at};

/// The moves that did not cut off.
#[derive(Default)]
pub(super) struct Tried {
    quiets: arrayvec::ArrayVec<(Move, Piece), 64>,
    captures: arrayvec::ArrayVec<(Move, Piece, Role), 32>,
}

impl Tried {
    pub(super) fn add(&mut self, m: Move, piece: Piece, victim: Option<Role>) {
        // What does not fit has been tried so late that its history tells nothing new.
        match victim {
            Some(victim) => drop(self.captures.try_push((m, piece, victim))),
            None => drop(self.quiets.try_push((m, piece))),
        }
    }
}

impl<E: Evaluation> Worker<'_, E> {
    /// The move that cut off gets a history bonus, those tried before it a malus.
    pub(super) fn add_history_bonus(
        &mut self,
        node: &Node,
        context: &Context,
        m: Move,
        piece: Piece,
        victim: Option<Role>,
        tried: &Tried,
    ) {
        let p = &self.shared.parameters;
        let bonus = (p.history_bonus * node.depth).min(p.history_bonus_max);
        if let Some(victim) = victim {
            self.history.add_capture(piece, m.to(), victim, bonus);
        } else {
            if self.uses(Technique::Killers) {
                self.history.add_killer(node.ply, m);
            }
            if let Some((piece, to)) = node
                .ply
                .checked_sub(1)
                .and_then(|before| self.stack[before].arrived)
            {
                self.history.set_counter(piece, to, m);
            }
            self.add_quiet(context, m, piece, bonus);
            for &(other, piece) in &tried.quiets {
                self.add_quiet(context, other, piece, -bonus);
            }
        }
        for &(other, piece, victim) in &tried.captures {
            self.history.add_capture(piece, other.to(), victim, -bonus);
        }
    }

    /// The quiet move that led here gets a history bonus: no move of this node was good enough against it.
    pub(super) fn add_fail_low_bonus(&mut self, ply: usize, bonus: i32) {
        let Some(before) = ply.checked_sub(1) else { return };
        if let Some((m, piece, threats)) = self.stack[before].quiet {
            self.history.add_butterfly(piece.color, threats, m, bonus);
            for back in [1, 2] {
                if let Some(after) = before
                    .checked_sub(back)
                    .and_then(|ply| self.stack[ply].continuation)
                {
                    self.history.add_continuation(after, piece, m.to(), bonus);
                }
            }
        }
    }

    /// The quiet move that led here gets a bonus or malus by what it did to the static value.
    pub(super) fn add_static_bonus(&mut self, ply: usize, bonus: i32) {
        if let Some((m, piece, threats)) = self.stack[ply - 1].quiet {
            self.history.add_butterfly(piece.color, threats, m, bonus);
        }
    }

    pub(super) fn add_quiet(&mut self, context: &Context, m: Move, piece: Piece, bonus: i32) {
        self.history.add_butterfly(piece.color, context.threats, m, bonus);
        for after in context.continuations.into_iter().flatten() {
            self.history.add_continuation(after, piece, m.to(), bonus);
        }
    }

    /// Mate, stalemate, or the value found; table and correction learn from it.
    pub(super) fn conclude(&mut self, node: &Node, found: &Found, excluded: Option<Move>) -> Value {
        let &Found { best, best_move, .. } = found;
        if found.count == 0 {
            return if excluded.is_some() {
                node.alpha
            } else if node.in_check {
                mated_at(node.ply)
            } else {
                DRAW
            };
        }
        if excluded.is_some() {
            return best;
        }
        let bound = if best >= node.beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let pv = node.beta - node.alpha > 1 || node.entry.is_some_and(|entry| entry.pv);
        if node.ply > 0 || self.multipv_index == 0 {
            self.store(node, best_move, best, node.depth, bound, pv);
        }
        if bound == Bound::Upper {
            let p = &self.shared.parameters;
            let bonus = (p.fail_low_bonus * node.depth).min(p.history_bonus_max);
            self.add_fail_low_bonus(node.ply, bonus);
        }
        let quiet = best_move.is_none_or(|m| !self.board.current().is_capture(m));
        let informs = match bound {
            Bound::Exact => true,
            Bound::Lower => best > node.raw,
            Bound::Upper => best < node.raw,
        };
        if !node.in_check && quiet && informs && !is_mate(best) {
            let side = self.board.turn();
            self.history
                .learn_correction(side, node.corrections, node.depth, best - node.raw);
        }
        best
    }

    pub(super) fn store(
        &self,
        node: &Node,
        best: Option<Move>,
        value: Value,
        depth: i32,
        bound: Bound,
        pv: bool,
    ) {
        let entry = Entry {
            best,
            value,
            static_value: node.raw,
            depth,
            bound,
            pv,
        };
        self.shared.table.put(node.key, node.ply, entry);
    }

    /// The past that orders this node's quiet moves.
    pub(super) fn context(&self, ply: usize) -> Context {
        let after = |back: usize| -> Option<Continuation> { self.stack[ply.checked_sub(back)?].continuation };
        let counter = ply.checked_sub(1).and_then(|before| self.stack[before].arrived);
        Context {
            killers: if self.uses(Technique::Killers) {
                self.history.killers(ply)
            } else {
                [None; 2]
            },
            counter: counter
                .filter(|_| self.uses(Technique::CounterMoves))
                .and_then(|(piece, to)| self.history.counter(piece, to)),
            continuations: [after(1), after(2), after(4)],
            threats: if self.uses(Technique::ThreatHistory) {
                self.board.attacked_by(!self.board.turn())
            } else {
                Bitboard::EMPTY
            },
            techniques: self.shared.techniques,
        }
    }

    /// Indices of the corrections of the present position.
    #[inline]
    pub(crate) fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        let after = |back: usize| -> Option<Continuation> { self.stack[ply.checked_sub(back)?].continuation };
        CorrectionKeys::new(self.board.current(), [after(1), after(2)])
    }

    /// The static value with what was learned of such positions.
    pub(crate) fn corrected(&self, raw: Value, keys: CorrectionKeys) -> Value {
        if raw == NO_STATIC || !self.uses(Technique::CorrectionHistory) {
            return raw;
        }
        let p = &self.shared.parameters;
        let weights = [
            p.correction_pawns,
            p.correction_pieces,
            p.correction_pieces,
            p.correction_moves,
        ];
        let value = raw + self.history.correction(self.board.turn(), keys, &weights);
        value.clamp(-MATE + 2 * MAX_PLY as Value, MATE - 2 * MAX_PLY as Value)
    }
}
