//! Runs, games, faults and checkpoints in one SQLite file.
//!
//! A *run* is a match, a tuning run or an import; it has numbered players, numbered games, faults and checkpoints. What
//! belongs together goes into one [`Batch`] and is committed in one transaction: a tuner's state and the games that led
//! to it, a game and the faults before it. After `kill -9` at any moment the file holds every batch that was reported as
//! committed, and nothing of any other.
//!
//! | to | use |
//! | --- | --- |
//! | open, create, look at a file | [`Store::open`], [`Store::open_read_only`] |
//! | look at a file that others may be writing, and leave no trace | [`Store::read`], [`Store::writing_process`] |
//! | append from one thread | [`Store::commit`] |
//! | append from many threads | [`Writer`]: one thread that commits all that has queued up at once |
//! | resume | [`Store::finished`], [`Store::latest_checkpoint`] |
//! | read | [`Store::results`], [`Store::for_each_game`], [`Store::faults`] |
//! | read a page at a time, or what is new | [`Store::page`], [`Store::game`], [`Store::results_after`] |
//!
//! The file knows no rules of chess: positions and moves are text (FEN, UCI), and nobody checks them here. Of the
//! workspace's crates it uses only the vocabulary of games ([`Outcome`](vidmar_chess::Outcome),
//! [`MoveInfo`](vidmar_chess::MoveInfo)), so that everything above may use it.
//!
//! ```
//! use vidmar_chess::Outcome;
//! use vidmar_store::{Batch, Game, Player, Store};
//!
//! let folder = tempfile::tempdir()?;
//! let mut store = Store::open(&folder.path().join("games.db"))?;
//! let run = store.begin_run("match", "{}")?;
//! let mut batch = Batch::new(run);
//! batch.players.push(Player::new(0, "Anna"));
//! batch.players.push(Player::new(1, "Boris"));
//! batch.games.push(Game {
//!     white: 0,
//!     black: 1,
//!     result: Some(Outcome::Draw),
//!     moves: "e2e4 e7e5".to_owned(),
//!     ..Game::default()
//! });
//! store.commit(&batch)?;
//! assert_eq!(store.finished(run)?, [0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod error;
mod lock;
mod migration;
mod pages;
mod presence;
mod query;
mod rows;
mod schema;
mod store;
mod table;
mod thoughts;
mod writer;

pub use batch::Batch;
pub use error::StoreError;
pub use pages::{Direction, Filter, Listed, Page};
pub use rows::{Checkpoint, Fault, Game, Outline, Player, Run, RunId};
pub use schema::VERSION;
pub use store::Store;
pub use writer::Writer;
