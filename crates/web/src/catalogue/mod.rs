//! Who can sit at a board, as data: the page builds its dialog from it, and a seat is checked against it.
//!
//! A kind is a row of `KINDS`; its options come from the tables of the crate that has the player. A request chooses
//! among what is listed here and can say nothing that is not.

mod kinds;
mod option;
mod seat;

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::config::Config;
use crate::server::Server;

pub(crate) use kinds::{KINDS, Kind};
pub use option::{OptionKind, OptionSetting, SeatOption};
pub(crate) use seat::Chair;

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
    pub missing: Option<&'static str>,
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
    pub options: BTreeMap<String, OptionSetting>,
}

/// Every kind, with what this server has to offer.
pub fn list(config: &Config) -> Vec<PlayerKind> {
    let describe = |kind: &Kind| PlayerKind {
        kind: kind.word,
        label: kind.label,
        help: kind.help,
        options: (kind.options)(config),
        missing: (kind.missing)(config),
    };
    KINDS.iter().map(describe).collect()
}

pub(crate) async fn players(State(server): State<Server>) -> Json<Vec<PlayerKind>> {
    Json(list(server.config()))
}
