//! What can be chosen about the flagship, one row each; the numbers of its evaluation and its search follow, for tuners.

use std::sync::LazyLock;

use vidmar_chess::Game;
use vidmar_eval::Vector;
use vidmar_eval::parameters::PARAMETERS;
use vidmar_search::{Parallel, SearchParameters};
use vidmar_text::NumberRow;

use crate::book::{ChosenBookMove, OwnBook};
use crate::evaluation::ChosenEvaluation;
use crate::limits::Limits;
use crate::settings::{
    Field, Kind, MAX_HASH, MAX_THREADS, Role, Row, Setting, Unset, Value, Wanted, number_setting, schema,
};
use crate::strength::Strength;
use crate::tablebases::PlayerTablebases;
use crate::{integer, switch};

/// How the flagship plays.
#[derive(Clone, Debug)]
pub struct FlagshipSettings {
    /// Size of the table in MiB.
    pub hash: usize,
    /// Threads that search together.
    pub threads: usize,
    /// How they share the work.
    pub parallel: Parallel,
    /// How many best lines are shown.
    pub multipv: usize,
    /// What it evaluates positions by.
    pub evaluation: ChosenEvaluation,
    /// The parameters of the search.
    pub parameters: SearchParameters,
    /// Whether it plays weaker on purpose.
    pub limits_strength: bool,
    /// How weak, if it does.
    pub strength: Strength,
    /// Analysis: full strength, and no moves from a book.
    pub analyses: bool,
    /// Tablebases; those built in, unless others are given. A player of limited strength does not use them.
    pub tablebases: PlayerTablebases,
    /// Its opening book.
    pub book: OwnBook,
}

impl Default for FlagshipSettings {
    fn default() -> FlagshipSettings {
        FlagshipSettings {
            hash: 16,
            threads: 1,
            parallel: Parallel::Lazy,
            multipv: 1,
            evaluation: ChosenEvaluation::default(),
            parameters: SearchParameters::default(),
            limits_strength: false,
            strength: Strength { elo: 2000, seed: 0 },
            analyses: false,
            tablebases: PlayerTablebases::default(),
            book: OwnBook::default(),
        }
    }
}

impl FlagshipSettings {
    /// The move of its book, unless it analyses.
    pub fn book_move(&self, game: &Game, limits: &Limits) -> Option<ChosenBookMove> {
        self.book.choose(game, limits).filter(|_| !self.analyses)
    }
}

/// Keys of what stands above the search, and holds for whoever plays in its place: book, tablebases at the root, analysis.
pub const ABOVE_THE_SEARCH: &[&str] = &[
    ANALYSE,
    "tablebases",
    "syzygy",
    OWN_BOOK,
    BOOK,
    "best-book-move",
    "book-seed",
];

/// The default first.
const PARALLELS: [Parallel; 2] = [Parallel::Lazy, Parallel::YoungBrothersWait];
const MAX_LINES: i64 = 256;
const MAX_SEED: i64 = u32::MAX as i64;

pub(super) const HASH: &str = "hash";
pub(super) const CLEAR_HASH: &str = "clear-hash";
pub(super) const EVAL: &str = "eval";
const LIMIT_STRENGTH: &str = "limit-strength";
const ANALYSE: &str = "analyse";
const THREADS: &str = "threads";
const OWN_BOOK: &str = "own-book";
const BOOK: &str = "book";

type FlagshipRow = Row<FlagshipSettings>;

/// Everything but the numbers for tuners.
pub(super) const ROWS: &[FlagshipRow] = &[
    FlagshipRow::new(
        HASH,
        "Hash",
        "Memory (MiB)",
        "memory of its table, in mebibytes",
        integer!(usize, 1, MAX_HASH, hash),
    ),
    FlagshipRow::new(
        THREADS,
        "Threads",
        "Threads",
        "how many threads search together",
        integer!(usize, 1, MAX_THREADS, threads),
    ),
    FlagshipRow::new(
        "parallel",
        "ParallelSearch",
        "Parallel search",
        "how threads share the search",
        Field::Choice {
            values: || PARALLELS.map(Parallel::name).to_vec(),
            get: |settings| settings.parallel.name(),
            set: |settings, word| {
                let known = PARALLELS.into_iter().find(|row| row.name() == word);
                known.map(|parallel| settings.parallel = parallel).is_some()
            },
        },
    )
    .needs(THREADS, Wanted::Above(1)),
    FlagshipRow::new(
        CLEAR_HASH,
        "Clear Hash",
        "Clear hash",
        "forgets what it has found so far",
        Field::Other {
            kind: || Kind::Button,
            get: |_| Value::Switch(false),
            set: |_, _| Ok(()),
        },
    ),
    FlagshipRow::new(
        "multipv",
        "MultiPV",
        "Lines",
        "how many of the best lines it shows; more of them cost depth",
        integer!(usize, 1, MAX_LINES, multipv),
    ),
    FlagshipRow::new(
        LIMIT_STRENGTH,
        "UCI_LimitStrength",
        "Limit strength",
        "whether it plays weaker on purpose",
        switch!(limits_strength),
    )
    .role(Role::Operator)
    .needs(ANALYSE, Wanted::Switched(false)),
    FlagshipRow::new(
        "elo",
        "UCI_Elo",
        "Strength (Elo)",
        "how strong it plays; weaker on purpose if set",
        integer!(u32, Strength::MIN as i64, Strength::MAX as i64, strength.elo),
    )
    .unset(Unset::Switch(LIMIT_STRENGTH))
    .needs(ANALYSE, Wanted::Switched(false)),
    FlagshipRow::new(
        "seed",
        "Strength Seed",
        "Seed",
        "another seed, other mistakes of a player of limited strength",
        integer!(u64, 0, MAX_SEED, strength.seed),
    )
    .role(Role::Seed)
    .needs(LIMIT_STRENGTH, Wanted::Switched(true)),
    FlagshipRow::new(
        ANALYSE,
        "UCI_AnalyseMode",
        "Analyse",
        "analysis: full strength, and no moves from its book",
        switch!(analyses),
    )
    .role(Role::Operator),
    FlagshipRow::new(
        EVAL,
        "EvalFile",
        "Evaluation",
        "its evaluation: a name, a file of NAME=VALUE lines, or the file of a net",
        Field::Other {
            kind: ChosenEvaluation::kind,
            get: |settings| settings.evaluation.value(),
            set: |settings, value| ChosenEvaluation::read(value).map(|chosen| settings.evaluation = chosen),
        },
    ),
    FlagshipRow::new(
        "parameters",
        "",
        "Search parameters",
        "numbers of the search, in the order of their table",
        Field::Other {
            kind: || Kind::Vector {
                names: Vec::new(),
                count: SearchParameters::TABLE.len(),
            },
            get: |settings| search_numbers(&settings.parameters),
            set: |settings, value| search_parameters(value).map(|numbers| settings.parameters = numbers),
        },
    )
    .role(Role::Tuning),
    FlagshipRow::new(
        "tablebases",
        "BasesPath",
        "Tablebases",
        "folder of tablebases made by this program",
        Field::Other {
            kind: || Kind::Path,
            get: |settings| settings.tablebases.own().into(),
            set: |settings, value| settings.tablebases.open_own(value.as_text().unwrap_or_default()),
        },
    )
    .role(Role::Operator)
    .needs(LIMIT_STRENGTH, Wanted::Switched(false)),
    FlagshipRow::new(
        "syzygy",
        "SyzygyPath",
        "Syzygy",
        "folders of Syzygy tablebases",
        Field::Other {
            kind: || Kind::Path,
            get: |settings| settings.tablebases.syzygy().into(),
            set: |settings, value| {
                settings
                    .tablebases
                    .open_syzygy(value.as_text().unwrap_or_default())
            },
        },
    )
    .role(Role::Operator)
    .needs(LIMIT_STRENGTH, Wanted::Switched(false)),
    FlagshipRow::new(
        "syzygy-depth",
        "SyzygyProbeDepth",
        "Probe depth",
        "the least depth at which positions with as many pieces as the largest tablebase are looked up",
        integer!(u32, 1, 100, tablebases.probes.least_depth),
    )
    .role(Role::Operator),
    FlagshipRow::new(
        OWN_BOOK,
        "OwnBook",
        "Own book",
        "whether it plays from its opening book",
        switch!(book.is_on),
    )
    .role(Role::Operator)
    .needs(BOOK, Wanted::Given),
    FlagshipRow::new(
        BOOK,
        "BookFile",
        "Book",
        "a PolyGlot opening book",
        Field::Other {
            kind: || Kind::Path,
            get: |settings| settings.book.path().into(),
            set: |settings, value| settings.book.open(value.as_text().unwrap_or_default()),
        },
    )
    .role(Role::Operator)
    .unset(Unset::Switch(OWN_BOOK)),
    FlagshipRow::new(
        "best-book-move",
        "Best Book Move",
        "Best book move",
        "always the heaviest move of the book, instead of one by its weight",
        switch!(book.takes_best),
    )
    .role(Role::Operator)
    .needs(BOOK, Wanted::Given),
    FlagshipRow::new(
        "book-seed",
        "Book Seed",
        "Book seed",
        "another seed, other moves of the book",
        integer!(u64, 0, MAX_SEED, book.seed),
    )
    .role(Role::Operator)
    .needs(BOOK, Wanted::Given),
];

fn search_numbers(parameters: &SearchParameters) -> Value {
    let rows = SearchParameters::TABLE.iter();
    Value::Numbers(rows.filter_map(|row| parameters.get(row.name)).collect())
}

fn search_parameters(value: &Value) -> Result<SearchParameters, String> {
    let count = SearchParameters::TABLE.len();
    let numbers = match value {
        Value::Numbers(numbers) => numbers,
        Value::Text(text) if text.is_empty() => return Ok(SearchParameters::default()),
        _ => return Err(format!("expected {count} numbers")),
    };
    if numbers.len() != count {
        return Err(format!("{} numbers (expected {count})", numbers.len()));
    }
    let mut parameters = SearchParameters::default();
    for (row, &number) in SearchParameters::TABLE.iter().zip(numbers) {
        parameters.set(row.name, number);
    }
    Ok(parameters)
}

/// Every setting of the flagship.
pub(super) fn all() -> &'static [Setting] {
    static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
        let mut all = schema(ROWS);
        let numbers = SearchParameters::TABLE.iter();
        all.extend(numbers.map(|row| number_setting(row, Role::Tuning)));
        let defaults = Vector::default();
        all.extend(PARAMETERS.iter().enumerate().map(|(index, row)| {
            let default = defaults.at(index);
            let row = NumberRow {
                name: row.name,
                about: row.meaning,
                default,
                min: row.narrow.min.min(row.wide.min).min(default),
                max: row.narrow.max.max(row.wide.max).max(default),
            };
            number_setting(&row, Role::Tuning)
        }));
        all
    });
    &SETTINGS
}
