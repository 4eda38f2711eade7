//! Young brothers wait for the flagship: once the first move of a node is searched, its other moves are shared among
//! the threads that have nothing to do.
//!
//! The pool of split nodes is that of the laboratory's searches (`parallel/pool.rs`, which tells the rules); here is what a node of
//! the flagship takes along. Every thread keeps histories of its own. The root is not split, for its moves are
//! noted by one thread; nor is a node with an excluded move.

use std::sync::Arc;

use vidmar_chess::{BitboardBoard, Move};
use vidmar_eval::Evaluation;

use super::move_loop::{Found, Scene, Tally};
use super::worker::{Ply, Worker};
use crate::parallel::{Shareable, SplitPoint};

/// Shallower nodes are searched faster than shared.
const MIN_SPLIT_DEPTH: i32 = 5;

/// A node open for help: all that a thread needs to go on from there.
pub(crate) struct SharedNode {
    scene: Scene,
    pv: bool,
    board: BitboardBoard,
    /// What the plies down to the node have left for their children.
    stack: Box<[Ply]>,
    root_depth: i32,
    null_from: usize,
}

/// What is left to do there, and what has come of it.
pub(crate) struct Work {
    tally: Tally,
    /// The best line, if one of the shared moves was best and lines are kept.
    line: Option<Vec<Move>>,
}

impl Shareable for SharedNode {
    type Work = Work;

    fn depth(&self) -> i32 {
        self.scene.node.depth
    }
}

impl<E: Evaluation> Worker<'_, E> {
    /// Whether to share the moves that are left at a node.
    #[inline]
    pub(super) fn may_split(&self, scene: &Scene) -> bool {
        match &self.shared.pool {
            Some(pool) => {
                scene.node.depth >= MIN_SPLIT_DEPTH
                    && scene.node.ply > 0
                    && scene.excluded.is_none()
                    && pool.has_idle()
            }
            None => false,
        }
    }

    /// Shares the moves that are left and returns what all have come to.
    pub(super) fn split<const PV: bool>(&mut self, scene: &Scene, tally: Tally) -> Found {
        let Some(pool) = &self.shared.pool else {
            return tally.found;
        };
        let stack = self.stack[..=scene.node.ply].iter().map(|ply| Ply {
            excluded: None,
            ..*ply
        });
        let node = SharedNode {
            scene: *scene,
            pv: PV,
            board: self.board.clone(),
            stack: stack.collect(),
            root_depth: self.root_depth,
            null_from: self.null_from,
        };
        let above = self.split.clone();
        let point = SplitPoint::new(node, above.clone(), Work { tally, line: None });
        pool.open(&point);
        self.split = Some(Arc::clone(&point));
        let presence = pool.presence(&point);
        self.work_at::<PV>(&point);
        self.split = above;
        pool.close(&point);
        drop(presence);
        while let Some(other) = pool.next_below(&point) {
            self.help(&other);
        }
        let work = point.work();
        if let Some(line) = &work.line {
            self.lines.adopt(scene.node.ply, line, line.len());
        }
        work.tally.found
    }

    /// Goes to another thread's node, works there, and comes back.
    pub(super) fn help(&mut self, point: &Arc<SplitPoint<SharedNode>>) {
        let _presence = self.shared.pool.as_ref().map(|pool| pool.presence(point));
        let node = &point.node;
        let board = std::mem::replace(&mut self.board, node.board.clone());
        let split = self.split.replace(Arc::clone(point));
        let null_from = std::mem::replace(&mut self.null_from, node.null_from);
        self.root_depth = node.root_depth;
        // A thread that helps below its own node finds there the same plies above it.
        self.stack[..node.stack.len()].copy_from_slice(&node.stack);
        if node.pv {
            self.work_at::<true>(point);
        } else {
            self.work_at::<false>(point);
        }
        self.board = board;
        self.split = split;
        self.null_from = null_from;
    }

    /// Takes moves of a split node until there are none, it is cut off, or the search is over. The board stands at the
    /// node.
    fn work_at<const PV: bool>(&mut self, point: &SplitPoint<SharedNode>) {
        let scene = &point.node.scene;
        loop {
            let candidate = {
                let mut work = point.work();
                if self.is_over() {
                    return;
                }
                match self.next_candidate(scene, &mut work.tally) {
                    Some(candidate) => candidate,
                    None => return,
                }
            };
            let value = self.search_candidate::<PV>(scene, &candidate, 0);
            if self.is_over() {
                return;
            }
            let mut work = point.work();
            let improves = value > work.tally.found.alpha;
            let is_cut = self.take_in::<PV>(scene, &mut work.tally, &candidate, value);
            if PV && improves {
                work.line = Some(self.lines.from(scene.node.ply).to_vec());
            }
            if is_cut {
                point.cut_off();
                return;
            }
        }
    }
}
