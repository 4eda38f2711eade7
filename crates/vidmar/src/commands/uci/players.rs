//! The players of the UCI engine, chosen by its option `Player`.

use vidmar_chess::Position;
use vidmar_engine::options::OptionError;
use vidmar_engine::{
    Control, FlagshipSettings, FlagshipThinker, Game, Info, Limits, OptionKind, OptionRow, OptionValue,
    Story, Thinker, Thought,
};
use vidmar_evolve::{EvolveThinker, Settings};
use vidmar_players::RandomThinker;

/// A player that can be chosen.
struct Row {
    word: &'static str,
    /// What stands before the names of its options, so that no two are the same.
    prefix: &'static str,
    make: fn() -> Box<dyn Thinker>,
}

/// Every player, the usual one first.
const PLAYERS: &[Row] = &[
    Row {
        word: "engine",
        prefix: "",
        make: || Box::new(FlagshipThinker::new(FlagshipSettings::default())),
    },
    Row {
        word: "evolve",
        prefix: "Evolve ",
        make: || Box::new(EvolveThinker::new(Settings::default())),
    },
    Row {
        word: "random",
        prefix: "Random ",
        make: || Box::new(RandomThinker::default()),
    },
];

const PLAYER: &str = "Player";

/// All players behind one name; one of them thinks.
pub(super) struct Players {
    thinkers: Vec<Box<dyn Thinker>>,
    chosen: usize,
}

impl Players {
    pub(super) fn new() -> Players {
        Players {
            thinkers: PLAYERS.iter().map(|row| (row.make)()).collect(),
            chosen: 0,
        }
    }

    fn chosen(&mut self) -> &mut dyn Thinker {
        self.thinkers[self.chosen].as_mut()
    }
}

impl Thinker for Players {
    fn name(&self) -> String {
        self.thinkers[0].name()
    }

    fn options(&self) -> Vec<OptionRow> {
        let words = PLAYERS.iter().map(|row| row.word).collect();
        let choice = OptionKind::Combo {
            default: 0,
            values: words,
        };
        let mut rows = vec![OptionRow::new(PLAYER, choice)];
        for (row, thinker) in PLAYERS.iter().zip(&self.thinkers) {
            rows.extend(thinker.options().into_iter().map(|option| OptionRow {
                name: format!("{}{}", row.prefix, option.name).into(),
                ..option
            }));
        }
        rows
    }

    fn set_option(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        if let (PLAYER, &OptionValue::Combo(place)) = (name, value) {
            self.chosen = place.min(PLAYERS.len() - 1);
            return Ok(());
        }
        // The one without a prefix stands first and is asked last.
        let owner = PLAYERS
            .iter()
            .rposition(|row| name.starts_with(row.prefix))
            .unwrap_or(0);
        self.thinkers[owner].set_option(&name[PLAYERS[owner].prefix.len()..], value)
    }

    fn new_game(&mut self) {
        for thinker in &mut self.thinkers {
            thinker.new_game();
        }
    }

    fn prepare(&mut self) {
        self.chosen().prepare();
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        self.chosen().think(game, limits, control, info)
    }

    fn story(&self) -> Option<Story> {
        self.thinkers[self.chosen].story()
    }

    /// A player without an evaluation of its own tells its story instead.
    fn explain(&self, position: &Position) -> Option<String> {
        let chosen = &self.thinkers[self.chosen];
        chosen.explain(position).or_else(|| Some(chosen.story()?.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_options_have_the_same_name_and_each_reaches_its_player() {
        let mut players = Players::new();
        let rows = players.options();
        for (place, row) in rows.iter().enumerate() {
            let same = |other: &&OptionRow| other.name.eq_ignore_ascii_case(&row.name);
            assert_eq!(
                rows.iter().position(|other| same(&other)),
                Some(place),
                "{}",
                row.name
            );
            let value = match &row.kind {
                OptionKind::Check(on) => OptionValue::Check(*on),
                OptionKind::Spin { default, .. } => OptionValue::Spin(*default),
                OptionKind::Combo { default, .. } => OptionValue::Combo(*default),
                OptionKind::Button => OptionValue::Button,
                OptionKind::Text(text) => OptionValue::Text(text.clone()),
            };
            assert_eq!(players.set_option(&row.name, &value), Ok(()), "{}", row.name);
        }
    }
}
