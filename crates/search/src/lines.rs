//! Principal variations: collected while searching in a triangular array, or read from the table.
//!
//! The triangular array keeps for each ply the best line found from there; a node that improves puts
//! its move before its child's line. It is exact, and cut short wherever the table answered. The table
//! can be walked afterwards instead: longer, but entries may have been replaced, so every move is checked.

use vidmar_chess::{Board, Bound, Move};

use crate::draws::table_key;
use crate::table::Table;
use crate::value::MAX_PLY;

/// The best lines from each ply of the present path.
pub(crate) struct Lines {
    lines: Vec<Vec<Move>>,
}

impl Lines {
    pub(crate) fn new() -> Lines {
        Lines {
            lines: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// A node at this ply begins without a line.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// A node's best move is now this one, followed by what its child found.
    #[inline]
    pub(crate) fn improve(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
    }

    /// The same with a line that another thread found.
    pub(crate) fn adopt(&mut self, ply: usize, line: &[Move]) {
        self.lines[ply].clear();
        self.lines[ply].extend_from_slice(line);
    }

    /// The line from this ply on.
    #[inline]
    pub(crate) fn from(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }
}

/// The line that the table has from a position searched to `depth`, as long as the entries are
/// values or cut-offs, legal, and do not go in circles.
pub(crate) fn from_table<B: Board>(board: &B, table: &Table, depth: u32) -> Vec<Move> {
    let mut board = board.clone();
    let mut line = Vec::new();
    let mut seen = Vec::new();
    for left in (1..=depth).rev() {
        let key = table_key(&board, left);
        let Some(entry) = table.probe(key).filter(|entry| entry.bound != Bound::Upper) else {
            break;
        };
        match entry.best {
            Some(m) if board.is_legal(m) && !seen.contains(&key) => {
                seen.push(key);
                line.push(m);
                board.make(m);
            }
            _ => break,
        }
    }
    line
}
