//! What an engine has told of its thinking so far.

use std::time::Duration;

use vidmar_chess::{MoveInfo, Score};

/// The best line's score, depth and nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thoughts {
    exact: Option<Score>,
    bound: Option<Score>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

impl Thoughts {
    /// A score at a depth. A bound counts only as long as there is nothing better: what it bounds is not yet known.
    pub(crate) fn hear_score(&mut self, score: Score, is_bound: bool, depth: u32) {
        if !is_bound {
            self.exact = Some(score);
            self.depth = depth;
        } else if self.exact.is_none() {
            self.bound = Some(score);
            self.depth = depth;
        }
    }

    /// All of it, for a move that took this time.
    pub(crate) fn move_info(&self, time: Duration) -> MoveInfo {
        MoveInfo {
            score: self.score(),
            depth: self.depth,
            nodes: self.nodes,
            time,
        }
    }

    /// The score that counts.
    pub(crate) fn score(&self) -> Option<Score> {
        self.exact.or(self.bound)
    }
}
