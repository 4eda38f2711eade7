//! A built-in player at the board: no process, no text, no pipe.

use std::sync::Arc;
use std::time::{Duration, Instant};

use vidmar_chess::{Color, Game, MoveInfo, Position};
use vidmar_cpu::ThreadInstant;
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

/// Where nobody knows how long a player worked: a thread is not kept waiting longer, unless the machine is hopelessly busy.
const GRACE: Duration = Duration::from_millis(250);

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
    /// Whether it thinks in the thread that asks it, and in no other.
    is_alone: bool,
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
            is_alone: true,
        }
    }

    /// The same player, which thinks with so many threads.
    #[must_use]
    pub fn with_threads(self, threads: u64) -> ThinkerPlayer {
        ThinkerPlayer {
            is_alone: threads == 1,
            ..self
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
    /// The time that it has thought, as the game's clock sees it.
    fn elapsed(&self, begun: Begun, allowed: Option<Duration>) -> Duration {
        let now = Instant::now();
        let passed = match &self.pauses {
            Some(pauses) => pauses.elapsed(begun.started, now),
            None => now.saturating_duration_since(begun.started),
        };
        let worked = Some(begun.worked.elapsed()).filter(|worked| self.is_alone && !worked.is_zero());
        allowed.map_or(passed, |allowed| counted(passed, worked, allowed))
    }
}

/// When a thought began.
#[derive(Copy, Clone)]
struct Begun {
    started: Instant,
    worked: ThreadInstant,
}

/// What counts of the time that passed on the wall. Beyond what was allowed only work does: a busy machine that lets a thread
/// wait makes it late, and no player inside this program loses by that.
fn counted(passed: Duration, worked: Option<Duration>, allowed: Duration) -> Duration {
    match worked {
        Some(worked) => passed.min(allowed.max(worked)),
        None if passed.saturating_sub(allowed) <= GRACE => passed.min(allowed),
        None => passed,
    }
}

/// The most that a game allows for a move: its own limits, not those that a player brings along.
fn allowed(limits: &Limits, turn: Color) -> Option<Duration> {
    let clock = limits.clocks[turn].map(|clock| clock.remaining);
    clock.into_iter().chain(limits.move_time).min()
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
        let allowed = allowed(limits, game.position().turn());
        let limits = self.move_limits.over(limits);
        let is_timed = limits.clocks[game.position().turn()].is_some() || limits.move_time.is_some();
        if is_timed && self.pauses.is_none() {
            self.pauses = Some(Pauses::watched());
        }
        let begun = Begun {
            started: Instant::now(),
            worked: ThreadInstant::now(),
        };
        let limits = Limits {
            overhead: OVERHEAD,
            started: begun.started,
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
                score: thought.told_score(),
                depth: thought.depth,
                nodes: thought.nodes,
                time: self.elapsed(begun, allowed),
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

#[cfg(test)]
mod tests {
    use vidmar_engine::settings::{Setting, SettingError};
    use vidmar_engine::{Clock, Thought};

    use super::*;

    /// Answers late: because the machine let it wait, or because it worked.
    struct Late {
        works: bool,
    }

    const LATE: Duration = Duration::from_millis(120);

    impl Thinker for Late {
        fn name(&self) -> String {
            "late".to_owned()
        }

        fn settings(&self) -> &[Setting] {
            &[]
        }

        fn set(&mut self, _: &str, _: &Value) -> Result<(), SettingError> {
            Ok(())
        }

        fn new_game(&mut self) {}

        fn think(&mut self, game: &Game, _: &Limits, _: &Control, _: &mut dyn FnMut(&Info)) -> Thought {
            let begun = ThreadInstant::now();
            if self.works {
                while begun.elapsed() < LATE {
                    std::hint::spin_loop();
                }
            } else {
                std::thread::sleep(LATE);
            }
            Thought::unsearched(game.position().legal_moves().first().copied())
        }
    }

    fn time(works: bool, threads: u64, limits: &Limits) -> Duration {
        let player = ThinkerPlayer::new(Box::new(Late { works }), MoveLimits::default(), 0);
        let mut player = player.with_threads(threads);
        let reply = player.choose(&Game::default(), limits, &Control::new());
        reply.expect("it answers").info.time
    }

    /// On a busy machine a thread waits for its turn, and nobody's flag falls by that; who works too long still loses.
    #[cfg(unix)]
    #[test]
    fn beyond_the_limit_only_work_counts() {
        let allowed = Duration::from_millis(20);
        let clock = Clock {
            remaining: allowed,
            increment: Duration::ZERO,
        };
        let by_clock = Limits {
            clocks: vidmar_chess::ByColor::from_fn(|_| Some(clock)),
            ..Limits::none()
        };
        for limits in [Limits::time(allowed), by_clock] {
            assert_eq!(time(false, 1, &limits), allowed);
            assert_eq!(time(false, 2, &limits), allowed, "less than what is excused");
            assert!(time(true, 1, &limits) >= LATE);
        }
        // Within the limit all that passes counts, and so it does where there is none.
        assert!(time(false, 1, &Limits::time(10 * LATE)) >= LATE);
        assert!(time(false, 1, &Limits::depth(1)) >= LATE);
    }

    #[test]
    fn what_nobody_can_know_is_excused_for_a_moment_only() {
        let ms = Duration::from_millis;
        assert_eq!(counted(ms(90), None, ms(100)), ms(90));
        assert_eq!(counted(ms(300), None, ms(100)), ms(100));
        assert_eq!(counted(ms(900), None, ms(100)), ms(900));
        assert_eq!(counted(ms(900), Some(ms(105)), ms(100)), ms(105));
    }
}
