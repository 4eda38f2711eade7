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

#[cfg(test)]
mod tests {
    use vidmar_engine::settings::Kind;
    use vidmar_players::{EngineCommand, PlayerSpec, PlayerType, Protocol};

    use super::*;
    use crate::config::{NamedEngine, NamedFile};

    fn config() -> Config {
        let engine = |protocol| NamedEngine {
            name: "known".to_owned(),
            spec: PlayerSpec::external(protocol, &EngineCommand::new("/nowhere"), None),
        };
        let built_in = PLAYER_TYPES.iter().filter(|player| !player.is_program());
        let needed = built_in.flat_map(PlayerType::required);
        Config {
            engines: vec![engine(Protocol::Uci), engine(Protocol::Xboard)],
            files: needed
                .map(|(row, _)| NamedFile {
                    key: row.key.to_string(),
                    name: "known".to_owned(),
                    path: "/nowhere/known".into(),
                })
                .collect(),
            ..Config::default()
        }
    }

    /// What the page offers of a number is what the player takes, or less where the policy says so and the error tells.
    #[test]
    fn every_number_has_the_limits_of_its_row_or_of_the_policy() {
        let config = config();
        for player in PLAYER_TYPES {
            for offer in offers(player, &config) {
                let row = player.setting(&offer.setting.key).expect("a row of the table");
                let Kind::Integer { min, max, .. } = row.kind else {
                    continue;
                };
                let option = offer.describe();
                let most = option.max.expect("a number ends somewhere");
                assert_eq!(option.min, Some(min), "{}: {}", player.key, row.key);
                assert!(most <= max, "{}: {}", player.key, row.key);
                assert_eq!(option.default, row.usual_value(), "{}: {}", player.key, row.key);
                for number in [min, most] {
                    assert!(
                        offer.check(&Value::Integer(number)).is_ok(),
                        "{}: {number}",
                        row.key
                    );
                    let spec = PlayerSpec::new(player).with(&row.key, number);
                    assert!(spec.is_ok(), "{}: {number}", row.key);
                }
                for number in [min - 1, most.saturating_add(1)] {
                    let error = offer.check(&Value::Integer(number)).expect_err("out of range");
                    let limits = format!("'{number}' is not a number from {min} to {most}");
                    assert!(error.message().contains(&limits), "{}", error.message());
                    let policy = format!("what this page allows; the player itself takes up to {max}");
                    assert_eq!(
                        error.message().contains(&policy),
                        most < max,
                        "{}",
                        error.message()
                    );
                }
            }
        }
    }

    #[test]
    fn everything_else_is_refused_as_the_player_refuses_it() {
        let config = config();
        for player in PLAYER_TYPES {
            assert_eq!(missing(player, &config), None, "{}", player.key);
            for offer in offers(player, &config) {
                let row = player.setting(&offer.setting.key).expect("a row of the table");
                if matches!(row.kind, Kind::Text { .. }) && row.key == "args" {
                    continue;
                }
                let bad = Value::from("no such value");
                let error = offer.check(&bad).expect_err("no such value").message().to_owned();
                assert!(error.starts_with(&format!("{}: ", row.label)), "{error}");
                if !matches!(row.kind, Kind::Path) {
                    assert!(
                        PlayerSpec::new(player).with(&row.key, bad).is_err(),
                        "{}",
                        row.key
                    );
                }
            }
        }
        assert!(missing(&PLAYER_TYPES[1], &Config::default()).is_some());
    }
}
