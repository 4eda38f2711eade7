//! The moves of a node: which are tried, how deep, and in which window.

use vidmar_chess::{Board, Bound, CheckingSquares, Move, Piece, Role};
use vidmar_eval::Evaluation;

use super::cutoffs::has_pieces;
use super::learning::Tried;
use super::node::Node;
use super::picker::{Context, Picker, SEE_VALUES, quiet_history};
use super::techniques::Technique;
use super::worker::Worker;
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

/// What does not change while the moves of a node are searched.
#[derive(Copy, Clone)]
pub(super) struct Scene {
    pub(super) node: Node,
    pub(super) excluded: Option<Move>,
    table_move: Option<Move>,
    context: Context,
}

/// What the moves so far have come to.
#[derive(Copy, Clone)]
pub(super) struct Found {
    pub(super) alpha: Value,
    pub(super) best: Value,
    pub(super) best_move: Option<Move>,
    pub(super) count: usize,
}

/// The moves still to come, and what has become of the others.
pub(super) struct Tally {
    pub(super) found: Found,
    picker: Picker,
    tried: Tried,
    /// Found out when the first move is asked for it.
    checking: Option<CheckingSquares>,
}

/// A move about to be searched, and what was known when it was chosen.
pub(super) struct Candidate {
    m: Move,
    piece: Piece,
    victim: Option<Role>,
    quiet: bool,
    /// Its history if it is quiet.
    learned: i32,
    /// Its number in the order, from 1.
    count: usize,
    alpha: Value,
    best: Value,
}

impl<E: Evaluation> Worker<'_, E> {
    /// The moves, one after another.
    pub(super) fn moves<const PV: bool>(&mut self, node: Node, excluded: Option<Move>) -> Value {
        let ply = node.ply;
        let table_move = node
            .entry
            .and_then(|entry| entry.best)
            .filter(|&m| self.board.current().is_legal(m));
        let scene = Scene {
            node,
            excluded,
            table_move,
            context: self.context(ply),
        };
        let first = if ply == 0 {
            self.root_first(table_move)
        } else {
            table_move
        };
        let mut tally = Tally {
            found: Found {
                alpha: node.alpha,
                best: -INFINITE,
                best_move: None,
                count: 0,
            },
            picker: Picker::new(first, scene.context),
            tried: Tried::default(),
            checking: None,
        };
        self.history.forget_killers(ply + 1);
        self.stack[ply + 2].cutoffs = 0;

        while let Some(candidate) = self.next_candidate(&scene, &mut tally) {
            let extension = match self.singular(&scene, candidate.m) {
                Extension::Plies(plies) => plies,
                Extension::Cut(value) => return value,
            };
            let nodes_before = self.nodes();
            let value = self.search_candidate::<PV>(&scene, &candidate, extension);
            if self.is_over() {
                return DRAW;
            }
            if ply == 0 {
                let nodes = self.nodes() - nodes_before;
                let window = (candidate.alpha, node.beta);
                self.note_root(candidate.m, value, candidate.count, window, nodes);
            }
            if self.take_in::<PV>(&scene, &mut tally, &candidate, value) {
                break;
            }
            if self.may_split(&scene) {
                let found = self.split::<PV>(&scene, tally);
                if self.is_over() {
                    return DRAW;
                }
                return self.conclude(&node, &found, excluded);
            }
        }
        self.conclude(&node, &tally.found, excluded)
    }

    /// The next move that is worth searching. The board stands at the node.
    pub(super) fn next_candidate(&self, scene: &Scene, tally: &mut Tally) -> Option<Candidate> {
        let Scene { node, context, .. } = scene;
        let position = self.board.current();
        loop {
            let m = tally.picker.next(position, self.history)?;
            if Some(m) == scene.excluded || (node.ply == 0 && !self.is_root_move(m)) {
                continue;
            }
            tally.found.count += 1;
            let Some(piece) = position.piece_at(m.from()) else {
                continue;
            };
            let victim = position.captured(m);
            let quiet = victim.is_none() && m.promotion().is_none();
            let Found {
                alpha, best, count, ..
            } = tally.found;
            let candidate = Candidate {
                m,
                piece,
                victim,
                quiet,
                learned: if quiet {
                    quiet_history(self.history, context, piece.color, piece, m)
                } else {
                    0
                },
                count,
                alpha,
                best,
            };
            if node.ply > 0 && !is_mate(best) && has_pieces(position) {
                match self.prune(node, &candidate, &mut tally.checking) {
                    Pruned::No => {}
                    Pruned::This => continue,
                    Pruned::Quiets => {
                        tally.picker.skip_quiets();
                        continue;
                    }
                }
            }
            return Some(candidate);
        }
    }

    /// The value of a move: late ones shallower and in a closed window first, again if they prove better than thought.
    pub(super) fn search_candidate<const PV: bool>(
        &mut self,
        scene: &Scene,
        candidate: &Candidate,
        extension: i32,
    ) -> Value {
        let Scene { node, context, .. } = scene;
        let Node { beta, depth, ply, .. } = *node;
        let &Candidate {
            m,
            count,
            alpha,
            best,
            ..
        } = candidate;
        self.make(m, ply);
        if candidate.quiet {
            self.stack[ply].quiet = Some((m, candidate.piece, context.threats));
        }
        let mut deeper = depth - 1 + extension;
        let mut value = -INFINITE;
        let mut full = !PV || count > 1;
        if depth >= 2 && count > 1 + usize::from(PV) && self.uses(Technique::LateMoveReduction) {
            let reduction = self.reduction::<PV>(node, candidate);
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
        value
    }

    /// Enters a move's value; whether the node is cut off.
    pub(super) fn take_in<const PV: bool>(
        &mut self,
        scene: &Scene,
        tally: &mut Tally,
        candidate: &Candidate,
        value: Value,
    ) -> bool {
        let found = &mut tally.found;
        let &Candidate { m, piece, victim, .. } = candidate;
        if value > found.best {
            found.best = value;
            if value > found.alpha {
                found.best_move = Some(m);
                found.alpha = value;
                if PV {
                    self.lines.improve(scene.node.ply, m);
                }
                if value >= scene.node.beta {
                    self.stack[scene.node.ply].cutoffs += 1;
                    self.add_history_bonus(&scene.node, &scene.context, m, piece, victim, &tally.tried);
                    return true;
                }
            }
        }
        tally.tried.add(m, piece, victim);
        false
    }

    /// Moves near the leaves that are very unlikely to raise alpha.
    fn prune(&self, node: &Node, candidate: &Candidate, checking: &mut Option<CheckingSquares>) -> Pruned {
        let &Candidate {
            m,
            quiet,
            learned,
            count,
            alpha,
            ..
        } = candidate;
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
                depth = (depth - reduction.max(0) / 100).max(1);
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
                && !position
                    .gives_check_knowing(checking.get_or_insert_with(|| position.checking_squares()), m)
            {
                return Pruned::This;
            }
        }
        let loss = if quiet {
            p.see_quiet_margin * depth
        } else {
            p.see_capture_margin * depth
        };
        if self.uses(Technique::SeePruning)
            && depth <= p.see_depth
            && count > 1
            && !position.see_ge(m, -loss, &SEE_VALUES)
        {
            return Pruned::This;
        }
        Pruned::No
    }

    /// If every other move fails low against the table's value less a margin, the table move is the only
    /// one, and is searched deeper; if others beat beta as well, the node is cut.
    fn singular(&mut self, scene: &Scene, m: Move) -> Extension {
        let p = &self.shared.parameters;
        let node = &scene.node;
        let Some(entry) = node.entry.filter(|_| scene.table_move == Some(m)) else {
            return Extension::Plies(0);
        };
        if !self.uses(Technique::SingularExtension)
            || node.ply == 0
            || scene.excluded.is_some()
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

    /// By how many hundredths of a ply a quiet move's history changes its reduction.
    fn by_history(&self, learned: i32) -> i32 {
        let p = &self.shared.parameters;
        let most = 100 * p.reduction_history_max;
        (learned * 100 / p.reduction_history_divisor).clamp(-most, most)
    }

    /// By how many plies a late move is searched shallower at first.
    /// The move is on the board.
    fn reduction<const PV: bool>(&self, node: &Node, candidate: &Candidate) -> i32 {
        let p = &self.shared.parameters;
        let gives_check = self.board.in_check();
        let mut reduction = self.shared.reduction(node.depth, candidate.count);
        if candidate.quiet {
            reduction -= self.by_history(candidate.learned);
        } else {
            reduction -= p.reduction_capture;
        }
        let cutoffs = self.uses(Technique::CutoffCount) && self.stack[node.ply + 1].cutoffs > p.cutoff_count;
        let more = [
            (node.cut, p.reduction_cut),
            (
                node.cut && node.entry.is_none_or(|entry| entry.best.is_none()),
                p.reduction_cut_unknown,
            ),
            (!node.improving, p.reduction_not_improving),
            (cutoffs, p.reduction_cutoffs),
        ];
        let less = [
            (PV, p.reduction_pv),
            (gives_check, p.reduction_check),
            (node.in_check, p.reduction_evasion),
            (node.entry.is_some_and(|entry| entry.pv), p.reduction_table_pv),
        ];
        let sum = |terms: [(bool, i32); 4]| {
            terms
                .iter()
                .map(|&(holds, plies)| i32::from(holds) * plies)
                .sum::<i32>()
        };
        (reduction + sum(more) - sum(less)) / 100
    }
}
