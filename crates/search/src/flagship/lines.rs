//! Principal variations in a triangular array: one line for each ply, grown from the leaves.

use vidmar_chess::Move;

use crate::value::MAX_PLY;

/// The best line from each ply of the present path.
pub(crate) struct Lines {
    lines: Vec<Vec<Move>>,
}

impl Lines {
    pub(crate) fn new() -> Lines {
        Lines { lines: vec![Vec::new(); MAX_PLY + 2] }
    }

    /// A node at `ply` begins: nothing is known of its line.
    #[inline]
    pub(crate) fn begin(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// The line of `ply` is the move and the line below it.
    pub(crate) fn extend(&mut self, ply: usize, m: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&below[0]);
    }

    /// The line that the last child of `ply` found.
    pub(crate) fn below(&self, ply: usize) -> &[Move] {
        &self.lines[ply + 1]
    }
}
