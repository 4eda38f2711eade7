//! A table: one game, who sits at it, and who watches.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use vidmar_chess::{ByColor, Color, Game, Position};
use vidmar_engine::Control;

use super::keeper::Kept;
use super::play::Play;
use super::types::{self, GamePlayer, GameSummary};
use crate::catalogue::{CheckedSeat, Seat};
use crate::config::Config;
use crate::events::Topic;
use crate::memory::Share;
use crate::position::{self, legal};

/// One game.
pub(crate) struct Table {
    pub(super) id: String,
    /// Its number in the store.
    pub(super) number: u64,
    pub(super) seed: u64,
    pub(super) seats: ByColor<CheckedSeat>,
    inner: Mutex<Inner>,
    /// Tells the game's thread that something has changed.
    pub(super) changed: Condvar,
    pub(super) snapshots: Topic,
    pub(super) thinking: Topic,
}

/// What changes.
pub(super) struct Inner {
    pub(super) play: Play,
    pub(super) version: u64,
    /// Grows when a thought that is going on becomes useless.
    pub(super) epoch: u64,
    /// The switches of that thought.
    pub(super) thought: Option<Arc<Control>>,
    pub(super) has_worker: bool,
    pub(super) is_closed: bool,
    pub(super) changed_ms: u64,
    /// Memory that was taken for its players before they are there.
    pub(super) reserved: Option<Share>,
}

impl Inner {
    fn new(play: Play, version: u64, changed_ms: u64) -> Inner {
        Inner {
            play,
            version,
            epoch: 0,
            thought: None,
            has_worker: false,
            is_closed: false,
            changed_ms,
            reserved: None,
        }
    }

    /// The thought that is going on is of no use any more.
    pub(super) fn stop_thought(&mut self) {
        self.epoch += 1;
        if let Some(thought) = self.thought.take() {
            thought.stop();
        }
    }

    /// Whether a thread is needed: to think, or to watch a clock.
    pub(super) fn needs_worker(&self) -> bool {
        let play = &self.play;
        !self.has_worker && play.is_playing() && (!play.awaits_person() || play.flag_at().is_some())
    }
}

/// Milliseconds since 1970.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

impl Table {
    /// A table at which a game begins where `game` stands.
    pub(super) fn new(
        id: String,
        number: u64,
        seed: u64,
        seats: ByColor<CheckedSeat>,
        game: &Game,
        clock: Option<types::ClockSetting>,
    ) -> Table {
        let persons = ByColor::from_fn(|side| seats[side].is_person());
        let play = Play::new(game, persons, clock, Instant::now());
        Table::with(id, number, seed, seats, Inner::new(play, 1, now_ms()))
    }

    fn with(id: String, number: u64, seed: u64, seats: ByColor<CheckedSeat>, inner: Inner) -> Table {
        Table {
            id,
            number,
            seed,
            seats,
            inner: Mutex::new(inner),
            changed: Condvar::new(),
            snapshots: Topic::new("game"),
            thinking: Topic::new("thinking"),
        }
    }

    /// A game that was kept; none if it makes no sense. Who is not offered any more leaves an empty seat.
    pub(super) fn restore(number: u64, kept: Kept, config: &Config) -> Option<Table> {
        let checked =
            |seat: &Seat| CheckedSeat::new(seat, config).unwrap_or_else(|_| CheckedSeat::empty(seat));
        let seats = ByColor::new(checked(&kept.white), checked(&kept.black));
        let persons = ByColor::from_fn(|side| seats[side].is_person());
        let start: Position = kept.start_fen.parse().ok()?;
        let now = Instant::now();
        let mut play = Play::new(&Game::new(start), persons, kept.clock, now);
        for ply in kept.plies {
            let m = play.game.position().parse_uci(&ply.uci).ok()?;
            play.replay(m, ply);
        }
        play.given = kept.given;
        play.status = kept.status;
        play.remaining = ByColor::new(
            Duration::from_millis(kept.remaining_ms[0]),
            Duration::from_millis(kept.remaining_ms[1]),
        );
        play.draw_offer = kept.draw_offer;
        play.note = kept.note;
        play.begin_turn(now);
        let inner = Inner::new(play, kept.version, kept.changed_ms);
        Some(Table::with(kept.id, number, kept.seed, seats, inner))
    }

    /// What its players take of the machine's memory, in MiB.
    pub(super) fn memory_mib(&self) -> u64 {
        let sum = |mib: u64, side| mib.saturating_add(self.seats[side].memory_mib());
        Color::ALL.into_iter().fold(0, sum)
    }

    /// A game is changed by one thread at a time, and completely: a panic elsewhere does not spoil it.
    pub(super) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something has changed.
    pub(super) fn touch(inner: &mut Inner) {
        inner.version += 1;
        inner.changed_ms = now_ms();
    }

    /// The game as it stands.
    pub(super) fn snapshot(&self, inner: &Inner) -> types::Game {
        let play = &inner.play;
        let position = play.game.position();
        let player = |side: Color| {
            let seat = &self.seats[side];
            GamePlayer {
                name: seat.name.clone(),
                kind: seat.seat.kind.clone(),
                seat: seat.seat.clone(),
            }
        };
        types::Game {
            id: self.id.clone(),
            version: inner.version,
            white: player(Color::White),
            black: player(Color::Black),
            start_fen: play.game.start().to_string(),
            given: play.given,
            plies: play.plies.clone(),
            fen: position.to_string(),
            legal: if play.is_over() {
                Vec::new()
            } else {
                legal(position)
            },
            turn: play.turn(),
            check: position.in_check(),
            status: play.status.clone(),
            clock: play.clock,
            clocks: play.clocks(Instant::now()),
            opening: position::opening(&play.game).map(str::to_owned),
            draw_offer: play.draw_offer,
            claimable: play.claimable(),
            note: play.note.clone(),
            seed: self.seed,
        }
    }

    /// The game as it is kept.
    pub(super) fn kept(&self, inner: &Inner) -> Kept {
        let play = &inner.play;
        Kept {
            id: self.id.clone(),
            white: self.seats[Color::White].seat.clone(),
            black: self.seats[Color::Black].seat.clone(),
            start_fen: play.game.start().to_string(),
            given: play.given,
            plies: play.plies.clone(),
            status: play.status.clone(),
            clock: play.clock,
            remaining_ms: Color::ALL.map(|side| play.remaining[side].as_millis() as u64),
            draw_offer: play.draw_offer,
            note: play.note.clone(),
            seed: self.seed,
            version: inner.version,
            changed_ms: inner.changed_ms,
        }
    }

    /// A line of the list of games.
    pub(super) fn summary(&self) -> GameSummary {
        let inner = self.inner();
        GameSummary {
            id: self.id.clone(),
            white: self.seats[Color::White].name.clone(),
            black: self.seats[Color::Black].name.clone(),
            plies: inner.play.plies.len(),
            fen: inner.play.game.position().to_string(),
            status: inner.play.status.clone(),
            changed_ms: inner.changed_ms,
        }
    }
}
