//! Playing from an opening book.
//!
//! A book move is played at once, without a search. Which one depends on the seed, the position and the length of the
//! game only, so that a game with a book is as repeatable as one without. Who wants an analysis (`infinite`) gets no
//! book moves, and `searchmoves` binds the book as it binds the search.

use std::path::Path;

use vidmar_chess::{Game, Move};
use vidmar_formats::polyglot::{Book, BookMove};
use vidmar_rng::Rng;

use crate::explanation::{BookExplanation, Explanation};
use crate::limits::Limits;

/// A move of a book, and why it was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenBookMove {
    /// The move.
    pub played: Move,
    /// Among what it was chosen.
    pub explanation: Explanation,
}

/// A player's book and how it is used.
#[derive(Clone, Debug, Default)]
pub struct OwnBook {
    /// Whether it is used.
    pub is_on: bool,
    /// Whether the heaviest move is played, instead of one by its weight.
    pub takes_best: bool,
    /// Another seed, other moves.
    pub seed: u64,
    book: Option<Book>,
    path: String,
}

impl OwnBook {
    /// The file of the book; empty for none.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Takes the book of a file; the empty path is no book. A file that is no book leaves the one before.
    pub fn open(&mut self, path: &str) -> Result<(), String> {
        self.book = match path {
            "" => None,
            path => Some(Book::open(Path::new(path)).map_err(|error| format!("{path}: {error}"))?),
        };
        path.clone_into(&mut self.path);
        Ok(())
    }

    /// The move of the book, if there is one and it is wanted.
    pub fn choose(&self, game: &Game, limits: &Limits) -> Option<ChosenBookMove> {
        if !self.is_on || limits.infinite {
            return None;
        }
        let mut moves = self.book.as_ref()?.moves(game.position());
        if !limits.search_moves.is_empty() {
            moves.retain(|found| limits.search_moves.contains(&found.played));
        }
        let (key, plies) = (game.position().key().0, game.moves().len() as u64);
        let played = if self.takes_best {
            BookMove::best(&moves)
        } else {
            BookMove::draw(&moves, &mut Rng::new(self.seed, b"own book", key, plies))
        }?;
        let explanation = BookExplanation::new(game.position(), &moves, self.takes_best);
        Some(ChosenBookMove {
            played,
            explanation: Explanation::Book(explanation),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_formats::polyglot::Entry;

    /// A book of the start position with e4 heavier than d4.
    fn book() -> OwnBook {
        let game = Game::default();
        let start = game.position();
        let entry = |uci, weight| Entry::new(start.key(), start.parse_uci(uci).expect("legal"), weight);
        OwnBook {
            is_on: true,
            book: Some(Book::from_entries(vec![entry("e2e4", 3), entry("d2d4", 1)])),
            ..OwnBook::default()
        }
    }

    fn chosen(own: &OwnBook, game: &Game, limits: &Limits) -> Option<Move> {
        own.choose(game, limits).map(|found| found.played)
    }

    #[test]
    fn the_seed_chooses_and_the_best_move_can_be_had() {
        let game = Game::default();
        let mut own = book();
        let draws = |own: &mut OwnBook| -> Vec<Option<Move>> {
            let draw = |seed| {
                own.seed = seed;
                chosen(own, &game, &Limits::depth(1))
            };
            (0..20).map(draw).collect()
        };
        let drawn = draws(&mut own);
        assert_eq!(drawn, draws(&mut own));
        let (e4, d4) = (
            game.position().parse_uci("e2e4").ok(),
            game.position().parse_uci("d2d4").ok(),
        );
        assert!(drawn.contains(&e4) && drawn.contains(&d4));
        own.takes_best = true;
        assert!(draws(&mut own).iter().all(|&m| m == e4));
    }

    #[test]
    fn the_book_keeps_silent_where_it_must() {
        let mut game = Game::default();
        let d4 = game.position().parse_uci("d2d4").expect("legal");
        let a3 = game.position().parse_uci("a2a3").expect("legal");
        let among = |moves: &[Move]| Limits {
            search_moves: moves.to_vec(),
            ..Limits::depth(1)
        };
        let mut own = book();
        assert_eq!(chosen(&own, &game, &among(&[a3, d4])), Some(d4));
        assert_eq!(chosen(&own, &game, &among(&[a3])), None);
        let infinite = Limits {
            infinite: true,
            ..Limits::none()
        };
        assert_eq!(chosen(&own, &game, &infinite), None);
        own.is_on = false;
        assert_eq!(chosen(&own, &game, &Limits::depth(1)), None);
        own.is_on = true;
        game.play(a3);
        assert_eq!(chosen(&own, &game, &Limits::depth(1)), None);
    }
}
