//! The moves of a node, found as [`Generation`] says and taken one by one, the most promising first.
//!
//! Legal and pseudo-legal moves are all there from the start. Stages are generated on the way: the table's move and the
//! refutation line's are tried without generating anything, then come the captures, the killers, which again need no
//! generator, and the quiet moves. Where an early move cuts off, the later stages cost nothing.
//!
//! The order is the same for all three, but for two things. Stages put captures before quiet moves whatever the ordering rules
//! say, since that is what stages are; and quiet moves are scored when they are generated, by a history that has learnt from
//! the captures. The root's moves are always legal and all there: iterations keep their order.

use arrayvec::ArrayVec;
use vidmar_chess::{Board, Color, File, Generate, Generation, Move, MoveList, Rank, Role, Square};
use vidmar_eval::Evaluation;

use crate::ordering::OrderedMoves;
use crate::ordering_rules::OrderingRule;
use crate::worker::Worker;

/// What is tried or generated next, once what is there has been taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    Refutation,
    Captures,
    /// The first or the second.
    Killer(u8),
    Quiets,
    Done,
}

/// The moves of a node.
pub(crate) struct NodeMoves {
    /// Generated and not yet taken.
    ordered: OrderedMoves,
    generation: Generation,
    stage: Stage,
    ply: usize,
    table_move: Option<Move>,
    refutation: Option<Move>,
    /// Taken before they were generated.
    tried: ArrayVec<Move, 4>,
}

impl NodeMoves {
    /// Moves that are all there and legal.
    pub(crate) fn legal(ordered: OrderedMoves) -> NodeMoves {
        NodeMoves {
            ordered,
            generation: Generation::Legal,
            stage: Stage::Done,
            ply: 0,
            table_move: None,
            refutation: None,
            tried: ArrayVec::new(),
        }
    }

    /// The moves of a node below the root.
    #[inline]
    pub(crate) fn new<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        ply: usize,
        table_move: Option<Move>,
        refutation: Option<Move>,
    ) -> NodeMoves {
        let generation = worker.settings().generation;
        if generation == Generation::Staged {
            let rules = worker.settings().ordering;
            return NodeMoves {
                generation,
                stage: Stage::TableMove,
                ply,
                table_move: table_move.filter(|_| rules.has(OrderingRule::Table)),
                refutation,
                ..NodeMoves::legal(OrderedMoves::default())
            };
        }
        let mut moves = MoveList::new();
        generation.generate(&worker.board, Generate::All, &mut moves);
        worker.counts.moves += moves.len() as u64;
        let ordered = worker
            .move_history
            .order(&worker.board, &moves, ply, table_move, refutation);
        NodeMoves {
            generation,
            ..NodeMoves::legal(ordered)
        }
    }

    /// How many legal moves there are to take, where that is known.
    #[inline]
    pub(crate) fn known_count(&self) -> Option<usize> {
        (self.generation == Generation::Legal).then(|| self.ordered.left())
    }

    /// How they were generated, by which a move that has been made shows whether it was legal.
    #[inline]
    pub(crate) fn generation(&self) -> Generation {
        self.generation
    }

    /// The next move.
    #[inline]
    pub(crate) fn next<B: Board, E: Evaluation>(&mut self, worker: &mut Worker<'_, B, E>) -> Option<Move> {
        loop {
            if let Some(m) = self.ordered.next() {
                return Some(m);
            }
            if self.stage == Stage::Done {
                return None;
            }
            if let Some(m) = self.advance(worker) {
                return Some(m);
            }
        }
    }

    /// Goes through a stage: returns its move, or generates its moves, or neither.
    fn advance<B: Board, E: Evaluation>(&mut self, worker: &mut Worker<'_, B, E>) -> Option<Move> {
        match self.stage {
            Stage::TableMove => {
                self.stage = Stage::Refutation;
                self.attempt(worker, self.table_move)
            }
            Stage::Refutation => {
                self.stage = Stage::Captures;
                self.attempt(worker, self.refutation)
            }
            Stage::Captures if may_promote(&worker.board) => {
                // A pawn that becomes a queen is ordered among the captures, a quiet move or not.
                self.stage = Stage::Done;
                self.generate(worker, Generate::All);
                None
            }
            Stage::Captures => {
                self.stage = Stage::Killer(0);
                self.generate(worker, Generate::Captures);
                None
            }
            Stage::Killer(number) => {
                self.stage = if number == 0 {
                    Stage::Killer(1)
                } else {
                    Stage::Quiets
                };
                let [first, second] = worker.move_history.killers(self.ply);
                let killer = if number == 0 { first } else { second };
                let quiet = killer.filter(|&m| !worker.board.is_capture(m));
                self.attempt(worker, quiet)
            }
            Stage::Quiets => {
                self.stage = Stage::Done;
                self.generate(worker, Generate::Quiets);
                None
            }
            Stage::Done => None,
        }
    }

    /// A move that no generator has found, if it is legal here and new.
    fn attempt<B: Board, E>(&mut self, worker: &Worker<'_, B, E>, m: Option<Move>) -> Option<Move> {
        let m = m.filter(|m| !self.tried.contains(m) && worker.board.is_legal(*m))?;
        self.tried.push(m);
        Some(m)
    }

    fn generate<B: Board, E: Evaluation>(&mut self, worker: &mut Worker<'_, B, E>, what: Generate) {
        let mut moves = MoveList::new();
        worker.board.generate(what, &mut moves);
        worker.counts.moves += moves.len() as u64;
        moves.retain(|m| !self.tried.contains(m));
        self.ordered = worker
            .move_history
            .order(&worker.board, &moves, self.ply, None, None);
    }

    /// Every legal move that has not been taken, in order: for threads that take turns at them.
    pub(crate) fn rest<B: Board, E: Evaluation>(mut self, worker: &mut Worker<'_, B, E>) -> OrderedMoves {
        if self.generation == Generation::Legal {
            return self.ordered;
        }
        let mut moves = MoveList::new();
        while let Some(m) = self.next(worker) {
            if worker.board.is_legal(m) {
                moves.push(m);
            }
        }
        OrderedMoves::in_order(moves)
    }
}

/// Whether the side to move has a pawn before the last rank.
fn may_promote<B: Board>(board: &B) -> bool {
    let us = board.turn();
    let seventh = match us {
        Color::White => Rank::Seventh,
        Color::Black => Rank::Second,
    };
    let pawn = Some(Role::Pawn.of(us));
    board.count(us, Role::Pawn) > 0
        && File::ALL
            .into_iter()
            .any(|file| board.piece_at(Square::at(file, seventh)) == pawn)
}
