//! Why something specifies no player.

use thiserror::Error;
use vidmar_engine::settings::{Kind, Role, Setting, SettingError};
use vidmar_text::Excerpt;

use crate::table::{OPTION, PLAYER_TYPES, PlayerType, hint};

/// Why something specifies no player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// There is no such type.
    #[error("unknown player '{key}'{hint} (known: {known})", known = known_types())]
    Type {
        /// What was asked for.
        key: Excerpt,
        /// What may have been meant.
        hint: String,
    },
    /// There is no such setting.
    #[error("{player}: unknown setting '{key}'{hint} (known: {known})")]
    Key {
        /// The type of player.
        player: &'static str,
        /// What was to be set.
        key: Excerpt,
        /// What may have been meant.
        hint: String,
        /// What can be set.
        known: String,
    },
    /// There is no such option.
    #[error("{key}: no such option{hint}")]
    Option {
        /// What was to be set.
        key: Excerpt,
        /// What may have been meant.
        hint: String,
    },
    /// A part without `=`.
    #[error("'{0}': expected KEY=VALUE")]
    Part(Excerpt),
    /// A setting is there twice.
    #[error("{0} is set twice")]
    Twice(String),
    /// A value does not fit.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Values that fit each for itself do not go together.
    #[error("{player}: {reason}")]
    Together {
        /// The type of player.
        player: &'static str,
        /// Why not.
        reason: String,
    },
    /// Something is missing.
    #[error("{player}: {key} is missing (expected {key}={example})")]
    Missing {
        /// The type of player.
        player: &'static str,
        /// The setting.
        key: &'static str,
        /// What it could be.
        example: &'static str,
    },
}

fn known_types() -> String {
    let keys: Vec<&str> = PLAYER_TYPES.iter().map(|row| row.key).collect();
    keys.join(", ")
}

impl SpecError {
    /// The player knows no such setting, or no such option.
    pub(super) fn unknown(player: &'static PlayerType, key: &str) -> SpecError {
        // A button has no value that could be specified.
        let is_specified = |row: &&Setting| row.role != Role::Tuning && !matches!(row.kind, Kind::Button);
        let rows = || player.all_settings().filter(is_specified);
        if let Some(name) = key.strip_prefix(OPTION) {
            let known = player.all_settings().map(|row| row.uci.as_ref());
            return SpecError::Option {
                key: key.into(),
                hint: hint(name, known.filter(|name| !name.is_empty())),
            };
        }
        let mut known: Vec<&str> = vec!["name"];
        known.extend(rows().map(|row| row.key.as_ref()));
        SpecError::Key {
            player: player.key,
            key: key.into(),
            hint: hint(key, known.iter().copied()),
            known: known.join(", "),
        }
    }
}
