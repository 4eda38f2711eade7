//! A player as data: its type and what was chosen about it.
//!
//! `engine:depth=6`, `search:algorithm=mtdf,board=0x88,depth=4`, `random:seed=1`, `uci:cmd=PATH,option.Hash=16`: see [`text`]
//! for the grammar. In JSON the same is `{"type": "engine", "settings": {"depth": 6}}`. Every value has been held against its
//! row of the table, whichever way it came; nothing in a specification is ignored.

mod error;
mod serial;
#[cfg(test)]
mod tests;
mod text;

use vidmar_engine::Thinker;
use vidmar_engine::settings::{Kind, Role, Setting, Unset, Value};

use crate::book;
use crate::fault::{Fault, FaultKind};
use crate::move_limits::{MoveLimits, limit_settings};
use crate::player::Player;
use crate::process::{EngineCommand, EngineLog, Log};
use crate::table::{Build, LimitUse, Limited, OPTION, PlayerType, Protocol, Scores};
use crate::thinker_player::ThinkerPlayer;
use crate::uci::UciPlayer;
use crate::xboard::XboardPlayer;

pub use error::SpecError;

/// The key of the name.
const NAME: &str = "name";

/// A player that can be made as often as one likes, here or on another machine.
#[derive(Clone)]
pub struct PlayerSpec {
    player: &'static PlayerType,
    /// In the order in which they were chosen.
    settings: Vec<(String, Value)>,
}

impl PartialEq for PlayerSpec {
    fn eq(&self, other: &PlayerSpec) -> bool {
        self.player.key == other.player.key && self.settings == other.settings
    }
}

impl PlayerSpec {
    /// A player of a type with nothing chosen; what it cannot do without is asked for when it is made.
    pub fn new(player: &'static PlayerType) -> PlayerSpec {
        PlayerSpec {
            player,
            settings: Vec::new(),
        }
    }

    /// The same by the key of the type.
    pub fn of(key: &str) -> Result<PlayerSpec, SpecError> {
        PlayerType::find(key).map(PlayerSpec::new)
    }

    /// An external engine.
    pub fn external(protocol: Protocol, command: &EngineCommand, name: Option<String>) -> PlayerSpec {
        let player = match protocol {
            Protocol::Uci => PlayerType::find("uci"),
            Protocol::Xboard => PlayerType::find("xboard"),
        };
        let mut spec = PlayerSpec::new(player.expect("rows of the table"));
        spec.settings = command.chosen_settings();
        let options = command.options.iter();
        spec.settings
            .extend(options.map(|(name, value)| (format!("{OPTION}{name}"), value.as_str().into())));
        match name {
            Some(name) => spec.named(name),
            None => spec,
        }
    }

    /// Its type.
    pub fn player_type(&self) -> &'static PlayerType {
        self.player
    }

    /// What was chosen, by key.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.settings.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// What was chosen for a key.
    pub fn chosen(&self, key: &str) -> Option<&Value> {
        let found = self.settings.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value)
    }

    /// What holds for a key: what was chosen, or else the default, if there is one.
    pub fn value(&self, key: &str) -> Option<Value> {
        let usual = || self.player.setting(key)?.usual_value();
        self.chosen(key).cloned().or_else(usual)
    }

    /// The same player with one more choice, or with another one in its place.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Result<PlayerSpec, SpecError> {
        let value = value.into();
        let key = self.key_of(key)?;
        let value = match self.player.setting(&key) {
            Some(row) => {
                row.check(&value)?;
                value
            }
            // The name, and what a program offers itself, are texts.
            None => match value {
                Value::Switch(on) => Value::Text(on.to_string()),
                value => Value::Text(value.to_string()),
            },
        };
        self.put(key, value);
        Ok(self)
    }

    /// The same with a value that is a text still.
    pub fn with_text(mut self, key: &str, text: &str) -> Result<PlayerSpec, SpecError> {
        let key = self.key_of(key)?;
        let value = match self.player.setting(&key) {
            Some(row) => row.read(text)?,
            None => Value::Text(text.to_owned()),
        };
        self.put(key, value);
        Ok(self)
    }

    /// The same player with the choices of another one in addition.
    #[must_use]
    pub fn merged(mut self, other: PlayerSpec) -> PlayerSpec {
        for (key, value) in other.settings {
            self.put(key, value);
        }
        self
    }

    fn put(&mut self, key: String, value: Value) {
        match self.settings.iter_mut().find(|(known, _)| *known == key) {
            Some((_, place)) => *place = value,
            None => self.settings.push((key, value)),
        }
    }

    /// The key under which a choice is kept; an error if there is nothing of the kind to be chosen.
    fn key_of(&self, key: &str) -> Result<String, SpecError> {
        let row = self
            .player
            .setting(key)
            .filter(|row| !matches!(row.kind, Kind::Button));
        match row {
            Some(row) => Ok(row.key.to_string()),
            None if key == NAME => Ok(key.to_owned()),
            None if self.player.is_program() && key.starts_with(OPTION) => Ok(key.to_owned()),
            None => Err(SpecError::unknown(self.player, key)),
        }
    }

    /// The name it was given, if it was.
    pub(crate) fn given_name(&self) -> Option<String> {
        self.chosen(NAME).map(Value::to_string)
    }

    /// The name it was given, or else the specification.
    pub fn name(&self) -> String {
        match self.chosen(NAME) {
            Some(name) => name.to_string(),
            None => self.to_string(),
        }
    }

    /// The same player under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> PlayerSpec {
        self.settings.retain(|(key, _)| key != NAME);
        self.settings.push((NAME.to_owned(), Value::Text(name.into())));
        self
    }

    /// The limits it brings along. A game whose limits are none needs players whose limits are finite, or ones that answer at
    /// once.
    pub fn move_limits(&self) -> MoveLimits {
        MoveLimits::of(self.settings())
    }

    /// Why games of this player are not the same each time, though their descriptions are; none if they are.
    pub fn unrepeatable(&self) -> Option<&'static str> {
        let timed = self.move_limits().move_time.is_some();
        (self.player.unrepeatable)(self).or_else(|| timed.then_some("it has a limit of time"))
    }

    /// The seed that is its own; a game's is mixed with it.
    fn seed(&self) -> u64 {
        let rows = (self.player.settings)();
        let row = rows.iter().find(|row| row.role == Role::Seed);
        let chosen = row.and_then(|row| self.chosen(&row.key)?.as_integer());
        chosen.unwrap_or_default().unsigned_abs()
    }

    /// Makes the player; an external engine is started.
    pub fn player(&self) -> Result<Box<dyn Player>, Fault> {
        self.logged_player(None)
    }

    /// The same; what is said to an external engine, and what it says, is written down.
    pub fn logged_player(&self, log: Option<&Log>) -> Result<Box<dyn Player>, Fault> {
        let unmade = |error: SpecError| Fault::new(FaultKind::Start, error.to_string());
        let name = self.given_name();
        let limits = self.move_limits();
        match self.player.build {
            Build::BuiltIn(_) => {
                let thinker = self.thinker().map_err(unmade)?;
                let player = ThinkerPlayer::new(thinker, limits, self.seed()).with_threads(self.threads());
                Ok(match name {
                    Some(name) => Box::new(player.named(name)),
                    None => Box::new(player),
                })
            }
            Build::Program(protocol) => {
                let mut command = self.command().map_err(unmade)?;
                command.log = log.map(|log| EngineLog {
                    log: log.clone(),
                    name: self.name(),
                });
                Ok(match protocol {
                    Protocol::Uci => Box::new(UciPlayer::start(command, limits, name)?) as Box<dyn Player>,
                    Protocol::Xboard => Box::new(XboardPlayer::start(command, limits, name)?),
                })
            }
        }
    }

    /// Threads that it is told to think with; 1 if nothing is said.
    pub fn threads(&self) -> u64 {
        let said = match self.player.build {
            Build::BuiltIn(_) => match book::then(self) {
                Some(then) => return then.threads(),
                None => self.chosen("threads").map(ToString::to_string),
            },
            Build::Program(_) => self.command().ok().and_then(|command| {
                let mut options = command.options.into_iter().rev();
                options.find_map(|(name, value)| name.eq_ignore_ascii_case("threads").then_some(value))
            }),
        };
        said.and_then(|text| text.parse().ok()).unwrap_or(1)
    }

    /// What the scores mean that it gives with its moves; those of a book are of the player that goes on.
    pub fn scores(&self) -> Scores {
        book::then(self).map_or(self.player.scores, |then| then.scores())
    }

    /// Whether the player can be made, as far as that can be told without starting a program: nothing is missing, files can be
    /// read, the choices go together, and none of them is without effect.
    pub fn check(&self) -> Result<(), SpecError> {
        self.check_effects()?;
        match self.player.build {
            Build::BuiltIn(_) => self.thinker().map(drop),
            Build::Program(_) => self.command().map(drop),
        }
    }

    /// The thinker of a built-in player.
    fn thinker(&self) -> Result<Box<dyn Thinker>, SpecError> {
        let Build::BuiltIn(make) = self.player.build else {
            return Err(SpecError::Together {
                player: self.player.key,
                reason: "not a built-in player".to_owned(),
            });
        };
        self.check_required()?;
        let mut thinker = make();
        for (key, value) in self.in_order() {
            thinker.set(key, &value)?;
        }
        thinker.check().map_err(|reason| SpecError::Together {
            player: self.player.key,
            reason,
        })?;
        Ok(thinker)
    }

    /// The choices in the order of the table: a preset stands before what it presets. A switch that a choice needs is on
    /// unless it was chosen otherwise.
    fn in_order(&self) -> Vec<(&'static str, Value)> {
        let rows = (self.player.settings)();
        let index_of = |key: &str| rows.iter().position(|row| row.key == key);
        let mut choices: Vec<(usize, Value)> = Vec::new();
        for (key, value) in &self.settings {
            let Some(index) = index_of(key) else {
                continue;
            };
            choices.push((index, value.clone()));
            if let Unset::Switch(switch) = rows[index].unset
                && self.chosen(switch).is_none()
            {
                choices.extend(index_of(switch).map(|index| (index, Value::Switch(true))));
            }
        }
        choices.sort_by_key(|(index, _)| *index);
        choices
            .into_iter()
            .map(|(index, value)| (rows[index].key.as_ref(), value))
            .collect()
    }

    /// The command of an external engine.
    pub(crate) fn command(&self) -> Result<EngineCommand, SpecError> {
        self.check_required()?;
        let mut command = EngineCommand::default();
        for (key, value) in &self.settings {
            match key.strip_prefix(OPTION) {
                Some(name) => command.options.push((name.to_owned(), value.to_string())),
                None if (self.player.settings)().iter().any(|row| row.key == *key) => {
                    command.set(key, value)?;
                }
                None => {}
            }
        }
        Ok(command)
    }

    /// What limits of a move are to it.
    pub fn limit_use(&self) -> LimitUse {
        match self.player.limits {
            Limited::Always => LimitUse::Needed,
            Limited::Never => LimitUse::None("at all: it answers at once"),
            Limited::By(limit_use) => limit_use(self),
        }
    }

    /// Whether it would think for ever without a limit from outside.
    pub fn needs_limit(&self) -> bool {
        self.limit_use() == LimitUse::Needed && !self.move_limits().is_finite()
    }

    /// Whether every choice that is not as it would be anyway has an effect.
    fn check_effects(&self) -> Result<(), SpecError> {
        for (key, value) in &self.settings {
            let row = self.player.all_settings().find(|row| row.key == *key);
            let why = row.and_then(|row| self.why_without_effect(row, value));
            if let Some(why) = why {
                return Err(SpecError::Together {
                    player: self.player.key,
                    reason: format!("{key} has no effect {why}"),
                });
            }
        }
        Ok(())
    }

    fn why_without_effect(&self, row: &Setting, value: &Value) -> Option<String> {
        if limit_settings().iter().any(|limit| limit.key == row.key) {
            return match self.limit_use() {
                LimitUse::None(why) => Some(why.to_owned()),
                LimitUse::Needed | LimitUse::Possible => None,
            };
        }
        if let Unset::Switch(switch) = row.unset
            && self.chosen(switch) == Some(&Value::Switch(false))
        {
            return Some(format!("with {switch}=off"));
        }
        let needs = row
            .needs
            .filter(|_| row.default_value().is_none_or(|usual| usual != *value))?;
        let owner = self.value_when_made(needs.key);
        (!needs.are_met(owner.as_ref())).then(|| needs.unmet(owner.as_ref()))
    }

    /// What a setting is once all choices are made: one that belongs to a switch has switched it on.
    fn value_when_made(&self, key: &str) -> Option<Value> {
        let mut made = self.in_order().into_iter().rev();
        made.find_map(|(chosen, value)| (chosen == key).then_some(value))
            .or_else(|| self.value(key))
    }

    fn check_required(&self) -> Result<(), SpecError> {
        let is_missing = |key: &str| match self.chosen(key) {
            Some(Value::Text(text)) => text.is_empty(),
            chosen => chosen.is_none(),
        };
        let mut missing = self.player.required().filter(|(row, _)| is_missing(&row.key));
        match missing.next() {
            None => Ok(()),
            Some((row, example)) => Err(SpecError::Missing {
                player: self.player.key,
                key: &row.key,
                example,
            }),
        }
    }
}
