//! Who can sit at a board, as data: the page builds its dialog from it, and a seat is checked against it.
//!
//! A kind is a row of the players' table, or a person; its options are the settings of that row, under the page's policy. A
//! request chooses among what is listed here and can say nothing that is not.

mod offer;
mod option;
mod policy;
mod seat;

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_engine::settings::Value;
use vidmar_players::PLAYER_TYPES;

use crate::config::Config;
use crate::server::Server;
use offer::{Offer, missing, offers};

pub use option::{OptionKind, OptionSetting, SeatOption};
pub(crate) use policy::LONGEST_THOUGHT;
pub(crate) use seat::CheckedSeat;

/// The kind of people, the only one that is not in the players' table.
const PERSON: &str = "person";

/// A kind of player, as the page gets it.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct PlayerKind {
    /// The word that a seat names it by.
    pub kind: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// What can be chosen about it.
    pub options: Vec<SeatOption>,
    /// What the server would have to be started with; absent where nothing is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// Who is to sit on one side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct Seat {
    /// The word of a kind.
    pub kind: String,
    /// What the player is called, if not by its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What was chosen; the rest is as listed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(as = "Option<BTreeMap<String, OptionSetting>>")]
    pub options: BTreeMap<String, Value>,
}

/// Every kind, with what this server has to offer.
pub fn list(config: &Config) -> Vec<PlayerKind> {
    let person = PlayerKind {
        kind: PERSON,
        label: "Person",
        help: "somebody at this page",
        options: Vec::new(),
        missing: None,
    };
    let others = PLAYER_TYPES.iter().map(|player| PlayerKind {
        kind: player.key,
        label: player.label,
        help: player.help,
        options: offers(player, config).iter().map(Offer::describe).collect(),
        missing: missing(player, config),
    });
    std::iter::once(person).chain(others).collect()
}

pub(crate) async fn players(State(server): State<Server>) -> Json<Vec<PlayerKind>> {
    Json(list(server.config()))
}
