//! Young brothers wait (Feldmann, Mysliwietz and Monien 1989): a node's first move is searched by one
//! thread, for it may cut off; after that the others are shared among all who have nothing to do.
//!
//! A node is split only where helpers are waiting and its tree is worth the trouble. The owner works on
//! its moves like everybody else, and when there are none left it helps those who help it, until they
//! are done. A cut-off stops all threads at the node and below. Values are those of the same search by one
//! thread; which of two equal moves is found first is not determined.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use vidmar_chess::{Board, Generation, Move};
use vidmar_eval::Evaluation;

use super::pool::{Shareable, SplitPoint};
use crate::algorithms::Driver;
use crate::deepening::deepen;
use crate::limits::Interrupted;
use crate::node::{Found, Node, Scout, learn_cutoff, search_move};
use crate::ordering::OrderedMoves;
use crate::report::{Counts, Iteration, Report};
use crate::worker::{Shared, Worker};

/// Shallower nodes are searched faster than shared. Futility must not reach this deep.
const MIN_SPLIT_DEPTH: u32 = 3;

/// A node of the laboratory's searches, open for help.
pub(crate) struct SharedNode<B> {
    board: B,
    node: Node,
}

/// What is left to do at it, and what has come of it.
pub(crate) struct Work {
    moves: OrderedMoves,
    found: Found,
    /// The line of the best move and how much of it is proven, if one of the shared moves was best.
    line: Option<(Vec<Move>, usize)>,
    /// Root moves searched, with nodes, replies and how many of these are proven; only at the root.
    searched: Vec<(Move, u64, Vec<Move>, usize)>,
}

impl<B: Board> Shareable for SharedNode<B> {
    type Work = Work;

    fn depth(&self) -> i32 {
        self.node.depth as i32
    }
}

pub(super) fn run<D: Driver, B: Board, E: Evaluation>(
    board: &B,
    shared: &Shared<'_, B, E>,
    helpers: usize,
    observe: &mut dyn FnMut(&Iteration),
) -> Report {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..helpers)
            .map(|_| scope.spawn(move || help_until_closed::<D::Scout, B, E>(board, shared)))
            .collect();
        let mut report = deepen::<D, B, E>(&mut Worker::new(board, shared), 1, observe);
        if let Some(pool) = &shared.pool {
            pool.shut();
        }
        for thread in threads {
            report.counts += thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        report
    })
}

fn help_until_closed<S: Scout, B: Board, E: Evaluation>(board: &B, shared: &Shared<'_, B, E>) -> Counts {
    let mut worker = Worker::new(board, shared);
    if let Some(pool) = &shared.pool {
        while let Some(point) = pool.next() {
            help::<S, B, E>(&mut worker, &point);
        }
    }
    worker.counts
}

/// Whether to share the moves that are left at a node, if they are worth it.
#[inline]
pub(crate) fn may_split<B: Board, E>(worker: &Worker<'_, B, E>, node: &Node) -> bool {
    match &worker.shared.pool {
        Some(pool) => node.depth >= MIN_SPLIT_DEPTH && pool.has_idle(),
        None => false,
    }
}

/// Shares a node's later moves; `found` is what the first has given.
pub(crate) fn split<S: Scout, B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    node: Node,
    moves: OrderedMoves,
    found: Found,
) -> Result<Found, Interrupted> {
    let Some(pool) = &worker.shared.pool else {
        return Ok(found);
    };
    let above = worker.split.clone();
    let shared_node = SharedNode {
        board: worker.board.clone(),
        node,
    };
    let work = Work {
        moves,
        found,
        line: None,
        searched: Vec::new(),
    };
    let point = SplitPoint::new(shared_node, above.clone(), work);
    pool.open(&point);
    worker.split = Some(point.clone());
    let presence = pool.presence(&point);
    work_at::<S, B, E>(worker, &point);
    worker.split = above;
    pool.close(&point);
    drop(presence);
    while let Some(other) = pool.next_below(&point) {
        help::<S, B, E>(worker, &other);
    }
    if worker.shared.stop_condition.is_over() || worker.is_cut_off() {
        return Err(Interrupted);
    }
    let work = point.work();
    if let Some((line, proven)) = &work.line {
        worker.lines.adopt(node.ply, line, *proven);
        if node.ply == 0 && *proven > 0 {
            worker.root.improve(line, *proven);
        }
    }
    for (m, nodes, replies, proven) in &work.searched {
        worker.root.record(*m, *nodes, replies, *proven);
    }
    Ok(work.found)
}

/// Goes to another thread's node and works there.
fn help<S: Scout, B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    point: &Arc<SplitPoint<SharedNode<B>>>,
) {
    let shared = worker.shared;
    let _presence = shared.pool.as_ref().map(|pool| pool.presence(point));
    let board = std::mem::replace(&mut worker.board, point.node.board.clone());
    let split = worker.split.replace(point.clone());
    work_at::<S, B, E>(worker, point);
    worker.board = board;
    worker.split = split;
}

/// Takes moves of a split node until there are none, it is cut off, or the search is over. The
/// worker's board stands at the node.
fn work_at<S: Scout, B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    point: &SplitPoint<SharedNode<B>>,
) {
    let node = Node {
        on_line: false,
        ..point.node.node
    };
    loop {
        let (m, alpha) = {
            let mut work = point.work();
            match work.moves.next() {
                Some(m) if !point.is_cut_off() => (m, work.found.alpha),
                _ => return,
            }
        };
        let before = worker.counts.nodes;
        let Ok(Some(value)) = search_move::<S, B, E>(worker, &node, alpha, Generation::Legal, m, false)
        else {
            return;
        };
        let mut work = point.work();
        if node.ply == 0 {
            let nodes = worker.counts.nodes - before;
            let replies = worker.lines.from(1).to_vec();
            work.searched.push((m, nodes, replies, worker.lines.proven(1)));
        }
        let is_nearest = work.found.note(m, value);
        if value <= work.found.alpha {
            if is_nearest {
                worker.lines.come_nearest(node.ply, m);
                work.line = Some((worker.lines.from(node.ply).to_vec(), 0));
            }
            continue;
        }
        work.found.alpha = value;
        work.found.best_move = Some(m);
        worker.lines.improve(node.ply, m);
        let proven = worker.lines.proven(node.ply);
        work.line = Some((worker.lines.from(node.ply).to_vec(), proven));
        if value >= node.beta {
            point.cut_off();
            learn_cutoff(worker, &node, m);
            return;
        }
    }
}
