//! A slot for one entry that threads share without a lock.
//!
//! The key and the data are two atomics, written one after the other, so a reader may see halves of
//! two entries. The first half is therefore stored as `key ^ data`: halves that do not belong together
//! give a key that nobody asks for, but for a chance of 2⁻⁶⁴ (Hyatt and Mann, "A lock-less
//! transposition-table implementation for parallel search", 2002). No more ordering is needed, since
//! an entry means nothing beyond its own 128 bits.

use std::sync::atomic::{AtomicU64, Ordering};

use vidmar_chess::Key;

use super::entry::Entry;

#[derive(Debug, Default)]
pub(super) struct Slot {
    key_and_data: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// The entry here and the key it belongs to; nothing if the slot is empty.
    #[inline]
    pub(super) fn load(&self) -> Option<(Key, Entry)> {
        let data = self.data.load(Ordering::Relaxed);
        let key = Key(self.key_and_data.load(Ordering::Relaxed) ^ data);
        // An entry for depth 0 with value 0, no move and no nodes is never stored: nodes are at least 1.
        (data != 0).then(|| (key, Entry::unpack(data)))
    }

    #[inline]
    pub(super) fn store(&self, key: Key, entry: &Entry) {
        let data = entry.pack();
        self.key_and_data.store(key.0 ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }

    pub(super) fn clear(&self) {
        self.key_and_data.store(0, Ordering::Relaxed);
        self.data.store(0, Ordering::Relaxed);
    }
}
