//! Lines to choose openings from: random ones, or ones of a book.

use std::collections::HashSet;

use vidmar_chess::{Key, Position};

use super::Opening;
use crate::polyglot::{Book, BookMove};
use vidmar_rng::Rng;

/// Where the moves of a line come from.
#[derive(Copy, Clone, Debug)]
pub enum Source<'a> {
    /// Every legal move is as likely.
    Random,
    /// The moves of a book, as likely as their weights say. A line that leaves the book too early is none.
    Book(&'a Book),
}

/// So many draws in a row that give nothing new mean that there is nothing more.
const PATIENCE: u32 = 20_000;

/// Lines of so many plies from a start position, no two of which end in the same position.
///
/// The line of number n depends on the seed and n only. Lines that end the game are left out.
///
/// ```
/// use vidmar_chess::Position;
/// use vidmar_formats::openings::{Candidates, Source};
/// let all = Candidates::new(Source::Random, Position::default(), 1, 7);
/// assert_eq!(all.count(), 20);
/// ```
#[derive(Debug)]
pub struct Candidates<'a> {
    source: Source<'a>,
    start: Position,
    plies: usize,
    seed: u64,
    next: u64,
    seen: HashSet<Key>,
}

impl<'a> Candidates<'a> {
    /// The lines of a seed.
    pub fn new(source: Source<'a>, start: Position, plies: usize, seed: u64) -> Candidates<'a> {
        Candidates {
            source,
            start,
            plies,
            seed,
            next: 0,
            seen: HashSet::new(),
        }
    }

    /// Lines drawn so far, those left out included.
    pub fn drawn(&self) -> u64 {
        self.next
    }

    /// The line of a number, if it comes to its end.
    pub fn line(&self, number: u64) -> Option<Opening> {
        let mut rng = Rng::new(self.seed, b"openings", number, 0);
        let mut position = self.start.clone();
        let mut moves = Vec::with_capacity(self.plies);
        for _ in 0..self.plies {
            let m = match self.source {
                Source::Random => rng.pick(&position.legal_moves()).copied()?,
                Source::Book(book) => BookMove::draw(&book.moves(&position), &mut rng)?,
            };
            position.play(m);
            moves.push(m);
        }
        (position.count_legal_moves() > 0).then(|| Opening::new(self.start.clone(), moves))
    }
}

impl Iterator for Candidates<'_> {
    type Item = Opening;

    fn next(&mut self) -> Option<Opening> {
        for _ in 0..PATIENCE {
            let line = self.line(self.next);
            self.next += 1;
            if let Some(opening) = line
                && self.seen.insert(opening.end().key())
            {
                return Some(opening);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polyglot::Entry;

    #[test]
    fn two_random_plies_give_every_line_once_and_no_more() {
        let lines: Vec<Opening> = Candidates::new(Source::Random, Position::default(), 2, 1).collect();
        assert_eq!(lines.len(), 400);
        let ends: HashSet<Key> = lines.iter().map(|line| line.end().key()).collect();
        assert_eq!(ends.len(), 400);
    }

    #[test]
    fn the_seed_decides_and_the_lines_are_those_of_every_machine() {
        let first = |seed| {
            Candidates::new(Source::Random, Position::default(), 4, seed)
                .take(3)
                .map(|line| line.uci())
                .collect::<Vec<_>>()
        };
        assert_eq!(first(1), GOLDEN);
        assert_ne!(first(2), GOLDEN);
    }

    #[test]
    fn a_line_that_leaves_the_book_is_none() {
        let mut position = Position::default();
        let mut entries = Vec::new();
        for san in ["e4", "e5", "Nf3"] {
            let m = position.parse_san(san).expect("legal");
            entries.push(Entry::new(position.key(), m, 1));
            position.play(m);
        }
        let book = Book::from_entries(entries);
        let lines = |plies| Candidates::new(Source::Book(&book), Position::default(), plies, 0).count();
        assert_eq!((lines(3), lines(4)), (1, 0));
    }

    #[test]
    fn games_that_are_over_are_no_openings() {
        // The only move stalemates.
        let start: Position = "7k/8/4K3/6Q1/8/8/8/8 b - - 0 1".parse().expect("legal");
        let mut lines = Candidates::new(Source::Random, start, 2, 0);
        assert!(lines.all(|line| line.end().count_legal_moves() > 0));
    }

    const GOLDEN: [&str; 3] = [
        "g2g3 c7c6 a2a3 d8c7",
        "a2a4 e7e5 a1a2 f8d6",
        "e2e3 d7d5 f1d3 c8e6",
    ];
}
