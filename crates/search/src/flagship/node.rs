//! One node of the flagship search, as a list of steps.
//!
//! The steps stand in the order in which a node takes them; each is a method that says what it does and why, and
//! one that can end the node returns `Some` value. The prunings of a whole node are in `cutoffs.rs`, the loop
//! over its moves in `move_loop.rs`, what is learned from it in `learning.rs`.

use vidmar_chess::{Board, Bound, Key};
use vidmar_eval::Evaluation;

use super::history::CorrectionKeys;
use super::table::{Entry, NO_STATIC};
use super::techniques::Technique;
use super::worker::Worker;
use crate::value::{DRAW, INFINITE, MATE, MAX_PLY, Value, is_mate, mated_at};

/// What is known of a node before its moves are looked at.
#[derive(Copy, Clone)]
pub(super) struct Node {
    pub(super) alpha: Value,
    pub(super) beta: Value,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Expected to fail high: reductions go deeper here.
    pub(super) cut: bool,
    pub(super) in_check: bool,
    pub(super) entry: Option<Entry>,
    /// As the evaluation gave it; [`NO_STATIC`] in check.
    pub(super) raw: Value,
    /// Corrected by history.
    pub(super) static_value: Value,
    /// Better for the side to move than two plies ago.
    pub(super) improving: bool,
    pub(super) key: Key,
    pub(super) corrections: CorrectionKeys,
}

impl<E: Evaluation> Worker<'_, E> {
    /// The value of the present position inside the window, fail-soft.
    pub(crate) fn node<const PV: bool>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        // Not without end: a chain of checks doubles the depth at most.
        if self.uses(Technique::CheckExtension) && self.board.in_check() && ply < 2 * self.root_depth as usize
        {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence::<PV>(alpha, beta, ply, true);
        }
        self.enter::<PV>(ply);
        if self.is_over() {
            return DRAW;
        }
        if ply > 0 {
            if let Some(value) = self.known_end(ply) {
                return value;
            }
            if self.uses(Technique::MateDistance) {
                alpha = alpha.max(mated_at(ply));
                beta = beta.min(MATE - ply as Value - 1);
                if alpha >= beta {
                    return alpha;
                }
            }
        }
        let excluded = self.stack[ply].excluded;
        let mut node = self.look_up(alpha, beta, depth, ply, cut);
        if !PV
            && excluded.is_none()
            && let Some(value) = self.table_cutoff(&node)
        {
            return value;
        }
        let known = if ply > 0 && excluded.is_none() {
            self.known_bounds(&node)
        } else {
            (-INFINITE, INFINITE)
        };
        if let Some(value) = self.tablebase_cutoff(&node, known) {
            return value;
        }
        self.evaluate_node(&mut node, excluded.is_some());

        if !PV && !node.in_check && excluded.is_none() {
            let ended = self
                .reverse_futility(&node)
                .or_else(|| self.razoring(&node))
                .or_else(|| self.null_move(&node))
                .or_else(|| self.prob_cut(&node));
            if let Some(value) = ended {
                return value;
            }
        }
        if self.uses(Technique::InternalReduction)
            && node.depth >= 4
            && node.entry.is_none_or(|entry| entry.best.is_none())
            && excluded.is_none()
        {
            node.depth -= 1;
        }
        self.moves::<PV>(node, excluded).clamp(known.0, known.1)
    }

    /// Draws by rule, and the end of the line.
    fn known_end(&mut self, ply: usize) -> Option<Value> {
        if self.is_draw(ply) {
            // A little noise keeps the search from seeing all draws as one.
            return Some(DRAW + (self.nodes() & 2) as Value - 1);
        }
        (ply >= MAX_PLY).then(|| {
            if self.board.in_check() {
                DRAW
            } else {
                self.evaluate()
            }
        })
    }

    fn look_up(&mut self, alpha: Value, beta: Value, depth: i32, ply: usize, cut: bool) -> Node {
        let position = self.board.current();
        let key = position.key();
        Node {
            alpha,
            beta,
            depth,
            ply,
            cut,
            in_check: position.in_check(),
            entry: self.shared.table.get(key, ply),
            raw: NO_STATIC,
            static_value: NO_STATIC,
            improving: false,
            key,
            corrections: CorrectionKeys::default(),
        }
    }

    /// The table knows enough: a bound from at least this depth that lies outside the window.
    fn table_cutoff(&self, node: &Node) -> Option<Value> {
        let entry = node.entry.filter(|entry| entry.depth >= node.depth)?;
        // Close to the 50-move rule a value from another path may not hold.
        if self.board.halfmoves() >= 90 {
            return None;
        }
        let settled = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= node.beta,
            Bound::Upper => entry.value <= node.alpha,
        };
        settled.then_some(entry.value)
    }

    /// Static value, its correction, and whether the side is getting better.
    fn evaluate_node(&mut self, node: &mut Node, excluded: bool) {
        let ply = node.ply;
        if node.in_check {
            self.stack[ply].static_value = NO_STATIC;
            return;
        }
        node.corrections = self.correction_keys(ply);
        if excluded {
            // The same position a moment ago: its value still stands in the stack.
            node.static_value = self.stack[ply].static_value;
            node.raw = node.static_value;
        } else {
            node.raw = match node.entry {
                Some(entry) if entry.static_value != NO_STATIC => entry.static_value,
                _ => self.evaluate(),
            };
            node.static_value = self.corrected(node.raw, node.corrections);
        }
        self.stack[ply].static_value = node.static_value;
        if !excluded && ply > 0 && self.stack[ply - 1].static_value != NO_STATIC {
            let p = &self.shared.parameters;
            let lost = -self.stack[ply - 1].static_value - node.static_value;
            let bonus = (lost * p.static_bonus / 10).clamp(-p.static_bonus_max, p.static_bonus_max);
            self.add_static_bonus(ply, bonus);
        }
        // The table's value is the better one where its bound points the right way.
        if let Some(entry) = node.entry
            && !is_mate(entry.value)
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value > node.static_value,
                Bound::Upper => entry.value < node.static_value,
            }
            && !excluded
        {
            node.static_value = entry.value;
        }
        let before = [2, 4].into_iter().find_map(|back| {
            let value = self.stack[ply.checked_sub(back)?].static_value;
            (value != NO_STATIC).then_some(value)
        });
        node.improving = before.is_none_or(|before| self.stack[ply].static_value > before);
    }
}
