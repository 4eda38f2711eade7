//! Which of two entries stays when both want one slot.
//!
//! The schemes and their names are those of [breuker-1994], as in [maribor-2004]. They speak of *collisions*, two
//! positions with one slot. A newer result for the *same* position replaces it unless the old one is deeper
//! (with New it always does), and in all schemes an entry of an earlier search gives way.

use vidmar_chess::Key;

use super::entry::Entry;
use super::slot::Slot;
use vidmar_text::named_enum;

named_enum! {
    /// The replacement schemes.
    pub enum Scheme: "table scheme";
    None, "none", "no table";
    Deep, "deep", "the deeper entry stays; of two equal ones, the newer";
    New, "new", "the newer entry stays";
    Old, "old", "the older entry stays";
    Big, "big", "the entry that cost more nodes stays; of two equal ones, the newer";
    TwoLevel, "two-level", "a deeper newcomer moves the old entry to a second level; others go to the second level";
}

impl Scheme {
    /// Slots that share one index.
    pub(super) const fn levels(self) -> usize {
        match self {
            Scheme::TwoLevel => 2,
            _ => 1,
        }
    }

    /// Puts an entry into its bucket, or does not.
    #[inline]
    pub(super) fn store(self, bucket: &[Slot], key: Key, entry: &Entry) {
        match self {
            Scheme::None => {}
            Scheme::TwoLevel => store_two_level(bucket, key, entry),
            _ => {
                if let Some(slot) = bucket.first()
                    && slot
                        .load()
                        .is_none_or(|(owner, old)| self.gives_way(owner == key, &old, entry))
                {
                    slot.store(key, entry);
                }
            }
        }
    }

    #[inline]
    fn gives_way(self, same_position: bool, old: &Entry, new: &Entry) -> bool {
        if old.generation != new.generation {
            return true;
        }
        match self {
            Scheme::New => true,
            _ if same_position => new.depth >= old.depth,
            Scheme::Deep => new.depth >= old.depth,
            Scheme::Big => new.nodes >= old.nodes,
            Scheme::None | Scheme::Old | Scheme::TwoLevel => false,
        }
    }
}

#[inline]
fn store_two_level(bucket: &[Slot], key: Key, entry: &Entry) {
    let [first, second] = bucket else { return };
    match first.load() {
        Some((owner, old)) if old.generation == entry.generation => {
            if owner == key {
                if entry.depth >= old.depth {
                    first.store(key, entry);
                }
            } else if entry.depth > old.depth {
                second.store(owner, &old);
                first.store(key, entry);
            } else {
                second.store(key, entry);
            }
        }
        _ => first.store(key, entry),
    }
}
