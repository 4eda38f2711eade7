//! Players on their way out: what goes over the wire of one, and what may be said of it at all.

use std::path::Path;

use vidmar_engine::settings::{Kind, Value};
use vidmar_players::{EngineCommand, FileIdentity, PlayerSpec, Protocol};
use vidmar_text::quoted_words;

use super::{EngineError, EngineRef};
use crate::protocol::{WirePlayer, shortened};

/// The key of a program, and those that only the owner of a machine says besides.
pub(super) const COMMAND: &str = "cmd";
pub(super) const ARGUMENTS: &str = "args";
pub(super) const OWNERS: [&str; 2] = ["dir", "initstr"];
/// What stands before an engine's own option.
const OPTION: &str = "option.";
/// Parts of the names of options that are about files.
const FILE_WORDS: [&str; 8] = ["file", "path", "log", "dir", "book", "exec", "command", "folder"];
/// The largest table that a worker makes for one player, in MiB, and the most threads of one.
const MOST: [(&str, i64); 3] = [("hash", 1024), ("table-mib", 1024), ("threads", 64)];

/// A player as it goes over the wire.
pub fn to_wire(spec: &PlayerSpec) -> Result<WirePlayer, EngineError> {
    if !spec.player_type().is_program() {
        check(spec)?;
        return Ok(WirePlayer {
            spec: spec.clone(),
            engine: None,
        });
    }
    let engine = reference(spec, None)?;
    if let Some(key) = OWNERS.into_iter().find(|key| spec.chosen(key).is_some()) {
        return Err(EngineError::Owners {
            player: shortened(&spec.name()),
            key: key.to_owned(),
        });
    }
    let mut wire = PlayerSpec::new(spec.player_type());
    for (key, value) in spec
        .settings()
        .filter(|(key, _)| ![COMMAND, ARGUMENTS].contains(key))
    {
        wire = wire.with(key, value.clone()).unwrap_or_else(|_| spec.clone());
    }
    check(&wire)?;
    Ok(WirePlayer {
        spec: wire,
        engine: Some(engine),
    })
}

/// Which program a specification means.
pub(super) fn reference(spec: &PlayerSpec, name: Option<&str>) -> Result<EngineRef, EngineError> {
    let command = spec.chosen(COMMAND).map(Value::to_string).unwrap_or_default();
    let file = spec
        .program_file()
        .ok_or_else(|| EngineError::NoProgram(shortened(&command)))?;
    let identity = FileIdentity::of(&file).map_err(|error| EngineError::Unreadable {
        path: file.display().to_string(),
        reason: error.to_string(),
    })?;
    let stem = Path::new(&command).file_stem();
    let called = stem
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    Ok(EngineRef {
        name: name.map_or(called, str::to_owned),
        sha256: identity.sha256,
        arguments: arguments_of(spec),
    })
}

/// What a program is started with, written as everybody writes it.
fn arguments_of(spec: &PlayerSpec) -> String {
    let text = spec.chosen(ARGUMENTS).map(Value::to_string).unwrap_or_default();
    let words = quoted_words(&text).unwrap_or_else(|_| vec![text]);
    let command = words
        .into_iter()
        .fold(EngineCommand::default(), EngineCommand::argument);
    let written = PlayerSpec::external(Protocol::Uci, &command, None);
    written
        .chosen(ARGUMENTS)
        .map(Value::to_string)
        .unwrap_or_default()
}

/// Whether a player can be sent to strangers, or taken from one: it says nothing that could touch a file.
pub(super) fn check(spec: &PlayerSpec) -> Result<(), EngineError> {
    let player = || shortened(&spec.name());
    for (key, value) in spec.settings() {
        if let Some(name) = key.strip_prefix(OPTION) {
            check_option(name, &value.to_string(), &player)?;
            continue;
        }
        let Some(row) = spec.player_type().setting(key) else {
            continue;
        };
        let names_a_file = match (&row.kind, value) {
            (Kind::Path, Value::Text(path)) => !path.is_empty(),
            (Kind::Vector { names, .. }, Value::Text(name)) => !names.contains(&name.as_str()),
            _ => false,
        };
        if names_a_file {
            return Err(EngineError::File {
                player: player(),
                key: key.to_owned(),
                value: shortened(&value.to_string()),
            });
        }
        let most = MOST.iter().find(|(known, _)| *known == key);
        if let (Some(&(_, most)), Some(value)) = (most, value.as_integer())
            && value > most
        {
            return Err(EngineError::TooMuch {
                player: player(),
                key: key.to_owned(),
                value,
                most,
            });
        }
    }
    Ok(())
}

fn check_option(name: &str, value: &str, player: &dyn Fn() -> String) -> Result<(), EngineError> {
    let lower = name.to_lowercase();
    let is_safe = !FILE_WORDS.iter().any(|word| lower.contains(word))
        && !value.contains(['/', '\\'])
        && !value.contains("..")
        && !(value.chars().chain(name.chars())).any(char::is_control)
        && value.len() <= 200;
    if is_safe {
        return Ok(());
    }
    Err(EngineError::Option {
        player: player(),
        name: shortened(name),
        value: shortened(value),
    })
}
