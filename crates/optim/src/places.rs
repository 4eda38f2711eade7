//! Where a vector stands in a long list: an index by hash, beside the list and never saved.
//!
//! The memories of a run grow to tens of thousands of vectors and are asked "do you know this one?" for every
//! player of every generation. The index is only a shortcut: it holds nothing that the list does not, is made again
//! when a state is read back, and takes no part in comparing states.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use crate::space::Vector;

/// Places by the hash of the vector there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    by_hash: HashMap<u64, Vec<usize>>,
    indexed: usize,
}

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Places {
    /// The place of the vector in a list of that length, `at` giving its members. Members may have been added at
    /// the end since the last call; after any other change call [`Places::forget`].
    pub(crate) fn find<'a>(
        &mut self,
        vector: &[f64],
        length: usize,
        at: impl Fn(usize) -> &'a Vector,
    ) -> Option<usize> {
        for place in self.indexed..length {
            self.by_hash.entry(hash(at(place))).or_default().push(place);
        }
        self.indexed = length;
        let candidates = self.by_hash.get(&hash(vector))?;
        candidates.iter().copied().find(|&place| at(place) == vector)
    }

    /// The list was changed other than at its end.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Equal vectors have equal hashes: the two zeros are equal.
fn hash(vector: &[f64]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for value in vector {
        hasher.write_u64((value + 0.0).to_bits());
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_of_its_kind_also_after_growth_and_change() {
        let mut list: Vec<Vector> = vec![vec![1.0, 0.0], vec![2.0, 3.0], vec![1.0, 0.0]];
        let mut places = Places::default();
        let mut find = |list: &[Vector], v: &[f64]| places.find(v, list.len(), |place| &list[place]);
        assert_eq!(find(&list, &[1.0, -0.0]), Some(0));
        assert_eq!(find(&list, &[3.0, 2.0]), None);
        list.push(vec![3.0, 2.0]);
        assert_eq!(find(&list, &[3.0, 2.0]), Some(3));
        list.remove(0);
        places.forget();
        assert_eq!(places.find(&[3.0, 2.0], 3, |place| &list[place]), Some(2));
    }
}
