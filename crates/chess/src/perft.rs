//! Perft with what the plain count leaves out: results per root move, a table of counts, many threads.
//!
//! The plain count is [`Board::perft`]. A tree is shared among threads by cutting it into the
//! positions a ply or two below the root; the sum does not depend on who counts which.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::Board;
use crate::moves::Move;

/// Counts already known, by position key and depth, shared by any number of threads without locks.
///
/// Each slot is two words, the second the count with its depth and the first the key crossed with the
/// second, so that a slot torn between two writers fits no key. A count is wrong only where two
/// positions share all 64 bits of a key: plain perft is the truth, the table a convenience.
pub struct PerftTable {
    slots: Box<[[AtomicU64; 2]]>,
}

impl PerftTable {
    /// A table of that size, rounded down to a power of two of slots, at least one.
    pub fn with_mebibytes(mebibytes: usize) -> PerftTable {
        let slots = (mebibytes << 20) / size_of::<[AtomicU64; 2]>();
        let slots = if slots.is_power_of_two() {
            slots
        } else {
            slots.next_power_of_two() / 2
        }
        .max(1);
        PerftTable {
            slots: (0..slots)
                .map(|_| [AtomicU64::new(0), AtomicU64::new(0)])
                .collect(),
        }
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }

    fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let [check, data] = self.slot(key);
        let data = data.load(Ordering::Relaxed);
        (check.load(Ordering::Relaxed) ^ data == key && data & 0xFF == u64::from(depth)).then_some(data >> 8)
    }

    fn put(&self, key: u64, depth: u32, nodes: u64) {
        // 56 bits hold every count up to depth 11 of the start position; larger ones are not kept.
        if nodes >> 56 == 0 && depth < 256 {
            let [check, data] = self.slot(key);
            let word = nodes << 8 | u64::from(depth);
            data.store(word, Ordering::Relaxed);
            check.store(key ^ word, Ordering::Relaxed);
        }
    }
}

/// The number of move sequences of `depth` plies, with a table of known counts.
pub fn perft_with_table<B: Board>(board: &mut B, depth: u32, table: &PerftTable) -> u64 {
    if depth <= 1 {
        return board.perft(depth);
    }
    let key = board.key().0;
    if let Some(nodes) = table.get(key, depth) {
        return nodes;
    }
    let mut nodes = 0;
    for m in board.legal_moves() {
        board.make(m);
        nodes += perft_with_table(board, depth - 1, table);
        board.unmake();
    }
    table.put(key, depth, nodes);
    nodes
}

/// The sequences of `plies` moves from here: the pieces into which a tree is cut.
pub fn openings<B: Board>(board: &mut B, plies: u32) -> Vec<Vec<Move>> {
    let mut lines = Vec::new();
    collect_lines(board, plies, &mut Vec::new(), &mut lines);
    lines
}

fn collect_lines<B: Board>(board: &mut B, plies: u32, line: &mut Vec<Move>, lines: &mut Vec<Vec<Move>>) {
    if plies == 0 {
        lines.push(line.clone());
        return;
    }
    for m in board.legal_moves() {
        line.push(m);
        board.make(m);
        collect_lines(board, plies - 1, line, lines);
        board.unmake();
        line.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BitboardBoard, Position};

    fn kiwipete() -> BitboardBoard {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        BitboardBoard::new(&fen.parse::<Position>().expect("legal"))
    }

    #[test]
    fn a_table_of_any_size_changes_nothing() {
        for mebibytes in [0, 1, 3] {
            let table = PerftTable::with_mebibytes(mebibytes);
            for depth in [3, 4, 2, 4] {
                assert_eq!(
                    perft_with_table(&mut kiwipete(), depth, &table),
                    kiwipete().perft(depth)
                );
            }
        }
    }

    #[test]
    fn a_tree_is_the_sum_of_its_pieces() {
        for plies in 0..=3 {
            let pieces = openings(&mut kiwipete(), plies);
            assert_eq!(pieces.len() as u64, kiwipete().perft(plies));
            let sum: u64 = pieces
                .iter()
                .map(|line| {
                    let mut board = kiwipete();
                    for &m in line {
                        board.make(m);
                    }
                    board.perft(3 - plies)
                })
                .sum();
            assert_eq!(sum, 97_862);
        }
    }
}
