//! Making a book from games.
//!
//! Every move of the first plies counts for its position with what the game brought the side that made it. By default
//! that is 2 for a win and 1 for a draw, and a move must have been played in three games, as PolyGlot's own maker has it.

use std::collections::HashMap;
use std::io::Read;

use vidmar_chess::{Color, Key, Move, Outcome, Position};

use super::book::Book;
use super::entry::Entry;
use crate::pgn::result::parse_result;
use crate::pgn::{Moves, PgnError, Reader, TagValue, Visitor};
use crate::text::Text;

/// Which moves enter a book, and how heavy they are.
#[derive(Clone, Debug, PartialEq)]
pub struct MakeOptions {
    /// Plies of each game that count.
    pub plies: usize,
    /// Games that a move must occur in.
    pub min_games: u32,
    /// The least score of a move, from 0 to 1, a draw being half a point.
    pub min_score: f64,
    /// The most moves in a position, the heaviest kept; 0 for no limit.
    pub max_moves: usize,
    /// Only the moves of this side.
    pub only: Option<Color>,
    /// What a won game adds to a move's weight.
    pub win_weight: u32,
    /// What a drawn game adds.
    pub draw_weight: u32,
    /// What a lost game adds.
    pub loss_weight: u32,
    /// What a game without a result adds.
    pub unknown_weight: u32,
    /// All moves that enter weigh the same.
    pub uniform: bool,
}

impl Default for MakeOptions {
    fn default() -> MakeOptions {
        MakeOptions {
            plies: 30,
            min_games: 3,
            min_score: 0.0,
            max_moves: 0,
            only: None,
            win_weight: 2,
            draw_weight: 1,
            loss_weight: 0,
            unknown_weight: 0,
            uniform: false,
        }
    }
}

/// What is known of a move in a position.
#[derive(Copy, Clone, Debug, Default)]
struct Tally {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Tally {
    fn weight(&self, options: &MakeOptions) -> u64 {
        let unknown = self.games - self.wins - self.draws - self.losses;
        [
            (self.wins, options.win_weight),
            (self.draws, options.draw_weight),
            (self.losses, options.loss_weight),
            (unknown, options.unknown_weight),
        ]
        .iter()
        .map(|&(games, weight)| u64::from(games) * u64::from(weight))
        .sum()
    }

    /// Of the games with a result; a move without any has a score that no one asked for.
    fn score(&self) -> f64 {
        let known = self.wins + self.draws + self.losses;
        if known == 0 {
            return 0.0;
        }
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(known)
    }
}

/// Counts moves of games. The book does not depend on the order of the games.
#[derive(Debug)]
pub struct BookMaker {
    options: MakeOptions,
    /// By key and move as the format writes it.
    tallies: HashMap<(Key, u16), Tally>,
    games: u64,
}

impl BookMaker {
    /// A maker without games.
    pub fn new(options: MakeOptions) -> BookMaker {
        BookMaker {
            options,
            tallies: HashMap::new(),
            games: 0,
        }
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Reads the next game; false at the end. A broken game adds nothing, and the reader stands at the next.
    pub fn read_game<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<bool, PgnError> {
        let mut opening = OpeningMoves {
            plies: self.options.plies,
            ..OpeningMoves::default()
        };
        if !reader.read_game(&mut opening)? {
            return Ok(false);
        }
        self.games += 1;
        for (key, turn, word) in opening.moves {
            if self.options.only.is_none_or(|only| only == turn) {
                let tally = self.tallies.entry((key, word)).or_default();
                tally.games += 1;
                match opening.result {
                    None => {}
                    Some(Outcome::Draw) => tally.draws += 1,
                    Some(Outcome::Decisive { winner }) if winner == turn => tally.wins += 1,
                    Some(Outcome::Decisive { .. }) => tally.losses += 1,
                }
            }
        }
        Ok(true)
    }

    /// Reads all games; stops at the first broken one.
    pub fn read<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<(), PgnError> {
        while self.read_game(reader)? {}
        Ok(())
    }

    /// The book: moves that pass the limits, by position, weights scaled to 16 bits where they need it.
    pub fn finish(self) -> Book {
        let options = &self.options;
        let mut kept: Vec<(Key, u64, u16)> = self
            .tallies
            .iter()
            .filter(|(_, tally)| tally.games >= options.min_games && tally.score() >= options.min_score)
            .map(|(&(key, word), tally)| (key, tally.weight(options), word))
            .filter(|&(_, weight, _)| weight > 0)
            .collect();
        kept.sort_unstable_by_key(|&(key, weight, word)| (key, std::cmp::Reverse(weight), word));
        let mut entries = Vec::with_capacity(kept.len());
        for moves in kept.chunk_by(|a, b| a.0 == b.0) {
            let most = match options.max_moves {
                0 => moves.len(),
                limit => limit.min(moves.len()),
            };
            let heaviest = moves[0].1;
            entries.extend(moves[..most].iter().map(|&(key, weight, word)| Entry {
                key,
                word,
                weight: if options.uniform {
                    1
                } else {
                    scaled(weight, heaviest)
                },
                learn: 0,
            }));
        }
        Book::from_entries(entries)
    }
}

/// A weight in 16 bits: as it is if the heaviest of its position fits, otherwise in proportion; never 0.
fn scaled(weight: u64, heaviest: u64) -> u16 {
    let most = u64::from(u16::MAX);
    if heaviest <= most {
        return weight as u16;
    }
    let proportion =
        (u128::from(weight) * u128::from(most) + u128::from(heaviest / 2)) / u128::from(heaviest);
    proportion.max(1) as u16
}

/// The first moves of a game, up to the first null move.
#[derive(Default)]
struct OpeningMoves {
    plies: usize,
    is_over: bool,
    moves: Vec<(Key, Color, u16)>,
    /// That of the moves, else of the tag.
    result: Option<Outcome>,
}

impl Visitor for OpeningMoves {
    fn tag(&mut self, name: Text<'_>, value: TagValue<'_>) {
        if name.decode() == "Result" {
            self.result = parse_result(value.decode().as_bytes()).unwrap_or_default();
        }
    }

    fn begin_moves(&mut self, _start: &Position) -> Moves {
        Moves::Read
    }

    fn played(&mut self, position: &Position, played: Option<Move>) {
        self.is_over |= self.moves.len() >= self.plies;
        match played {
            Some(m) if !self.is_over => {
                let entry = Entry::new(position.key(), m, 0);
                self.moves.push((entry.key, position.turn(), entry.word));
            }
            _ => self.is_over = true,
        }
    }

    fn result(&mut self, outcome: Option<Outcome>) {
        self.result = outcome;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(options: MakeOptions, games: &str) -> Book {
        let mut maker = BookMaker::new(options);
        maker.read(&mut Reader::new(games.as_bytes())).expect("games");
        maker.finish()
    }

    fn moves_of(book: &Book, position: &Position) -> Vec<(String, u16)> {
        book.moves(position)
            .iter()
            .map(|found| (position.san(found.played).to_string(), found.weight))
            .collect()
    }

    const GAMES: &str = "1. e4 e5 1-0\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n\n1. e4 e5 0-1\n\n1. c4 *\n\n";

    #[test]
    fn weights_are_wins_twice_and_draws_once() {
        let all = MakeOptions {
            min_games: 1,
            ..MakeOptions::default()
        };
        let start = Position::default();
        let made = book(all.clone(), GAMES);
        // d4 lost its only game, c4 has no result: nothing speaks for them.
        assert_eq!(moves_of(&made, &start), [("e4".to_owned(), 3)]);
        let lenient = MakeOptions {
            loss_weight: 1,
            unknown_weight: 5,
            ..all.clone()
        };
        let made = book(lenient, GAMES);
        let expected = [("c4", 5), ("e4", 4), ("d4", 1)].map(|(san, weight)| (san.to_owned(), weight));
        assert_eq!(moves_of(&made, &start), expected);
    }

    #[test]
    fn limits_keep_moves_out() {
        let start = Position::default();
        let count = |options: MakeOptions| book(options, GAMES).moves(&start).len();
        let lenient = MakeOptions {
            min_games: 1,
            win_weight: 1,
            loss_weight: 1,
            unknown_weight: 1,
            ..MakeOptions::default()
        };
        assert_eq!(count(lenient.clone()), 3);
        assert_eq!(
            count(MakeOptions {
                min_games: 3,
                ..lenient.clone()
            }),
            1
        );
        assert_eq!(
            count(MakeOptions {
                min_games: 4,
                ..lenient.clone()
            }),
            0
        );
        assert_eq!(
            count(MakeOptions {
                min_score: 0.5,
                ..lenient.clone()
            }),
            1
        );
        assert_eq!(
            count(MakeOptions {
                max_moves: 2,
                ..lenient.clone()
            }),
            2
        );
        assert_eq!(
            count(MakeOptions {
                only: Some(Color::Black),
                ..lenient.clone()
            }),
            0
        );
        assert_eq!(
            count(MakeOptions {
                plies: 0,
                ..lenient.clone()
            }),
            0
        );
        let uniform = book(
            MakeOptions {
                uniform: true,
                ..lenient.clone()
            },
            GAMES,
        );
        assert!(uniform.entries().iter().all(|entry| entry.weight == 1));
        let one_ply = book(
            MakeOptions {
                plies: 1,
                ..lenient.clone()
            },
            GAMES,
        );
        assert_eq!(one_ply.entries().len(), 3);
        assert_eq!(book(lenient, GAMES).entries().len(), 6);
    }

    #[test]
    fn heavy_weights_are_scaled_in_proportion() {
        assert_eq!(scaled(7, 65_535), 7);
        assert_eq!(scaled(200_000, 200_000), 65_535);
        assert_eq!(scaled(100_000, 200_000), 32_768);
        assert_eq!(scaled(1, u64::MAX), 1);
    }
}
