//! The triangular array, in which lines are collected while searching.
//!
//! It keeps for each ply the best line found from there; a node that improves puts its move before its child's line. It ends
//! wherever the table answered.
//!
//! A node that fails low has shown no move to be good, only which one came nearest; where every window is minimal, as in MTD(f),
//! every second node is one. Its line is kept all the same, and how much of a line comes before the first such node is its proven
//! part.

use vidmar_chess::Move;

use crate::value::MAX_PLY;

/// The best lines from each ply of the present path.
pub(crate) struct Lines {
    lines: Vec<Vec<Move>>,
    /// How many moves of each are proven.
    proven: Vec<usize>,
}

impl Lines {
    pub(crate) fn new() -> Lines {
        Lines {
            lines: vec![Vec::new(); MAX_PLY + 2],
            proven: vec![0; MAX_PLY + 2],
        }
    }

    /// A node at this ply begins without a line.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
        self.proven[ply] = 0;
    }

    /// A node's best move is now this one, followed by what its child found.
    #[inline]
    pub(crate) fn improve(&mut self, ply: usize, m: Move) {
        self.come_nearest(ply, m);
        self.proven[ply] = 1 + self.proven[ply + 1];
    }

    /// A node's move is not good enough, but better than those before it.
    #[inline]
    pub(crate) fn come_nearest(&mut self, ply: usize, m: Move) {
        self.proven[ply] = 0;
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
    }

    /// A node's best line is now this one, which another thread found; so many moves of it are proven.
    pub(crate) fn adopt(&mut self, ply: usize, line: &[Move], proven: usize) {
        self.lines[ply].clear();
        self.lines[ply].extend_from_slice(line);
        self.proven[ply] = proven;
    }

    /// The line from this ply on.
    #[inline]
    pub(crate) fn from(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }

    /// How many of its moves are proven.
    #[inline]
    pub(crate) fn proven(&self, ply: usize) -> usize {
        self.proven[ply]
    }
}
