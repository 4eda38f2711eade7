//! `POST /runs/{id}/explorer`: what was played from a position in the games of a run, and what came of it.
//!
//! The first plies of every game are counted once, in a thread of its own, and kept for the next question; whoever goes away stops
//! the counting. Positions that are reached by different moves are one. Memory has an end: beyond so many moves only known ones are
//! counted further, and the answer says so.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_arena::archive;
use vidmar_chess::{Color, Key, Move, Outcome, Position};
use vidmar_store::{Game, RunId, Store, StoreError};

use super::games::RunPart;
use super::library::{Entry, lock};
use super::long;
use super::stamp::Stamp;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::position::{MoveText, PositionRequest};
use crate::server::Server;

/// Plies of a game that are counted.
const PLIES: usize = 60;
/// Moves that are counted, of all positions together: about 60 MiB.
const MOST_MOVES: usize = 1_000_000;
/// Runs whose counts are kept.
const MOST_KEPT: usize = 2;
/// How long the counts of a run that goes on are good for.
const FRESH: Duration = Duration::from_secs(10);

/// Which position of which games.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub(super) struct ExplorerRequest {
    /// Where it begins; the usual start position if absent.
    #[serde(default)]
    fen: Option<String>,
    /// Moves from there, in UCI notation.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>")]
    moves: Vec<String>,
    /// The games of tuning or of the validation.
    #[serde(default)]
    part: Option<RunPart>,
}

/// What was played from a position.
#[derive(Debug, Default, PartialEq, Eq, Serialize, TS)]
pub(super) struct Explorer {
    /// The moves, the most frequent first.
    moves: Vec<ExplorerMove>,
    /// Games that were counted, of the whole run.
    games: u64,
    /// Plies of each that were.
    plies: usize,
    /// Whether rare moves are missing because there are too many.
    is_cut: bool,
}

/// A move with what came of it.
#[derive(Debug, PartialEq, Eq, Serialize, TS)]
pub(super) struct ExplorerMove {
    #[serde(flatten)]
    text: MoveText,
    games: u64,
    /// Won by White.
    white: u64,
    draws: u64,
    /// Won by Black.
    black: u64,
}

/// How often a move was played, by result.
#[derive(Clone, Copy, Debug)]
struct Played {
    m: Move,
    white: u32,
    draws: u32,
    black: u32,
    unfinished: u32,
}

/// What was played in the games of a run.
#[derive(Debug, Default)]
struct Index {
    positions: HashMap<Key, Vec<Played>>,
    moves: usize,
    games: u64,
    is_cut: bool,
}

/// The indices that are kept.
#[derive(Default)]
pub(super) struct Indices(Mutex<VecDeque<Kept>>);

struct Kept {
    run: String,
    part: RunPart,
    stamp: Stamp,
    made: Instant,
    index: Arc<Index>,
}

/// Says stop when the request is dropped.
struct Cancelled(Arc<AtomicBool>);

impl Drop for Cancelled {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Why a count has no end.
enum Broken {
    Store(StoreError),
    Cancelled,
}

impl From<StoreError> for Broken {
    fn from(error: StoreError) -> Broken {
        Broken::Store(error)
    }
}

/// `POST /runs/{id}/explorer`
pub(super) async fn explore(
    State(server): State<Server>,
    Path(id): Path<String>,
    Body(request): Body<ExplorerRequest>,
) -> ApiResult<Json<Explorer>> {
    let wanted = PositionRequest {
        fen: request.fen,
        moves: request.moves,
    };
    let game = wanted.game()?;
    let gone = Arc::new(AtomicBool::new(false));
    let _cancelled = Cancelled(Arc::clone(&gone));
    let answer = long(server, move |library| {
        let entry = library.find(&id)?;
        let index = library
            .indices
            .get(&entry, request.part.unwrap_or_default(), &gone)?;
        Ok(index.answer(game.position()))
    });
    answer.await.map(Json)
}

impl Indices {
    /// The index of a run: kept, or made now.
    fn get(&self, entry: &Entry, part: RunPart, gone: &AtomicBool) -> ApiResult<Arc<Index>> {
        let stamp = entry.stamp();
        let is_same = |kept: &Kept| kept.run == entry.id && kept.part == part;
        let is_good = |kept: &&Kept| is_same(kept) && (kept.stamp == stamp || kept.made.elapsed() < FRESH);
        if let Some(kept) = lock(&self.0).iter().find(is_good) {
            return Ok(Arc::clone(&kept.index));
        }
        let index = Arc::new(Index::of(entry, part, gone)?);
        let mut kept = lock(&self.0);
        kept.retain(|kept| !is_same(kept));
        kept.truncate(MOST_KEPT - 1);
        kept.push_front(Kept {
            run: entry.id.clone(),
            part,
            stamp,
            made: Instant::now(),
            index: Arc::clone(&index),
        });
        Ok(index)
    }
}

impl Index {
    fn of(entry: &Entry, part: RunPart, gone: &AtomicBool) -> ApiResult<Index> {
        let counted = entry.read_games(part, |store: &Store, run: RunId| {
            let mut index = Index::default();
            store.for_each_game(run, |game| {
                if gone.load(Ordering::Relaxed) {
                    return Err(Broken::Cancelled);
                }
                index.add(&game);
                Ok(())
            })?;
            Ok(index)
        });
        counted.map_err(|broken| match broken {
            Broken::Store(error) => entry.unreadable(&error),
            Broken::Cancelled => ApiError::conflict("no-answer", "nobody waits for the answer"),
        })
    }

    fn add(&mut self, game: &Game) {
        // One that cannot be read is no game.
        let Ok((mut position, moves)) = archive::moves(game) else {
            return;
        };
        self.games += 1;
        for m in moves.into_iter().take(PLIES) {
            self.count(&position, m, game.result);
            position.play(m);
        }
    }

    fn count(&mut self, position: &Position, m: Move, result: Option<Outcome>) {
        let is_full = self.moves >= MOST_MOVES;
        let key = position.key();
        let known = self.positions.get_mut(&key);
        let played = match known {
            Some(played) => played,
            None if is_full => {
                self.is_cut = true;
                return;
            }
            None => self.positions.entry(key).or_default(),
        };
        let at = played.iter().position(|played| played.m == m);
        let at = match at {
            Some(at) => at,
            None if is_full => {
                self.is_cut = true;
                return;
            }
            None => {
                self.moves += 1;
                played.push(Played::new(m));
                played.len() - 1
            }
        };
        played[at].add(result);
    }

    fn answer(&self, position: &Position) -> Explorer {
        let mut played = self.positions.get(&position.key()).cloned().unwrap_or_default();
        // Two positions may share a key; an illegal move is of the other one.
        played.retain(|played| position.is_legal(played.m));
        played.sort_by_key(|played| std::cmp::Reverse(played.games()));
        Explorer {
            moves: played.iter().map(|played| played.shown(position)).collect(),
            games: self.games,
            plies: PLIES,
            is_cut: self.is_cut,
        }
    }
}

impl Played {
    fn new(m: Move) -> Played {
        Played {
            m,
            white: 0,
            draws: 0,
            black: 0,
            unfinished: 0,
        }
    }

    fn add(&mut self, result: Option<Outcome>) {
        let count = match result.map(|result| result.half_points(Color::White)) {
            Some(2) => &mut self.white,
            Some(1) => &mut self.draws,
            Some(_) => &mut self.black,
            None => &mut self.unfinished,
        };
        *count = count.saturating_add(1);
    }

    fn games(&self) -> u64 {
        [self.white, self.draws, self.black, self.unfinished]
            .into_iter()
            .map(u64::from)
            .sum()
    }

    fn shown(&self, position: &Position) -> ExplorerMove {
        ExplorerMove {
            text: MoveText::new(position, self.m),
            games: self.games(),
            white: u64::from(self.white),
            draws: u64::from(self.draws),
            black: u64::from(self.black),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str, result: Option<Outcome>) -> Game {
        Game {
            moves: moves.to_owned(),
            result,
            ..Game::default()
        }
    }

    #[test]
    fn moves_are_counted_by_position_whatever_led_there() {
        let mut index = Index::default();
        index.add(&game("e2e4 e7e5 g1f3", Some(Outcome::WHITE_WINS)));
        index.add(&game("g1f3 e7e5 e2e4", Some(Outcome::Draw)));
        index.add(&game("e2e4 c7c5", Some(Outcome::BLACK_WINS)));
        index.add(&game("e2e4 c7c5", None));
        index.add(&game("e2e4 e2e4", Some(Outcome::Draw)));
        let start = index.answer(&Position::default());
        let shown: Vec<_> = start
            .moves
            .iter()
            .map(|m| (m.text.san.as_str(), m.games, m.white, m.draws, m.black))
            .collect();
        assert_eq!(shown, [("e4", 3, 1, 0, 1), ("Nf3", 1, 0, 1, 0)]);
        assert_eq!((start.games, start.is_cut), (4, false));
        // Both orders of moves lead to one position, from which nobody went on.
        let mut position = Position::default();
        for text in ["e2e4", "e7e5"] {
            let m = position.parse_uci(text).expect("a move");
            position.play(m);
        }
        let later = index.answer(&position);
        assert_eq!(later.moves.len(), 1);
        assert_eq!(later.moves[0].text.san, "Nf3");
    }

    #[test]
    fn memory_has_an_end() {
        let mut index = Index {
            moves: MOST_MOVES - 1,
            ..Index::default()
        };
        index.add(&game("e2e4 e7e5", Some(Outcome::Draw)));
        index.add(&game("d2d4", Some(Outcome::Draw)));
        index.add(&game("e2e4", Some(Outcome::Draw)));
        let answer = index.answer(&Position::default());
        assert!(answer.is_cut);
        assert_eq!(answer.moves.len(), 1);
        assert_eq!(answer.moves[0].games, 2);
    }
}
