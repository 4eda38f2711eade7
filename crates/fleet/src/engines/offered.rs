//! Engines of the owner of a machine: those that are named with `--engine`, and those that were fetched because `--accept-binaries` allows it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use vidmar_engine::settings::Value;
use vidmar_players::{EngineCommand, PlayerSpec, Protocol};
use vidmar_text::quoted_words;

use super::wire::{ARGUMENTS, COMMAND, OWNERS, check, reference};
use super::{EngineError, EngineRef};
use crate::protocol::{Class, WirePlayer, shortened};

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

/// All engines of a machine.
#[derive(Clone, Debug, Default)]
pub struct Offered {
    engines: Vec<OfferedEngine>,
    /// Programs that were fetched, by the SHA-256 that they were found to have.
    fetched: BTreeMap<String, PathBuf>,
}

impl From<Vec<OfferedEngine>> for Offered {
    fn from(engines: Vec<OfferedEngine>) -> Offered {
        Offered {
            engines,
            fetched: BTreeMap::new(),
        }
    }
}

impl Offered {
    /// Those that the owner named.
    pub fn references(&self) -> Vec<EngineRef> {
        self.engines
            .iter()
            .map(|engine| engine.reference.clone())
            .collect()
    }

    /// A program was fetched, and has this content.
    pub(crate) fn add_fetched(&mut self, sha256: &str, program: &Path) {
        self.fetched.insert(sha256.to_owned(), program.to_owned());
    }

    /// Whether tasks of a class can be played here; else why not.
    pub fn fits(&self, class: &Class) -> Result<(), EngineError> {
        class.engines.iter().try_for_each(|engine| self.has(engine))
    }

    /// Whether an engine is here; else why it is not the one that is wanted.
    pub(crate) fn has(&self, wanted: &EngineRef) -> Result<(), EngineError> {
        match self.find(wanted) {
            Err(_) if self.fetched.contains_key(&wanted.sha256) => Ok(()),
            found => found.map(drop),
        }
    }

    fn find(&self, wanted: &EngineRef) -> Result<&OfferedEngine, EngineError> {
        let named = |engine: &&OfferedEngine| engine.reference.name == wanted.name;
        let same = |engine: &&OfferedEngine| engine.reference.sha256 == wanted.sha256;
        let found = self
            .engines
            .iter()
            .filter(same)
            .find(named)
            .or_else(|| self.engines.iter().find(same));
        let Some(engine) = found else {
            return Err(match self.engines.iter().find(named) {
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
            Some(engine) => Ok(self.command(engine, spec)?.merged(spec.clone())),
        }
    }

    /// How an engine is started: as the owner said, or, where it was fetched, as the run says.
    fn command(&self, engine: &EngineRef, spec: &PlayerSpec) -> Result<PlayerSpec, EngineError> {
        let missing = match self.find(engine) {
            Ok(found) => return Ok(found.spec.clone()),
            Err(missing) => missing,
        };
        let program = self.fetched.get(&engine.sha256).ok_or(missing)?;
        let fetched = PlayerSpec::new(spec.player_type())
            .with_text(COMMAND, &program.display().to_string())
            .and_then(|fetched| fetched.with_text(ARGUMENTS, &engine.arguments));
        fetched.map_err(|_| EngineError::NotOffered(engine.to_string()))
    }
}
