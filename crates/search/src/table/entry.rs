//! What a table stores of a node, packed into 64 bits.

use vidmar_chess::{Bound, Move};

use crate::value::Value;

/// What was found at a node. (Its key is kept beside it.)
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The move that was best or cut off, or else the one that came nearest.
    pub(crate) best: Option<Move>,
    /// Whether the move only came nearest: nothing was good enough, and moves are not ordered by it.
    pub(crate) unproven: bool,
    /// The value or bound, mates counted from this node.
    pub(crate) value: Value,
    /// What the value means.
    pub(crate) bound: Bound,
    /// The depth searched below the node.
    pub(crate) depth: u8,
    /// Nodes searched to find it, rounded down to 13 significant bits.
    pub(crate) nodes: u64,
    /// The number of the search that stored it, modulo 32.
    pub(crate) generation: u8,
}

// Bits of the data: move 0–15, value 16–31, depth 32–38, bound 39–40, generation 41–45, nodes 46–63. Only an upper bound can have
// an unproven move: that is the fourth value of the bound.
const DEPTH: u32 = 32;
const BOUND: u32 = 39;
const GENERATION: u32 = 41;
const NODES: u32 = 46;
const UNPROVEN: u64 = 3;
const DEPTH_MASK: u64 = 0x7f;
pub(super) const GENERATION_MASK: u8 = 0x1f;
/// Of the 18 bits for nodes, the lower 13 are significant digits and the upper 5 a shift.
const NODE_DIGITS: u32 = 13;

impl Entry {
    /// The move, if it was best or cut off.
    #[inline]
    pub(crate) fn proven_move(&self) -> Option<Move> {
        self.best.filter(|_| !self.unproven)
    }

    fn pack_bound(&self) -> u64 {
        if self.unproven {
            UNPROVEN
        } else {
            self.bound as u64
        }
    }

    pub(super) fn pack(&self) -> u64 {
        u64::from(self.best.map_or(0, Move::word))
            | u64::from(self.value as i16 as u16) << 16
            | (u64::from(self.depth) & DEPTH_MASK) << DEPTH
            | self.pack_bound() << BOUND
            | u64::from(self.generation & GENERATION_MASK) << GENERATION
            | pack_nodes(self.nodes) << NODES
    }

    pub(super) fn unpack(data: u64) -> Entry {
        Entry {
            best: Move::from_word(data as u16),
            unproven: data >> BOUND & 3 == UNPROVEN,
            value: Value::from((data >> 16) as u16 as i16),
            depth: (data >> DEPTH & DEPTH_MASK) as u8,
            bound: match data >> BOUND & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            generation: (data >> GENERATION) as u8 & GENERATION_MASK,
            nodes: unpack_nodes(data >> NODES),
        }
    }
}

/// A count as digits and a shift; order is kept, and no shift is needed below 8192.
fn pack_nodes(nodes: u64) -> u64 {
    let bits = u64::BITS - nodes.leading_zeros();
    let shift = bits.saturating_sub(NODE_DIGITS).min(31);
    let digits = (nodes >> shift).min((1 << NODE_DIGITS) - 1);
    u64::from(shift) << NODE_DIGITS | digits
}

fn unpack_nodes(packed: u64) -> u64 {
    (packed & ((1 << NODE_DIGITS) - 1)) << (packed >> NODE_DIGITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::MATE;
    use vidmar_chess::Square;

    #[test]
    fn entries_come_back_as_they_went() {
        for value in [0, -1, 1, 12_345, -12_345, MATE, -MATE] {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                for (depth, generation, nodes) in [(0, 0, 0), (100, 31, 8191), (7, 3, 1 << 40)] {
                    let entry = Entry {
                        best: Some(Move::normal(Square::G1, Square::F3)),
                        unproven: false,
                        value,
                        bound,
                        depth,
                        nodes,
                        generation,
                    };
                    assert_eq!(Entry::unpack(entry.pack()), entry);
                    let none = Entry { best: None, ..entry };
                    assert_eq!(Entry::unpack(none.pack()), none);
                    let unproven = Entry {
                        unproven: bound == Bound::Upper,
                        ..entry
                    };
                    assert_eq!(Entry::unpack(unproven.pack()), unproven);
                    assert_eq!(unproven.proven_move().is_none(), bound == Bound::Upper);
                }
            }
        }
    }

    #[test]
    fn node_counts_keep_their_order() {
        let mut last = 0;
        for nodes in (0..100_000).chain((100_000..40_000_000).step_by(997)) {
            let kept = unpack_nodes(pack_nodes(nodes));
            assert!(
                kept >= last && kept <= nodes && nodes - kept <= nodes >> 12,
                "{nodes}"
            );
            last = kept;
        }
    }
}
