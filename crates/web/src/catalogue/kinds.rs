//! The kinds of player that a seat may have, one row each.

use std::thread::available_parallelism;

use vidmar_cases::SETTINGS as CASE_SETTINGS;
use vidmar_engine::Strength;
use vidmar_engine::laboratory::SETTINGS as SEARCH_SETTINGS;
use vidmar_eval::{DEFAULT_VECTOR, VECTORS};
use vidmar_evolve::{Fitness, PositionEvaluation, Settings as EvolveSettings, Strategy};

use super::option::{OptionSetting, SeatOption};
use crate::config::Config;

/// A kind of player.
pub(crate) struct Kind {
    /// The word that a seat names it by; that of the players' own table, where it has one.
    pub(crate) word: &'static str,
    pub(crate) label: &'static str,
    pub(crate) help: &'static str,
    pub(crate) options: fn(&Config) -> Vec<SeatOption>,
    /// What the server would have to be started with.
    pub(crate) missing: fn(&Config) -> Option<&'static str>,
}

/// A kind that every server has.
const fn built_in(_: &Config) -> Option<&'static str> {
    None
}

/// The word of people.
pub(crate) const PERSON: &str = "person";
/// The word of the engines that the server was started with.
pub(crate) const UCI: &str = "uci";
/// The word of the case-based player.
pub(crate) const CASES: &str = "cbr";

/// Every kind.
pub(crate) const KINDS: &[Kind] = &[
    Kind {
        word: PERSON,
        label: "Person",
        help: "somebody at this page",
        options: |_| Vec::new(),
        missing: built_in,
    },
    Kind {
        word: "engine",
        label: "Engine",
        help: "the strong engine, at full strength or weaker on purpose",
        options: engine,
        missing: built_in,
    },
    Kind {
        word: "search",
        label: "Search",
        help: "any algorithm of the laboratory on any board",
        options: search,
        missing: built_in,
    },
    Kind {
        word: CASES,
        label: "Case-based",
        help: "plays what an expert played in the most similar position",
        options: cases,
        missing: |config| {
            config
                .cases
                .is_empty()
                .then_some("a case base: vidmar web --cases NAME=FILE")
        },
    },
    Kind {
        word: "evolve",
        label: "Evolved moves",
        help: "lets lines of moves evolve and plays the first move of the fittest",
        options: evolve,
        missing: built_in,
    },
    Kind {
        word: "random",
        label: "Random",
        help: "any legal move",
        options: |_| vec![seed()],
        missing: built_in,
    },
    Kind {
        word: UCI,
        label: "External engine",
        help: "an engine of somebody else",
        options: external,
        missing: |config| {
            config
                .engines
                .is_empty()
                .then_some("an engine: vidmar web --engine NAME=COMMAND")
        },
    },
];

/// The most that a player of the page may take: many play at once.
const MOST_MEBIBYTES: i64 = 256;
const MOST_NODES: i64 = 1_000_000_000;
/// The longest thought for a move, in milliseconds.
pub(crate) const LONGEST_THOUGHT: i64 = 60_000;
/// The most lines of an explanation.
pub(crate) const MOST_LINES: i64 = 5;
const MOST_CASES: i64 = 100;
const MOST_GENERATIONS: i64 = 100_000;
const MOST_CHROMOSOMES: i64 = 100;

/// The limits of a move, by the names that a seat uses.
pub(crate) const DEPTH: &str = "depth";
pub(crate) const NODES: &str = "nodes";
pub(crate) const MOVE_TIME: &str = "movetime";
/// How many lines the explanation of a move has.
pub(crate) const LINES: &str = "lines";
/// Which engine or case base.
pub(crate) const ENGINE: &str = "engine";
pub(crate) const CASE_BASE: &str = "cases";

fn limits() -> [SeatOption; 3] {
    let deepest = i64::from(vidmar_search::MAX_DEPTH);
    [
        SeatOption::integer(DEPTH, "plies at the most", 1, deepest),
        SeatOption::integer(NODES, "positions at the most", 1, MOST_NODES),
        SeatOption::integer(
            MOVE_TIME,
            "milliseconds for a move at the most",
            1,
            LONGEST_THOUGHT,
        )
        .labelled("Time (ms)"),
    ]
}

fn threads() -> i64 {
    available_parallelism().map_or(1, |number| number.get() as i64)
}

fn vector(name: &str) -> SeatOption {
    let names = VECTORS.iter().map(|vector| vector.name.to_owned()).collect();
    SeatOption::combo(name, "parameters of the evaluation, by name", names)
        .with_default(OptionSetting::Text(DEFAULT_VECTOR.to_owned()))
        .labelled("Parameters")
}

fn seed() -> SeatOption {
    SeatOption::integer("seed", "another seed, other games", 0, i64::from(u32::MAX))
        .with_default(OptionSetting::Integer(0))
}

fn lines() -> SeatOption {
    SeatOption::integer(
        LINES,
        "lines of play in its explanations; more of them cost depth",
        1,
        MOST_LINES,
    )
    .with_default(OptionSetting::Integer(1))
}

fn engine(_: &Config) -> Vec<SeatOption> {
    let (least, most) = (i64::from(Strength::MIN), i64::from(Strength::MAX));
    let elo = SeatOption::integer(
        "elo",
        "plays weaker on purpose; full strength if not set",
        least,
        most,
    );
    let mut options = vec![elo.labelled("Strength (Elo)")];
    options.extend(limits());
    options.push(vector("eval"));
    options.push(lines());
    options.push(
        SeatOption::integer("hash", "mebibytes of memory", 1, MOST_MEBIBYTES)
            .with_default(OptionSetting::Integer(16)),
    );
    options.push(
        SeatOption::integer("threads", "threads", 1, threads()).with_default(OptionSetting::Integer(1)),
    );
    options
}

fn search(_: &Config) -> Vec<SeatOption> {
    let row = |row: &vidmar_engine::laboratory::SettingRow| match row.word {
        "vector" => vector(row.word),
        "threads" => SeatOption::from_row(row.word, row.help, &row.kind(), threads()),
        _ => SeatOption::from_row(row.word, row.help, &row.kind(), MOST_MEBIBYTES),
    };
    limits()
        .into_iter()
        .chain(SEARCH_SETTINGS.iter().map(row))
        .collect()
}

fn cases(config: &Config) -> Vec<SeatOption> {
    let names = config.cases.iter().map(|cases| cases.name.clone()).collect();
    let base = SeatOption::combo(CASE_BASE, "whose games it reasons from", names).labelled("Case base");
    let rows = CASE_SETTINGS.iter().map(|row| match row.key {
        "seed" => seed(),
        key => SeatOption::from_row(key, row.help, &row.option_row().kind, MOST_CASES),
    });
    std::iter::once(base).chain(rows).collect()
}

fn evolve(_: &Config) -> Vec<SeatOption> {
    let usual = EvolveSettings::default();
    let number = |name: &str, help: &str, least: i64, most: i64| SeatOption::integer(name, help, least, most);
    let words = |name: &str, help: &str, words: Vec<&'static str>| SeatOption {
        // The preset says.
        default: None,
        ..SeatOption::combo(name, help, words.into_iter().map(str::to_owned).collect())
    };
    let preset = vec!["published".to_owned(), "improved".to_owned()];
    let mut options = vec![
        SeatOption::combo("preset", "what holds where nothing else is chosen", preset).labelled("Variant"),
        number("genes", "plies of a line", 1, EvolveSettings::MOST_GENES as i64),
        number(
            "generations",
            "generations for each first move",
            0,
            MOST_GENERATIONS,
        ),
        number("chromosomes", "lines of a population", 1, MOST_CHROMOSOMES),
        words(
            "strategy",
            "whose good the evolution seeks",
            Strategy::ALL.iter().map(|row| row.name()).collect(),
        ),
        words(
            "fitness",
            "what a line is worth",
            Fitness::ALL.iter().map(|row| row.name()).collect(),
        ),
        words(
            "eval",
            "what a position is worth",
            PositionEvaluation::ALL.iter().map(|row| row.name()).collect(),
        )
        .labelled("PositionEvaluation"),
        number(
            "threads",
            "first moves that evolve at the same time",
            1,
            threads(),
        )
        .with_default(OptionSetting::Integer(usual.threads as i64)),
        seed(),
    ];
    options.extend(limits());
    options
}

fn external(config: &Config) -> Vec<SeatOption> {
    let names = config.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut options = vec![SeatOption::combo(ENGINE, "which one", names)];
    options.extend(limits());
    options.push(lines());
    options
}
