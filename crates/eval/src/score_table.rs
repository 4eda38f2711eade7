//! The latest scores, kept by the position's key.
//!
//! A search meets most of its leaves again: one iteration deeper, after moves in another order, when a window was too
//! narrow. What its own table keeps of them is lost sooner, since leaves that are cut off at once are not entered there.
//! A score is found by the whole 64-bit key, so that evaluations with and without the table are equal.

use vidmar_chess::Key;

/// Scores of a table: half of a usual second-level cache would be too much.
const ENTRIES: usize = 4096;

/// A table of scores.
#[derive(Clone, Debug)]
pub(crate) struct ScoreTable {
    entries: Box<[(Key, i32)]>,
}

impl ScoreTable {
    pub(crate) fn new() -> ScoreTable {
        let mut table = ScoreTable {
            entries: vec![(Key(0), 0); ENTRIES].into_boxed_slice(),
        };
        table.clear();
        table
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill((Key(0), 0));
        // No unused entry has a key that belongs at its index.
        self.entries[0].0 = Key(1);
    }

    /// The score kept under the key, or else the computed one, which is then kept.
    #[inline(always)]
    pub(crate) fn get_or(&mut self, key: Key, compute: impl FnOnce() -> i32) -> i32 {
        let entry = &mut self.entries[key.0 as usize % ENTRIES];
        if entry.0 != key {
            *entry = (key, compute());
        }
        entry.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_computed_once_until_pushed_out() {
        let mut table = ScoreTable::new();
        for key in [Key(0), Key(7), Key(ENTRIES as u64), Key(u64::MAX)] {
            assert_eq!(table.get_or(key, || 3), 3, "{key:?} was never entered");
            assert_eq!(table.get_or(key, || 4), 3);
        }
        assert_eq!(
            table.get_or(Key(0), || 5),
            5,
            "pushed out by the key that shares its index"
        );
        table.clear();
        assert_eq!(table.get_or(Key(7), || 6), 6);
    }
}
