//! Where a vector stands in a long list: an index by hash, beside the list and never saved.
//!
//! The memories of a run grow to tens of thousands of vectors and are asked "do you know this one?" for every
//! player of every generation. The index is only a shortcut: it holds nothing that the list does not, is made again
//! when a state is read back, and takes no part in comparing states.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use crate::space::Vector;

/// Indices by the hash of the vector there.
#[derive(Clone, Debug, Default)]
pub(crate) struct VectorIndex {
    by_hash: HashMap<u64, Vec<usize>>,
    indexed: usize,
}

impl PartialEq for VectorIndex {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl VectorIndex {
    /// The index of the vector in a list of that length, `at` giving its members. Members may have been added at
    /// the end since the last call; after any other change call [`VectorIndex::forget`].
    pub(crate) fn find<'a>(
        &mut self,
        vector: &[f64],
        length: usize,
        at: impl Fn(usize) -> &'a Vector,
    ) -> Option<usize> {
        for index in self.indexed..length {
            self.by_hash.entry(hash(at(index))).or_default().push(index);
        }
        self.indexed = length;
        let candidates = self.by_hash.get(&hash(vector))?;
        candidates.iter().copied().find(|&index| at(index) == vector)
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
        let mut indices = VectorIndex::default();
        let mut find = |list: &[Vector], v: &[f64]| indices.find(v, list.len(), |index| &list[index]);
        assert_eq!(find(&list, &[1.0, -0.0]), Some(0));
        assert_eq!(find(&list, &[3.0, 2.0]), None);
        list.push(vec![3.0, 2.0]);
        assert_eq!(find(&list, &[3.0, 2.0]), Some(3));
        list.remove(0);
        indices.forget();
        assert_eq!(indices.find(&[3.0, 2.0], 3, |index| &list[index]), Some(2));
    }
}
