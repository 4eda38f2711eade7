//! A built-in player at the board: no process, no text, no pipe.

use std::sync::Arc;
use std::time::{Duration, Instant};

use vidmar_chess::{Game, MoveInfo, Position};
use vidmar_engine::settings::{Kind, Role, Value};
use vidmar_engine::{Control, Explanation, Info, Limits, Thinker};
use vidmar_eval::AnyBreakdown;

use crate::fault::{Fault, FaultKind};
use crate::move_limits::MoveLimits;
use crate::player::{Player, Reply};
use crate::process::Pauses;

/// What may pass between a decision and the game's clock when both live in one process: next to nothing, but on a busy
/// machine another thread's time slice.
const OVERHEAD: Duration = Duration::from_millis(10);

/// A [`Thinker`] as a [`Player`].
///
/// Its answers depend on its settings, the game, the limits and the game's seed alone. Whatever it remembers is forgotten
/// when a game begins. The seed of a game reaches it through its setting of the role [`Role::Seed`], if it has one.
pub struct ThinkerPlayer {
    name: String,
    thinker: Box<dyn Thinker>,
    move_limits: MoveLimits,
    seed: Option<SeedSetting>,
    /// Had once it plays by a clock.
    pauses: Option<Arc<Pauses>>,
}

/// The setting through which a thinker takes its seed.
struct SeedSetting {
    key: String,
    /// What the player was given: mixed with the game's.
    own: u64,
    min: i64,
    max: i64,
}

impl ThinkerPlayer {
    /// A player that thinks so. `seed` is the player's own: together with a game's it makes the one that the thinker gets.
    pub fn new(thinker: Box<dyn Thinker>, move_limits: MoveLimits, seed: u64) -> ThinkerPlayer {
        let seeded = thinker.settings().iter().find(|row| row.role == Role::Seed);
        let setting = seeded.and_then(|row| match row.kind {
            Kind::Integer { min, max, .. } => Some(SeedSetting {
                key: row.key.to_string(),
                own: seed,
                min,
                max,
            }),
            _ => None,
        });
        ThinkerPlayer {
            name: thinker.name(),
            thinker,
            move_limits,
            seed: setting,
            pauses: None,
        }
    }

    /// The same player under another name.
    pub fn named(self, name: impl Into<String>) -> ThinkerPlayer {
        ThinkerPlayer {
            name: name.into(),
            ..self
        }
    }
}

impl ThinkerPlayer {
    /// The time that it has thought.
    fn elapsed(&self, started: Instant) -> Duration {
        let now = Instant::now();
        match &self.pauses {
            Some(pauses) => pauses.elapsed(started, now),
            None => now.saturating_duration_since(started),
        }
    }
}

impl Player for ThinkerPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _chess960: bool, seed: u64) -> Result<(), Fault> {
        if let Some(setting) = &self.seed {
            let range = (setting.max - setting.min).unsigned_abs().saturating_add(1);
            let value = setting.min + (mixed(setting.own, seed) % range) as i64;
            let set = self.thinker.set(&setting.key, &Value::Integer(value));
            set.map_err(|error| Fault::new(FaultKind::Start, error.to_string()))?;
        }
        self.thinker.new_game();
        let prepared = self.thinker.prepare();
        prepared.map_err(|reason| Fault::new(FaultKind::Start, reason))
    }

    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Result<Reply, Fault> {
        self.think_aloud(game, limits, control, &mut |_| {})
    }

    fn think_aloud(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Result<Reply, Fault> {
        let limits = self.move_limits.over(limits);
        let is_timed = limits.clocks[game.position().turn()].is_some() || limits.move_time.is_some();
        if is_timed && self.pauses.is_none() {
            self.pauses = Some(Pauses::watched());
        }
        let started = Instant::now();
        let limits = Limits {
            overhead: OVERHEAD,
            started,
            ..limits
        };
        let thought = self.thinker.think(game, &limits, control, info);
        let Some(best) = thought.best else {
            let detail = format!("{} found no move in {}", self.name, game.position());
            return Err(Fault::new(FaultKind::IllegalMove, detail));
        };
        Ok(Reply {
            best: Some(best),
            info: MoveInfo {
                score: Some(thought.score),
                depth: thought.depth,
                nodes: thought.nodes,
                time: self.elapsed(started),
            },
        })
    }

    fn explanation(&self) -> Option<Explanation> {
        self.thinker.explanation()
    }

    fn breakdown(&self, position: &Position) -> Option<AnyBreakdown> {
        self.thinker.breakdown(position)
    }
}

/// Two seeds as one that is far from that of every neighbour (the finaliser of `SplitMix64`, Steele and others 2014).
fn mixed(own: u64, game: u64) -> u64 {
    let mut z = game.wrapping_add(own.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
