//! The transposition table of the flagship: buckets of four in one cache line, entries that age.
//!
//! An entry is 64 bits of data and the key crossed with them, so that threads read
//! and write without locks: a pair torn between two writers fits no key.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use vidmar_chess::{Bound, Key, Move};

use crate::settings::SettingsError;
use crate::table::empty;
use crate::value::{Value, from_node, from_root, is_from_tablebases};

/// What the table knows of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) best: Option<Move>,
    pub(crate) value: Value,
    /// The static value; [`NO_STATIC`] in check.
    pub(crate) static_value: Value,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position was once on a principal variation.
    pub(crate) pv: bool,
}

/// Stands for "no static value" where a value is kept in 16 bits.
pub(crate) const NO_STATIC: Value = i16::MIN as Value;

/// Depths from this on fit the entry's byte: quiescence is below 0.
const LOWEST_DEPTH: i32 = -8;
const AGES: u8 = 32;

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// The table, shared by all threads of a search.
pub(crate) struct Table {
    buckets: Box<[Bucket]>,
    age: AtomicU8,
    distrusts_tablebases: bool,
}

impl Table {
    /// A table of that many MiB, at least one bucket.
    pub(crate) fn new(mebibytes: usize) -> Result<Table, SettingsError> {
        let buckets = (mebibytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        Ok(Table {
            buckets: empty(buckets).map_err(|_| SettingsError::NoMemory(mebibytes))?,
            age: AtomicU8::new(0),
            distrusts_tablebases: false,
        })
    }

    /// From now on, values that come from tablebases are not given out.
    pub(crate) fn distrust_tablebases(&mut self, distrusts: bool) {
        self.distrusts_tablebases = distrusts;
    }

    pub(crate) fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// A new search begins: what is in the table is a search older.
    pub(crate) fn new_search(&self) {
        self.age
            .store((self.age.load(Ordering::Relaxed) + 1) % AGES, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        // The upper half of the product: even use of any number of buckets by the upper bits.
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Begins to fetch what is known of a position that will be asked for soon.
    #[inline]
    pub(crate) fn fetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        prefetch(self.bucket(key));
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of a position at `ply`.
    #[inline]
    pub(crate) fn get(&self, key: Key, ply: usize) -> Option<Entry> {
        let found = self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.check.load(Ordering::Relaxed) ^ data == key.0 && data != 0).then(|| unpack(data, ply))
        });
        found.filter(|entry| !self.distrusts_tablebases || !is_from_tablebases(entry.value))
    }

    /// Stores what a search found, over the entry of the bucket that is worth least.
    pub(crate) fn put(&self, key: Key, ply: usize, mut entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut worst = &self.bucket(key).0[0];
        let mut least = i32::MAX;
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                worst = slot;
                break;
            }
            if slot.check.load(Ordering::Relaxed) ^ data == key.0 {
                let old = unpack(data, ply);
                entry.best = entry.best.or(old.best);
                // A much shallower bound does not push out what is known of the same position.
                if entry.bound != Bound::Exact && age == age_of(data) && entry.depth < old.depth - 3 {
                    return;
                }
                worst = slot;
                break;
            }
            let ages = i32::from((age + AGES - age_of(data)) % AGES);
            let worth = depth_of(data) - 4 * ages;
            if worth < least {
                least = worth;
                worst = slot;
            }
        }
        let data = pack(&entry, ply, age);
        worst.data.store(data, Ordering::Relaxed);
        worst.check.store(key.0 ^ data, Ordering::Relaxed);
    }

    /// How many of a thousand slots hold something of this search.
    pub(crate) fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.buckets.len().min(250);
        let used = self.buckets[..sample]
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| {
                let data = slot.data.load(Ordering::Relaxed);
                data != 0 && age_of(data) == age
            })
            .count();
        (used * 1000 / (4 * sample)) as u32
    }
}

/// A plain load would do the same but hold up every instruction behind it once the processor's queue is full.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline]
fn prefetch(bucket: &Bucket) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint to the cache; it reads nothing, and any address is allowed.
    unsafe { _mm_prefetch(std::ptr::from_ref(bucket).cast(), _MM_HINT_T0) }
}

// The data: move 16 bits, value 16, static value 16, depth 8, bound 2 and never 0, pv 1, age 5.

fn pack(entry: &Entry, ply: usize, age: u8) -> u64 {
    let half = |value: Value| u64::from(value as i16 as u16);
    u64::from(entry.best.map_or(0, Move::word))
        | half(from_node(entry.value, ply)) << 16
        | half(entry.static_value) << 32
        | ((entry.depth - LOWEST_DEPTH) as u64 & 0xFF) << 48
        | (1 + entry.bound as u64) << 56
        | u64::from(entry.pv) << 58
        | u64::from(age) << 59
}

#[inline]
fn unpack(data: u64, ply: usize) -> Entry {
    let value = |shift: u32| Value::from((data >> shift) as i16);
    Entry {
        best: Move::from_word(data as u16),
        value: from_root(value(16), ply),
        static_value: value(32),
        depth: depth_of(data),
        bound: match data >> 56 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
        pv: data >> 58 & 1 != 0,
    }
}

#[inline]
fn depth_of(data: u64) -> i32 {
    (data >> 48 & 0xFF) as i32 + LOWEST_DEPTH
}

#[inline]
fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::MATE;
    use vidmar_chess::Square;

    fn entry(depth: i32, value: Value) -> Entry {
        let best = Some(Move::normal(Square::E2, Square::E4));
        Entry {
            best,
            value,
            static_value: -17,
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    #[test]
    fn what_goes_in_comes_out_with_mates_moved_to_the_ply() {
        let table = Table::new(1).expect("memory");
        for (n, value) in [0, 250, -3000, MATE - 7, -MATE + 12].into_iter().enumerate() {
            let key = Key(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(n as u64 + 1));
            table.put(key, 3, entry(-1, value));
            assert_eq!(table.get(key, 3), Some(entry(-1, value)));
        }
        let key = Key(77);
        table.put(key, 5, entry(9, MATE - 7));
        assert_eq!(table.get(key, 2).map(|found| found.value), Some(MATE - 4));
        assert_eq!(table.get(Key(78), 0), None);
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = Table::new(0).expect("memory");
        for n in 1..=4_u64 {
            table.put(Key(n), 0, entry(n as i32, 0));
        }
        table.put(Key(5), 0, entry(5, 0));
        assert_eq!(table.get(Key(1), 0), None, "the shallowest made room");
        for _ in 0..3 {
            table.new_search();
        }
        table.put(Key(2), 0, entry(1, 0));
        table.put(Key(6), 0, entry(1, 0));
        assert!(table.get(Key(2), 0).is_some(), "young again");
        assert_eq!(table.get(Key(3), 0), None, "the oldest and shallowest made room");
    }

    #[test]
    fn a_clear_table_knows_nothing() {
        let table = Table::new(1).expect("memory");
        table.put(Key(9), 0, entry(3, 1));
        table.clear();
        assert_eq!(table.get(Key(9), 0), None);
        assert_eq!(table.hashfull(), 0);
    }
}
