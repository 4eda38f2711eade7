//! What the pawns tell, kept by their key: most positions of a search share their pawns with one before.
//!
//! A table belongs to one evaluation and one thread. An entry is found by its whole 64-bit key, so that
//! evaluations with and without the table are equal; clearing it changes speed and nothing else.

use vidmar_chess::{Key, Position};

use super::pawns::PawnEntry;
use crate::breakdown::NoTrace;
use crate::weights::Weights;

/// Entries of a table: enough for the pawns of a short search, small enough to clear before every game.
const ENTRIES: usize = 2048;

/// A table of pawn structures.
#[derive(Clone, Debug)]
pub(crate) struct PawnTable {
    /// An unused entry is that of a board without pawns, whose key is 0.
    entries: Box<[PawnEntry]>,
}

impl PawnTable {
    pub(crate) fn new() -> PawnTable {
        PawnTable {
            entries: vec![PawnEntry::EMPTY; ENTRIES].into_boxed_slice(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(PawnEntry::EMPTY);
    }

    /// The entry of the position's pawns.
    #[inline(always)]
    pub(crate) fn entry(&mut self, weights: &Weights, position: &Position) -> &mut PawnEntry {
        let Key(key) = position.pawn_key();
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.key != Key(key) {
            *entry = fresh(weights, position);
        }
        entry
    }
}

#[cold]
#[inline(never)]
fn fresh(weights: &Weights, position: &Position) -> PawnEntry {
    PawnEntry::new(weights, position, &mut NoTrace)
}
