//! Players by specification: `engine:depth=6`, `search:algorithm=mtdf,board=0x88,depth=4`, `random:seed=1`,
//! `uci:cmd=PATH,option.Hash=16`.
//!
//! A specification is a kind and settings: `KIND:KEY=VALUE,KEY=VALUE`. A part without `=` belongs to the value before
//! it, so that lists need no quotes (`ordering=table,killers,depth=4`); `\,` is a comma that parts nothing, and `\\` a
//! backslash. Every kind is a row of [`KINDS`]; these settings go with every one:
//!
//! | key | meaning |
//! | --- | --- |
//! | `name` | what the player is called |
//! | `depth`, `nodes`, `movetime` | the most that it uses for a move: plies, positions, milliseconds |

mod cases;
mod kinds;
mod settings;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;
use vidmar_text::{Excerpt, nearest};

use crate::fault::Fault;
use crate::move_limits::MoveLimits;
use crate::player::Player;
use crate::process::EngineCommand;
pub use kinds::{KINDS, PlayerKind};
use settings::Settings;

/// A player that can be made as often as one likes, one for each thread.
#[derive(Clone)]
pub struct PlayerSpec {
    kind: &'static str,
    settings: Vec<(String, String)>,
    common: Common,
    recipe: Recipe,
}

/// The settings that go with every kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Common {
    pub(crate) name: Option<String>,
    pub(crate) move_limits: MoveLimits,
}

/// How a player is made.
pub(crate) type Recipe = Arc<dyn Fn(&Common) -> Result<Box<dyn Player>, Fault> + Send + Sync>;

/// Which language an external engine speaks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Chess Engine Communication Protocol, version 2.
    Xboard,
}

/// Why a text specifies no player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// There is no such kind.
    #[error("unknown player '{word}'{hint} (known: {known})", known = known_kinds())]
    Kind {
        /// What was asked for.
        word: Excerpt,
        /// What may have been meant.
        hint: String,
    },
    /// There is no such setting.
    #[error("{kind}: unknown setting '{key}'{hint} (known: {known})")]
    Key {
        /// The kind of player.
        kind: &'static str,
        /// What was to be set.
        key: Excerpt,
        /// What may have been meant.
        hint: String,
        /// What can be set.
        known: String,
    },
    /// A setting without `=`.
    #[error("'{0}': expected KEY=VALUE")]
    Part(Excerpt),
    /// A setting is there twice.
    #[error("{0} is set twice")]
    Twice(String),
    /// A value does not fit.
    #[error("{key}: {reason}")]
    Value {
        /// The setting.
        key: String,
        /// What is wrong.
        reason: String,
    },
    /// Something is missing.
    #[error("{kind}: {key} is missing (expected {key}={example})")]
    Missing {
        /// The kind of player.
        kind: &'static str,
        /// The setting.
        key: &'static str,
        /// What it could be.
        example: &'static str,
    },
}

fn known_kinds() -> String {
    let words: Vec<&str> = KINDS.iter().map(|kind| kind.word).collect();
    words.join(", ")
}

fn hint<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}

impl PlayerSpec {
    /// An external engine.
    pub fn external(protocol: Protocol, command: EngineCommand, name: Option<String>) -> PlayerSpec {
        let common = Common {
            name,
            move_limits: MoveLimits::default(),
        };
        let kind = match protocol {
            Protocol::Uci => "uci",
            Protocol::Xboard => "xboard",
        };
        let mut settings = kinds::settings_of(&command);
        if let Some(name) = &common.name {
            settings.push(("name".to_owned(), name.clone()));
        }
        PlayerSpec {
            kind,
            settings,
            common,
            recipe: kinds::external(protocol, command),
        }
    }

    /// The word of its kind.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The name it was given, or else the specification.
    pub fn name(&self) -> String {
        self.common.name.clone().unwrap_or_else(|| self.to_string())
    }

    /// The same player under another name.
    pub fn named(mut self, name: impl Into<String>) -> PlayerSpec {
        let name = name.into();
        self.settings.retain(|(key, _)| key != "name");
        self.settings.push(("name".to_owned(), name.clone()));
        self.common.name = Some(name);
        self
    }

    /// The limits it brings along. A game whose limits are none needs players whose ceilings are finite, or random ones.
    pub fn move_limits(&self) -> MoveLimits {
        self.common.move_limits
    }

    /// Makes the player; an external engine is started.
    pub fn player(&self) -> Result<Box<dyn Player>, Fault> {
        (self.recipe)(&self.common)
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, SpecError> {
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        let kind = KINDS.iter().find(|kind| kind.word == word.trim());
        let kind = kind.ok_or_else(|| SpecError::Kind {
            word: word.into(),
            hint: hint(word.trim(), KINDS.iter().map(|kind| kind.word)),
        })?;
        let written = settings::split(rest)?;
        let mut settings = Settings::new(kind.word, written.clone());
        let common = Common {
            name: settings.take("name"),
            move_limits: MoveLimits {
                depth: settings
                    .number("depth", 1..=u64::from(vidmar_search::MAX_DEPTH))?
                    .map(|n| n as u32),
                nodes: settings.number("nodes", 1..=u64::MAX)?,
                move_time: settings
                    .number("movetime", 1..=MOST_MILLISECONDS)?
                    .map(std::time::Duration::from_millis),
            },
        };
        let recipe = (kind.read)(&mut settings)?;
        settings.finish()?;
        Ok(PlayerSpec {
            kind: kind.word,
            settings: written,
            common,
            recipe,
        })
    }
}

/// A month.
const MOST_MILLISECONDS: u64 = 31 * 24 * 3_600_000;

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        for (index, (key, value)) in self.settings.iter().enumerate() {
            let between = if index == 0 { ':' } else { ',' };
            write!(f, "{between}{key}={}", settings::escaped(value))?;
        }
        Ok(())
    }
}

impl fmt::Debug for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerSpec({self})")
    }
}

impl PartialEq for PlayerSpec {
    fn eq(&self, other: &PlayerSpec) -> bool {
        self.kind == other.kind && self.settings == other.settings
    }
}
