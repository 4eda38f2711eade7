//! How a behaviour reasons, and the rows of what can be chosen about it.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use vidmar_engine::settings::{
    Field, Kind, Role, Row, Setting, SettingError, Unset, Wanted, find_row, schema,
};
use vidmar_engine::{choice, integer, switch};
use vidmar_text::{Excerpt, named_enum};

use crate::weights::{Fraction, Weights};

named_enum! {
    /// What makes boards alike.
    #[derive(Default)]
    pub enum Metric: "metric";
    #[default]
    Squares, "squares", "the same on the same square";
    LikePieces, "like-pieces", "like pieces near each other";
    LikeSquares, "like-squares", "squares with the same contents near each other, empty ones too";
}

named_enum! {
    /// What is done about a move after which the board is one that has been before.
    #[derive(Default)]
    pub enum Cycles: "treatment of cycles";
    #[default]
    Allow, "allow", "it is played like any other";
    Avoid, "avoid", "it is played only if there is no other";
    Unwanted, "unwanted", "the same, unless the behaviour has less material: then a draw is welcome";
}

named_enum! {
    /// Whether the behaviour's own solutions become cases.
    #[derive(Default)]
    pub enum Learn: "way to learn";
    #[default]
    Off, "off", "they do not";
    Game, "game", "until the next game begins";
    Session, "session", "for good, or until the file of cases is set again";
}

named_enum! {
    /// Whether cases only suggest moves among which a search chooses.
    #[derive(Default)]
    pub enum Filter: "filter";
    #[default]
    Off, "off", "the cases choose";
    Root, "root", "a search chooses among the suggestions of the k nearest cases";
    Tree, "tree", "the same, and the search itself follows only suggestions in the behaviour's own positions";
}

/// How a behaviour reasons. The default is the published study's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CaseSettings {
    /// The weights of the adaptation.
    pub weights: Weights,
    /// The seed of the behaviour.
    pub seed: u64,
    /// How many cases are looked at.
    pub k: usize,
    /// With several cases: what a board that is not alike costs, against a move that is not alike.
    pub penalty: Fraction,
    /// How much the solution counts in the similarity of a case.
    pub solution: Fraction,
    /// What makes boards alike.
    pub metric: Metric,
    /// Whether boards may be alike after a step of the whole board.
    pub shift: bool,
    /// Whether cases of the other colour are used, mirrored.
    pub mirror: bool,
    /// What is done about cycles.
    pub cycles: Cycles,
    /// Whether it learns.
    pub learn: Learn,
    /// Variations on every clearly good capture.
    pub captures: usize,
    /// Whether a search chooses.
    pub filter: Filter,
    /// The depth of that search.
    pub depth: u32,
}

impl Default for CaseSettings {
    fn default() -> CaseSettings {
        CaseSettings {
            weights: Weights::default(),
            seed: 0,
            k: 1,
            penalty: Fraction::ZERO,
            solution: Fraction::ZERO,
            metric: Metric::Squares,
            shift: false,
            mirror: false,
            cycles: Cycles::Allow,
            learn: Learn::Off,
            captures: 0,
            filter: Filter::Off,
            depth: 4,
        }
    }
}

const MAX_SEED: i64 = u32::MAX as i64;
const MAX_CASES: i64 = 10_000;
const MAX_VARIATIONS: i64 = 64;
const MAX_PLIES: i64 = 30;
const FRACTION: &str = "a number from 0 to 1 with at most three decimals";

type CaseRow = Row<CaseSettings>;

/// A number or numbers from 0 to 1.
macro_rules! fractions {
    ($expected:expr, $field:ident) => {
        Field::Text {
            expected: $expected,
            get: |settings| settings.$field.to_string(),
            set: |settings, text| read(text, $expected).map(|value| settings.$field = value),
        }
    };
}

fn read<T: FromStr>(text: &str, expected: &str) -> Result<T, String> {
    let excerpt = Excerpt::from(text);
    text.parse().map_err(|_| format!("'{excerpt}' is not {expected}"))
}

/// Every setting but the file of cases, which is not the behaviour's.
pub const ROWS: &[CaseRow] = &[
    CaseRow::new(
        "weights",
        "Weights",
        "Weights of moves",
        "weights of the adaptation: squares against pieces, from against to as squares, from against to as pieces",
        fractions!("three weights from 0 to 1 with slashes between them", weights),
    ),
    CaseRow::new(
        "seed",
        "Seed",
        "Seed",
        "seed of every choice among equals",
        integer!(u64, 0, MAX_SEED, seed),
    )
    .role(Role::Seed),
    CaseRow::new(
        "k",
        "K",
        "Cases considered",
        "how many of the nearest cases are considered; the one whose move fits best here is followed. With 1, one of the nearest by lot",
        integer!(usize, 1, MAX_CASES, k),
    ),
    CaseRow::new(
        "penalty",
        "Penalty",
        "Price of an unlike board",
        "with more than 1 case considered: what a wholly unlike board costs a move, from 0 to 1",
        fractions!(FRACTION, penalty),
    )
    .needs("k", Wanted::Above(1)),
    CaseRow::new(
        "solution",
        "SolutionWeight",
        "Share of the move",
        "how much of the likeness of a case is how well its move fits here, from 0 to 1; the rest is the board",
        fractions!(FRACTION, solution),
    ),
    CaseRow::new(
        "metric",
        "Metric",
        "Boards are alike by",
        "what makes boards alike: the same piece on the same square, or like pieces near each other",
        choice!(Metric, metric),
    ),
    CaseRow::new(
        "shift",
        "Shift",
        "Shifted boards",
        "whether boards may be alike after a step of the whole board",
        switch!(shift),
    ),
    CaseRow::new(
        "mirror",
        "Mirror",
        "Both colours",
        "whether cases of the other colour are used too, turned round",
        switch!(mirror),
    ),
    CaseRow::new(
        "cycles",
        "Cycles",
        "Repetitions",
        "what is done about a move that repeats a position",
        choice!(Cycles, cycles),
    ),
    CaseRow::new(
        "learn",
        "Learn",
        "Learning",
        "whether its own moves become cases: not, for this game, or as long as the program runs",
        choice!(Learn, learn),
    ),
    CaseRow::new(
        "captures",
        "Captures",
        "Variations of captures",
        "how many variations are added to the cases for every clearly good capture",
        integer!(usize, 0, MAX_VARIATIONS, captures),
    ),
    CaseRow::new(
        FILTER,
        "Filter",
        "Check by search",
        "whether a search chooses among the moves that the cases suggest",
        choice!(Filter, filter),
    ),
    CaseRow::new(
        "filter-depth",
        "FilterDepth",
        "Depth of that search",
        "how deep that search looks, in plies (half-moves)",
        integer!(u32, 1, MAX_PLIES, depth),
    )
    .needs(FILTER, Wanted::Not(Filter::Off.name())),
];

const FILTER: &str = "filter";

/// The key of the file of cases.
pub(crate) const CASES: &str = "cases";

/// Every setting of the case-based player.
pub(crate) fn all() -> &'static [Setting] {
    static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
        let file = Setting {
            key: CASES.into(),
            uci: "CasesFile".into(),
            label: "Case base",
            help: "whose games it reasons from: a file of `vidmar cases build`",
            kind: Kind::Path,
            role: Role::Usual,
            unset: Unset::Required("FILE"),
            needs: None,
        };
        std::iter::once(file).chain(schema(ROWS)).collect()
    });
    &SETTINGS
}

impl CaseSettings {
    /// Reads a text for the setting with this key.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), SettingError> {
        let row = find_row(ROWS, key)?;
        row.set(self, &row.setting().read(text)?)
    }
}

/// What differs from the default, as a specification has it.
impl fmt::Display for CaseSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = CaseSettings::default();
        let mut comma = "";
        for row in ROWS.iter().filter(|row| row.get(self) != row.get(&default)) {
            write!(f, "{comma}{}={}", row.key, row.get(self))?;
            comma = ",";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_reads_what_it_writes() {
        let mut settings = CaseSettings::default();
        assert_eq!(settings.to_string(), "");
        for (name, value) in [
            ("weights", "0.8/0.2/0.5"),
            ("seed", "7"),
            ("k", "10"),
            ("penalty", "0.25"),
            ("solution", "0.5"),
            ("metric", "like-pieces"),
            ("shift", "true"),
            ("mirror", "on"),
            ("cycles", "avoid"),
            ("learn", "game"),
            ("captures", "4"),
            ("filter", "root"),
            ("filter-depth", "6"),
        ] {
            settings.set(name, value).unwrap();
        }
        let text = settings.to_string();
        assert_eq!(text.split(',').count(), ROWS.len(), "{text}");
        let mut again = CaseSettings::default();
        for pair in text.split(',') {
            let (key, value) = pair.split_once('=').unwrap();
            again.set(key, value).unwrap();
        }
        assert_eq!(again, settings);
    }

    #[test]
    fn bad_settings_are_told_with_what_was_expected() {
        let mut settings = CaseSettings::default();
        for (name, value, message) in [
            ("kk", "1", "there is no setting 'kk' (did you mean 'k'?)"),
            ("k", "0", "k: '0' is not a number from 1 to 10000"),
            ("filter", "all", "filter: 'all' is not one of off, root, tree"),
            ("weights", "1", "weights: '1' is not three weights"),
            ("penalty", "2", "penalty: '2' is not a number from 0 to 1"),
            ("mirror", "maybe", "mirror: 'maybe' is not true or false"),
        ] {
            let error = settings.set(name, value).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        assert_eq!(settings, CaseSettings::default());
    }
}
