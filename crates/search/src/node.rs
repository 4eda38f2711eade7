//! A node of the alpha-beta family, as numbered steps.
//!
//! Alpha-beta, principal variation search, NegaScout and the zero-window searches differ in one thing only:
//! with which window they look at a node's second and later children. That is the [`Scout`], and each
//! algorithm's file holds its own. All else — draws, table, null move, ordering, futility — is here
//! once, switched by [`Settings`](crate::Settings). Minimax and negamax, the oracles, share none of it.

use vidmar_chess::{Board, Bound, Generation, Key, Move};
use vidmar_eval::Evaluation;

use crate::draws::table_key;
use crate::futility;
use crate::limits::Interrupted;
use crate::node_moves::NodeMoves;
use crate::null_move;
use crate::null_move::NullMove;
use crate::parallel;
use crate::table::Entry;
use crate::value::{DRAW, INFINITE, Value, is_mate};
use crate::worker::Worker;

/// How a node's later children are searched.
pub(crate) trait Scout: Sized {
    /// The value, for the side to move at the node, of a child that is not the first. The move has been
    /// made; `child` carries the full window.
    fn later<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        child: Node,
    ) -> Result<Value, Interrupted>;
}

/// The question asked of a node.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Node {
    pub(crate) depth: u32,
    pub(crate) ply: usize,
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    /// Whether the last move was a pass.
    pub(crate) after_null_move: bool,
    /// Whether null-move cut-offs are to be verified.
    pub(crate) verify: bool,
    /// Whether the moves so far follow the root move's old refutation.
    pub(crate) on_line: bool,
}

impl Node {
    pub(crate) fn root(depth: u32, alpha: Value, beta: Value) -> Node {
        Node {
            depth,
            ply: 0,
            alpha,
            beta,
            after_null_move: false,
            verify: true,
            on_line: true,
        }
    }

    /// The child after a move, with the window turned round.
    #[inline]
    pub(crate) fn child(&self, alpha: Value, on_line: bool) -> Node {
        Node {
            depth: self.depth - 1,
            ply: self.ply + 1,
            alpha: -self.beta,
            beta: -alpha,
            after_null_move: false,
            on_line,
            ..*self
        }
    }

    #[inline]
    pub(crate) fn with_window(self, alpha: Value, beta: Value) -> Node {
        Node { alpha, beta, ..self }
    }
}

/// What the moves of a node gave.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Found {
    /// The best value, or bound on it.
    pub(crate) best: Value,
    /// The lower bound as raised by the moves searched.
    pub(crate) alpha: Value,
    /// The move that raised it last.
    pub(crate) best_move: Option<Move>,
    /// The move with the best value.
    pub(crate) nearest: Option<Move>,
}

impl Found {
    /// Notes a move's value; tells whether it is the best so far.
    #[inline]
    pub(crate) fn note(&mut self, m: Move, value: Value) -> bool {
        let is_nearest = value > self.best;
        if is_nearest {
            self.best = value;
            self.nearest = Some(m);
        }
        is_nearest
    }
}

/// The value of a node: exact inside the window, otherwise a bound.
pub(crate) fn search<S: Scout, B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    mut node: Node,
) -> Result<Value, Interrupted> {
    // 1. Count, and stop if it is time.
    worker.visit()?;
    worker.lines.clear(node.ply);

    // 2. Draws that need no moves.
    if worker.is_draw(node.ply) {
        return Ok(DRAW);
    }

    // 3. The horizon.
    if node.depth == 0 {
        return worker.leaf(node.ply, node.alpha, node.beta);
    }

    // 4. The table answers, or narrows the window, or at least has a move.
    let before = worker.counts.nodes;
    let asked = (node.alpha, node.beta);
    let key = table_key(&worker.board, node.depth);
    let known = worker.probe(key, node.depth, node.ply);
    if let Some((value, bound)) = known.answer
        && node.ply > 0
    {
        match bound {
            Bound::Exact => return Ok(worker.bounded(value, asked.0, asked.1)),
            Bound::Lower => node.alpha = node.alpha.max(value),
            Bound::Upper => node.beta = node.beta.min(value),
        }
        if node.alpha >= node.beta {
            return Ok(worker.bounded(value, asked.0, asked.1));
        }
    }

    // 5. The null move. Verification searches one ply shallower before it believes.
    let mut shallower = false;
    if let Some(value) = null_move_value::<S, B, E>(worker, node)?
        && value >= node.beta
    {
        if worker.settings().null_move == NullMove::Verified && node.verify && node.depth > 1 {
            shallower = true;
        } else {
            let value = if is_mate(value) { node.beta } else { value };
            return Ok(worker.bounded(value, asked.0, asked.1));
        }
    }

    // 6. Moves.
    let moves = worker.moves(node.ply, known.best, node.on_line);

    // 7. Search them; without any that is legal, mate or stalemate.
    let found = if shallower {
        node.depth -= 1;
        verify::<S, B, E>(worker, &mut node, known.best, moves)?
    } else {
        search_moves::<S, B, E>(worker, node, moves)?
    };
    if found.best == -INFINITE {
        return Ok(worker.without_moves(node.ply));
    }

    // 8. Store.
    store(
        worker,
        key,
        &node,
        &found,
        known.best,
        worker.counts.nodes - before + 1,
    );
    Ok(worker.bounded(found.best, asked.0, asked.1))
}

/// The value after a pass, for the side that passes, if it may.
#[inline]
fn null_move_value<S: Scout, B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    node: Node,
) -> Result<Option<Value>, Interrupted> {
    let Some(reduction) = null_move::reduction(
        worker.settings(),
        &worker.board,
        node.depth,
        node.ply,
        node.after_null_move,
    ) else {
        return Ok(None);
    };
    let child = Node {
        depth: node.depth.saturating_sub(1 + reduction),
        ply: node.ply + 1,
        alpha: -node.beta,
        beta: -node.beta + 1,
        after_null_move: true,
        on_line: false,
        ..node
    };
    worker.board.make_null();
    let value = search::<S, B, E>(worker, child);
    worker.board.unmake_null();
    Ok(Some(-value?))
}

/// A null-move cut-off is checked one ply shallower, which the node already is, with verification off
/// below; what does not fail high there gets its ply back and is searched in full.
fn verify<S: Scout, B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    node: &mut Node,
    table_move: Option<Move>,
    moves: NodeMoves,
) -> Result<Found, Interrupted> {
    let unverified = Node {
        verify: false,
        ..*node
    };
    let found = search_moves::<S, B, E>(worker, unverified, moves)?;
    if found.best >= node.beta {
        return Ok(found);
    }
    node.depth += 1;
    let moves = worker.moves(node.ply, found.best_move.or(table_move), node.on_line);
    search_moves::<S, B, E>(worker, *node, moves)
}

/// Searches moves until one cuts off.
fn search_moves<S: Scout, B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    node: Node,
    mut moves: NodeMoves,
) -> Result<Found, Interrupted> {
    let mut found = Found {
        best: -INFINITE,
        alpha: node.alpha,
        best_move: None,
        nearest: None,
    };
    let legal_moves = moves.known_count();
    let hopeless = if worker.settings().futility && node.ply > 0 && !worker.board.in_check() {
        let pawn = worker.pawn();
        futility::hopeless(node.depth, node.alpha, pawn, || worker.evaluate(legal_moves))
    } else {
        None
    };
    let mut first = true;
    while let Some(m) = moves.next(worker) {
        if let Some(most) = hopeless
            && futility::is_quiet(&worker.board, m)
        {
            // A move that is left out must at least exist.
            if moves.generation() != Generation::PseudoLegal || worker.board.is_legal(m) {
                found.best = found.best.max(most);
            }
            continue;
        }
        let generation = moves.generation();
        let Some(value) = search_move::<S, B, E>(worker, &node, found.alpha, generation, m, first)? else {
            continue;
        };
        if take(worker, &node, &mut found, m, value) {
            break;
        }
        // The eldest brother is done: the younger ones need not wait any longer.
        if first && parallel::may_split(worker, &node) {
            let rest = moves.rest(worker);
            if rest.left() >= 2 {
                return parallel::split::<S, B, E>(worker, node, rest, found);
            }
            moves = NodeMoves::legal(rest);
        }
        first = false;
    }
    Ok(found)
}

/// The value of one move for the side that makes it; nothing if it was not legal.
#[inline]
pub(crate) fn search_move<S: Scout, B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    node: &Node,
    alpha: Value,
    generation: Generation,
    m: Move,
    first: bool,
) -> Result<Option<Value>, Interrupted> {
    if !worker.make(generation, m) {
        return Ok(None);
    }
    let on_line = if node.ply == 0 {
        worker.root.follow(m);
        true
    } else {
        node.on_line && worker.root.followed(node.ply) == Some(m)
    };
    let before = worker.counts.nodes;
    let child = node.child(alpha, on_line);
    let value = if first {
        search::<S, B, E>(worker, child).map(|value| -value)
    } else {
        S::later(worker, child)
    };
    worker.board.unmake();
    let value = value?;
    if node.ply == 0 {
        let nodes = worker.counts.nodes - before;
        worker
            .root
            .record(m, nodes, worker.lines.from(1), worker.lines.proven(1));
    }
    Ok(Some(value))
}

/// Takes a move's value into account; tells whether it cuts off.
#[inline]
fn take<B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    node: &Node,
    found: &mut Found,
    m: Move,
    value: Value,
) -> bool {
    let is_nearest = found.note(m, value);
    if value <= found.alpha {
        if is_nearest {
            worker.lines.come_nearest(node.ply, m);
        }
        return false;
    }
    found.alpha = value;
    found.best_move = Some(m);
    worker.lines.improve(node.ply, m);
    if node.ply == 0 {
        worker.root.improve(worker.lines.from(0), worker.lines.proven(0));
    }
    if value < node.beta {
        return false;
    }
    learn_cutoff(worker, node, m);
    true
}

#[inline]
pub(crate) fn learn_cutoff<B: Board, E: Evaluation>(worker: &mut Worker<'_, B, E>, node: &Node, m: Move) {
    if !worker.board.is_capture(m) {
        let turn = worker.board.turn();
        worker.move_history.learn_cutoff(turn, m, node.ply, node.depth);
    }
}

#[inline]
fn store<B: Board, E: Evaluation>(
    worker: &Worker<'_, B, E>,
    key: Key,
    node: &Node,
    found: &Found,
    table_move: Option<Move>,
    nodes: u64,
) {
    let bound = if found.best >= node.beta {
        Bound::Lower
    } else if found.best > node.alpha {
        Bound::Exact
    } else {
        Bound::Upper
    };
    // When nothing raised alpha no move is known to be good: the old one may still be.
    let proven = found.best_move.or(table_move);
    let nearest = found.nearest.filter(|_| bound == Bound::Upper);
    let entry = Entry {
        best: proven.or(nearest),
        unproven: proven.is_none() && nearest.is_some(),
        value: found.best,
        bound,
        depth: node.depth as u8,
        nodes,
        generation: 0,
    };
    worker.store(key, node.ply, entry);
}
