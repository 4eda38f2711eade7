//! A book in memory: read with its order checked, probed by binary search, written.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;
use vidmar_chess::{Key, Move, Position};

use super::entry::Entry;
use vidmar_rng::Rng;

/// Entries in the order of their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    entries: Vec<Entry>,
}

/// A legal move of a book.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub played: Move,
    /// Its weight; 0 is "never".
    pub weight: u16,
    /// The number for learning programs.
    pub learn: u32,
}

/// Why a file is no book.
#[derive(Debug, Error)]
pub enum BookError {
    /// It cannot be read. The reason is part of the words, and so no source of its own, which would be told twice.
    #[error("the book cannot be read: {0}")]
    Io(io::Error),
    /// It ends inside an entry.
    #[error("the book is cut off: {0} bytes are no multiple of 16, the size of an entry")]
    Truncated(usize),
    /// Its entries are not sorted, so that a search would miss some.
    #[error(
        "the book is not in order: entry {entry} has the key {key:016x}, the one before it {before:016x}"
    )]
    Unordered {
        /// The number of the first entry out of order, from 1.
        entry: usize,
        /// Its key.
        key: u64,
        /// The key before it.
        before: u64,
    },
}

impl From<io::Error> for BookError {
    fn from(reason: io::Error) -> BookError {
        BookError::Io(reason)
    }
}

impl Book {
    /// Reads a book from a file.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        Book::from_bytes(&read(path)?)
    }

    /// Reads a book whose entries may be in any order, and puts them in order. Entries that are the same are kept once.
    pub fn open_unordered(path: &Path) -> Result<Book, BookError> {
        Ok(Book::from_entries(entries(&read(path)?)?))
    }

    /// Reads a book from the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let entries = entries(bytes)?;
        let fault = entries.windows(2).position(|pair| pair[1].key < pair[0].key);
        match fault {
            None => Ok(Book { entries }),
            Some(index) => Err(BookError::Unordered {
                entry: index + 2,
                key: entries[index + 1].key.0,
                before: entries[index].key.0,
            }),
        }
    }

    /// A book of these entries: by key, in a position the heavier first, the same ones once.
    pub fn from_entries(mut entries: Vec<Entry>) -> Book {
        entries.sort_by_key(|entry| {
            (
                entry.key,
                std::cmp::Reverse(entry.weight),
                entry.word,
                entry.learn,
            )
        });
        entries.dedup();
        Book { entries }
    }

    /// The book as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// All entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries with this key.
    pub fn find(&self, key: Key) -> &[Entry] {
        let first = self.entries.partition_point(|entry| entry.key < key);
        let rest = &self.entries[first..];
        &rest[..rest.partition_point(|entry| entry.key == key)]
    }

    /// The legal moves that the book has in a position, the heaviest first, otherwise as the file has them.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in self.find(position.key()) {
            if let Some(played) = entry.legal_move(position) {
                moves.push(BookMove {
                    played,
                    weight: entry.weight,
                    learn: entry.learn,
                });
            }
        }
        moves.sort_by_key(|found| std::cmp::Reverse(found.weight));
        moves
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn entries(bytes: &[u8]) -> Result<Vec<Entry>, BookError> {
    let (whole, rest) = bytes.as_chunks::<{ Entry::SIZE }>();
    if rest.is_empty() {
        Ok(whole.iter().map(Entry::from_bytes).collect())
    } else {
        Err(BookError::Truncated(bytes.len()))
    }
}

impl BookMove {
    /// The heaviest of these moves, the first of equals; none if all weights are 0.
    pub fn best(moves: &[BookMove]) -> Option<Move> {
        // `max_by_key` takes the last of equals.
        let heaviest = moves.iter().rev().max_by_key(|found| found.weight)?;
        (heaviest.weight > 0).then_some(heaviest.played)
    }

    /// One of these moves, each as likely as its weight says; none if all weights are 0.
    pub fn draw(moves: &[BookMove], rng: &mut Rng) -> Option<Move> {
        let total: u64 = moves.iter().map(|found| u64::from(found.weight)).sum();
        if total == 0 {
            return None;
        }
        let mut left = rng.below(total);
        for found in moves {
            match left.checked_sub(found.weight.into()) {
                Some(rest) => left = rest,
                None => return Some(found.played),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start_book(weights: &[(&str, u16)]) -> Book {
        let start = Position::default();
        let entry = |&(uci, weight): &(&str, u16)| {
            Entry::new(start.key(), start.parse_uci(uci).expect("legal"), weight)
        };
        Book::from_entries(weights.iter().map(entry).collect())
    }

    #[test]
    fn files_that_are_no_books_are_refused_with_the_place() {
        let book = start_book(&[("e2e4", 3), ("d2d4", 1)]);
        let mut bytes = book.to_bytes();
        assert_eq!(Book::from_bytes(&bytes).expect("a book"), book);
        assert_eq!(
            Book::from_bytes(&bytes[..31]).unwrap_err().to_string(),
            "the book is cut off: 31 bytes are no multiple of 16, the size of an entry"
        );
        bytes[16] = 0;
        assert_eq!(
            Book::from_bytes(&bytes).unwrap_err().to_string(),
            "the book is not in order: entry 2 has the key 003b96181691fc9c, the one before it 463b96181691fc9c"
        );
        assert!(Book::from_bytes(&[]).expect("an empty book").entries().is_empty());
    }

    #[test]
    fn draws_follow_the_weights_and_the_seed() {
        let start = Position::default();
        let moves = start_book(&[("e2e4", 300), ("d2d4", 100), ("c2c4", 0)]).moves(&start);
        let mut counts = [0; 3];
        for seed in 0..4000 {
            let draw = || BookMove::draw(&moves, &mut Rng::new(seed, b"testbook", 0, 0));
            let drawn = draw().expect("a move");
            assert_eq!(draw(), Some(drawn));
            let index = moves.iter().position(|found| found.played == drawn);
            counts[index.expect("of the book")] += 1;
        }
        // Five standard deviations of a binomial count.
        assert!(counts[0] > 2860 && counts[0] < 3140, "{counts:?}");
        assert_eq!(counts[2], 0);
        assert_eq!(BookMove::best(&moves), start.parse_uci("e2e4").ok());
        assert_eq!(BookMove::best(&moves[2..]), None);
        assert_eq!(
            BookMove::draw(&moves[2..], &mut Rng::new(0, b"testbook", 0, 0)),
            None
        );
    }

    proptest::proptest! {
        #[test]
        fn no_file_makes_a_reader_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            if let Ok(book) = Book::from_bytes(&bytes) {
                assert_eq!(book.to_bytes(), bytes);
                let start = Position::default();
                for entry in book.entries() {
                    assert!(entry.legal_move(&start).is_none_or(|m| start.is_legal(m)));
                }
            }
        }
    }

    #[test]
    fn entries_are_found_at_both_ends_and_nowhere_else() {
        let entry = |key: u64| Entry {
            key: Key(key),
            word: 1,
            weight: 1,
            learn: 0,
        };
        let book = Book::from_entries([9, 1, 5, 5, u64::MAX].map(entry).to_vec());
        assert_eq!(book.entries().len(), 4);
        for (key, count) in [(0, 0), (1, 1), (2, 0), (5, 1), (9, 1), (10, 0), (u64::MAX, 1)] {
            assert_eq!(book.find(Key(key)).len(), count, "{key}");
        }
    }
}
