//! One node of the flagship search, as a list of steps.
//!
//! The steps stand in the order in which a node takes them; each is a method that says what it does and why.
//! A step that can end the node returns `Some` value.

use vidmar_chess::{Board, Key, Move, Piece, Position, Role};

use super::history::Continuation;
use super::picker::{Context, EXCHANGE, Picker, quiet_history};
use super::table::{Bound, Entry, NO_STATIC};
use super::techniques::Technique;
use super::worker::{Evaluator, Worker};
use crate::value::{DRAW, INFINITE, MATE, MAX_PLY, Value, is_mate, mated_at};

/// What is known of a node before its moves are looked at.
#[derive(Copy, Clone)]
struct Node {
    alpha: Value,
    beta: Value,
    depth: i32,
    ply: usize,
    /// Expected to fail high: reductions go deeper here.
    cut: bool,
    in_check: bool,
    entry: Option<Entry>,
    /// As the evaluation gave it; [`NO_STATIC`] in check.
    raw: Value,
    /// Corrected by history.
    static_value: Value,
    /// Better for the side to move than two plies ago.
    improving: bool,
    key: Key,
    pawn_key: Key,
}

impl<E: Evaluator> Worker<'_, E> {
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
        if self.uses(Technique::CheckExtension) && self.board.in_check() && ply < 2 * self.root_depth as usize {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence::<PV>(alpha, beta, 0, ply);
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
        self.judge(&mut node, excluded.is_some());

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
        self.moves::<PV>(node, excluded)
    }

    /// Draws by rule, and the end of the line.
    fn known_end(&mut self, ply: usize) -> Option<Value> {
        if self.is_draw(ply) {
            // A little noise keeps the search from seeing all draws as one.
            return Some(DRAW + (self.nodes() & 2) as Value - 1);
        }
        (ply >= MAX_PLY).then(|| if self.board.in_check() { DRAW } else { self.evaluate() })
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
            pawn_key: position.pawn_key(),
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
    fn judge(&mut self, node: &mut Node, excluded: bool) {
        let ply = node.ply;
        if node.in_check {
            self.stack[ply].static_value = NO_STATIC;
            return;
        }
        if excluded {
            // The same position a moment ago: its value still stands in the stack.
            node.static_value = self.stack[ply].static_value;
            node.raw = node.static_value;
        } else {
            node.raw = match node.entry {
                Some(entry) if entry.static_value != NO_STATIC => entry.static_value,
                _ => self.evaluate(),
            };
            node.static_value = self.corrected(node.raw, node.pawn_key);
        }
        self.stack[ply].static_value = node.static_value;
        // The table's value is a better judge where its bound points the right way.
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

    /// The static value is so far above beta that a quiet move would have to lose a piece to come below.
    fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let p = &self.shared.parameters;
        if !self.uses(Technique::ReverseFutility) || node.depth > p.reverse_futility_depth || is_mate(node.beta) {
            return None;
        }
        let margin =
            p.reverse_futility_margin * node.depth - i32::from(node.improving) * p.reverse_futility_improving;
        let ends = node.static_value - margin.max(0) >= node.beta && !is_mate(node.static_value);
        ends.then(|| i32::midpoint(node.static_value, node.beta))
    }

    /// So far below alpha that only captures can help: quiescence decides.
    fn razoring(&mut self, node: &Node) -> Option<Value> {
        let p = &self.shared.parameters;
        if !self.uses(Technique::Razoring)
            || node.depth > p.razoring_depth
            || node.static_value + p.razoring_base + p.razoring_margin * node.depth >= node.alpha
        {
            return None;
        }
        let value = self.quiescence::<false>(node.alpha, node.alpha + 1, 0, node.ply);
        (value <= node.alpha).then_some(value)
    }

    /// If even passing stays above beta, some move will. Not in pawn endings, where passing may be the best
    /// move; at great depth the result is verified by a search without passing.
    fn null_move(&mut self, node: &Node) -> Option<Value> {
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
        let reduction =
            p.null_base + node.depth / p.null_depth_divisor + ((node.static_value - node.beta) / p.null_value_divisor).min(3);
        let verification_depth = p.null_verification_depth;
        self.stack[node.ply].passed();
        self.board.make_null();
        let value =
            -self.node::<false>(-node.beta, -node.beta + 1, node.depth - reduction, node.ply + 1, !node.cut);
        self.board.unmake_null();
        if self.is_over() || value < node.beta {
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
    fn prob_cut(&mut self, node: &Node) -> Option<Value> {
        let bound = node.beta + self.shared.parameters.probcut_margin;
        let refuted = node.entry.is_some_and(|entry| entry.depth >= node.depth - 3 && entry.value < bound);
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
            position.is_legal(m) && position.is_capture(m) && position.exchange_at_least(m, gain, &EXCHANGE)
        });
        let mut picker = Picker::captures(table_move, gain);
        while let Some(m) = picker.next(self.board.current(), self.history) {
            self.make(m, node.ply);
            let mut value = -self.quiescence::<false>(-bound, -bound + 1, 0, node.ply + 1);
            if value >= bound {
                value = -self.node::<false>(-bound, -bound + 1, node.depth - 4, node.ply + 1, !node.cut);
            }
            self.board.unmake();
            if self.is_over() {
                return Some(DRAW);
            }
            if value >= bound {
                self.remember(node, Some(m), value, node.depth - 3, Bound::Lower, false);
                return Some(value);
            }
        }
        None
    }

    /// The moves, one after another.
    fn moves<const PV: bool>(&mut self, node: Node, excluded: Option<Move>) -> Value {
        let Node { beta, depth, ply, .. } = node;
        let mut alpha = node.alpha;
        let table_move =
            node.entry.and_then(|entry| entry.best).filter(|&m| self.board.current().is_legal(m));
        let context = self.context(ply);
        let mut picker = Picker::new(if ply == 0 { self.root_first(table_move) } else { table_move }, context);
        let mut tried = Tried::default();
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;
        self.history.forget_killers(ply + 1);

        while let Some(m) = picker.next(self.board.current(), self.history) {
            if Some(m) == excluded || (ply == 0 && !self.is_root_move(m)) {
                continue;
            }
            count += 1;
            let position = self.board.current();
            let Some(piece) = position.piece_at(m.from()) else { continue };
            let victim = position.captured(m);
            let quiet = victim.is_none() && m.promotion().is_none();
            let learned = if quiet { quiet_history(self.history, &context, piece.color, piece, m) } else { 0 };

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

            let extension = if Some(m) == table_move { self.singular(&node, m, excluded) } else { Extension::Plies(0) };
            let extension = match extension {
                Extension::Plies(plies) => plies,
                Extension::Cut(value) => return value,
            };

            let nodes_before = self.nodes();
            self.make(m, ply);
            let gives_check = self.board.in_check();
            let deeper = depth - 1 + extension;
            let mut value = -INFINITE;
            let mut full = !PV || count > 1;
            if depth >= 2 && count > 1 + usize::from(PV) && self.uses(Technique::LateMoveReduction) {
                let reduction = self.reduction::<PV>(&node, quiet, learned, count, gives_check);
                let reduced = (deeper - reduction).clamp(1, deeper.max(1));
                value = -self.node::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
                full = value > alpha && reduced < deeper;
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
                        self.lines.extend(ply, m);
                    }
                    if value >= beta {
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
        let depth = node.depth;
        let position = self.board.current();
        if quiet {
            let most = p.late_move_base + depth * depth;
            let most = if node.improving { most } else { most / 2 };
            if self.uses(Technique::LateMovePruning) && depth <= p.late_move_depth && count as i32 > most {
                return Pruned::Quiets;
            }
            if self.uses(Technique::HistoryPruning) && depth <= 4 && learned < -p.history_pruning_margin * depth {
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
                return Pruned::Quiets;
            }
        }
        let loss = if quiet { p.see_quiet_margin * depth } else { p.see_capture_margin * depth };
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
        let Some(entry) = node.entry else { return Extension::Plies(0) };
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

    /// By how many plies a late move is searched shallower at first.
    fn reduction<const PV: bool>(&self, node: &Node, quiet: bool, learned: i32, count: usize, gives_check: bool) -> i32 {
        let p = &self.shared.parameters;
        let mut reduction = self.shared.reduction(node.depth, count);
        if quiet {
            reduction -= learned / p.reduction_history_divisor;
        } else {
            reduction -= 1;
        }
        reduction += i32::from(node.cut) + i32::from(!node.improving);
        reduction -= i32::from(PV) + i32::from(gives_check) + i32::from(node.in_check);
        reduction -= i32::from(node.entry.is_some_and(|entry| entry.pv));
        reduction
    }

    /// What has cut off is remembered, what was tried before it is marked down.
    fn reward(&mut self, node: &Node, context: &Context, m: Move, piece: Piece, victim: Option<Role>, tried: &Tried) {
        let p = &self.shared.parameters;
        let bonus = (p.history_bonus * node.depth).min(p.history_bonus_max);
        if let Some(victim) = victim {
            self.history.add_capture(piece, m.to(), victim, bonus);
        } else {
            if self.uses(Technique::Killers) {
                self.history.add_killer(node.ply, m);
            }
            if let Some((piece, to)) = node.ply.checked_sub(1).and_then(|before| self.stack[before].arrived) {
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

    fn add_quiet(&mut self, context: &Context, m: Move, piece: Piece, bonus: i32) {
        self.history.add_butterfly(piece.color, m, bonus);
        for after in context.continuations.into_iter().flatten() {
            self.history.add_continuation(after, piece, m.to(), bonus);
        }
    }

    /// Mate, stalemate, or the value found; table and correction learn from it.
    fn conclude(&mut self, node: &Node, count: usize, best: Value, best_move: Option<Move>, excluded: Option<Move>) -> Value {
        if count == 0 {
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
            self.remember(node, best_move, best, node.depth, bound, pv);
        }
        let quiet = best_move.is_none_or(|m| !self.board.current().is_capture(m));
        let informs = match bound {
            Bound::Exact => true,
            Bound::Lower => best > node.raw,
            Bound::Upper => best < node.raw,
        };
        if !node.in_check && quiet && informs && !is_mate(best) {
            let side = self.board.turn();
            self.history.learn_correction(side, node.pawn_key, node.depth, best - node.raw);
        }
        best
    }

    fn remember(&self, node: &Node, best: Option<Move>, value: Value, depth: i32, bound: Bound, pv: bool) {
        let entry = Entry { best, value, static_value: node.raw, depth, bound, pv };
        self.shared.table.put(node.key, node.ply, entry);
    }

    /// The past that orders this node's quiet moves.
    fn context(&self, ply: usize) -> Context {
        let after = |back: usize| -> Option<Continuation> { self.stack[ply.checked_sub(back)?].continuation };
        let counter = ply.checked_sub(1).and_then(|before| self.stack[before].arrived);
        Context {
            killers: if self.uses(Technique::Killers) { self.history.killers(ply) } else { [None; 2] },
            counter: counter
                .filter(|_| self.uses(Technique::CounterMoves))
                .and_then(|(piece, to)| self.history.counter(piece, to)),
            continuations: [after(1), after(2), after(4)],
            techniques: self.shared.techniques,
        }
    }

    /// The static value with what was learned of such pawns.
    pub(crate) fn corrected(&self, raw: Value, pawns: Key) -> Value {
        if self.uses(Technique::CorrectionHistory) {
            self.history.corrected(raw, self.board.turn(), pawns, self.shared.parameters.correction_weight)
        } else {
            raw
        }
    }
}

/// Whether the side to move has more than king and pawns.
fn has_pieces(position: &Position) -> bool {
    let own = position.color(position.turn());
    (own & !(position.role(Role::Pawn) | position.role(Role::King))).any()
}

enum Pruned {
    No,
    This,
    Quiets,
}

enum Extension {
    Plies(i32),
    Cut(Value),
}

/// The moves that did not cut off.
#[derive(Default)]
struct Tried {
    quiets: arrayvec::ArrayVec<(Move, Piece), 64>,
    captures: arrayvec::ArrayVec<(Move, Piece, Role), 32>,
}

impl Tried {
    fn add(&mut self, m: Move, piece: Piece, victim: Option<Role>) {
        // What does not fit has been tried so late that its history tells nothing new.
        match victim {
            Some(victim) => drop(self.captures.try_push((m, piece, victim))),
            None => drop(self.quiets.try_push((m, piece))),
        }
    }
}
