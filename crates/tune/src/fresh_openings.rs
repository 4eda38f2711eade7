//! Openings that no tuning game has begun with, for the validation match and the gauntlet.

use std::collections::HashSet;

use vidmar_arena::{Opening, archive};
use vidmar_chess::Position;
use vidmar_store::Store;

use crate::openings::Book;
use crate::run::RunError;

/// The positions from which the players of tuning games took over.
pub(crate) fn used_positions(store: &Store, run: i64) -> Result<HashSet<u64>, RunError> {
    let mut used = HashSet::new();
    store.for_each_game(run, |mut game| {
        // Only the opening's moves matter, and they are much fewer.
        let given: Vec<&str> = game.moves.split(' ').take(game.given as usize).collect();
        game.moves = given.join(" ");
        if let Ok((start, moves)) = archive::moves(&game) {
            used.insert(key_after(start, &moves));
        }
        Ok::<(), RunError>(())
    })?;
    Ok(used)
}

fn key_after(mut position: Position, moves: &[vidmar_chess::Move]) -> u64 {
    for &m in moves {
        position.play(m);
    }
    position.key().0
}

/// So many openings that no tuning game has begun with.
pub(crate) fn fresh_openings(book: &Book, count: u64, used: &HashSet<u64>) -> Vec<Opening> {
    let is_new = |opening: &Opening| !used.contains(&key_after(opening.start.clone(), &opening.moves));
    // A small book, or walks of a ply or two, may have nothing new.
    let own = (0..20 * count + 1000).map(|number| book.validation(number));
    let all = own.chain((0..).map(|number| book.spare(number)));
    let mut taken = HashSet::new();
    let mut is_other = |opening: &Opening| taken.insert(key_after(opening.start.clone(), &opening.moves));
    all.filter(|opening| is_new(opening) && is_other(opening))
        .take(count as usize)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks of one ply end in twenty positions, all used: the validation has others, and all are different.
    #[test]
    fn a_validation_never_runs_out_of_openings() {
        let book = crate::config::OpeningBook {
            source: crate::config::OpeningSource::Walks,
            plies: 1,
            file: None,
        };
        let book = Book::new(&book, 5).unwrap();
        let used: HashSet<u64> = (0..500)
            .map(|seed| key_after(Position::default(), &book.tuning(seed).moves))
            .collect();
        assert!(used.len() <= 20);
        let found = fresh_openings(&book, 30, &used);
        let ends: HashSet<u64> = found
            .iter()
            .map(|o| key_after(o.start.clone(), &o.moves))
            .collect();
        assert_eq!(ends.len(), 30);
        assert!(ends.is_disjoint(&used));
    }
}
