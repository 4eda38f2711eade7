//! The players of the UCI engine, chosen by its option `Player`.

use vidmar_cases::CaseThinker;
use vidmar_chess::{Game, Position};
use vidmar_engine::options::OptionError;
use vidmar_engine::{
    Control, FlagshipSettings, FlagshipThinker, Info, LaboratorySettings, Limits, OptionKind, OptionRow,
    OptionValue, SearchThinker, Story, Thinker, Thought,
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
        word: "cbr",
        prefix: "Cbr ",
        make: || Box::new(CaseThinker::default()),
    },
    Row {
        word: SEARCH,
        prefix: "Search ",
        make: || Box::new(SearchThinker::new(LaboratorySettings::default())),
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
/// The player that stands in for the engine once an algorithm of the laboratory is chosen.
const SEARCH: &str = "search";
/// Options of the laboratory that the engine offers under their own names, as far as both have them: setting one sets both.
const ALGORITHM: &str = "Algorithm";
const BOARD: &str = "Board";
const SHARED: [&str; 2] = ["Hash", "Threads"];
/// The algorithm that is the engine's own.
const FLAGSHIP: &str = "flagship";

fn laboratory() -> usize {
    PLAYERS.iter().position(|row| row.word == SEARCH).unwrap_or(0)
}

/// All players behind one name; one of them thinks.
pub(super) struct Players {
    thinkers: Vec<Box<dyn Thinker>>,
    chosen: usize,
    /// Whether the engine searches by an algorithm of the laboratory.
    by_laboratory: bool,
}

impl Players {
    pub(super) fn new() -> Players {
        Players {
            thinkers: PLAYERS.iter().map(|row| (row.make)()).collect(),
            chosen: 0,
            by_laboratory: false,
        }
    }

    /// The place of the player that thinks.
    fn place(&self) -> usize {
        if self.chosen == 0 && self.by_laboratory {
            laboratory()
        } else {
            self.chosen
        }
    }

    fn chosen(&mut self) -> &mut dyn Thinker {
        let place = self.place();
        self.thinkers[place].as_mut()
    }

    /// The rows of the laboratory's options that the engine offers as its own: the algorithm, the flagship before all, and the board.
    fn own_rows(&self) -> Vec<OptionRow> {
        let mut rows = self.thinkers[laboratory()].options();
        rows.retain(|row| [ALGORITHM, BOARD].contains(&row.name.as_ref()));
        for row in &mut rows {
            if let (ALGORITHM, OptionKind::Combo { default, values }) = (row.name.as_ref(), &mut row.kind) {
                values.insert(0, FLAGSHIP);
                *default = 0;
            }
        }
        rows
    }

    fn set_algorithm(&mut self, place: usize) -> Result<(), OptionError> {
        self.by_laboratory = place > 0;
        match place.checked_sub(1) {
            Some(place) => self.thinkers[laboratory()].set_option(ALGORITHM, &OptionValue::Combo(place)),
            None => Ok(()),
        }
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
        rows.extend(self.own_rows());
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
        match (name, value) {
            (ALGORITHM, &OptionValue::Combo(place)) => return self.set_algorithm(place),
            (BOARD, value) => return self.thinkers[laboratory()].set_option(BOARD, value),
            (name, value) if SHARED.contains(&name) => {
                // The laboratory's largest may be smaller: then it keeps what it has.
                let _ = self.thinkers[laboratory()].set_option(name, value);
            }
            _ => {}
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
        self.thinkers[self.place()].story()
    }

    /// A player without an evaluation of its own tells its story instead.
    fn explain(&self, position: &Position) -> Option<String> {
        let chosen = &self.thinkers[self.place()];
        chosen.explain(position).or_else(|| Some(chosen.story()?.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_algorithm_of_the_laboratory_thinks_in_the_engines_place() {
        let mut players = Players::new();
        let rows = players.options();
        let algorithm = rows
            .iter()
            .find(|row| row.name == ALGORITHM)
            .expect("the option is offered");
        let value = algorithm.read(Some("mtdf")).expect("a word of the table");
        players.set_option(ALGORITHM, &value).expect("it is set");
        assert_eq!(PLAYERS[players.place()].word, SEARCH);
        let game = Game::new(Position::default());
        let thought = players.think(&game, &Limits::depth(3), &Control::new(), &mut |_| {});
        assert!(thought.best.is_some());
        let value = algorithm.read(Some(FLAGSHIP)).expect("a word of the table");
        players.set_option(ALGORITHM, &value).expect("it is set");
        assert_eq!(players.place(), 0);
    }

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
