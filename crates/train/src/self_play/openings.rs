//! Where games of self-play begin: random plies, no two games in the same position.

use std::collections::HashSet;

use vidmar_arena::{Opening, RandomWalks, Walk as _};

/// Openings one after the other, the same ones for the same seed. A walk that ends where an earlier one did would lead to
/// the same game: it is left out. Takes eight bytes or so for each.
pub struct DistinctOpenings {
    plies: u16,
    seed: u64,
    /// Walks that were drawn.
    drawn: u64,
    ends: HashSet<u64>,
}

/// So many walks without a new end mean that there will be none: with few plies there are few positions.
const MOST_KNOWN: u64 = 5_000;

impl DistinctOpenings {
    /// Walks of so many plies and, every second one, of one more: both sides are to move first.
    pub fn new(plies: u16, seed: u64) -> DistinctOpenings {
        DistinctOpenings {
            plies,
            seed,
            drawn: 0,
            ends: HashSet::new(),
        }
    }
}

impl Iterator for DistinctOpenings {
    type Item = Opening;

    /// None once nothing new is found.
    fn next(&mut self) -> Option<Opening> {
        for _ in 0..MOST_KNOWN {
            let number = self.drawn;
            self.drawn += 1;
            let walks = RandomWalks {
                plies: usize::from(self.plies) + (number % 2) as usize,
                seed: self.seed,
            };
            let opening = walks.opening(number);
            let mut end = opening.start.clone();
            for &m in &opening.moves {
                end.play(m);
            }
            if self.ends.insert(end.key().0) {
                return Some(opening);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_the_seeds_and_no_two_end_alike() {
        let openings: Vec<Opening> = DistinctOpenings::new(2, 7).take(500).collect();
        assert_eq!(
            openings,
            DistinctOpenings::new(2, 7).take(500).collect::<Vec<_>>()
        );
        assert_ne!(
            openings,
            DistinctOpenings::new(2, 8).take(500).collect::<Vec<_>>()
        );
        let mut ends = HashSet::new();
        for opening in &openings {
            let mut end = opening.start.clone();
            opening.moves.iter().for_each(|&m| end.play(m));
            assert!(ends.insert(end.to_string().replace(" 0 ", " 1 ")));
        }
        let odd = openings.iter().filter(|opening| opening.moves.len() == 3).count();
        assert!((200..=400).contains(&odd), "{odd}");
    }

    #[test]
    fn few_plies_lead_to_few_positions() {
        // The start position, and those after one move.
        assert_eq!(DistinctOpenings::new(0, 1).count(), 21);
    }
}
