//! The moves of a node: which are tried, how deep, and in which window.

use vidmar_chess::{Board, Move};

use super::cutoffs::has_pieces;
use super::learning::Tried;
use super::node::Node;
use super::picker::{EXCHANGE, Picker, quiet_history};
use super::techniques::Technique;
use super::worker::{Evaluator, Worker};
use crate::table::Bound;
use crate::value::{DRAW, INFINITE, Value, is_mate};

enum Pruned {
    No,
    This,
    Quiets,
}

enum Extension {
    Plies(i32),
    Cut(Value),
}

impl<E: Evaluator> Worker<'_, E> {
    /// The moves, one after another.
    pub(super) fn moves<const PV: bool>(&mut self, node: Node, excluded: Option<Move>) -> Value {
        let Node { beta, depth, ply, .. } = node;
        let mut alpha = node.alpha;
        let table_move = node
            .entry
            .and_then(|entry| entry.best)
            .filter(|&m| self.board.current().is_legal(m));
        let context = self.context(ply);
        let mut picker = Picker::new(
            if ply == 0 {
                self.root_first(table_move)
            } else {
                table_move
            },
            context,
        );
        let mut tried = Tried::default();
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;
        self.history.forget_killers(ply + 1);
        self.stack[ply + 2].cutoffs = 0;

        while let Some(m) = picker.next(self.board.current(), self.history) {
            if Some(m) == excluded || (ply == 0 && !self.is_root_move(m)) {
                continue;
            }
            count += 1;
            let position = self.board.current();
            let Some(piece) = position.piece_at(m.from()) else {
                continue;
            };
            let victim = position.captured(m);
            let quiet = victim.is_none() && m.promotion().is_none();
            let learned = if quiet {
                quiet_history(self.history, &context, piece.color, piece, m)
            } else {
                0
            };

            if ply > 0 && !is_mate(best) && has_pieces(position) {
                match self.prune(&node, m, quiet, learned, count, alpha) {
                    Pruned::No => {}
                    Pruned::This => continue,
                    Pruned::Quiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            let extension = if Some(m) == table_move {
                self.singular(&node, m, excluded)
            } else {
                Extension::Plies(0)
            };
            let extension = match extension {
                Extension::Plies(plies) => plies,
                Extension::Cut(value) => return value,
            };

            let nodes_before = self.nodes();
            self.make(m, ply);
            let gives_check = self.board.in_check();
            let mut deeper = depth - 1 + extension;
            let mut value = -INFINITE;
            let mut full = !PV || count > 1;
            if depth >= 2 && count > 1 + usize::from(PV) && self.uses(Technique::LateMoveReduction) {
                let reduction = self.reduction::<PV>(&node, quiet, learned, count, gives_check);
                let reduced = (deeper - reduction).clamp(1, deeper.max(1));
                value = -self.node::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
                full = value > alpha && reduced < deeper;
                if full && ply > 0 && self.uses(Technique::MeasuredResearch) {
                    deeper += i32::from(value > best + self.shared.parameters.research_margin + 2 * deeper);
                    deeper -= i32::from(value < best + deeper);
                    full = reduced < deeper;
                }
            }
            if full {
                value = -self.node::<false>(-alpha - 1, -alpha, deeper, ply + 1, !node.cut);
            }
            if PV && (count == 1 || value > alpha) {
                value = -self.node::<true>(-beta, -alpha, deeper, ply + 1, false);
            }
            self.board.unmake();
            if self.is_over() {
                return DRAW;
            }
            if ply == 0 {
                self.note_root(m, value, count, alpha, self.nodes() - nodes_before);
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    alpha = value;
                    if PV {
                        self.lines.improve(ply, m);
                    }
                    if value >= beta {
                        self.stack[ply].cutoffs += 1;
                        self.reward(&node, &context, m, piece, victim, &tried);
                        break;
                    }
                }
            }
            tried.add(m, piece, victim);
        }
        self.conclude(&node, count, best, best_move, excluded)
    }

    /// Moves near the leaves that are very unlikely to raise alpha.
    fn prune(&self, node: &Node, m: Move, quiet: bool, learned: i32, count: usize, alpha: Value) -> Pruned {
        let p = &self.shared.parameters;
        let mut depth = node.depth;
        let position = self.board.current();
        if quiet {
            let most = p.late_move_base + depth * depth;
            let most = if node.improving { most } else { most / 2 };
            if self.uses(Technique::LateMovePruning) && depth <= p.late_move_depth && count as i32 > most {
                return Pruned::Quiets;
            }
            if self.uses(Technique::ReducedDepth) {
                let reduction = self.shared.reduction(depth, count) - self.by_history(learned);
                depth = (depth - reduction.max(0)).max(1);
            }
            if self.uses(Technique::HistoryPruning)
                && depth <= 4
                && learned < -p.history_pruning_margin * depth
            {
                return Pruned::This;
            }
            let reach = node.static_value + p.futility_base + p.futility_margin * depth;
            if self.uses(Technique::Futility)
                && depth <= p.futility_depth
                && !node.in_check
                && reach <= alpha
                && count > 1
                && !position.gives_check(m)
            {
                return Pruned::This;
            }
        }
        let loss = if quiet {
            p.see_quiet_margin * depth
        } else {
            p.see_capture_margin * depth
        };
        if self.uses(Technique::ExchangePruning)
            && depth <= p.see_depth
            && count > 1
            && !position.exchange_at_least(m, -loss, &EXCHANGE)
        {
            return Pruned::This;
        }
        Pruned::No
    }

    /// If every other move fails low against the table's value less a margin, the table move is the only
    /// one, and is searched deeper; if others beat beta as well, the node is cut.
    fn singular(&mut self, node: &Node, m: Move, excluded: Option<Move>) -> Extension {
        let p = &self.shared.parameters;
        let Some(entry) = node.entry else {
            return Extension::Plies(0);
        };
        if !self.uses(Technique::SingularExtension)
            || node.ply == 0
            || excluded.is_some()
            || node.depth < p.singular_depth
            || entry.depth < node.depth - 3
            || entry.bound == Bound::Upper
            || is_mate(entry.value)
            || node.ply >= 2 * self.root_depth as usize
        {
            return Extension::Plies(0);
        }
        let bound = entry.value - p.singular_margin * node.depth / 2;
        let double = p.singular_double_margin;
        self.stack[node.ply].excluded = Some(m);
        let value = self.node::<false>(bound - 1, bound, (node.depth - 1) / 2, node.ply, node.cut);
        self.stack[node.ply].excluded = None;
        if self.is_over() {
            return Extension::Cut(DRAW);
        }
        if value < bound {
            let pv = node.beta - node.alpha > 1;
            Extension::Plies(1 + i32::from(!pv && value < bound - double))
        } else if bound >= node.beta {
            Extension::Cut(bound)
        } else if entry.value >= node.beta {
            Extension::Plies(-1)
        } else {
            Extension::Plies(0)
        }
    }

    /// By how many plies a quiet move's history changes its reduction.
    fn by_history(&self, learned: i32) -> i32 {
        let p = &self.shared.parameters;
        (learned / p.reduction_history_divisor).clamp(-p.reduction_history_max, p.reduction_history_max)
    }

    /// By how many plies a late move is searched shallower at first.
    fn reduction<const PV: bool>(
        &self,
        node: &Node,
        quiet: bool,
        learned: i32,
        count: usize,
        gives_check: bool,
    ) -> i32 {
        let p = &self.shared.parameters;
        let mut reduction = self.shared.reduction(node.depth, count);
        if quiet {
            reduction -= self.by_history(learned);
        } else {
            reduction -= 1;
        }
        reduction += i32::from(node.cut) + i32::from(!node.improving);
        if self.uses(Technique::CutoffCount) {
            reduction += i32::from(self.stack[node.ply + 1].cutoffs > p.cutoff_count);
        }
        reduction -= i32::from(PV) + i32::from(gives_check) + i32::from(node.in_check);
        reduction -= i32::from(node.entry.is_some_and(|entry| entry.pv));
        reduction
    }
}
