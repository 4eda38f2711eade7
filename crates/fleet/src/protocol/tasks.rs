//! A batch of tasks. Games of one batch are mostly of the same players under the same rules: what they share is said once.

use serde::{Deserialize, Serialize};
use vidmar_arena::{GameSetup, GameTask, Opening, Rules, TaskPlayer, TimeControl};
use vidmar_chess::{ByColor, Color};
use vidmar_players::PlayerSpec;

use super::{MOST_TASKS, ProtocolError, RunKey, TaskId, VERSION, check_version, read_json, write_json};
use crate::engines::EngineRef;

/// A player as it goes over the wire: a program is what is called so here and has this content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WirePlayer {
    /// What was chosen about it, without any command.
    pub spec: PlayerSpec,
    /// The program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineRef>,
}

/// Tasks that are taken together.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    version: u16,
    /// The run.
    pub run: RunKey,
    players: Vec<WirePlayer>,
    limits: Vec<ByColor<TimeControl>>,
    rules: Vec<Rules>,
    tasks: Vec<WireTask>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireTask {
    id: TaskId,
    number: u64,
    round: u64,
    players: ByColor<Seat>,
    opening: Opening,
    limits: usize,
    rules: usize,
    seed: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    keeps_pvs: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seat {
    /// Its index in the list of players of whoever asked for the game.
    index: usize,
    /// Its index in the list of the batch.
    player: usize,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    restart: bool,
}

/// The index of a thing in a list, to which it is added if it is not there yet.
fn index_in<T: PartialEq + Clone>(list: &mut Vec<T>, thing: &T) -> usize {
    let found = list.iter().rposition(|known| known == thing);
    found.unwrap_or_else(|| {
        list.push(thing.clone());
        list.len() - 1
    })
}

impl Batch {
    /// An empty one.
    pub fn new(run: RunKey) -> Batch {
        Batch {
            version: VERSION,
            run,
            players: Vec::new(),
            limits: Vec::new(),
            rules: Vec::new(),
            tasks: Vec::new(),
        }
    }

    /// How many tasks it has.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Adds a task, its players as they go over the wire.
    pub fn add(&mut self, id: TaskId, task: &GameTask, wire: ByColor<&WirePlayer>) {
        let indices = ByColor::from_fn(|side| index_in(&mut self.players, wire[side]));
        let setup = &task.setup;
        self.tasks.push(WireTask {
            id,
            number: task.number,
            round: task.round,
            players: ByColor::from_fn(|side| Seat {
                index: task.players[side].index,
                player: indices[side],
                restart: task.players[side].restart,
            }),
            opening: setup.opening.clone(),
            limits: index_in(&mut self.limits, &setup.limits),
            rules: index_in(&mut self.rules, &setup.rules),
            seed: setup.seed,
            keeps_pvs: setup.keeps_pvs,
        });
    }

    /// As it is sent.
    pub fn encode(&self) -> bytes::Bytes {
        write_json(self)
    }

    /// As it is read.
    pub fn decode(bytes: &[u8]) -> Result<Batch, ProtocolError> {
        let batch: Batch = read_json(bytes)?;
        check_version(batch.version)?;
        // One without tasks would be in a worker's hand for ever: it is answered with its last task.
        if batch.tasks.is_empty() {
            return Err(ProtocolError::Malformed("no tasks".to_owned()));
        }
        if batch.tasks.len() > MOST_TASKS {
            return Err(ProtocolError::Malformed(format!(
                "{} tasks, where {MOST_TASKS} are the most",
                batch.tasks.len()
            )));
        }
        Ok(batch)
    }

    /// The tasks, with their players as the wire has them.
    pub fn tasks(
        &self,
    ) -> impl Iterator<Item = (TaskId, Result<(GameTask, ByColor<&WirePlayer>), ProtocolError>)> {
        self.tasks.iter().map(|task| (task.id, self.task(task)))
    }

    fn task(&self, task: &WireTask) -> Result<(GameTask, ByColor<&WirePlayer>), ProtocolError> {
        let missing =
            |what: &str| ProtocolError::Malformed(format!("a task refers to {what} that are not there"));
        let player = |side: Color| {
            let seat = &task.players[side];
            self.players.get(seat.player).ok_or_else(|| missing("players"))
        };
        let players = ByColor::new(player(Color::White)?, player(Color::Black)?);
        Ok((
            GameTask {
                number: task.number,
                round: task.round,
                players: ByColor::from_fn(|side| TaskPlayer {
                    index: task.players[side].index,
                    spec: players[side].spec.clone(),
                    restart: task.players[side].restart,
                }),
                setup: GameSetup {
                    opening: task.opening.clone(),
                    limits: self
                        .limits
                        .get(task.limits)
                        .copied()
                        .ok_or_else(|| missing("limits"))?,
                    rules: self
                        .rules
                        .get(task.rules)
                        .ok_or_else(|| missing("rules"))?
                        .clone(),
                    seed: task.seed,
                    keeps_pvs: task.keeps_pvs,
                },
            },
            players,
        ))
    }
}
