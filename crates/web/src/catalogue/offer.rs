//! A setting of a player as this page offers it: the row of the players' table under the page's policy. Files and programs are
//! chosen among those that the server was started with, by name; nothing else can be named.

use vidmar_engine::settings::{Kind, Role, Setting, SettingError, Unset, Value};
use vidmar_players::PlayerType;

use super::option::{OptionKind, SeatOption};
use super::policy;
use crate::config::Config;
use crate::error::{ApiError, ApiResult};

/// The key of the program of an external engine, and the name under which a seat chooses among those that there are.
const PROGRAM: &str = "cmd";
const ENGINE: &str = "engine";

/// The longest text.
const LONGEST: usize = 100;

/// A setting as this page offers it.
pub(crate) struct Offer {
    /// The name that a seat uses.
    pub(crate) name: String,
    /// The row; numbers end where the page's policy ends.
    pub(crate) setting: Setting,
    /// The player's own limit, where the page's is lower.
    beyond: Option<i64>,
    /// Where a text must be one of some names: which.
    names: Option<Vec<String>>,
}

/// What can be chosen about a type of player here, the basic settings first.
pub(crate) fn offers(player: &PlayerType, config: &Config) -> Vec<Offer> {
    let mut offers: Vec<Offer> = player
        .all_settings()
        .filter_map(|row| Offer::new(player, row, config))
        .collect();
    let index = |offer: &Offer| {
        let index = player.basic.iter().position(|key| *key == offer.setting.key);
        index.unwrap_or(usize::MAX)
    };
    offers.sort_by_key(index);
    offers
}

/// What the server would have to be started with for this type of player.
pub(crate) fn missing(player: &PlayerType, config: &Config) -> Option<String> {
    let (row, _) = player
        .required()
        .find(|(row, _)| config.names(player, &row.key).is_empty())?;
    Some(match row.key.as_ref() {
        PROGRAM => "an engine: vidmar web --engine NAME=COMMAND".to_owned(),
        "cases" => "a case base: vidmar web --cases NAME=FILE".to_owned(),
        key => format!("a file: vidmar web --file {key}:NAME=FILE"),
    })
}

impl Offer {
    fn new(player: &PlayerType, row: &Setting, config: &Config) -> Option<Offer> {
        let is_required = matches!(row.unset, Unset::Required(_));
        if !is_required && !matches!(row.role, Role::Usual | Role::Seed) {
            return None;
        }
        let names = match &row.kind {
            Kind::Button => return None,
            Kind::Path => {
                let names = config.names(player, &row.key);
                if names.is_empty() && !is_required {
                    return None;
                }
                Some(names)
            }
            Kind::Vector { names, .. } => {
                let mut names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
                names.extend(config.names(player, &row.key));
                Some(names)
            }
            _ => None,
        };
        let (setting, beyond) = policy::capped(row);
        Some(Offer {
            name: if row.key == PROGRAM { ENGINE } else { &*row.key }.to_owned(),
            setting,
            beyond,
            names,
        })
    }

    /// As the page gets it.
    pub(crate) fn describe(&self) -> SeatOption {
        let row = &self.setting;
        let mut option = SeatOption {
            name: self.name.clone(),
            label: row.label.to_owned(),
            help: row.help.to_owned(),
            kind: OptionKind::Text,
            values: Vec::new(),
            min: None,
            max: None,
            default: row.usual_value(),
            unset: self.unset(),
        };
        match &row.kind {
            Kind::Switch { .. } | Kind::Button => option.kind = OptionKind::Switch,
            Kind::Integer { min, max, .. } => {
                option.kind = OptionKind::Integer;
                (option.min, option.max) = (Some(*min), Some(*max));
            }
            Kind::Choice { values, .. } => {
                option.kind = OptionKind::Combo;
                option.values = values.iter().map(|&word| word.to_owned()).collect();
            }
            Kind::Text { .. } | Kind::Path | Kind::Vector { .. } => {}
        }
        if let Some(names) = &self.names {
            option.kind = OptionKind::Combo;
            option.default = names.first().map(|name| name.as_str().into());
            option.values.clone_from(names);
        }
        option
    }

    /// What holds if nothing is chosen and the row has no default, in words.
    fn unset(&self) -> Option<String> {
        match self.setting.unset {
            Unset::Default | Unset::Required(_) => None,
            Unset::Preset(_) => Some("from the variant".to_owned()),
            Unset::Nothing => Some("no limit".to_owned()),
            Unset::Switch(_) => Some("off".to_owned()),
        }
    }

    /// What holds if nothing is chosen: the first of some names.
    pub(crate) fn first_name(&self) -> Option<&str> {
        self.names.as_ref()?.first().map(String::as_str)
    }

    /// Whether a value fits; if not, what was expected.
    pub(crate) fn check(&self, value: &Value) -> ApiResult<()> {
        let unfit = |expected: String| SettingError::Value {
            name: self.setting.label.to_owned(),
            value: value.to_string().as_str().into(),
            expected,
        };
        let fits = match (&self.names, value) {
            (Some(names), Value::Text(name)) if names.contains(name) => Ok(()),
            (Some(names), _) => Err(unfit(format!("one of {}", names.join(", ")))),
            (None, Value::Text(text)) if text.len() > LONGEST => {
                Err(unfit(format!("a text of at most {LONGEST} characters")))
            }
            (None, _) => self
                .setting
                .check(value)
                .map_err(|error| error.named(self.setting.label)),
        };
        fits.map_err(|error| {
            let beyond = self.beyond.filter(|_| value.as_integer().is_some());
            let policy = beyond.map_or_else(String::new, |most| {
                format!(" (what this page allows; the player itself takes up to {most})")
            });
            ApiError::bad_request("bad-option", format!("{error}{policy}"))
                .field(format!("options.{}", self.name))
        })
    }
}
