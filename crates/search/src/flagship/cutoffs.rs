//! Prunings of a whole node: its value is believed without looking at its moves one by one.
//!
//! None of them is tried in check, on the principal variation, or while a move is excluded.

use vidmar_chess::{Board, Bound, Position, Role};
use vidmar_eval::Evaluation;

use super::node::Node;
use super::picker::{Picker, SEE_VALUES};
use super::techniques::Technique;
use super::worker::Worker;
use crate::value::{DRAW, Value, is_mate};

impl<E: Evaluation> Worker<'_, E> {
    /// The static value is so far above beta that a quiet move would have to lose a piece to come below.
    pub(super) fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let p = &self.shared.parameters;
        if !self.uses(Technique::ReverseFutility)
            || node.depth > p.reverse_futility_depth
            || is_mate(node.beta)
        {
            return None;
        }
        let margin =
            p.reverse_futility_margin * node.depth - i32::from(node.improving) * p.reverse_futility_improving;
        let ends = node.static_value - margin.max(0) >= node.beta && !is_mate(node.static_value);
        ends.then(|| i32::midpoint(node.static_value, node.beta))
    }

    /// So far below alpha that only captures can help: quiescence decides.
    pub(super) fn razoring(&mut self, node: &Node) -> Option<Value> {
        let p = &self.shared.parameters;
        if !self.uses(Technique::Razoring)
            || node.depth > p.razoring_depth
            || node.static_value + p.razoring_base + p.razoring_margin * node.depth >= node.alpha
        {
            return None;
        }
        let value = self.quiescence::<false>(node.alpha, node.alpha + 1, node.ply, true);
        (value <= node.alpha).then_some(value)
    }

    /// If even passing stays above beta, some move will. Not in pawn endings, where passing may be the best
    /// move; at great depth the result is verified by a search without passing.
    pub(super) fn null_move(&mut self, node: &Node) -> Option<Value> {
        let p = &self.shared.parameters;
        let position = self.board.current();
        let allowed = self.uses(Technique::NullMove)
            && node.depth >= 3
            && node.static_value >= node.beta
            && self.stack[node.ply].static_value >= node.beta
            && !is_mate(node.beta)
            && node.ply >= self.null_from
            && self.stack[node.ply - 1].arrived.is_some()
            && has_pieces(position);
        if !allowed {
            return None;
        }
        let reduction = p.null_base
            + node.depth / p.null_depth_divisor
            + ((node.static_value - node.beta) / p.null_value_divisor).min(3);
        let verification_depth = p.null_verification_depth;
        self.stack[node.ply].passed();
        self.board.make_null();
        let value = -self.node::<false>(
            -node.beta,
            -node.beta + 1,
            node.depth - reduction,
            node.ply + 1,
            !node.cut,
        );
        self.board.unmake_null();
        if self.is_over() {
            return Some(DRAW);
        }
        if value < node.beta {
            return None;
        }
        let value = if is_mate(value) { node.beta } else { value };
        if node.depth < verification_depth || self.null_from > 0 {
            return Some(value);
        }
        self.null_from = node.ply + 3 * (node.depth - reduction).max(0) as usize / 4;
        let verified = self.node::<false>(node.beta - 1, node.beta, node.depth - reduction, node.ply, false);
        self.null_from = 0;
        (verified >= node.beta).then_some(value)
    }

    /// A capture that stays well above beta at a much reduced depth would do so at full depth.
    pub(super) fn prob_cut(&mut self, node: &Node) -> Option<Value> {
        let bound = node.beta + self.shared.parameters.probcut_margin;
        let refuted = node
            .entry
            .is_some_and(|entry| entry.depth >= node.depth - 3 && entry.value < bound);
        if !self.uses(Technique::ProbCut)
            || node.depth < self.shared.parameters.probcut_depth
            || is_mate(node.beta)
            || refuted
        {
            return None;
        }
        let gain = (bound - node.static_value).max(0);
        let table_move = node.entry.and_then(|entry| entry.best).filter(|&m| {
            let position = self.board.current();
            position.is_legal(m) && position.is_capture(m) && position.see_ge(m, gain, &SEE_VALUES)
        });
        let mut picker = Picker::captures(table_move, gain);
        while let Some(m) = picker.next(self.board.current(), self.history) {
            self.make(m, node.ply);
            let mut value = -self.quiescence::<false>(-bound, -bound + 1, node.ply + 1, true);
            if value >= bound {
                value = -self.node::<false>(-bound, -bound + 1, node.depth - 4, node.ply + 1, !node.cut);
            }
            self.board.unmake();
            if self.is_over() {
                return Some(DRAW);
            }
            if value >= bound {
                self.store(node, Some(m), value, node.depth - 3, Bound::Lower, false);
                return Some(value);
            }
        }
        None
    }
}

/// Whether the side to move has more than king and pawns.
pub(super) fn has_pieces(position: &Position) -> bool {
    let own = position.color(position.turn());
    (own & !(position.role(Role::Pawn) | position.role(Role::King))).any()
}
