//! Every built-in player behind one: what the UCI engine is, with an option `Player` that says who thinks.
//!
//! The options of the first player of the table, the engine, have their own names; those of every other stand behind the
//! word of its player, so that no two are the same: `Evolve Genes`.
//!
//! The option `Algorithm` puts another search of the laboratory into the engine's place. Of the engine's options it then shares
//! hash, threads and how these share the work. What [stands above the search](ABOVE_THE_SEARCH), the book and the tablebases at
//! the root, holds for every player. All other options of the engine are refused by name, whichever of the two is set first. A
//! player that lacks what it cannot do without says so and does not move.

mod offered;

use std::collections::BTreeSet;

use vidmar_chess::{BoardKind, Game, Position};
use vidmar_engine::bench::BenchSettings;
use vidmar_engine::settings::{Kind, Setting, SettingError, Value};
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
    /// Keys of the engine's settings that are not as at first.
    changed: BTreeSet<String>,
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
            changed: BTreeSet::new(),
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
            let mut changed = self.changed.iter();
            changed.try_for_each(|key| check_shared(algorithm, key).map_err(refused))?;
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
        if is_changed {
            check_shared(self.algorithm, key).map_err(|reason| SettingError::refused(key, reason))?;
        }
        if let Some((_, there)) = SHARED.iter().find(|(here, _)| *here == key) {
            self.set_of(SEARCH, there, value)?;
        }
        self.engine.set(key, value)?;
        if is_button {
            self.new_game();
        }
        if is_changed {
            self.changed.insert(key.to_owned());
        } else {
            self.changed.remove(key);
        }
        Ok(())
    }
}

/// The flagship plays on bitboards only.
fn check_board(algorithm: Algorithm, on_other_board: bool) -> Result<(), SettingsError> {
    algorithm.check(on_other_board.then_some(Switch::Board))
}

/// Whether a setting of the engine holds for an algorithm in its place; if not, why.
fn check_shared(algorithm: Algorithm, key: &str) -> Result<(), String> {
    let is_shared = SHARED.iter().any(|(here, _)| *here == key);
    if algorithm == Algorithm::Flagship || is_shared || ABOVE_THE_SEARCH.contains(&key) {
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
