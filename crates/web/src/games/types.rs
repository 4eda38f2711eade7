//! Games as the page sees them, and what it may ask for.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_chess::{Color, WhiteScore};

use crate::catalogue::Seat;
use crate::position::MoveText;

/// A game as it stands. A new one is sent whenever anything changes.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct Game {
    /// Its name in the API.
    pub id: String,
    /// Grows with every change; a move must name the one that it was made for.
    pub version: u64,
    /// Who has White.
    pub white: GamePlayer,
    /// Who has Black.
    pub black: GamePlayer,
    /// Where it began.
    pub start_fen: String,
    /// Plies that were there before the players took over.
    pub given: usize,
    /// Every ply.
    pub plies: Vec<Ply>,
    /// Where it stands.
    pub fen: String,
    /// What the side to move may play; nothing when the game is over.
    pub legal: Vec<MoveText>,
    /// Who is to move.
    pub turn: Color,
    /// Whether the king of that side is attacked.
    pub check: bool,
    /// How it stands.
    pub status: GameStatus,
    /// The clock, if it is played with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockSetting>,
    /// What the clocks show at the moment of sending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// The last named position on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// A side that has offered a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_offer: Option<Color>,
    /// A draw that the side to move may claim, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimable: Option<String>,
    /// Something that happened and is not a move: a declined offer, a player that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The seed of everything random in it.
    pub seed: u64,
}

/// Who sits on one side.
#[derive(Clone, Debug, Serialize, TS)]
pub struct GamePlayer {
    /// What the player is called.
    pub name: String,
    /// The word of its kind.
    pub kind: String,
    /// What it was asked for with.
    pub seat: Seat,
}

/// One move of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Ply {
    /// The move for programs.
    pub uci: String,
    /// The move for people.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// Whether it gives check.
    pub check: bool,
    /// What the mover's clock showed after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// Time that it took; absent for plies that were there before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
    /// What its player thought of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<WhiteScore>,
    /// Whether `why/PLY` (counted from 1) has something to say.
    pub why: bool,
}

/// Whether a game goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum GameState {
    Playing,
    Paused,
    Over,
}

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct GameStatus {
    /// Whether it goes on.
    pub state: GameState,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Why it ended, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl GameStatus {
    /// A game that goes on.
    pub(crate) fn playing() -> GameStatus {
        GameStatus {
            state: GameState::Playing,
            result: "*".to_owned(),
            reason: None,
        }
    }
}

/// A clock: time at the start, and what every move adds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// At the start.
    pub base_ms: u64,
    /// A move.
    pub increment_ms: u64,
}

/// What the clocks show.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(optional_fields)]
pub struct Clocks {
    /// What White has left.
    pub white_ms: u64,
    /// What Black has left.
    pub black_ms: u64,
    /// Whose clock runs, if one does: each side's first move is free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running: Option<Color>,
}

/// A game in a list.
#[derive(Clone, Debug, Serialize, TS)]
pub struct GameSummary {
    /// Its name in the API.
    pub id: String,
    /// Who has White.
    pub white: String,
    /// Who has Black.
    pub black: String,
    /// How many plies it has.
    pub plies: usize,
    /// Where it stands.
    pub fen: String,
    /// How it stands.
    pub status: GameStatus,
    /// When it last changed, in milliseconds since 1970.
    pub changed_ms: u64,
}

/// What a player thinks at this moment.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ThinkingInfo {
    /// The number of the ply that is thought about, from 1.
    pub ply: usize,
    /// Who thinks.
    pub side: Color,
    /// Plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Positions a second.
    pub nps: u64,
    /// Time since the start.
    pub time_ms: u64,
    /// From White's point of view; absent for a player that has no score.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub score: Option<WhiteScore>,
    /// The line.
    pub pv: Vec<MoveText>,
}

/// A game to be begun.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct NewGame {
    /// Who has White.
    pub white: Seat,
    /// Who has Black.
    pub black: Seat,
    /// Where it begins; in the usual start position if absent.
    #[serde(default)]
    pub start: Option<StartRequest>,
    /// The clock; none if absent.
    #[serde(default)]
    pub clock: Option<ClockSetting>,
    /// The seed of everything random in it; some if absent.
    #[serde(default)]
    pub seed: Option<u32>,
}

/// Where a game begins: a FEN and moves, or a ply of a game in PGN.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct StartRequest {
    /// The start position.
    #[serde(default)]
    pub fen: Option<String>,
    /// Moves from there, in UCI notation.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>")]
    pub moves: Vec<String>,
    /// A game; its first one counts.
    #[serde(default)]
    pub pgn: Option<String>,
    /// How many of its plies count; all if absent.
    #[serde(default)]
    pub ply: Option<usize>,
}

/// A move.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct MoveRequest {
    /// In UCI notation.
    pub uci: String,
    /// The version of the game that it is made for.
    pub version: u64,
}

/// Something else that a person does.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct ActionRequest {
    /// The version of the game that it is meant for; any if absent.
    #[serde(default)]
    pub version: Option<u64>,
    /// Whose action it is; needed only where people sit on both sides.
    #[serde(default)]
    pub side: Option<Color>,
}

/// What is done about a draw.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum DrawAction {
    #[default]
    Offer,
    Accept,
    Decline,
    Claim,
}

/// Something about a draw.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct DrawRequest {
    /// What is done; an offer if absent.
    #[serde(default)]
    #[ts(as = "Option<DrawAction>")]
    pub action: DrawAction,
    /// The version of the game that it is meant for; any if absent.
    #[serde(default)]
    pub version: Option<u64>,
    /// Whose action it is; needed only where people sit on both sides.
    #[serde(default)]
    pub side: Option<Color>,
}
