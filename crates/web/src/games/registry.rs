//! The registry: all games, how many there may be, and how a game is changed.

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use vidmar_chess::{ByColor, Game};
use vidmar_engine::memory::budget_mib;

use super::keeper::{KeepError, Keeper};
use super::play::Play;
use super::slots::Slots;
use super::table::{Inner, Table};
use super::types::{self, ClockSetting, GameSummary};
use super::worker;
use crate::catalogue::CheckedSeat;
use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use crate::memory::MemoryBudget;

/// The most games that are kept; the oldest that is over makes room.
pub(crate) const MOST_GAMES: usize = 500;
/// The most games with a thread of their own: players at the board, or clocks that run.
pub(crate) const MOST_WORKERS: usize = 64;
/// How long threads have to end with the server.
const FAREWELL: Duration = Duration::from_millis(1500);

/// All games.
pub(crate) struct GameRegistry {
    tables: Mutex<BTreeMap<String, Arc<Table>>>,
    pub(crate) keeper: Keeper,
    pub(crate) slots: Slots,
    pub(crate) memory: Arc<MemoryBudget>,
    number: AtomicU64,
    pub(super) workers: AtomicUsize,
}

/// The answer that a change is on its way to the disk.
pub(super) type IsKept = oneshot::Receiver<()>;

impl GameRegistry {
    /// Opens the registry; games that were kept go on.
    pub(crate) fn open(config: &Config, folder: Option<&Path>) -> Result<Arc<GameRegistry>, KeepError> {
        let (keeper, kept) = Keeper::open(folder)?;
        let number = kept.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
        let restore = |(number, kept)| {
            let table = Table::restore(number, kept, config)?;
            Some((table.id.clone(), Arc::new(table)))
        };
        let tables: BTreeMap<String, Arc<Table>> = kept.into_iter().filter_map(restore).collect();
        let registry = Arc::new(GameRegistry {
            tables: Mutex::new(tables),
            keeper,
            slots: Slots::new(available_parallelism().map_or(2, |number| number.get().max(2))),
            memory: MemoryBudget::new(config.memory_mib.unwrap_or_else(budget_mib)),
            number: AtomicU64::new(number),
            workers: AtomicUsize::new(0),
        });
        let tables: Vec<Arc<Table>> = registry.tables().values().cloned().collect();
        for table in tables {
            let mut inner = table.inner();
            worker::employ(&registry, &table, &mut inner);
            table.snapshots.publish(&table.snapshot(&inner));
        }
        Ok(registry)
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game by its name.
    pub(super) fn find(&self, id: &str) -> ApiResult<Arc<Table>> {
        let found = self.tables().get(id).cloned();
        found.ok_or_else(|| ApiError::not_found("no-such-game", "there is no such game"))
    }

    /// All games, those that changed last first.
    pub(super) fn list(&self) -> Vec<GameSummary> {
        let tables: Vec<Arc<Table>> = self.tables().values().cloned().collect();
        let mut list: Vec<GameSummary> = tables.iter().map(|table| table.summary()).collect();
        list.sort_by_key(|game| std::cmp::Reverse(game.changed_ms));
        list
    }

    /// Begins a game.
    pub(super) fn begin(
        self: &Arc<GameRegistry>,
        seats: ByColor<CheckedSeat>,
        game: &Game,
        clock: Option<ClockSetting>,
        seed: Option<u64>,
    ) -> ApiResult<(types::Game, IsKept)> {
        self.check_room()?;
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let random = random(number);
        let seed = seed.unwrap_or(random >> 32);
        let table = Arc::new(Table::new(name(random), number, seed, seats, game, clock));
        let mut inner = table.inner();
        inner.reserved = Some(self.memory.take(table.memory_mib())?);
        self.tables().insert(table.id.clone(), table.clone());
        let begun = self.settle(&table, &mut inner, None);
        // Whoever waits for a person's first move takes it when it is to think.
        inner.reserved = None;
        drop(inner);
        Ok(begun)
    }

    fn check_room(&self) -> ApiResult<()> {
        if self.workers.load(Ordering::Relaxed) >= MOST_WORKERS {
            let message = format!("{MOST_WORKERS} games are being played already; finish or pause some");
            return Err(ApiError::too_many("too-many-games", message));
        }
        let mut tables = self.tables();
        if tables.len() < MOST_GAMES {
            return Ok(());
        }
        let oldest = tables
            .values()
            .filter(|table| table.inner().play.is_over())
            .min_by_key(|table| table.number)
            .cloned();
        let Some(oldest) = oldest else {
            let message = format!("there are {MOST_GAMES} unfinished games already; delete some");
            return Err(ApiError::too_many("too-many-games", message));
        };
        tables.remove(&oldest.id);
        drop(tables);
        self.close_table(&oldest);
        Ok(())
    }

    /// Deletes a game.
    pub(super) fn remove(&self, id: &str) -> ApiResult<IsKept> {
        let table = self.tables().remove(id);
        let table = table.ok_or_else(|| ApiError::not_found("no-such-game", "there is no such game"))?;
        Ok(self.close_table(&table))
    }

    fn close_table(&self, table: &Table) -> IsKept {
        let mut inner = table.inner();
        inner.is_closed = true;
        inner.stop_thought();
        table.changed.notify_all();
        self.keeper.forget(table.number, inner.play.plies.len())
    }

    /// Changes a game on a person's behalf. What is going on in it is stopped if the change is made.
    pub(super) fn change(
        self: &Arc<GameRegistry>,
        table: &Arc<Table>,
        version: Option<u64>,
        change: impl FnOnce(&mut Play, Instant) -> ApiResult<()>,
    ) -> ApiResult<(types::Game, IsKept)> {
        let mut inner = table.inner();
        if inner.is_closed {
            return Err(ApiError::not_found("no-such-game", "there is no such game"));
        }
        let now = Instant::now();
        if inner.play.check_flag(now) {
            self.settle(table, &mut inner, None);
        }
        if let Some(wanted) = version.filter(|&wanted| wanted != inner.version) {
            let message = format!("the game is at version {}, not {wanted}", inner.version);
            return Err(ApiError::conflict("stale-version", message).field("version"));
        }
        let before = inner.play.stage();
        change(&mut inner.play, now)?;
        // A thought goes on through what does not concern it, such as an offer.
        if inner.play.stage() != before {
            inner.stop_thought();
        }
        Ok(self.settle(table, &mut inner, None))
    }

    /// A game has changed: everybody gets to know, and it is kept.
    pub(super) fn settle(
        self: &Arc<GameRegistry>,
        table: &Arc<Table>,
        inner: &mut Inner,
        why: Option<(usize, String)>,
    ) -> (types::Game, IsKept) {
        worker::employ(self, table, inner);
        Table::touch(inner);
        let snapshot = table.snapshot(inner);
        table.snapshots.publish(&snapshot);
        let kept = self.keeper.keep(table.number, &table.kept(inner), why);
        table.changed.notify_all();
        (snapshot, kept)
    }

    /// Ends every thread; games are kept as they stand.
    pub(crate) fn close(&self) {
        for table in self.tables().values() {
            let mut inner = table.inner();
            inner.is_closed = true;
            inner.stop_thought();
            table.changed.notify_all();
        }
        let deadline = Instant::now() + FAREWELL;
        while self.workers.load(Ordering::Relaxed) > 0 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.keeper.close();
    }
}

/// A number that nobody has: names must differ from one server to the next. No experiment depends on it; the seeds of
/// games are told and can be given.
pub(crate) fn random(number: u64) -> u64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u64(number);
    hasher.finish()
}

/// A number as a short name.
pub(crate) fn name(mut number: u64) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut name = String::new();
    for _ in 0..10 {
        name.push(char::from(LETTERS[(number % 32) as usize]));
        number /= 32;
    }
    name
}
