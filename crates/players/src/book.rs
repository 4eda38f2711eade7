//! The player of an opening book: it plays from a PolyGlot book while that knows a move, and then lets another built-in
//! player go on. So any player can be given any book: in matches, over UCI, on the page.

use std::path::Path;
use std::sync::LazyLock;

use vidmar_chess::{Game, Position, Score};
use vidmar_engine::settings::{Field, Kind, Role, Row, Setting, SettingError, Unset, Value, schema, set};
use vidmar_engine::{Control, Explanation, Info, Limits, OwnBook, Thinker, Thought, integer, switch};

use crate::player::Player;
use crate::spec::PlayerSpec;
use crate::table::{Build, LimitUse};

type BookRow = Row<BookSettings>;

const ROWS: &[BookRow] = &[
    BookRow::new(
        "file",
        "File",
        "Book",
        "a PolyGlot opening book",
        Field::Other {
            kind: || Kind::Path,
            get: |settings| settings.book.path().into(),
            set: |settings, value| settings.book.open(value.as_text().unwrap_or_default()),
        },
    )
    .unset(Unset::Required("FILE")),
    BookRow::new(
        "best",
        "Best Move",
        "Best move",
        "always the heaviest move of the book, instead of one by its weight",
        switch!(book.takes_best),
    ),
    BookRow::new(
        "seed",
        "Draw Seed",
        "Seed",
        "another seed, other moves of the book",
        integer!(u64, 0, i64::MAX, book.seed),
    )
    .role(Role::Seed),
    BookRow::new(
        "then",
        "Then",
        "Goes on",
        "who plays when the book knows no move: a built-in player, commas as '\\,'",
        Field::Text {
            expected: "a built-in player, such as engine:depth=6",
            get: |settings| settings.then.clone(),
            set: |settings, text| built_in(text).map(|_| text.clone_into(&mut settings.then)),
        },
    )
    .role(Role::Operator),
];

/// What can be chosen.
struct BookSettings {
    book: OwnBook,
    then: String,
}

impl Default for BookSettings {
    fn default() -> BookSettings {
        let mut book = OwnBook::default();
        book.is_on = true;
        BookSettings {
            book,
            then: "engine".to_owned(),
        }
    }
}

/// The player that goes on. A program would have to be started, which a text inside a setting does not get to do.
fn built_in(text: &str) -> Result<PlayerSpec, String> {
    let spec: PlayerSpec = text.parse().map_err(|error| format!("{error}"))?;
    match spec.player_type().build {
        Build::BuiltIn(_) => spec.check().map(|()| spec).map_err(|error| error.to_string()),
        Build::Program(_) => Err(format!("'{text}' is not a built-in player")),
    }
}

/// The player that goes on after a book.
pub(crate) fn then(spec: &PlayerSpec) -> Option<PlayerSpec> {
    built_in(spec.value("then")?.as_text()?).ok()
}

/// What limits are to the player that goes on, beside its own.
pub(crate) fn limit_use(spec: &PlayerSpec) -> LimitUse {
    match then(spec) {
        None => LimitUse::Needed,
        Some(then) if then.limit_use() == LimitUse::Needed && !then.needs_limit() => LimitUse::Possible,
        Some(then) => then.limit_use(),
    }
}

/// As little repeatable as the player that goes on.
pub(crate) fn unrepeatable(spec: &PlayerSpec) -> Option<&'static str> {
    then(spec)?.unrepeatable()
}

/// Plays from a book, and then as another player.
#[derive(Default)]
pub(crate) struct BookThinker {
    settings: BookSettings,
    /// Made when the book is left for the first time.
    then: Option<Box<dyn Player>>,
    /// The reasons of the last move, if it was the book's.
    by_book: Option<Explanation>,
}

impl BookThinker {
    /// What can be chosen about it.
    pub(crate) fn all_settings() -> &'static [Setting] {
        static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| schema(ROWS));
        &SETTINGS
    }

    fn then(&mut self) -> Result<&mut Box<dyn Player>, String> {
        match &mut self.then {
            Some(player) => Ok(player),
            none => {
                let made = built_in(&self.settings.then)?.player();
                let mut player = made.map_err(|fault| fault.to_string())?;
                let begun = player.new_game(false, self.settings.book.seed);
                begun.map_err(|fault| fault.to_string())?;
                Ok(none.insert(player))
            }
        }
    }
}

impl Thinker for BookThinker {
    fn name(&self) -> String {
        "Vidmar book".to_owned()
    }

    fn settings(&self) -> &[Setting] {
        BookThinker::all_settings()
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        self.then = None;
        set(ROWS, &mut self.settings, key, value)
    }

    fn new_game(&mut self) {
        self.then = None;
    }

    fn prepare(&mut self) -> Result<(), String> {
        self.then().map(|_| ())
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        let found = self.settings.book.choose(game, limits);
        self.by_book = found.as_ref().map(|found| found.explanation.clone());
        if let Some(found) = found {
            return Thought::unsearched(Some(found.played));
        }
        let reply = self
            .then()
            .map(|player| player.think_aloud(game, limits, control, info));
        match reply {
            Ok(Ok(reply)) => Thought {
                score: reply.info.score.unwrap_or(Score::Centipawns(0)),
                is_scored: reply.info.score.is_some(),
                depth: reply.info.depth,
                nodes: reply.info.nodes,
                elapsed: reply.info.time,
                ..Thought::unsearched(reply.best)
            },
            _ => Thought::game_over(game.position()),
        }
    }

    fn explanation(&self) -> Option<Explanation> {
        let then = || self.then.as_ref()?.explanation();
        self.by_book.clone().or_else(then)
    }

    fn breakdown(&self, position: &Position) -> Option<vidmar_eval::AnyBreakdown> {
        self.then.as_ref()?.breakdown(position)
    }
}

/// Specifications for the conformance suite, with a book of the start position written into the folder.
pub(crate) fn trials(folder: &Path) -> Vec<String> {
    /// e2e4 three times as heavy as d2d4, as the format writes moves and weights; the last number is not used.
    const MOVES: [(u16, u16); 2] = [(0x031c, 3), (0x02db, 1)];
    let key = Position::default().key().0;
    let entry = |(m, weight): (u16, u16)| {
        let number = u128::from(key) << 64 | u128::from(m) << 48 | u128::from(weight) << 32;
        number.to_be_bytes()
    };
    let path = folder.join("trial.bin");
    let specs = ["best=on", "seed=3,then=random", r"then=engine:hash=1\,elo=1200"];
    match std::fs::write(&path, MOVES.map(entry).concat()) {
        Ok(()) => specs
            .iter()
            .map(|rest| format!("book:file={},{rest}", path.display()))
            .collect(),
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_is_left_for_the_other_player() {
        let folder = tempfile::tempdir().unwrap();
        let spec: PlayerSpec = trials(folder.path())[0].parse().unwrap();
        let mut player = spec.with("then", "random:seed=5").unwrap().player().unwrap();
        player.new_game(false, 1).unwrap();
        let mut game = Game::default();
        let mut answer = |game: &mut Game| {
            let reply = player.choose(game, &Limits::depth(1), &Control::new()).unwrap();
            game.play(reply.best.unwrap());
            reply
        };
        assert_eq!(answer(&mut game).best, Position::default().parse_uci("e2e4").ok());
        let position = game.position().clone();
        assert!(position.is_legal(answer(&mut game).best.unwrap()));
    }

    #[test]
    fn who_goes_on_is_a_built_in_player() {
        for (then, reason) in [
            ("uci:cmd=/bin/true", "is not a built-in player"),
            ("egnine", "engine"),
            ("book", "file"),
        ] {
            let spec = PlayerSpec::of("book").unwrap();
            let error = spec.with("then", then).err().unwrap().to_string();
            assert!(error.contains(reason), "{then}: {error}");
        }
    }
}
