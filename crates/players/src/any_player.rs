//! Every built-in player behind one: what the UCI engine is, with an option `Player` that says who thinks.
//!
//! The options of the first player of the table, the engine, have their own names; those of every other stand behind the
//! word of its player, so that no two are the same: `Evolve Genes`.

use vidmar_chess::{BoardKind, Game, Position};
use vidmar_engine::settings::{Kind, Role, Setting, SettingError, Unset, Value};
use vidmar_engine::{Control, Explanation, Info, Limits, Thinker, Thought};
use vidmar_search::{Algorithm, SettingsError, Switch};

use crate::table::{Build, PLAYER_TYPES, PlayerType};

/// The key of the choice.
const PLAYER: &str = "player";
/// The player that stands in for the engine once an algorithm of the laboratory is chosen.
const SEARCH: &str = "search";
/// Settings of the laboratory that the engine offers as its own.
const ALGORITHM: &str = "algorithm";
const BOARD: &str = "board";
/// Settings that both have, by their keys here and there: to set one sets both.
const SHARED: [(&str, &str); 2] = [("hash", "table-mib"), ("threads", "threads")];
/// The algorithm that is the engine's own.
const FLAGSHIP: &str = Algorithm::Flagship.name();

/// All built-in players; one of them thinks.
pub struct AnyPlayer {
    players: Vec<(&'static PlayerType, Box<dyn Thinker>)>,
    settings: Vec<Setting>,
    chosen: usize,
    /// Whether the engine searches by an algorithm of the laboratory.
    by_laboratory: bool,
    /// Whether another board than the flagship's is chosen.
    on_other_board: bool,
}

impl Default for AnyPlayer {
    fn default() -> AnyPlayer {
        let made = PLAYER_TYPES.iter().filter_map(|row| match row.build {
            Build::BuiltIn(make) => Some((row, make())),
            Build::Program(_) => None,
        });
        let players: Vec<_> = made.collect();
        AnyPlayer {
            settings: settings(&players),
            players,
            chosen: 0,
            by_laboratory: false,
            on_other_board: false,
        }
    }
}

/// The choice of the player, what the engine shares with the laboratory, and the settings of all.
fn settings(players: &[(&'static PlayerType, Box<dyn Thinker>)]) -> Vec<Setting> {
    let values: Vec<&'static str> = players.iter().map(|(row, _)| row.key).collect();
    let mut all = vec![Setting {
        key: PLAYER.into(),
        uci: "Player".into(),
        label: "Player",
        help: "who thinks",
        kind: Kind::Choice {
            default: values.first().copied().unwrap_or_default(),
            values,
        },
        role: Role::Usual,
        unset: Unset::Default,
    }];
    all.extend(own_settings(players));
    for (index, (player, thinker)) in players.iter().enumerate() {
        let rows = thinker.settings().iter().filter(|row| !row.uci.is_empty());
        all.extend(rows.map(|row| match index {
            0 => row.clone(),
            _ => Setting {
                key: format!("{}:{}", player.key, row.key).into(),
                uci: format!("{} {}", capitalised(player.key), row.uci).into(),
                ..row.clone()
            },
        }));
    }
    all
}

/// The algorithm, the flagship before all, and the board.
fn own_settings(players: &[(&'static PlayerType, Box<dyn Thinker>)]) -> Vec<Setting> {
    let laboratory = players.iter().find(|(row, _)| row.key == SEARCH);
    let rows = laboratory.map_or(&[] as &[Setting], |(_, thinker)| thinker.settings());
    let shared = rows
        .iter()
        .filter(|row| [ALGORITHM, BOARD].contains(&row.key.as_ref()));
    let mut rows: Vec<Setting> = shared.cloned().collect();
    for row in &mut rows {
        if let (ALGORITHM, Kind::Choice { default, values }) = (row.key.as_ref(), &mut row.kind) {
            values.retain(|&algorithm| algorithm != FLAGSHIP);
            values.insert(0, FLAGSHIP);
            *default = FLAGSHIP;
        }
    }
    rows
}

/// The flagship plays on bitboards only.
fn check_board(by_laboratory: bool, on_other_board: bool) -> Result<(), SettingsError> {
    let chosen = (!by_laboratory && on_other_board).then_some(Switch::Board);
    Algorithm::Flagship.check(chosen)
}

fn capitalised(key: &str) -> String {
    let mut text = key.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

impl AnyPlayer {
    fn index_of(&self, key: &str) -> Option<usize> {
        self.players.iter().position(|(row, _)| row.key == key)
    }

    /// The index of the player that thinks.
    fn index(&self) -> usize {
        if self.chosen == 0 && self.by_laboratory {
            self.index_of(SEARCH).unwrap_or(0)
        } else {
            self.chosen
        }
    }

    fn thinking(&mut self) -> &mut dyn Thinker {
        let index = self.index();
        self.players[index].1.as_mut()
    }

    fn set_of(&mut self, player: &str, key: &str, value: &Value) -> Result<(), SettingError> {
        let index = self
            .index_of(player)
            .ok_or_else(|| SettingError::unknown(key, []))?;
        self.players[index].1.set(key, value)
    }
}

impl Thinker for AnyPlayer {
    fn name(&self) -> String {
        self.players[0].1.name()
    }

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        match (key, value) {
            (PLAYER, Value::Text(word)) => {
                self.chosen = self
                    .index_of(word)
                    .ok_or_else(|| SettingError::unknown(word, []))?;
                Ok(())
            }
            (ALGORITHM, Value::Text(word)) => {
                let by_laboratory = word != FLAGSHIP;
                check_board(by_laboratory, self.on_other_board).map_err(|e| SettingError::refused(key, e))?;
                if by_laboratory {
                    self.set_of(SEARCH, key, value)?;
                }
                self.by_laboratory = by_laboratory;
                Ok(())
            }
            (BOARD, Value::Text(word)) => {
                let on_other_board = word != BoardKind::Bitboard.name();
                check_board(self.by_laboratory, on_other_board).map_err(|e| SettingError::refused(key, e))?;
                self.set_of(SEARCH, key, value)?;
                self.on_other_board = on_other_board;
                Ok(())
            }
            _ => {
                if let Some((player, key)) = key.split_once(':') {
                    self.set_of(player, key, value)
                } else {
                    if let Some((_, there)) = SHARED.iter().find(|(here, _)| *here == key) {
                        self.set_of(SEARCH, there, value)?;
                    }
                    self.players[0].1.set(key, value)
                }
            }
        }
    }

    fn new_game(&mut self) {
        for (_, thinker) in &mut self.players {
            thinker.new_game();
        }
    }

    fn prepare(&mut self) {
        self.thinking().prepare();
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        self.thinking().think(game, limits, control, info)
    }

    fn explanation(&self) -> Option<Explanation> {
        self.players[self.index()].1.explanation()
    }

    /// A player without an opinion on a position explains its last move instead.
    fn explain(&self, position: &Position) -> Option<Explanation> {
        let chosen = &self.players[self.index()].1;
        chosen.explain(position).or_else(|| chosen.explanation())
    }
}

#[cfg(test)]
mod tests {
    use vidmar_engine::settings::find_option;

    use super::*;

    #[test]
    fn an_algorithm_of_the_laboratory_thinks_in_the_engines_place() {
        let mut player = AnyPlayer::default();
        let algorithm = find_option(player.settings(), "Algorithm")
            .expect("the option is offered")
            .clone();
        let value = algorithm.read("mtdf").expect("a word of the table");
        player.set(&algorithm.key, &value).expect("it is set");
        assert_eq!(player.players[player.index()].0.key, SEARCH);
        let game = Game::new(Position::default());
        let thought = player.think(&game, &Limits::depth(3), &Control::new(), &mut |_| {});
        assert!(thought.best.is_some());
        player
            .set(BOARD, &"0x88".into())
            .expect("mtdf plays on every board");
        let flagship = algorithm.read(FLAGSHIP).expect("a word of the table");
        let refused = player
            .set(&algorithm.key, &flagship)
            .expect_err("not on that board");
        assert!(
            refused.to_string().contains("flagship does not honour board"),
            "{refused}"
        );
        player.set(BOARD, &"bitboard".into()).expect("its own");
        player.set(&algorithm.key, &flagship).expect("it is set");
        assert_eq!(player.index(), 0);
        assert!(player.set(BOARD, &"0x88".into()).is_err());
        // And in the laboratory itself, where a setting is refused once the algorithm is chosen.
        player.set("search:algorithm", &flagship).expect("it is set");
        let refused = player
            .set("search:null-move", &"r2".into())
            .expect_err("it has its own");
        assert!(
            refused.to_string().contains("flagship does not honour null-move"),
            "{refused}"
        );
    }

    #[test]
    fn no_two_options_have_the_same_name_and_each_reaches_its_player() {
        let mut player = AnyPlayer::default();
        let rows = player.settings().to_vec();
        for (index, row) in rows.iter().enumerate() {
            let same = |other: &Setting| other.uci.eq_ignore_ascii_case(&row.uci) || other.key == row.key;
            assert_eq!(rows.iter().position(same), Some(index), "{}", row.uci);
            let value = row.default_value().unwrap_or(Value::Switch(true));
            assert_eq!(player.set(&row.key, &value), Ok(()), "{}", row.uci);
        }
    }
}
