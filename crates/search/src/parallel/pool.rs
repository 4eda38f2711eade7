//! Where young brothers wait: split nodes open for help, and the threads that look for them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use vidmar_chess::{Board, Move};

use crate::node::{Found, Node};
use crate::ordering::OrderedMoves;

/// A node whose first move is searched and whose other moves several threads take turns at.
pub(crate) struct SplitPoint<B> {
    /// The position of the node.
    pub(super) board: B,
    pub(super) node: Node,
    /// The split node above this one, in the thread that split it.
    parent: Option<Arc<SplitPoint<B>>>,
    cut_off: AtomicBool,
    work: Mutex<Work>,
}

/// What is left to do at a split node, and what has come of it.
pub(super) struct Work {
    pub(super) moves: OrderedMoves,
    pub(super) found: Found,
    /// The line of the best move, if one of the shared moves was best.
    pub(super) line: Option<Vec<Move>>,
    /// Threads at work here.
    workers: usize,
    /// Root moves searched, with nodes and replies; only at the root.
    pub(super) searched: Vec<(Move, u64, Vec<Move>)>,
}

impl<B> SplitPoint<B> {
    pub(super) fn new(
        board: B,
        node: Node,
        parent: Option<Arc<SplitPoint<B>>>,
        moves: OrderedMoves,
        found: Found,
    ) -> Arc<SplitPoint<B>> {
        Arc::new(SplitPoint {
            board,
            node,
            parent,
            cut_off: AtomicBool::new(false),
            work: Mutex::new(Work {
                moves,
                found,
                line: None,
                workers: 1,
                searched: Vec::new(),
            }),
        })
    }

    /// Whether this node or one above it has been cut off.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.cut_off.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_cut_off())
    }

    pub(super) fn cut_off(&self) {
        self.cut_off.store(true, Ordering::Relaxed);
    }

    pub(super) fn work(&self) -> MutexGuard<'_, Work> {
        unpoisoned(self.work.lock())
    }

    fn descends_from(&self, ancestor: &SplitPoint<B>) -> bool {
        std::ptr::eq(self, ancestor)
            || self
                .parent
                .as_ref()
                .is_some_and(|parent| parent.descends_from(ancestor))
    }
}

/// A thread that panicked has lost the search for all: the scope that runs the threads passes the panic on.
fn unpoisoned<G>(guard: Result<G, PoisonError<G>>) -> G {
    guard.unwrap_or_else(PoisonError::into_inner)
}

/// A thread at work at a split node.
pub(super) struct Presence<'p, B: Board> {
    pool: &'p Pool<B>,
    point: &'p SplitPoint<B>,
}

impl<B: Board> Drop for Presence<'_, B> {
    fn drop(&mut self) {
        self.pool.leave(self.point);
    }
}

/// The split nodes that want help.
pub(crate) struct Pool<B: Board> {
    state: Mutex<PoolState<B>>,
    changed: Condvar,
    idle: AtomicUsize,
}

struct PoolState<B> {
    open: Vec<Arc<SplitPoint<B>>>,
    closed: bool,
}

impl<B: Board> Pool<B> {
    pub(crate) fn new() -> Pool<B> {
        Pool {
            state: Mutex::new(PoolState {
                open: Vec::new(),
                closed: false,
            }),
            changed: Condvar::new(),
            idle: AtomicUsize::new(0),
        }
    }

    /// Whether somebody has nothing to do.
    #[inline]
    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Invites help.
    pub(super) fn open(&self, point: &Arc<SplitPoint<B>>) {
        unpoisoned(self.state.lock()).open.push(point.clone());
        self.changed.notify_all();
    }

    /// Invites no more help.
    pub(super) fn close(&self, point: &Arc<SplitPoint<B>>) {
        unpoisoned(self.state.lock())
            .open
            .retain(|open| !Arc::ptr_eq(open, point));
    }

    /// A thread, already counted, is at a split node until it drops this: also if it panics, so that
    /// nobody waits for it.
    pub(super) fn presence<'p>(&'p self, point: &'p SplitPoint<B>) -> Presence<'p, B> {
        Presence { pool: self, point }
    }

    fn leave(&self, point: &SplitPoint<B>) {
        // Under the pool's lock, so that no owner falls asleep between its look and this change.
        let _state = unpoisoned(self.state.lock());
        point.work().workers -= 1;
        self.changed.notify_all();
    }

    /// Waits for a split node to help at; nothing once the search is over.
    pub(super) fn next(&self) -> Option<Arc<SplitPoint<B>>> {
        self.wait(|_| true, || false)
    }

    /// Waits until the others have left a node, or for work below it, where to help them
    /// meanwhile ("helpful master").
    pub(super) fn next_below(&self, own: &Arc<SplitPoint<B>>) -> Option<Arc<SplitPoint<B>>> {
        self.wait(|point| point.descends_from(own), || own.work().workers == 0)
    }

    fn wait(
        &self,
        fits: impl Fn(&SplitPoint<B>) -> bool,
        done: impl Fn() -> bool,
    ) -> Option<Arc<SplitPoint<B>>> {
        let mut state = unpoisoned(self.state.lock());
        self.idle.fetch_add(1, Ordering::Relaxed);
        let found = loop {
            if state.closed || done() {
                break None;
            }
            // The shallowest node has the most to give.
            let deepest = state
                .open
                .iter()
                .filter(|point| fits(point))
                .max_by_key(|point| point.node.depth);
            if let Some(point) = deepest {
                point.work().workers += 1;
                break Some(point.clone());
            }
            state = unpoisoned(self.changed.wait(state));
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// Sends everybody home.
    pub(super) fn shut(&self) {
        unpoisoned(self.state.lock()).closed = true;
        self.changed.notify_all();
    }
}
