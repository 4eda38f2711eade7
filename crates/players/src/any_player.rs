//! Every built-in player behind one: what the UCI engine is, with an option `Player` that says who thinks.
//!
//! The options of the first player of the table, the engine, have their own names; those of every other stand behind the
//! word of its player, so that no two are the same: `Evolve Genes`.
//!
//! The option `Algorithm` puts another search of the laboratory into the engine's place. Of the engine's options it then shares
//! hash, threads and how these share the work. What [stands above the search](ABOVE_THE_SEARCH), the book and the tablebases at
//! the root, holds for every player. All other options of the engine are refused by name, whichever of the two is set first. Another
//! player is chosen whatever the engine was set to, and what then has no effect is named before it thinks. A
//! player that lacks what it cannot do without says so and does not move.

mod offered;

use std::collections::{BTreeMap, BTreeSet};

use vidmar_chess::{BoardKind, Game, Position};
use vidmar_engine::bench::BenchSettings;
use vidmar_engine::settings::{Kind, Setting, SettingError, Unset, Value, Wanted};
use vidmar_engine::{
    ABOVE_THE_SEARCH, Control, Explanation, FlagshipThinker, Info, Limits, Thinker, Thought,
};
use vidmar_search::{Algorithm, Parallel, SettingsError, Switch};

use crate::table::{Build, PLAYER_TYPES, PlayerType};

/// The key of the choice.
const PLAYER: &str = "player";
/// The player that stands in for the engine once an algorithm of the laboratory is chosen.
const SEARCH: &str = "search";
/// Settings of the laboratory that the engine offers as its own.
const ALGORITHM: &str = "algorithm";
const BOARD: &str = "board";
const PARALLEL: &str = "parallel";
const VECTOR: &str = "vector";
/// Settings that both have, by their keys here and there: to set one sets both.
const SHARED: [(&str, &str); 3] = [
    ("hash", "table-mib"),
    ("threads", "threads"),
    (PARALLEL, PARALLEL),
];
const LAZY: &str = Parallel::Lazy.name();

/// All built-in players; one of them thinks.
pub struct AnyPlayer {
    engine: FlagshipThinker,
    others: Vec<Seat>,
    settings: Vec<Setting>,
    /// Who thinks.
    chosen: &'static str,
    /// How the engine searches.
    algorithm: Algorithm,
    /// Whether another board than the flagship's is chosen.
    on_other_board: bool,
    /// The settings that are not as at first, by their keys here.
    changed: BTreeMap<String, Value>,
    /// The reasons of the last move, if it was that of the book above a player other than the engine.
    by_book: Option<Explanation>,
}

/// A player other than the engine.
struct Seat {
    row: &'static PlayerType,
    thinker: Box<dyn Thinker>,
    /// Keys of what it has been given, of what it cannot do without.
    given: BTreeSet<String>,
}

impl Default for AnyPlayer {
    fn default() -> AnyPlayer {
        let built_in = PLAYER_TYPES.iter().filter_map(|row| match row.build {
            Build::BuiltIn(make) => Some((row, make)),
            Build::Program(_) => None,
        });
        let rows: Vec<&'static PlayerType> = built_in.clone().map(|(row, _)| row).collect();
        let seat = |(row, make): (&'static PlayerType, fn() -> Box<dyn Thinker>)| Seat {
            row,
            thinker: make(),
            given: BTreeSet::new(),
        };
        let mut player = AnyPlayer {
            engine: FlagshipThinker::default(),
            others: built_in.skip(1).map(seat).collect(),
            settings: offered::settings(&rows),
            chosen: rows[0].key,
            algorithm: Algorithm::Flagship,
            on_other_board: false,
            changed: BTreeMap::new(),
            by_book: None,
        };
        let shared = player.set_of(SEARCH, PARALLEL, &LAZY.into());
        debug_assert_eq!(shared, Ok(()));
        player
    }
}

impl AnyPlayer {
    /// The player that thinks, unless it is the engine.
    fn other(&self) -> Option<&Seat> {
        let key = self.key();
        self.others.iter().find(|seat| seat.row.key == key)
    }

    fn other_mut(&mut self) -> Option<&mut Seat> {
        let key = self.key();
        self.others.iter_mut().find(|seat| seat.row.key == key)
    }

    /// The key of the player that thinks.
    fn key(&self) -> &'static str {
        if self.chosen == PLAYER_TYPES[0].key && self.algorithm != Algorithm::Flagship {
            SEARCH
        } else {
            self.chosen
        }
    }

    fn thinker(&self) -> &dyn Thinker {
        self.other().map_or(&self.engine, |seat| seat.thinker.as_ref())
    }

    fn set_of(&mut self, player: &str, key: &str, value: &Value) -> Result<(), SettingError> {
        let seat = self.others.iter_mut().find(|seat| seat.row.key == player);
        let seat = seat.ok_or_else(|| SettingError::unknown(key, []))?;
        seat.thinker.set(key, value)?;
        if value.as_text() == Some("") {
            seat.given.remove(key);
        } else {
            seat.given.insert(key.to_owned());
        }
        Ok(())
    }

    /// Chooses how the engine searches, if that goes with what else is chosen about it.
    fn set_algorithm(&mut self, word: &str, value: &Value) -> Result<(), SettingError> {
        let refused = |reason: String| SettingError::refused(ALGORITHM, reason);
        let algorithm: Algorithm = word.parse().map_err(|error| refused(format!("{error}")))?;
        check_board(algorithm, self.on_other_board).map_err(|error| refused(error.to_string()))?;
        if algorithm != Algorithm::Flagship {
            if self.is_engine_chosen() {
                let mut changed = self.changed.keys().filter(|key| is_of_engine(key));
                changed.try_for_each(|key| check_shared(algorithm, key).map_err(refused))?;
            }
            self.set_of(SEARCH, ALGORITHM, value)?;
        }
        self.algorithm = algorithm;
        Ok(())
    }

    fn set_board(&mut self, word: &str, value: &Value) -> Result<(), SettingError> {
        let on_other_board = word != BoardKind::Bitboard.name();
        let checked = check_board(self.algorithm, on_other_board);
        checked.map_err(|error| SettingError::refused(BOARD, error))?;
        self.set_of(SEARCH, BOARD, value)?;
        self.on_other_board = on_other_board;
        Ok(())
    }

    /// Sets something of the engine, and where it shares that, of the laboratory.
    fn set_engine(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        let row = self.settings.iter().find(|row| row.key == key);
        let is_changed = row.is_some_and(|row| row.default_value().is_some_and(|usual| usual != *value));
        let is_button = row.is_some_and(|row| matches!(row.kind, Kind::Button));
        if is_changed && self.is_engine_chosen() {
            check_shared(self.algorithm, key).map_err(|reason| SettingError::refused(key, reason))?;
        }
        if let Some((_, there)) = SHARED.iter().find(|(here, _)| *here == key) {
            self.set_of(SEARCH, there, value)?;
        }
        self.engine.set(key, value)?;
        if is_button {
            self.new_game();
        }
        Ok(())
    }

    /// Gives a value to whom it is for.
    fn choose(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        match (key, value) {
            (PLAYER, Value::Text(word)) => {
                let row = PLAYER_TYPES.iter().find(|row| row.key == word);
                self.chosen = row.ok_or_else(|| SettingError::unknown(word, []))?.key;
                Ok(())
            }
            (ALGORITHM, Value::Text(word)) => self.set_algorithm(word, value),
            (BOARD, Value::Text(word)) => self.set_board(word, value),
            _ => match key.split_once(':') {
                Some((player, key)) => self.set_of(player, key, value),
                None => self.set_engine(key, value),
            },
        }
    }

    fn is_engine_chosen(&self) -> bool {
        self.chosen == PLAYER_TYPES[0].key
    }

    fn row(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().find(|row| row.key == key)
    }

    /// What was set for a key here, or else its default.
    fn value(&self, key: &str) -> Option<Value> {
        let usual = || self.row(key)?.default_value();
        let is_there = |there: &str| key.split_once(':') == Some((SEARCH, there));
        let shared = SHARED.iter().find(|(_, there)| is_there(there));
        let shared = || self.changed.get(shared?.0);
        self.changed.get(key).or_else(shared).cloned().or_else(usual)
    }

    /// Why a setting that is not as at first has no effect on who thinks; none if it has one.
    fn why_without_effect(&self, row: &Setting) -> Option<String> {
        let (key, thinks) = (row.key.as_ref(), self.key());
        let not_honoured = || format!(": the player {} does not honour it", self.chosen);
        match key.split_once(':') {
            Some((player, _)) if player == thinks => self.without_its_owner(row),
            None if key == PLAYER => None,
            None if [ALGORITHM, BOARD].contains(&key) => {
                (!self.is_engine_chosen() && thinks != SEARCH).then(not_honoured)
            }
            None if ABOVE_THE_SEARCH.contains(&key) || thinks == SEARCH && is_shared(key) => {
                self.without_its_owner(row)
            }
            None if thinks == PLAYER_TYPES[0].key => self.without_its_owner(row),
            // An algorithm in the engine's place.
            None if self.is_engine_chosen() => {
                let refused = check_shared(self.algorithm, key).err();
                refused.map(|reason| format!(": {reason}"))
            }
            Some(_) | None => Some(not_honoured()),
        }
    }

    /// The same of a setting of who thinks: whether that to which it belongs, a setting of the same player, is there.
    fn without_its_owner(&self, row: &Setting) -> Option<String> {
        let beside = |key: &str| match row.key.split_once(':') {
            Some((player, _)) => format!("{player}:{key}"),
            None => key.to_owned(),
        };
        let named = |key: &str, words: String| {
            let uci = self.row(&beside(key)).map_or(key, |owner| owner.uci.as_ref());
            format!(" {}", words.replacen(key, uci, 1))
        };
        if let Some(needs) = row.needs {
            let owner = self.value(&beside(needs.key));
            // What is on and has no effect itself is as good as off.
            let is_idle = || {
                let row = self.row(&beside(needs.key));
                needs.wanted == Wanted::Switched(false)
                    && row.is_some_and(|row| self.why_without_effect(row).is_some())
            };
            if !needs.are_met(owner.as_ref()) && !is_idle() {
                return Some(named(needs.key, needs.unmet(owner.as_ref())));
            }
        }
        let Unset::Switch(switch) = row.unset else {
            return None;
        };
        let is_off = self.value(&beside(switch)) == Some(Value::Switch(false));
        is_off.then(|| named(switch, format!("with {switch}=off")))
    }
}

/// Whether a key here is of the first player, the engine.
fn is_of_engine(key: &str) -> bool {
    !key.contains(':') && ![PLAYER, ALGORITHM, BOARD].contains(&key)
}

fn is_shared(key: &str) -> bool {
    SHARED.iter().any(|(here, _)| *here == key)
}

/// The flagship plays on bitboards only.
fn check_board(algorithm: Algorithm, on_other_board: bool) -> Result<(), SettingsError> {
    algorithm.check(on_other_board.then_some(Switch::Board))
}

/// Whether a setting of the engine holds for an algorithm in its place; if not, why.
fn check_shared(algorithm: Algorithm, key: &str) -> Result<(), String> {
    if algorithm == Algorithm::Flagship || is_shared(key) || ABOVE_THE_SEARCH.contains(&key) {
        return Ok(());
    }
    if let Ok(switch) = key.parse::<Switch>() {
        algorithm.check([switch]).map_err(|error| error.to_string())?;
    }
    if key == Switch::Evaluation.name() {
        let [evaluation, vector] = [key, VECTOR].map(offered::option_of_search);
        return Err(format!(
            "the parameters of EvalFile are the flagship's; {algorithm} has its own evaluation (expected {evaluation} and {vector})"
        ));
    }
    Err(format!(
        "{algorithm} does not honour {key}, which is the flagship's"
    ))
}

impl Thinker for AnyPlayer {
    fn name(&self) -> String {
        self.engine.name()
    }

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        self.choose(key, value)?;
        let usual = self.row(key).and_then(Setting::default_value);
        if usual.is_some_and(|usual| usual != *value) {
            self.changed.insert(key.to_owned(), value.clone());
        } else {
            self.changed.remove(key);
        }
        Ok(())
    }

    /// A player that lacks what it cannot do without would only pretend to play.
    fn check(&self) -> Result<(), String> {
        let Some(seat) = self.other() else {
            return self.engine.check();
        };
        let missing = seat
            .row
            .required()
            .find(|(row, _)| !seat.given.contains(row.key.as_ref()));
        if let Some((row, example)) = missing {
            let (player, option) = (seat.row.key, offered::option_of(seat.row, row));
            return Err(format!(
                "the player {player} cannot move: {} is missing (expected setoption name {option} value {example})",
                row.key
            ));
        }
        seat.thinker.check()
    }

    fn without_effect(&self) -> Vec<String> {
        let rows = self.changed.keys().filter_map(|key| self.row(key));
        rows.filter_map(|row| {
            let why = self.why_without_effect(row)?;
            Some(format!("option {} has no effect{why}", row.uci))
        })
        .collect()
    }

    fn new_game(&mut self) {
        self.engine.new_game();
        for seat in &mut self.others {
            seat.thinker.new_game();
        }
    }

    /// The signature is the engine's, whoever plays.
    fn bench(&self) -> BenchSettings {
        self.engine.bench()
    }

    fn prepare(&mut self) -> Result<(), String> {
        match self.other_mut() {
            Some(seat) => seat.thinker.prepare(),
            None => self.engine.prepare(),
        }
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        // The engine looks into its book and its tablebases itself, these also below the root.
        if self.other().is_none() {
            self.by_book = None;
            return self.engine.think(game, limits, control, info);
        }
        let above = self.engine.chosen();
        let (found, root) = (
            above.book_move(game, limits),
            above.tablebases.at_root(game, limits),
        );
        self.by_book = found.as_ref().map(|found| found.explanation.clone());
        if let Some(found) = found {
            return Thought::unsearched(Some(found.played));
        }
        let thinker = match self.other_mut() {
            Some(seat) => seat.thinker.as_mut(),
            None => &mut self.engine,
        };
        match root {
            None => thinker.think(game, limits, control, info),
            Some(root) => {
                let mut tell = |told: &Info| info(&root.info(told));
                let thought = thinker.think(game, &root.limits(limits), control, &mut tell);
                root.thought(thought)
            }
        }
    }

    fn explanation(&self) -> Option<Explanation> {
        self.by_book.clone().or_else(|| self.thinker().explanation())
    }

    /// A player without an opinion on a position explains its last move instead.
    fn explain(&self, position: &Position) -> Option<Explanation> {
        let thinker = self.thinker();
        thinker.explain(position).or_else(|| self.explanation())
    }
}

#[cfg(test)]
mod tests;
