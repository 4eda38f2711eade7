//! One thread's part of a search: its board, its killers and history, and the steps that nodes of every
//! algorithm share.

use std::sync::Arc;

use vidmar_chess::{Board, Bound, Generation, Key, Move, Score};
use vidmar_eval::Evaluation;

use crate::draws;
use crate::limits::{Interrupted, StopCondition};
use crate::lines::Lines;
use crate::node_moves::NodeMoves;
use crate::ordering::{MoveHistory, OrderedMoves};
use crate::ordering_rules::OrderingRule;
use crate::parallel::{Pool, SharedNode, SplitPoint};
use crate::quiescence;
use crate::report::Counts;
use crate::root::Root;
use crate::settings::{Fail, Settings};
use crate::table::{Entry, Table};
use crate::value::{DRAW, Value, from_node, from_root, mated_at, score_of};

/// What all threads of a search share.
pub(crate) struct Shared<'s, B: Board, E> {
    pub(crate) evaluation: &'s E,
    pub(crate) settings: &'s Settings,
    pub(crate) table: &'s Table,
    pub(crate) stop_condition: StopCondition<'s>,
    /// Where young brothers wait for helpers, if they do.
    pub(crate) pool: Option<Pool<SharedNode<B>>>,
}

/// One thread's state.
pub(crate) struct Worker<'s, B: Board, E> {
    pub(crate) board: B,
    pub(crate) shared: &'s Shared<'s, B, E>,
    pub(crate) counts: Counts,
    evaluation: E,
    pub(crate) move_history: MoveHistory,
    pub(crate) lines: Lines,
    pub(crate) root: Root,
    /// The split node below which this thread is searching.
    pub(crate) split: Option<Arc<SplitPoint<SharedNode<B>>>>,
    reported: u64,
    next_report: u64,
}

/// What the table knows about a node, for the question asked.
pub(crate) struct Probe {
    /// The entry, if its depth allows it to answer or bound.
    pub(crate) answer: Option<(Value, Bound)>,
    /// The move to try first.
    pub(crate) best: Option<Move>,
}

impl<'s, B: Board, E: Evaluation> Worker<'s, B, E> {
    pub(crate) fn new(board: &B, shared: &'s Shared<'s, B, E>) -> Worker<'s, B, E> {
        let move_history = MoveHistory::new(shared.settings.ordering);
        let moves = shared.stop_condition.limits().wanted(&board.legal_moves());
        let ordered: Vec<Move> = move_history.order(board, &moves, 0, None, None).collect();
        Worker {
            board: board.clone(),
            shared,
            counts: Counts::default(),
            evaluation: shared.evaluation.clone(),
            move_history,
            lines: Lines::new(),
            root: Root::new(&ordered),
            split: None,
            reported: 0,
            next_report: 0,
        }
    }

    #[inline]
    pub(crate) fn settings(&self) -> &'s Settings {
        self.shared.settings
    }

    /// Counts a node, and now and then looks whether to stop.
    #[inline]
    pub(crate) fn visit(&mut self) -> Result<(), Interrupted> {
        self.counts.nodes += 1;
        if self.counts.nodes >= self.next_report {
            self.report()?;
        }
        Ok(())
    }

    #[cold]
    fn report(&mut self) -> Result<(), Interrupted> {
        let nodes = self.counts.nodes - self.reported;
        self.reported = self.counts.nodes;
        self.next_report = self.counts.nodes + self.shared.stop_condition.report(nodes)?;
        if self.is_cut_off() {
            self.next_report = self.counts.nodes;
            return Err(Interrupted);
        }
        Ok(())
    }

    /// Whether a brother has made the tree below the present split useless.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.split.as_ref().is_some_and(|split| split.is_cut_off())
    }

    /// Whether the node is a draw whatever its moves.
    #[inline]
    pub(crate) fn is_draw(&self, ply: usize) -> bool {
        ply > 0 && draws::is_draw(&self.board, ply, self.settings().exact)
    }

    /// The value of a node without legal moves.
    #[inline]
    pub(crate) fn without_moves(&self, ply: usize) -> Value {
        if self.board.in_check() {
            mated_at(ply)
        } else {
            DRAW
        }
    }

    /// The static value; the side to move has so many legal moves, if they are known.
    #[inline]
    pub(crate) fn evaluate(&mut self, legal_moves: impl Into<Option<usize>>) -> Value {
        self.evaluation.evaluate(&mut self.board, legal_moves.into())
    }

    /// What a pawn is worth in the unit of the evaluation.
    #[inline]
    pub(crate) fn pawn(&self) -> Value {
        self.evaluation.pawn()
    }

    /// A value of the root as it is told outside: centipawns whatever the unit of the evaluation.
    pub(crate) fn score_of(&self, value: Value) -> Score {
        match score_of(value) {
            Score::Centipawns(value) => Score::Centipawns(self.evaluation.centipawns(&self.board, value)),
            mate @ Score::Mate(_) => mate,
        }
    }

    /// The value of a node at the full-width depth.
    #[inline]
    pub(crate) fn leaf(&mut self, ply: usize, alpha: Value, beta: Value) -> Result<Value, Interrupted> {
        self.counts.leaves += 1;
        let legal_moves = self.board.count_legal_moves();
        if legal_moves == 0 {
            Ok(self.without_moves(ply))
        } else if self.settings().quiescence {
            quiescence::search(self, ply, alpha, beta, legal_moves)
        } else {
            Ok(self.evaluate(legal_moves))
        }
    }

    /// What the table knows. In exact mode only an entry of the very depth answers.
    #[inline]
    pub(crate) fn probe(&self, key: Key, depth: u32, ply: usize) -> Probe {
        match self.shared.table.probe(key) {
            None => Probe {
                answer: None,
                best: None,
            },
            Some(entry) => {
                let known = u32::from(entry.depth);
                let answers = if self.settings().exact {
                    known == depth
                } else {
                    known >= depth
                };
                Probe {
                    answer: answers.then(|| (from_root(entry.value, ply), entry.bound)),
                    best: entry.proven_move(),
                }
            }
        }
    }

    /// Offers the table a result.
    #[inline]
    pub(crate) fn store(&self, key: Key, ply: usize, found: Entry) {
        // What is best of some moves is not the value of the position.
        if ply == 0 && !self.shared.stop_condition.limits().moves.is_empty() {
            return;
        }
        let value = from_node(found.value, ply);
        self.shared.table.store(key, Entry { value, ..found });
    }

    /// A value as the node returns it: as it is, or brought into the window.
    #[inline]
    pub(crate) fn bounded(&self, value: Value, alpha: Value, beta: Value) -> Value {
        match self.settings().fail {
            Fail::Soft => value,
            Fail::Hard => value.max(alpha).min(beta),
        }
    }

    /// The moves of a node in the order to try them.
    #[inline]
    pub(crate) fn moves(&mut self, ply: usize, table_move: Option<Move>, on_line: bool) -> NodeMoves {
        self.counts.expanded += 1;
        let refutations = self.settings().ordering.has(OrderingRule::Refutation);
        if ply > 0 {
            let refutation = if on_line && refutations {
                self.root.followed(ply)
            } else {
                None
            };
            return NodeMoves::new(self, ply, table_move, refutation);
        }
        let ordered = if refutations {
            OrderedMoves::in_order(self.root.moves())
        } else {
            let moves = self
                .shared
                .stop_condition
                .limits()
                .wanted(&self.board.legal_moves());
            self.move_history
                .order(&self.board, &moves, ply, table_move, None)
        };
        self.counts.moves += ordered.left() as u64;
        NodeMoves::legal(ordered)
    }

    /// Makes a move found in this way; one that was not legal is taken back at once, and tells so.
    #[inline]
    pub(crate) fn make(&mut self, generation: Generation, m: Move) -> bool {
        self.board.make(m);
        let legal = generation.was_legal(&self.board);
        if !legal {
            self.board.unmake();
        }
        legal
    }
}
