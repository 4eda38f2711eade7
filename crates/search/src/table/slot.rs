//! A place for one entry that threads share without a lock.
//!
//! The key and the word are two atomics, written one after the other, so a reader may see halves of
//! two entries. The first half is therefore stored as `key ^ word`: halves that do not belong together
//! give a key that nobody asks for, but for a chance of 2⁻⁶⁴ (Hyatt and Mann, "A lock-less
//! transposition-table implementation for parallel search", 2002). No more ordering is needed, since
//! an entry means nothing beyond its own 128 bits.

use std::sync::atomic::{AtomicU64, Ordering};

use vidmar_chess::Key;

use super::entry::Entry;

#[derive(Debug, Default)]
pub(super) struct Slot {
    key_and_word: AtomicU64,
    word: AtomicU64,
}

impl Slot {
    /// The entry here and the key it belongs to; nothing if the slot is empty.
    #[inline]
    pub(super) fn load(&self) -> Option<(Key, Entry)> {
        let word = self.word.load(Ordering::Relaxed);
        let key = Key(self.key_and_word.load(Ordering::Relaxed) ^ word);
        // An entry for depth 0 with value 0, no move and no nodes is never stored: nodes are at least 1.
        (word != 0).then(|| (key, Entry::unpack(word)))
    }

    #[inline]
    pub(super) fn store(&self, key: Key, entry: &Entry) {
        let word = entry.pack();
        self.key_and_word.store(key.0 ^ word, Ordering::Relaxed);
        self.word.store(word, Ordering::Relaxed);
    }

    pub(super) fn clear(&self) {
        self.key_and_word.store(0, Ordering::Relaxed);
        self.word.store(0, Ordering::Relaxed);
    }
}
