//! External engines by name and content.
//!
//! A task never carries a command: a stranger's command must not run on anybody's machine. The run says which program it means
//! (its name, the SHA-256 of its file, the arguments that it is started with), and a worker plays such a task only if its
//! owner has offered that very program. What else a task may say about a player is what cannot touch files: numbers, switches and words.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use vidmar_engine::settings::{Kind, Value};
use vidmar_players::{EngineCommand, FileIdentity, PlayerSpec, Protocol};
use vidmar_text::quoted_words;

use crate::protocol::{Class, WirePlayer, shortened};

/// Which program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineRef {
    /// What it is called: its file's name, unless somebody called it otherwise.
    pub name: String,
    /// The SHA-256 of its file.
    pub sha256: String,
    /// What it is started with, to be compared: a worker starts it as its owner said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub arguments: String,
}

impl fmt::Display for EngineRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digest = self.sha256.get(..12).unwrap_or(&self.sha256);
        write!(f, "{} (SHA-256 {}…)", shortened(&self.name), shortened(digest))
    }
}

/// Why a player cannot play elsewhere, or a task not here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    /// A file of this machine.
    #[error("{player}: {key}={value} is a file, and files stay on their machine")]
    File {
        /// The player.
        player: String,
        /// The setting.
        key: String,
        /// Its value.
        value: String,
    },
    /// Something that only the owner of a machine says.
    #[error(
        "{player}: {key} is for the owner of each worker to say (--engine NAME=COMMAND), not for the run"
    )]
    Owners {
        /// The player.
        player: String,
        /// The setting.
        key: String,
    },
    /// A task brings a command along.
    #[error("the task carries a command ({0}), and no command of a stranger is run here")]
    Command(String),
    /// The program's file is not there.
    #[error("the program {0} is not there")]
    NoProgram(String),
    /// The program's file cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// Which.
        path: String,
        /// Why.
        reason: String,
    },
    /// Nobody offered it.
    #[error("the engine {0} is not offered here (--engine NAME=COMMAND)")]
    NotOffered(String),
    /// Another program has that name here.
    #[error("{wanted} is wanted, and {offered} is offered")]
    OtherContent {
        /// By the run.
        wanted: String,
        /// By the worker.
        offered: String,
    },
    /// It is started otherwise here.
    #[error("{name} is started with '{offered}' here, and with '{wanted}' by the run")]
    OtherArguments {
        /// The engine.
        name: String,
        /// By the worker.
        offered: String,
        /// By the run.
        wanted: String,
    },
    /// An option that could touch files.
    #[error(
        "{player}: the option {name}={value} could name a file; it is not sent to workers, nor taken from runs"
    )]
    Option {
        /// The player.
        player: String,
        /// The option.
        name: String,
        /// Its value.
        value: String,
    },
    /// More than a worker gives away.
    #[error("{player}: {key}={value} is more than a worker gives to one player ({most})")]
    TooMuch {
        /// The player.
        player: String,
        /// The setting.
        key: String,
        /// Its value.
        value: i64,
        /// The most.
        most: i64,
    },
    /// `--engine` makes no sense.
    #[error(
        "'{0}': expected NAME=COMMAND, such as stockfish=/usr/games/stockfish or gnu='gnuchess --uci'; NAME=xboard:COMMAND for another protocol"
    )]
    Offer(String),
    /// Tablebases by a path.
    #[error("tablebases of a folder ({0}) decide no games on workers: they have the built-in ones")]
    Tablebases(String),
}

/// The key of a program, and those that only the owner of a machine says besides.
const COMMAND: &str = "cmd";
const ARGUMENTS: &str = "args";
const OWNERS: [&str; 2] = ["dir", "initstr"];
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
fn reference(spec: &PlayerSpec, name: Option<&str>) -> Result<EngineRef, EngineError> {
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
        arguments: words_of(spec).join(" "),
    })
}

/// The words that a program is started with.
fn words_of(spec: &PlayerSpec) -> Vec<String> {
    let text = spec.chosen(ARGUMENTS).map(Value::to_string).unwrap_or_default();
    quoted_words(&text).unwrap_or_else(|_| vec![text])
}

/// Whether a player can be sent to strangers, or taken from one: it says nothing that could touch a file.
fn check(spec: &PlayerSpec) -> Result<(), EngineError> {
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

/// The class of tasks that need these engines.
pub fn class_of<'e>(engines: impl Iterator<Item = &'e EngineRef>) -> Class {
    let mut engines: Vec<EngineRef> = engines.cloned().collect();
    engines.sort();
    engines.dedup();
    let name = if engines.is_empty() {
        "plain".to_owned()
    } else {
        let mut hash = Sha256::new();
        for EngineRef {
            name,
            sha256,
            arguments,
        } in &engines
        {
            hash.update(format!("{name}\n{sha256}\n{arguments}\n"));
        }
        let digest = format!("{:x}", hash.finalize());
        format!("with-{}", &digest[..12])
    };
    Class { name, engines }
}

/// An engine that the owner of a machine offers.
#[derive(Clone, Debug)]
pub struct OfferedEngine {
    reference: EngineRef,
    spec: PlayerSpec,
}

impl FromStr for OfferedEngine {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<OfferedEngine, EngineError> {
        let wrong = || EngineError::Offer(shortened(text));
        let (name, player) = text.split_once('=').ok_or_else(wrong)?;
        let mut words = quoted_words(player).map_err(|_| wrong())?.into_iter();
        let program = words.next().filter(|_| !name.is_empty()).ok_or_else(wrong)?;
        let (protocol, program) = match program.strip_prefix("xboard:") {
            Some(program) => (Protocol::Xboard, program),
            None => (Protocol::Uci, program.as_str()),
        };
        let command = words.fold(EngineCommand::new(program), EngineCommand::argument);
        let spec = PlayerSpec::external(protocol, &command, None);
        Ok(OfferedEngine {
            reference: reference(&spec, Some(name))?,
            spec,
        })
    }
}

/// All engines that the owner of a machine offers.
#[derive(Clone, Debug, Default)]
pub struct Offered(pub Vec<OfferedEngine>);

impl Offered {
    /// What they are.
    pub fn references(&self) -> Vec<EngineRef> {
        self.0.iter().map(|engine| engine.reference.clone()).collect()
    }

    /// Whether tasks of a class can be played here; else why not.
    pub fn fits(&self, class: &Class) -> Result<(), EngineError> {
        class
            .engines
            .iter()
            .try_for_each(|engine| self.find(engine).map(drop))
    }

    fn find(&self, wanted: &EngineRef) -> Result<&OfferedEngine, EngineError> {
        let named = |engine: &&OfferedEngine| engine.reference.name == wanted.name;
        let same = |engine: &&OfferedEngine| engine.reference.sha256 == wanted.sha256;
        let found = self
            .0
            .iter()
            .filter(same)
            .find(named)
            .or_else(|| self.0.iter().find(same));
        let Some(engine) = found else {
            return Err(match self.0.iter().find(named) {
                Some(other) => EngineError::OtherContent {
                    wanted: wanted.to_string(),
                    offered: other.reference.to_string(),
                },
                None => EngineError::NotOffered(wanted.to_string()),
            });
        };
        if engine.reference.arguments != wanted.arguments {
            return Err(EngineError::OtherArguments {
                name: shortened(&wanted.name),
                offered: engine.reference.arguments.clone(),
                wanted: shortened(&wanted.arguments),
            });
        }
        Ok(engine)
    }

    /// The player of a task as it is made here.
    pub fn admit(&self, player: &WirePlayer) -> Result<PlayerSpec, EngineError> {
        let spec = &player.spec;
        let brought = [COMMAND, ARGUMENTS]
            .iter()
            .chain(&OWNERS)
            .find(|key| spec.chosen(key).is_some());
        if spec.player_type().is_program()
            && let Some(key) = brought
        {
            let value = spec.chosen(key).map(Value::to_string).unwrap_or_default();
            return Err(EngineError::Command(shortened(&format!("{key}={value}"))));
        }
        check(spec)?;
        match &player.engine {
            None if spec.player_type().is_program() => Err(EngineError::NotOffered(shortened(&spec.name()))),
            None => Ok(spec.clone()),
            Some(engine) => Ok(self.find(engine)?.spec.clone().merged(spec.clone())),
        }
    }
}

#[cfg(test)]
mod tests;
