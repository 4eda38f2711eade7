//! When a search ends: depth, nodes, time, or somebody asks it to.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use vidmar_chess::{Move, MoveList};

use crate::value::MAX_DEPTH;

/// The limits of one search; whichever is reached first ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies of the deepest iteration, at most [`MAX_DEPTH`].
    pub depth: u32,
    /// Positions visited, quiescence included, by all threads together.
    pub nodes: Option<u64>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
    /// After this time no iteration is begun; the flagship may end a calm search earlier and a troubled one later.
    pub soft_time: Option<Duration>,
    /// A mate in that many moves is enough: no iteration is begun after it.
    pub mate: Option<u32>,
    /// The moves to consider at the root; all legal ones if empty.
    pub moves: Vec<Move>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: MAX_DEPTH,
            nodes: None,
            time: None,
            soft_time: None,
            mate: None,
            moves: Vec::new(),
        }
    }
}

impl Limits {
    /// Only a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth,
            ..Limits::default()
        }
    }

    /// Only a number of positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// The moves of the root that are to be considered.
    pub(crate) fn wanted(&self, legal: &MoveList) -> MoveList {
        let mut wanted = legal.clone();
        wanted.retain(|m| self.moves.is_empty() || self.moves.contains(m));
        wanted
    }
}

/// Why a search ended before its depth.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The node limit.
    Nodes,
    /// The time limit.
    Time,
    /// The caller's flag.
    Asked,
}

/// The search is to unwind: its limits are reached, or a brother has made this part of it useless.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interrupted;

/// Nodes between two looks at the clock and the flags: some 200 µs on the fastest board, and far
/// below the 4096 that are promised.
const POLL_NODES: u64 = 1024;

/// What all threads of a search share about its limits.
pub(crate) struct StopCondition<'s> {
    limits: &'s Limits,
    started: Instant,
    asked: &'s AtomicBool,
    /// Nodes that the threads have reported so far.
    nodes: AtomicU64,
    over: AtomicBool,
    reason: AtomicU8,
    poll_nodes: u64,
}

impl<'s> StopCondition<'s> {
    pub(crate) fn new(limits: &'s Limits, threads: usize, asked: &'s AtomicBool) -> StopCondition<'s> {
        StopCondition {
            limits,
            started: Instant::now(),
            asked,
            nodes: AtomicU64::new(0),
            over: AtomicBool::new(false),
            reason: AtomicU8::new(0),
            // What the threads have not yet reported may exceed the limit: together they keep the promise.
            poll_nodes: (POLL_NODES / threads as u64).max(64),
        }
    }

    pub(crate) fn limits(&self) -> &'s Limits {
        self.limits
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Nodes that the threads have reported so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Whether the search is over for every thread.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Ends the search because its work is done.
    pub(crate) fn finish(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    fn stop(&self, reason: Stopped) {
        let _ = self
            .reason
            .compare_exchange(0, 1 + reason as u8, Ordering::Relaxed, Ordering::Relaxed);
        self.finish();
    }

    /// Why the search was stopped, if it was.
    pub(crate) fn reason(&self) -> Option<Stopped> {
        match self.reason.load(Ordering::Relaxed) {
            1 => Some(Stopped::Nodes),
            2 => Some(Stopped::Time),
            3 => Some(Stopped::Asked),
            _ => None,
        }
    }

    /// How many nodes a thread may visit before its first report.
    pub(crate) fn first_report(&self) -> u64 {
        self.limits.nodes.unwrap_or(u64::MAX).min(self.poll_nodes)
    }

    /// Takes a thread's last nodes.
    pub(crate) fn add(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Takes a thread's report of nodes, and tells after how many more it must report again.
    pub(crate) fn report(&self, nodes: u64) -> Result<u64, Interrupted> {
        let total = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        if self.asked.load(Ordering::Relaxed) {
            self.stop(Stopped::Asked);
        }
        if self.limits.time.is_some_and(|time| self.elapsed() >= time) {
            self.stop(Stopped::Time);
        }
        let left = match self.limits.nodes {
            Some(limit) if total >= limit => {
                self.stop(Stopped::Nodes);
                0
            }
            Some(limit) => limit - total,
            None => u64::MAX,
        };
        if self.is_over() {
            return Err(Interrupted);
        }
        Ok(left.min(self.poll_nodes))
    }
}
