//! One worker: plays one task after the other, with players that it keeps from game to game.

use std::sync::Arc;
use std::time::Duration;

use vidmar_chess::{ByColor, Color, Termination};
use vidmar_engine::Control;
use vidmar_players::{Fault, FaultKind, Player, PlayerSpec};

use super::ExecutorError;
use crate::play::play;
use crate::record::GameRecord;
use crate::tablebases::{OpenTablebases, TablebaseProbe};
use crate::task::{GameTask, TaskPlayer};

/// Makes the player of a specification.
pub type MakePlayer = dyn Fn(&PlayerSpec) -> Result<Box<dyn Player>, Fault> + Send + Sync;

/// Players that are kept at most, unless it is told otherwise: tuning has no end of different ones.
const MOST_KEPT: usize = 16;

/// Whoever ends a whole session (a service manager, a closing machine) ends engines too, perhaps before we hear of it: a
/// fault is believed only if nobody has asked us to stop this much later.
const DOUBT: Duration = Duration::from_millis(100);

/// Plays tasks one after the other. Its players, above all external engines, stay alive from game to game, also where only
/// their options change; what makes the next game independent of the last is [`Player::new_game`].
#[derive(Default)]
pub struct Worker {
    source: PlayerSource,
    /// The players that are not at the board, the one that played last behind.
    kept: Vec<(PlayerSpec, Box<dyn Player>)>,
}

/// Where workers have their players and tablebases from.
#[derive(Clone)]
pub(super) struct PlayerSource {
    pub(super) make: Arc<MakePlayer>,
    pub(super) most_kept: usize,
    tablebases: Arc<OpenTablebases>,
}

impl Default for PlayerSource {
    fn default() -> PlayerSource {
        PlayerSource {
            make: Arc::new(PlayerSpec::player),
            most_kept: MOST_KEPT,
            tablebases: Arc::default(),
        }
    }
}

impl Worker {
    pub(super) fn new(source: &PlayerSource) -> Worker {
        Worker {
            source: source.clone(),
            kept: Vec::new(),
        }
    }

    /// Plays a task once. The faults of the record are all of attempt 0.
    pub fn play(&mut self, task: &GameTask, control: &Control) -> Result<GameRecord, ExecutorError> {
        let tablebases = match &task.setup.rules.tablebases {
            Some(rule) => Some(self.source.tablebases.get(rule)?),
            None => None,
        };
        let probe = tablebases.as_deref().map(|probe| probe as _);
        let mut record = match self.players(task) {
            Ok(players) => self.play_with(players, task, probe, control),
            Err((side, fault)) => GameRecord::unavailable(side, fault),
        };
        if !record.faults.is_empty() {
            if !control.is_stopped() {
                std::thread::sleep(DOUBT);
            }
            if control.is_stopped() {
                record.termination = Termination::Stopped;
            }
        }
        Ok(record)
    }

    /// Plays with these players, and keeps them.
    fn play_with(
        &mut self,
        [mut white, mut black]: [Box<dyn Player>; 2],
        task: &GameTask,
        tablebases: Option<&dyn TablebaseProbe>,
        control: &Control,
    ) -> GameRecord {
        let players = ByColor::new(white.as_mut(), black.as_mut());
        let mut record = play(&task.setup, players, tablebases, control);
        // A player that did not come back after its fault left a second one.
        if let [_, .., last] = &record.faults[..]
            && last.fault.kind == FaultKind::Start
        {
            record.unavailable = Some(last.side);
        }
        for (side, player) in Color::ALL.into_iter().zip([white, black]) {
            if record.unavailable != Some(side) {
                self.kept.push((task.players[side].spec.clone(), player));
            }
        }
        let surplus = self.kept.len().saturating_sub(self.source.most_kept);
        self.kept.drain(..surplus);
        record
    }

    /// Both players of a task, or whose is not to be had. Those that are there as they are wanted are taken first.
    fn players(&mut self, task: &GameTask) -> Result<[Box<dyn Player>; 2], (Color, Fault)> {
        let kept = Color::ALL.map(|side| self.kept(&task.players[side].spec));
        let mut player = |kept: Option<Box<dyn Player>>, side: Color| {
            let wanted = &task.players[side];
            let ready = match kept {
                Some(mut player) if wanted.restart => player.restart().map(|()| player),
                Some(player) => Ok(player),
                None => self.other(wanted),
            };
            ready.map_err(|fault| (side, fault))
        };
        let [white, black] = kept;
        Ok([player(white, Color::White)?, player(black, Color::Black)?])
    }

    /// A kept player of that specification.
    fn kept(&mut self, spec: &PlayerSpec) -> Option<Box<dyn Player>> {
        let index = self.kept.iter().rposition(|(kept, _)| kept == spec)?;
        Some(self.kept.remove(index).1)
    }

    /// A kept player that becomes the wanted one, the one that has rested longest first; or else a new one.
    fn other(&mut self, wanted: &TaskPlayer) -> Result<Box<dyn Player>, Fault> {
        if !wanted.restart {
            for index in 0..self.kept.len() {
                if self.kept[index].1.adapt(&wanted.spec)? {
                    return Ok(self.kept.remove(index).1);
                }
            }
        }
        (self.source.make)(&wanted.spec)
    }
}
