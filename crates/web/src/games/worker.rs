//! The thread of a game: it lets the players think and watches the clocks. It lives as long as there is something to do,
//! and a while longer: players remember what they thought.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use vidmar_chess::{ByColor, Color, Game, Outcome};
use vidmar_engine::explanation::Lines;
use vidmar_engine::{Control, Info, Limits};
use vidmar_players::{Player, Reply, explain};

use super::registry::GameRegistry;
use super::table::{Inner, Table};
use super::types::ThinkingInfo;
use crate::catalogue::{CheckedSeat, LONGEST_THOUGHT};
use crate::memory::Share;
use crate::position::{MoveText, is_chess960};
use crate::why::Why;

/// How long a thread waits for a person before it goes.
const IDLE: Duration = Duration::from_mins(5);
/// The time for a move where nothing else limits it.
const USUAL_THOUGHT: Duration = Duration::from_secs(1);
/// How often the page hears of a thought.
const PACE: Duration = Duration::from_millis(100);

/// A player's turn.
struct Turn {
    epoch: u64,
    side: Color,
    game: Game,
    control: Arc<Control>,
}

/// How much more patient a thinking thread is than one that answers requests, of 19.
#[cfg(target_os = "linux")]
const PATIENCE: i32 = 5;

/// This thread, and those that it starts, stand back when requests are to be answered: all cores may be busy thinking.
pub(crate) fn stand_back() {
    #[cfg(target_os = "linux")]
    {
        // Where it is not allowed, it is not necessary.
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), PATIENCE);
    }
}

/// Gives a game a thread, and its players memory, if it needs them. Where there is none to be had, the game is paused and says
/// so.
pub(super) fn employ(registry: &Arc<GameRegistry>, table: &Arc<Table>, inner: &mut Inner) {
    if !inner.needs_worker() || inner.is_closed {
        return;
    }
    let taken = inner.reserved.take().map(Ok);
    let share = match taken.unwrap_or_else(|| registry.memory.take(table.memory_mib())) {
        Ok(share) => share,
        Err(error) => {
            let note = format!("this game waits: {}; then continue", error.message());
            inner.play.pause(Some(note), Instant::now());
            return;
        }
    };
    let (its_registry, its_table) = (registry.clone(), table.clone());
    inner.has_worker = true;
    registry.workers.fetch_add(1, Ordering::Relaxed);
    let spawned = std::thread::Builder::new()
        .name("game".to_owned())
        .spawn(move || work(&its_registry, &its_table, share));
    if spawned.is_err() {
        inner.has_worker = false;
        registry.workers.fetch_sub(1, Ordering::Relaxed);
        let note = "there is no thread to be had for this game; continue to try again";
        inner.play.pause(Some(note.to_owned()), Instant::now());
    }
}

fn work(registry: &Arc<GameRegistry>, table: &Arc<Table>, share: Share) {
    stand_back();
    let mut players: ByColor<Option<Box<dyn Player>>> = ByColor::new(None, None);
    while let Some(turn) = next_turn(registry, table) {
        let player = &mut players[turn.side];
        if let Err(trouble) = think(registry, table, player, &turn) {
            *player = None;
            fail(registry, table, &turn, &trouble);
        }
    }
    drop(players);
    drop(share);
    registry.workers.fetch_sub(1, Ordering::Relaxed);
}

/// Waits until a player is to move; flags of people fall meanwhile. None if there is nothing more to do.
fn next_turn(registry: &Arc<GameRegistry>, table: &Arc<Table>) -> Option<Turn> {
    let mut inner = table.inner();
    let mut idle_since = Instant::now();
    loop {
        let now = Instant::now();
        if inner.play.check_flag(now) {
            registry.settle(table, &mut inner, None);
        }
        if inner.is_closed || !inner.play.is_playing() || now > idle_since + IDLE {
            inner.has_worker = false;
            return None;
        }
        if inner.play.is_playing() && !inner.play.awaits_person() {
            let control = Arc::new(Control::new());
            inner.thought = Some(control.clone());
            return Some(Turn {
                epoch: inner.epoch,
                side: inner.play.turn(),
                game: inner.play.game.clone(),
                control,
            });
        }
        let flag = inner.play.flag_at();
        if flag.is_some() {
            idle_since = now;
        }
        let until = flag.map_or(IDLE, |at| {
            at.saturating_duration_since(now) + Duration::from_millis(1)
        });
        let waited = table.changed.wait_timeout(inner, until);
        inner = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// One turn of a player. What it says in the end counts only if nothing has come in between.
fn think(
    registry: &Arc<GameRegistry>,
    table: &Arc<Table>,
    player: &mut Option<Box<dyn Player>>,
    turn: &Turn,
) -> Result<(), String> {
    let seat = &table.seats[turn.side];
    let is_awaited = table.seats[!turn.side].is_person();
    let Some(_slot) = registry.slots.take(is_awaited, &turn.control) else {
        return Ok(());
    };
    if player.is_none() {
        *player = Some(seated(seat, &turn.game, table.seed, seat.lines())?);
    }
    let Some(player) = player else {
        return Ok(());
    };
    let Some(limits) = begin_thought(registry, table, turn) else {
        return Ok(());
    };
    let limits = bounded(seat, &limits);
    let mut heard = Lines::default();
    let mut told = Told::new(table, turn);
    let reply = player.think_aloud(&turn.game, &limits, &turn.control, &mut |info| {
        heard.note(info);
        told.tell(info);
    });
    if turn.control.is_stopped() {
        // Whatever was answered was answered in haste, and a player that failed is made anew.
        return reply.map(|_| ()).map_err(|fault| fault.to_string());
    }
    let reply = reply.map_err(|fault| fault.to_string())?;
    let position = turn.game.position();
    let explanation = explain(
        player.as_ref(),
        position,
        &reply.leads_from(position),
        &heard,
        &reply,
    );
    let why = Why::new(&seat.name, position, reply.best, Some(&explanation));
    answer(registry, table, turn, &reply, &why);
    Ok(())
}

/// A player, ready for its game.
pub(crate) fn seated(
    seat: &CheckedSeat,
    game: &Game,
    seed: u64,
    lines: usize,
) -> Result<Box<dyn Player>, String> {
    let spec = seat.spec(lines).map_err(|error| error.message().to_owned())?;
    let spec = spec.ok_or("there is nobody to think")?;
    let mut player = spec.player().map_err(|fault| fault.to_string())?;
    let begun = player.new_game(is_chess960(game.start()), seed);
    begun.map_err(|fault| fault.to_string())?;
    Ok(player)
}

/// The limits of a thought: the clock's, the seat's, and the server's.
pub(crate) fn bounded(seat: &CheckedSeat, limits: &Limits) -> Limits {
    let mut limits = seat.move_limits().over(limits);
    if limits.clocks[Color::White].is_none() {
        let usual = if limits.are_finite() {
            LONGEST_THOUGHT
        } else {
            USUAL_THOUGHT
        };
        limits.move_time = Some(limits.move_time.unwrap_or(usual).min(LONGEST_THOUGHT));
    }
    limits
}

/// The clock of the player runs from here on. None if the turn is no more; a draw is claimed where it is welcome.
fn begin_thought(registry: &Arc<GameRegistry>, table: &Arc<Table>, turn: &Turn) -> Option<Limits> {
    let mut inner = table.inner();
    if inner.epoch != turn.epoch {
        return None;
    }
    let play = &mut inner.play;
    if let Some(claim) = play.claimable().filter(|_| play.player_agrees(turn.side)) {
        play.end(Outcome::Draw, claim);
        registry.settle(table, &mut inner, None);
        return None;
    }
    play.begin_thought(Instant::now());
    let limits = play.limits();
    if play.clock.is_some() {
        table.snapshots.publish(&table.snapshot(&inner));
    }
    Some(limits)
}

fn answer(registry: &Arc<GameRegistry>, table: &Arc<Table>, turn: &Turn, reply: &Reply, why: &Why) {
    let text = serde_json::to_string(why).unwrap_or_default();
    let mut inner = table.inner();
    if inner.epoch != turn.epoch || inner.is_closed {
        return;
    }
    inner.thought = None;
    inner.epoch += 1;
    let Some(best) = reply.best else {
        let reason = format!("{} resigns", turn.side);
        inner.play.end(Outcome::win(!turn.side), reason);
        registry.settle(table, &mut inner, None);
        return;
    };
    inner.play.make(best, Some(&reply.info), Instant::now());
    let ply = inner.play.plies.len();
    registry.settle(table, &mut inner, Some((ply, text)));
}

/// A player that fails does not lose: the game pauses and says what happened.
fn fail(registry: &Arc<GameRegistry>, table: &Arc<Table>, turn: &Turn, trouble: &str) {
    let mut inner = table.inner();
    if inner.epoch != turn.epoch || inner.is_closed {
        return;
    }
    inner.stop_thought();
    let name = &table.seats[turn.side].name;
    let note = format!("{name} ({}) failed: {trouble}; continue to try again", turn.side);
    inner.play.pause(Some(note), Instant::now());
    registry.settle(table, &mut inner, None);
}

/// What the page hears of a thought, not more often than it can show.
struct Told<'t> {
    table: &'t Table,
    turn: &'t Turn,
    last: Option<Instant>,
}

impl<'t> Told<'t> {
    fn new(table: &'t Table, turn: &'t Turn) -> Told<'t> {
        Told {
            table,
            turn,
            last: None,
        }
    }

    fn tell(&mut self, info: &Info) {
        let now = Instant::now();
        if info.multipv != 1 || self.last.is_some_and(|last| now < last + PACE) {
            return;
        }
        self.last = Some(now);
        let time_ms = info.elapsed.as_millis() as u64;
        self.table.thinking.publish(&ThinkingInfo {
            ply: self.turn.game.moves().len() + 1,
            side: self.turn.side,
            depth: info.depth,
            nodes: info.nodes,
            nps: info.nodes.saturating_mul(1000) / time_ms.max(1),
            time_ms,
            score: info.score.map(|score| score.for_white(self.turn.side)),
            pv: MoveText::line(self.turn.game.position(), &info.pv),
        });
    }
}
