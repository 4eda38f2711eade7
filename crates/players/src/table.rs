//! The table of players: one row each. Specifications, the UCI option `Player`, command lines, the page's dialogs, the
//! reference documentation and the conformance suite all read it.
//!
//! The settings of a player are declared beside the player; its row only names them.

use std::path::Path;

use vidmar_cases::CaseThinker;
use vidmar_chess::BoardKind;
use vidmar_engine::settings::{Setting, Unset, Value};
use vidmar_engine::{FlagshipThinker, SearchThinker, Thinker};
use vidmar_evolve::EvolveThinker;
use vidmar_search::Algorithm;
use vidmar_text::nearest;

use crate::book::BookThinker;
use crate::move_limits::limit_settings;
use crate::process::{uci_settings, xboard_settings};
use crate::random::RandomThinker;
use crate::spec::{PlayerSpec, SpecError};

/// A type of player.
pub struct PlayerType {
    /// The word before the colon of a specification.
    pub key: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// What one of them is called unless somebody gives it a name: `{key}` is a setting, what stands in brackets is left out
    /// where a setting in it has no value.
    pub title: &'static str,
    /// What can be chosen about it alone.
    pub settings: fn() -> &'static [Setting],
    /// Keys of what a dialog asks first.
    pub basic: &'static [&'static str],
    /// How it is made.
    pub build: Build,
    /// What the scores mean that it gives with its moves.
    pub scores: Scores,
    /// Why the same seed, under limits that are not of time, does not give the same game; none if it does.
    pub unrepeatable: fn(&PlayerSpec) -> Option<&'static str>,
    /// What limits of a move are to it.
    pub limits: Limited,
    /// Specifications with which it is held to the conformance suite; files that they need are written into the folder.
    pub trials: fn(&Path) -> Vec<String>,
}

/// How a player is made.
#[derive(Copy, Clone)]
pub enum Build {
    /// In this process.
    BuiltIn(fn() -> Box<dyn Thinker>),
    /// A program that speaks the protocol; `option.NAME` sets what it offers itself.
    Program(Protocol),
}

/// Which language a program speaks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Chess Engine Communication Protocol, version 2.
    Xboard,
}

/// What the limits of a move, of a game or of its own, are to a type of player.
#[derive(Copy, Clone)]
pub enum Limited {
    /// It thinks until one is reached.
    Always,
    /// It answers at once whatever they are, and brings none along.
    Never,
    /// As its other settings say.
    By(fn(&PlayerSpec) -> LimitUse),
}

/// What the limits of a move are to a player.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LimitUse {
    /// Without one it would not end.
    Needed,
    /// It ends by itself, or earlier by a limit.
    Possible,
    /// They have no effect.
    None(&'static str),
}

/// What the scores of a player mean.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scores {
    /// Hundredths of a pawn, or moves to mate: what can be shown, and what adjudication goes by. A move of a book has none.
    Centipawns,
    /// It has none: a fitness could not be compared with what others say. The conformance tests hold it to that.
    None,
}

/// Every type, in the order in which it is listed everywhere.
pub static PLAYER_TYPES: &[PlayerType] = &[
    PlayerType {
        key: "engine",
        label: "Engine",
        help: "the strong engine, at full strength or weaker on purpose",
        title: "Vidmar[ ({elo})]",
        settings: FlagshipThinker::all_settings,
        basic: &["elo", "depth", "nodes", "movetime"],
        build: Build::BuiltIn(|| Box::<FlagshipThinker>::default()),
        scores: Scores::Centipawns,
        unrepeatable: several_threads,
        limits: Limited::Always,
        trials: |_| {
            texts(&[
                "engine:hash=1",
                "engine:hash=1,elo=1200,seed=3",
                "engine:hash=2,eval=fitted,nodes=500",
            ])
        },
    },
    PlayerType {
        key: "cbr",
        label: "Case-based expert",
        help: "plays what an expert played in the most similar position, and shows the game",
        title: "Cases of {cases}",
        settings: CaseThinker::all_settings,
        basic: &["cases", "k", "filter", "weights"],
        build: Build::BuiltIn(|| Box::<CaseThinker>::default()),
        scores: Scores::None,
        unrepeatable: learns_on,
        limits: Limited::By(by_filter),
        trials: vidmar_cases::trials,
    },
    PlayerType {
        key: "search",
        label: "Laboratory search",
        help: "any of the textbook algorithms, from plain minimax on, on any board representation",
        title: "{algorithm} on {board}",
        settings: SearchThinker::all_settings,
        basic: &["algorithm", "board", "depth", "movetime"],
        build: Build::BuiltIn(|| Box::<SearchThinker>::default()),
        scores: Scores::Centipawns,
        unrepeatable: several_threads,
        limits: Limited::Always,
        trials: search_trials,
    },
    PlayerType {
        key: "evolve",
        label: "Evolved moves",
        help: "lets lines of moves mutate and compete, and plays the first move of the fittest",
        title: "Evolved moves",
        settings: EvolveThinker::all_settings,
        basic: &["preset", "genes", "generations", "chromosomes"],
        build: Build::BuiltIn(|| Box::<EvolveThinker>::default()),
        scores: Scores::None,
        unrepeatable: |_| None,
        limits: Limited::By(by_generations),
        trials: |_| {
            texts(&[
                "evolve:generations=20,seed=1",
                "evolve:strategy=alternating,fitness=leaf,eval=structure,generations=20",
                "evolve:preset=improved,nodes=3000",
            ])
        },
    },
    PlayerType {
        key: "random",
        label: "Random",
        help: "any legal move",
        title: "Random",
        settings: RandomThinker::all_settings,
        basic: &["seed"],
        build: Build::BuiltIn(|| Box::<RandomThinker>::default()),
        scores: Scores::None,
        unrepeatable: |_| None,
        limits: Limited::Never,
        trials: |_| texts(&["random:seed=4"]),
    },
    PlayerType {
        key: "book",
        label: "Opening book",
        help: "plays from a PolyGlot book, then as another player",
        title: "Book {file}",
        settings: BookThinker::all_settings,
        basic: &["file", "best"],
        build: Build::BuiltIn(|| Box::<BookThinker>::default()),
        scores: Scores::Centipawns,
        unrepeatable: crate::book::unrepeatable,
        limits: Limited::By(crate::book::limit_use),
        trials: crate::book::trials,
    },
    PlayerType {
        key: "uci",
        label: "External engine",
        help: "an engine of somebody else that speaks UCI",
        title: "{cmd}",
        settings: uci_settings,
        basic: &["cmd", "depth", "nodes", "movetime"],
        build: Build::Program(Protocol::Uci),
        scores: Scores::Centipawns,
        unrepeatable: |_| Some(ANOTHER_PROGRAM),
        limits: Limited::Always,
        trials: |_| {
            let installed = ["/usr/games/stockfish", "/usr/games/ethereal-chess"];
            let installed = installed.iter().filter(|program| Path::new(program).exists());
            installed
                .map(|program| format!("uci:cmd={program},answer-ms=10000"))
                .collect()
        },
    },
    PlayerType {
        key: "xboard",
        label: "External xboard engine",
        help: "an engine of somebody else that speaks the protocol of xboard",
        title: "{cmd}",
        settings: xboard_settings,
        basic: &["cmd", "depth", "movetime"],
        build: Build::Program(Protocol::Xboard),
        scores: Scores::Centipawns,
        unrepeatable: |_| Some(ANOTHER_PROGRAM),
        limits: Limited::Always,
        trials: |_| Vec::new(),
    },
];

const ANOTHER_PROGRAM: &str = "it is a program of somebody else";

/// Threads find each other's results at other moments each time.
fn several_threads(spec: &PlayerSpec) -> Option<&'static str> {
    let threads = spec.value("threads").and_then(|threads| threads.as_integer());
    threads
        .is_some_and(|threads| threads > 1)
        .then_some("it thinks in several threads")
}

/// A game depends on the games before it, and with several at a time nobody knows which those are.
fn learns_on(spec: &PlayerSpec) -> Option<&'static str> {
    let learns = spec
        .value("learn")
        .is_some_and(|learn| learn.as_text() == Some("session"));
    learns.then_some("it learns from game to game")
}

/// The cases alone answer at once; a search that checks them ends at its own depth.
fn by_filter(spec: &PlayerSpec) -> LimitUse {
    let row = spec.player_type().setting("filter-depth");
    let needs = row.and_then(|row| row.needs);
    let is_searched = needs.is_some_and(|needs| needs.are_met(spec.value(needs.key).as_ref()));
    if is_searched {
        LimitUse::Possible
    } else {
        LimitUse::None("with filter=off, when it answers at once")
    }
}

/// So many generations are an end; 0 of them are as many as the limits allow.
fn by_generations(spec: &PlayerSpec) -> LimitUse {
    let chosen = spec.chosen("generations").and_then(Value::as_integer);
    let preset = || EvolveThinker::generations_of(spec.value("preset")?.as_text()?).map(i64::from);
    match chosen.or_else(preset) {
        Some(0) | None => LimitUse::Needed,
        Some(_) => LimitUse::Possible,
    }
}

fn texts(specs: &[&str]) -> Vec<String> {
    specs.iter().map(|&spec| spec.to_owned()).collect()
}

fn search_trials(_: &Path) -> Vec<String> {
    let algorithms = Algorithm::ALL
        .iter()
        .map(|algorithm| format!("search:algorithm={algorithm},table-mib=1"));
    let boards = BoardKind::ALL
        .iter()
        .map(|board| format!("search:board={board},table-mib=1,eval=full,null-move=r2"));
    let others = texts(&[
        "search:eval=chances,table-mib=1",
        "search:generation=pseudo,board=0x88,futility=on,table-mib=1",
        "search:generation=staged,eval=simple-occupation,table-mib=1",
    ]);
    algorithms.chain(boards).chain(others).collect()
}

impl PlayerType {
    /// The row with this key.
    pub fn find(key: &str) -> Result<&'static PlayerType, SpecError> {
        let key = key.trim();
        PLAYER_TYPES
            .iter()
            .find(|row| row.key == key)
            .ok_or_else(|| SpecError::Type {
                key: key.into(),
                hint: hint(key, PLAYER_TYPES.iter().map(|row| row.key)),
            })
    }

    /// Whether it is a program of somebody else, which can fail in every way a program can.
    pub fn is_program(&self) -> bool {
        matches!(self.build, Build::Program(_))
    }

    /// Everything that can be chosen about it: its own settings, and the limits that every player to which they are something
    /// may bring along.
    pub fn all_settings(&self) -> impl Iterator<Item = &'static Setting> + use<> {
        let limits = match self.limits {
            Limited::Never => &[],
            Limited::Always | Limited::By(_) => limit_settings(),
        };
        (self.settings)().iter().chain(limits)
    }

    /// The setting with this key, or that of the UCI option `NAME` where the key is `option.NAME`.
    pub fn setting(&self, key: &str) -> Option<&'static Setting> {
        let by_option = key.strip_prefix(OPTION);
        self.all_settings().find(|row| match by_option {
            Some(name) => !row.uci.is_empty() && row.uci.eq_ignore_ascii_case(name),
            None => row.key == key,
        })
    }

    /// What a player is called whose settings have these values.
    pub fn titled(&self, value: impl Fn(&str) -> Option<String>) -> String {
        let mut title = String::new();
        for part in self.title.split_inclusive(']') {
            let (always, optional) = part.split_once('[').unwrap_or((part, ""));
            title.push_str(&filled(always, &value).unwrap_or_else(|| self.label.to_owned()));
            title.push_str(&filled(optional.trim_end_matches(']'), &value).unwrap_or_default());
        }
        title
    }

    /// Settings that a specification cannot do without, each with an example.
    pub fn required(&self) -> impl Iterator<Item = (&'static Setting, &'static str)> + use<> {
        self.all_settings().filter_map(|row| match row.unset {
            Unset::Required(example) => Some((row, example)),
            _ => None,
        })
    }
}

/// A text with the values of the settings that it names; none if one has no value.
fn filled(text: &str, value: &impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut parts = text.split(['{', '}']);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    while let Some(key) = parts.next() {
        filled.push_str(&value(key)?);
        filled.push_str(parts.next().unwrap_or_default());
    }
    Some(filled)
}

/// What stands before the name of an option in a specification.
pub(crate) const OPTION: &str = "option.";

pub(crate) fn hint<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}
