//! Everything that can be given to the program, as JSON: for programs that call it, and for those that test it.
//!
//! Nothing is declared here: commands are those of the command line's own table, the rest those of the tables of matches,
//! players and configurations. Options over UCI are not repeated; `vidmar uci --parameters` lists them itself.

use clap::{Arg, Command};
use serde::Serialize;
use vidmar_engine::settings::{Kind, Setting, Unset};
use vidmar_players::{PLAYER_TYPES, PlayerType};
use vidmar_tune::config::{self, ConfigError};

use crate::commands::matches::{MatchArgument, match_arguments};

#[derive(Serialize)]
pub(super) struct Listing {
    commands: Vec<CommandRow>,
    match_arguments: Vec<MatchArgument>,
    players: Vec<PlayerRow>,
    configuration: Vec<config::Key>,
}

/// A command that can do without commands below it.
#[derive(Serialize)]
struct CommandRow {
    path: Vec<String>,
    arguments: Vec<ArgumentRow>,
}

#[derive(Serialize)]
struct ArgumentRow {
    /// As it is written: `--depth`, `-k`; what its value is called for one that is known by its position.
    name: String,
    is_positional: bool,
    /// Otherwise it is a switch.
    takes_value: bool,
    /// All values, where they are few.
    values: Vec<String>,
}

#[derive(Serialize)]
struct PlayerRow {
    key: &'static str,
    settings: Vec<SettingRow>,
}

#[derive(Serialize)]
struct SettingRow {
    key: String,
    kind: &'static str,
    range: Option<(i64, i64)>,
    /// An example, where a specification cannot do without it.
    required: Option<&'static str>,
}

impl Listing {
    /// Of a command with all below it.
    pub(super) fn new(mut whole: Command) -> Result<Listing, ConfigError> {
        whole.build();
        let mut commands = Vec::new();
        for command in whole.get_subcommands() {
            walk(command, &mut Vec::new(), &mut commands);
        }
        Ok(Listing {
            commands,
            match_arguments: match_arguments(),
            players: PLAYER_TYPES.iter().map(player).collect(),
            configuration: config::keys()?,
        })
    }
}

fn walk(command: &Command, path: &mut Vec<String>, rows: &mut Vec<CommandRow>) {
    // Its arguments are the names of the others.
    if command.get_name() == "help" {
        return;
    }
    path.push(command.get_name().to_owned());
    for below in command.get_subcommands() {
        walk(below, path, rows);
    }
    if !command.is_subcommand_required_set() {
        rows.push(CommandRow {
            path: path.clone(),
            arguments: command.get_arguments().map(argument).collect(),
        });
    }
    path.pop();
}

fn argument(row: &Arg) -> ArgumentRow {
    let name = match (row.get_long(), row.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => row.get_id().to_string(),
    };
    let values = row.get_possible_values();
    ArgumentRow {
        name,
        is_positional: row.is_positional(),
        takes_value: row.get_action().takes_values(),
        values: values.iter().map(|value| value.get_name().to_owned()).collect(),
    }
}

fn player(row: &'static PlayerType) -> PlayerRow {
    let settings = row.all_settings().filter(|setting| !setting.key.is_empty());
    PlayerRow {
        key: row.key,
        settings: settings.map(setting).collect(),
    }
}

fn setting(row: &'static Setting) -> SettingRow {
    let (kind, range) = match row.kind {
        Kind::Switch { .. } => ("switch", None),
        Kind::Integer { min, max, .. } => ("integer", Some((min, max))),
        Kind::Choice { .. } => ("choice", None),
        Kind::Text { .. } => ("text", None),
        Kind::Path => ("path", None),
        Kind::Vector { .. } => ("vector", None),
        Kind::Button => ("button", None),
    };
    SettingRow {
        key: row.key.to_string(),
        kind,
        range,
        required: match row.unset {
            Unset::Required(example) => Some(example),
            _ => None,
        },
    }
}
