//! Where young brothers wait: split nodes open for help, and the threads that look for them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A node whose moves several threads can share.
pub(crate) trait Shareable {
    /// What is left to do there, and what has come of it.
    type Work;

    /// The deeper a node, the more it has to give.
    fn depth(&self) -> i32;
}

/// A node whose first move is searched and whose other moves several threads take turns at.
pub(crate) struct SplitPoint<N: Shareable> {
    /// What does not change while it is shared.
    pub(crate) node: N,
    /// The split node above this one, in the thread that split it.
    parent: Option<Arc<SplitPoint<N>>>,
    cut_off: AtomicBool,
    work: Mutex<N::Work>,
    /// Threads at work here; changed under the pool's lock only.
    workers: AtomicUsize,
}

impl<N: Shareable> SplitPoint<N> {
    pub(crate) fn new(node: N, parent: Option<Arc<SplitPoint<N>>>, work: N::Work) -> Arc<SplitPoint<N>> {
        Arc::new(SplitPoint {
            node,
            parent,
            cut_off: AtomicBool::new(false),
            work: Mutex::new(work),
            workers: AtomicUsize::new(1),
        })
    }

    /// Whether this node or one above it has been cut off.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.cut_off.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_cut_off())
    }

    pub(crate) fn cut_off(&self) {
        self.cut_off.store(true, Ordering::Relaxed);
    }

    pub(crate) fn work(&self) -> MutexGuard<'_, N::Work> {
        unpoisoned(self.work.lock())
    }

    fn descends_from(&self, ancestor: &SplitPoint<N>) -> bool {
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
pub(crate) struct Presence<'p, N: Shareable> {
    pool: &'p Pool<N>,
    point: &'p SplitPoint<N>,
}

impl<N: Shareable> Drop for Presence<'_, N> {
    fn drop(&mut self) {
        self.pool.leave(self.point);
    }
}

/// The split nodes that want help.
pub(crate) struct Pool<N: Shareable> {
    state: Mutex<PoolState<N>>,
    changed: Condvar,
    idle: AtomicUsize,
}

struct PoolState<N: Shareable> {
    open: Vec<Arc<SplitPoint<N>>>,
    closed: bool,
}

impl<N: Shareable> Pool<N> {
    pub(crate) fn new() -> Pool<N> {
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
    pub(crate) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Invites help.
    pub(crate) fn open(&self, point: &Arc<SplitPoint<N>>) {
        unpoisoned(self.state.lock()).open.push(point.clone());
        self.changed.notify_all();
    }

    /// Invites no more help.
    pub(crate) fn close(&self, point: &Arc<SplitPoint<N>>) {
        unpoisoned(self.state.lock())
            .open
            .retain(|open| !Arc::ptr_eq(open, point));
    }

    /// A thread, already counted, is at a split node until it drops this: also if it panics, so that
    /// nobody waits for it.
    pub(crate) fn presence<'p>(&'p self, point: &'p SplitPoint<N>) -> Presence<'p, N> {
        Presence { pool: self, point }
    }

    fn leave(&self, point: &SplitPoint<N>) {
        // Under the pool's lock, so that no owner falls asleep between its look and this change.
        let _state = unpoisoned(self.state.lock());
        point.workers.fetch_sub(1, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Waits for a split node to help at; nothing once the search is over.
    pub(crate) fn next(&self) -> Option<Arc<SplitPoint<N>>> {
        self.wait(|_| true, || false)
    }

    /// Waits until the others have left a node, or for work below it, where to help them
    /// meanwhile ("helpful master").
    pub(crate) fn next_below(&self, own: &Arc<SplitPoint<N>>) -> Option<Arc<SplitPoint<N>>> {
        self.wait(
            |point| point.descends_from(own),
            || own.workers.load(Ordering::Relaxed) == 0,
        )
    }

    fn wait(
        &self,
        fits: impl Fn(&SplitPoint<N>) -> bool,
        done: impl Fn() -> bool,
    ) -> Option<Arc<SplitPoint<N>>> {
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
                .max_by_key(|point| point.node.depth());
            if let Some(point) = deepest {
                point.workers.fetch_add(1, Ordering::Relaxed);
                break Some(point.clone());
            }
            state = unpoisoned(self.changed.wait(state));
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// Sends everybody home.
    pub(crate) fn shut(&self) {
        unpoisoned(self.state.lock()).closed = true;
        self.changed.notify_all();
    }
}
