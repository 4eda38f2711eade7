//! The transposition table: results of nodes by position key, shared by all threads.
//!
//! One entry type, a fixed number of buckets, and a [`Scheme`] that says which entry stays when a
//! bucket is full. [`Table::probe`] gives what is known of a position whatever its depth; whether it answers
//! the question at hand is the search's to decide.

mod entry;
mod scheme;
mod slot;

pub(crate) use entry::Entry;
pub use scheme::Scheme;

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, Ordering};

use vidmar_chess::Key;

use crate::settings::SettingsError;
use slot::Slot;

/// So many empty parts of a table, if there is memory for them.
pub(crate) fn empty<T: Default>(parts: usize) -> Result<Box<[T]>, TryReserveError> {
    let mut table = Vec::new();
    table.try_reserve_exact(parts)?;
    table.extend((0..parts).map(|_| T::default()));
    Ok(table.into_boxed_slice())
}

/// A transposition table of a fixed size.
#[derive(Debug)]
pub(crate) struct Table {
    scheme: Scheme,
    slots: Box<[Slot]>,
    buckets: usize,
    generation: AtomicU8,
}

impl Table {
    /// An empty table of so many mebibytes, at least one bucket; with [`Scheme::None`], none at all.
    pub(crate) fn new(scheme: Scheme, mebibytes: usize) -> Result<Table, SettingsError> {
        Table::with_bytes(scheme, mebibytes.saturating_mul(1 << 20))
            .map_err(|_| SettingsError::NoMemory(mebibytes))
    }

    fn with_bytes(scheme: Scheme, bytes: usize) -> Result<Table, TryReserveError> {
        let levels = scheme.levels();
        let buckets = match scheme {
            Scheme::None => 0,
            _ => (bytes / (levels * size_of::<Slot>())).max(1),
        };
        Ok(Table {
            scheme,
            slots: empty(buckets * levels)?,
            buckets,
            generation: AtomicU8::new(0),
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.slots.iter().for_each(Slot::clear);
    }

    /// Begins another search: what is there can be used, and gives way to what comes.
    pub(crate) fn next_generation(&self) {
        let next = self.generation.load(Ordering::Relaxed).wrapping_add(1) & entry::GENERATION_MASK;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// What is known of a position.
    #[inline]
    pub(crate) fn probe(&self, key: Key) -> Option<Entry> {
        self.bucket(key)
            .iter()
            .filter_map(Slot::load)
            .find_map(|(owner, entry)| (owner == key).then_some(entry))
    }

    /// Offers a result to the table.
    #[inline]
    pub(crate) fn store(&self, key: Key, mut entry: Entry) {
        entry.generation = self.generation.load(Ordering::Relaxed);
        // All zeros are an empty slot.
        entry.nodes = entry.nodes.max(1);
        self.scheme.store(self.bucket(key), key, &entry);
    }

    /// How many of a thousand slots hold something of this search.
    pub(crate) fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample.iter().filter_map(Slot::load);
        let used = used.filter(|(_, entry)| entry.generation == generation).count();
        (used * 1000 / sample.len().max(1)) as u32
    }

    /// The slots where a key may lie. The upper bits of the product spread keys evenly over any number
    /// of buckets.
    #[inline]
    fn bucket(&self, key: Key) -> &[Slot] {
        if self.buckets == 0 {
            return &[];
        }
        let levels = self.scheme.levels();
        let index = ((u128::from(key.0) * self.buckets as u128) >> 64) as usize;
        &self.slots[index * levels..(index + 1) * levels]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::{Bound, Move, Square};

    fn entry(depth: u8, nodes: u64) -> Entry {
        Entry {
            best: Some(Move::normal(Square::E2, Square::E4)),
            unproven: false,
            value: i32::from(depth),
            bound: Bound::Exact,
            depth,
            nodes,
            generation: 0,
        }
    }

    /// A table with a single bucket, filled with one entry, offered a second position's.
    fn collide(scheme: Scheme, old: Entry, new: Entry) -> (bool, bool) {
        let table = Table::with_bytes(scheme, 1).expect("memory");
        table.store(Key(1), old);
        table.store(Key(2), new);
        (table.probe(Key(1)).is_some(), table.probe(Key(2)).is_some())
    }

    #[test]
    fn each_scheme_keeps_what_it_says() {
        let (shallow, deep) = (entry(3, 10), entry(5, 10));
        let kept = (true, false);
        let replaced = (false, true);
        let both = (true, true);
        for (scheme, deeper, shallower, equal) in [
            (Scheme::None, (false, false), (false, false), (false, false)),
            (Scheme::Deep, replaced, kept, replaced),
            (Scheme::New, replaced, replaced, replaced),
            (Scheme::Old, kept, kept, kept),
            (Scheme::TwoLevel, both, both, both),
        ] {
            assert_eq!(collide(scheme, shallow, deep), deeper, "{scheme}, deeper");
            assert_eq!(collide(scheme, deep, shallow), shallower, "{scheme}, shallower");
            assert_eq!(collide(scheme, deep, deep), equal, "{scheme}, equal");
        }
        assert_eq!(collide(Scheme::Big, entry(5, 10), entry(3, 11)), replaced);
        assert_eq!(collide(Scheme::Big, entry(3, 11), entry(5, 10)), kept);
    }

    #[test]
    fn two_levels_hold_the_deepest_and_the_newest() {
        let table = Table::with_bytes(Scheme::TwoLevel, 1).expect("memory");
        for (key, depth) in [(1, 4), (2, 6), (3, 2), (4, 3)] {
            table.store(Key(key), entry(depth, 1));
        }
        let kept: Vec<u64> = (1..=4).filter(|&key| table.probe(Key(key)).is_some()).collect();
        assert_eq!(kept, [2, 4]);
        table.store(Key(5), entry(7, 1));
        assert!(table.probe(Key(5)).is_some() && table.probe(Key(2)).is_some());
    }

    #[test]
    fn the_same_position_is_renewed_but_not_by_something_shallower() {
        for &scheme in Scheme::ALL.iter().filter(|&&scheme| scheme != Scheme::None) {
            let table = Table::with_bytes(scheme, 1).expect("memory");
            table.store(Key(1), entry(4, 9));
            table.store(Key(1), entry(5, 1));
            assert_eq!(table.probe(Key(1)).map(|e| e.depth), Some(5), "{scheme}");
            table.store(Key(1), entry(3, 99));
            let expected = if scheme == Scheme::New { 3 } else { 5 };
            assert_eq!(table.probe(Key(1)).map(|e| e.depth), Some(expected), "{scheme}");
        }
    }

    #[test]
    fn an_earlier_search_gives_way() {
        for &scheme in Scheme::ALL.iter().filter(|&&scheme| scheme != Scheme::None) {
            let table = Table::with_bytes(scheme, 1).expect("memory");
            table.store(Key(1), entry(9, 1000));
            table.next_generation();
            table.store(Key(2), entry(1, 1));
            assert!(table.probe(Key(2)).is_some(), "{scheme}");
        }
    }

    #[test]
    fn what_this_search_has_stored_is_counted() {
        let table = Table::with_bytes(Scheme::Deep, 4 * 16).expect("memory");
        assert_eq!(table.hashfull(), 0);
        table.store(Key(1), entry(1, 1));
        assert_eq!(table.hashfull(), 250);
        table.next_generation();
        assert_eq!(table.hashfull(), 0);
        assert_eq!(Table::new(Scheme::None, 1).expect("memory").hashfull(), 0);
    }

    #[test]
    fn a_table_that_does_not_fit_is_refused() {
        let too_much = usize::MAX >> 22;
        let refused = Table::new(Scheme::New, too_much).err();
        assert_eq!(refused, Some(SettingsError::NoMemory(too_much)));
    }

    #[test]
    fn the_size_is_what_was_asked_for() {
        for &scheme in &Scheme::ALL[1..] {
            assert_eq!(Table::new(scheme, 1).expect("memory").slots.len(), (1 << 20) / 16);
        }
        assert_eq!(Table::new(Scheme::None, 64).expect("memory").slots.len(), 0);
    }
}
