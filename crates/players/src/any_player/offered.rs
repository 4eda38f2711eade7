//! What can be chosen about all built-in players together: the options of the UCI engine.

use vidmar_engine::settings::{Kind, Role, Setting, Unset};
use vidmar_search::Algorithm;

use super::{ALGORITHM, BOARD, LAZY, PARALLEL, PLAYER, SEARCH};
use crate::table::{PLAYER_TYPES, PlayerType};

/// The choice of the player, what the engine shares with the laboratory, and the settings of all.
pub(super) fn settings(players: &[&'static PlayerType]) -> Vec<Setting> {
    let values: Vec<&'static str> = players.iter().map(|player| player.key).collect();
    let mut all = vec![Setting {
        key: PLAYER.into(),
        uci: "Player".into(),
        label: "Player",
        help: "who thinks",
        kind: Kind::Choice {
            default: values.first().copied().unwrap_or_default(),
            values,
        },
        role: Role::Usual,
        unset: Unset::Default,
        needs: None,
    }];
    all.extend(of_the_laboratory(players));
    for (index, player) in players.iter().enumerate() {
        let rows = (player.settings)().iter().filter(|row| !row.uci.is_empty());
        all.extend(rows.map(|row| match index {
            0 => row.clone(),
            _ => Setting {
                key: format!("{}:{}", player.key, row.key).into(),
                uci: option_of(player, row).into(),
                kind: kind(player, row),
                ..row.clone()
            },
        }));
    }
    all
}

/// The name of the option of a player that is not the first.
pub(super) fn option_of(player: &PlayerType, row: &Setting) -> String {
    let mut name = player.key.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!("{name} {}", row.uci)
}

/// The same of a setting of the laboratory, by its key.
pub(super) fn option_of_search(key: &str) -> String {
    let laboratory = PLAYER_TYPES.iter().find(|player| player.key == SEARCH);
    let setting = laboratory.and_then(|player| Some((player, player.setting(key)?)));
    setting.map_or_else(|| key.to_owned(), |(player, row)| option_of(player, row))
}

/// Threads of the laboratory share their work as the engine's do: a graphical interface sets their number and nothing else.
fn kind(player: &PlayerType, row: &Setting) -> Kind {
    match (player.key, row.key.as_ref(), row.kind.clone()) {
        (SEARCH, PARALLEL, Kind::Choice { values, .. }) => Kind::Choice {
            default: LAZY,
            values,
        },
        (_, _, kind) => kind,
    }
}

/// The algorithm, the flagship before all, and the board.
fn of_the_laboratory(players: &[&'static PlayerType]) -> Vec<Setting> {
    const FLAGSHIP: &str = Algorithm::Flagship.name();
    let laboratory = players.iter().find(|player| player.key == SEARCH);
    let rows = laboratory.map_or(&[] as &[Setting], |player| (player.settings)());
    let shared = rows
        .iter()
        .filter(|row| [ALGORITHM, BOARD].contains(&row.key.as_ref()));
    let mut rows: Vec<Setting> = shared.cloned().collect();
    for row in &mut rows {
        if let (ALGORITHM, Kind::Choice { default, values }) = (row.key.as_ref(), &mut row.kind) {
            values.retain(|&algorithm| algorithm != FLAGSHIP);
            values.insert(0, FLAGSHIP);
            *default = FLAGSHIP;
        }
    }
    rows
}
