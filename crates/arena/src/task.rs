//! The description of one game.
//!
//! A game is a pure function of its [`GameTask`]: players with all their parameters, opening, limits, rules, seed. The
//! task is data that goes through bytes and back unchanged, so that it can be played in any thread, in another process or
//! on another machine.

use serde::{Deserialize, Serialize};
use vidmar_chess::ByColor;
use vidmar_players::PlayerSpec;

use crate::opening::Opening;
use crate::rules::Rules;
use crate::time_control::TimeControl;

/// Everything about a game but who plays it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameSetup {
    /// Where it begins.
    pub opening: Opening,
    /// What each side may use.
    pub limits: ByColor<TimeControl>,
    /// When it ends early.
    pub rules: Rules,
    /// The seed of everything random in it.
    pub seed: u64,
    /// Whether the principal variations of its moves are kept, and what else is said of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_pvs: bool,
}

/// One side's player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskPlayer {
    /// Its index in the list of players of whoever asked for the game.
    pub index: usize,
    /// The player.
    pub spec: PlayerSpec,
    /// Whether it is started again before the game, though it may still be there from an earlier one.
    pub restart: bool,
}

impl TaskPlayer {
    /// A player that may stay alive from game to game.
    pub fn new(index: usize, spec: PlayerSpec) -> TaskPlayer {
        TaskPlayer {
            index,
            spec,
            restart: false,
        }
    }
}

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameTask {
    /// Its number in the list of tasks; no two tasks of a list share one.
    pub number: u64,
    /// The round, generation or encounter that it belongs to.
    pub round: u64,
    /// Who plays.
    pub players: ByColor<TaskPlayer>,
    /// What they play.
    pub setup: GameSetup,
}
