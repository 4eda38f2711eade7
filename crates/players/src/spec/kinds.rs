//! The kinds of player: one row each, and a function that reads its settings.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use vidmar_engine::laboratory::SETTINGS;
use vidmar_engine::options::find;
use vidmar_engine::{
    FlagshipSettings, FlagshipThinker, LaboratorySettings, OptionRow, OptionValue, SearchThinker, Strength,
    Thinker,
};
use vidmar_eval::Vector;
use vidmar_evolve::{EvolveThinker, Settings as EvolveSettings};
use vidmar_text::quoted_words;

use super::settings::{OPTION, Settings, bad};
use super::{Common, Protocol, Recipe, SpecError, hint};
use crate::player::Player;
use crate::process::{EngineCommand, Timeouts};
use crate::random::RandomThinker;
use crate::thinker_player::ThinkerPlayer;
use crate::uci::UciPlayer;
use crate::xboard::XboardPlayer;

/// A kind of player.
pub struct PlayerKind {
    /// The word before the colon.
    pub word: &'static str,
    /// One line about it.
    pub help: &'static str,
    pub(super) read: fn(&mut Settings) -> Result<Recipe, SpecError>,
}

/// Every kind.
pub const KINDS: &[PlayerKind] = &[
    PlayerKind {
        word: "engine",
        help: "the strong engine: eval=VECTOR or FILE, hash=MIB, threads=N, elo=N, seed=N, option.NAME=VALUE",
        read: engine,
    },
    PlayerKind {
        word: "search",
        help: "any algorithm on any board, with the words of `vidmar search`: algorithm=mtdf,board=0x88,null-move=r3",
        read: search,
    },
    PlayerKind {
        word: "evolve",
        help: "evolves lines of moves: preset=published|improved, genes=N, generations=N, chromosomes=N, seed=N, strategy=, fitness=, eval=",
        read: evolve,
    },
    PlayerKind {
        word: "random",
        help: "moves by chance: seed=N",
        read: random,
    },
    PlayerKind {
        word: "cbr",
        help: "reasons from an expert's games: cases=FILE, weights=A/B/C, seed=N, k=N, filter=root and the rest of docs/cases.md",
        read: super::cases::read,
    },
    PlayerKind {
        word: "uci",
        help: "a UCI engine: cmd=PATH, args=WORDS, dir=PATH, option.NAME=VALUE, unknown-options=error|ignore",
        read: |settings| command(settings).map(|command| external(Protocol::Uci, command)),
    },
    PlayerKind {
        word: "xboard",
        help: "an xboard engine: the same keys as uci",
        read: |settings| command(settings).map(|command| external(Protocol::Xboard, command)),
    },
];

/// A recipe for a built-in player from one for its thinker.
pub(super) fn seated<T: Thinker + 'static>(
    seed: u64,
    make: impl Fn() -> T + Send + Sync + 'static,
) -> Recipe {
    Arc::new(move |common: &Common| {
        let player = ThinkerPlayer::new(Box::new(make()), common.move_limits, seed);
        Ok(match &common.name {
            Some(name) => Box::new(player.named(name)) as Box<dyn Player>,
            None => Box::new(player),
        })
    })
}

fn engine(settings: &mut Settings) -> Result<Recipe, SpecError> {
    let mut wanted = FlagshipSettings::default();
    if let Some(name) = settings.take("eval") {
        wanted.vector = vector(&name)?;
    }
    if let Some(mebibytes) = settings.number("hash", 1..=1 << 16)? {
        wanted.hash = mebibytes as usize;
    }
    if let Some(threads) = settings.number("threads", 1..=512)? {
        wanted.threads = threads as usize;
    }
    let seed = settings.number("seed", 0..=u64::MAX)?.unwrap_or_default();
    let (least, most) = (u64::from(Strength::MIN), u64::from(Strength::MAX));
    wanted.strength = settings.number("elo", least..=most)?.map(|elo| Strength {
        elo: elo as u32,
        seed,
    });
    let options = read_options(settings, &FlagshipThinker::new(wanted.clone()))?;
    Ok(seated(seed, move || {
        let mut thinker = FlagshipThinker::new(wanted.clone());
        for (name, value) in &options {
            // What cannot be set now could not be set when the specification was read.
            let _ = thinker.set_option(name, value);
        }
        thinker
    }))
}

/// A vector by name, or from a file.
fn vector(name: &str) -> Result<Vector, SpecError> {
    if !name.contains(['/', '\\', '.']) {
        return Vector::named(name).map_err(|error| bad("eval", error));
    }
    let text = std::fs::read_to_string(name).map_err(|error| bad("eval", format!("{name}: {error}")))?;
    let mut vector = Vector::default();
    vector
        .read(&text)
        .map_err(|error| bad("eval", format!("{name}: {error}")))?;
    Ok(vector)
}

/// The options `option.NAME` of a built-in player, held against its rows.
fn read_options(
    settings: &mut Settings,
    thinker: &dyn Thinker,
) -> Result<Vec<(String, OptionValue)>, SpecError> {
    let rows: Vec<OptionRow> = thinker.options();
    let read = |(name, value): (String, String)| {
        let key = format!("{OPTION}{name}");
        let row = find(&rows, &name).ok_or_else(|| {
            let near = hint(&name, rows.iter().map(|row| row.name.as_ref()));
            bad(&key, format!("no such option{near}"))
        })?;
        let value = row.read(Some(&value)).map_err(|error| bad(&key, error))?;
        Ok((row.name.to_string(), value))
    };
    settings.options().into_iter().map(read).collect()
}

fn search(settings: &mut Settings) -> Result<Recipe, SpecError> {
    let mut wanted = LaboratorySettings::default();
    for row in SETTINGS {
        if let Some(text) = settings.take(row.word) {
            row.set(&mut wanted, text.trim())
                .map_err(|error| bad(row.word, error))?;
        }
    }
    wanted.search.check().map_err(|error| bad("search", error))?;
    Ok(seated(0, move || SearchThinker::new(wanted.clone())))
}

fn evolve(settings: &mut Settings) -> Result<Recipe, SpecError> {
    let mut wanted = match settings.take("preset").as_deref() {
        None | Some("published") => EvolveSettings::default(),
        Some("improved") => EvolveSettings::improved(),
        Some(other) => return Err(bad("preset", format!("'{other}' is not published or improved"))),
    };
    if let Some(genes) = settings.number("genes", 1..=EvolveSettings::MOST_GENES as u64)? {
        wanted.genes = genes as usize;
    }
    if let Some(generations) = settings.number("generations", 0..=u32::MAX.into())? {
        wanted.generations = generations as u32;
    }
    if let Some(chromosomes) = settings.number("chromosomes", 1..=EvolveSettings::MOST_CHROMOSOMES as u64)? {
        wanted.chromosomes = chromosomes as usize;
    }
    if let Some(name) = settings.take("strategy") {
        wanted.strategy = name.parse().map_err(|error| bad("strategy", error))?;
    }
    if let Some(name) = settings.take("fitness") {
        wanted.fitness = name.parse().map_err(|error| bad("fitness", error))?;
    }
    if let Some(name) = settings.take("eval") {
        wanted.evaluation = name.parse().map_err(|error| bad("eval", error))?;
    }
    if let Some(threads) = settings.number("threads", 1..=512)? {
        wanted.threads = threads as usize;
    }
    let seed = settings.number("seed", 0..=u64::MAX)?.unwrap_or_default();
    Ok(seated(seed, move || EvolveThinker::new(wanted.clone())))
}

fn random(settings: &mut Settings) -> Result<Recipe, SpecError> {
    let seed = settings.number("seed", 0..=u64::MAX)?.unwrap_or_default();
    Ok(seated(seed, RandomThinker::default))
}

fn command(settings: &mut Settings) -> Result<EngineCommand, SpecError> {
    let program = settings.need("cmd", "PATH")?;
    let arguments = settings.take("args").unwrap_or_default();
    let mut timeouts = Timeouts::default();
    for (key, time) in [
        ("start-ms", &mut timeouts.start),
        ("ready-ms", &mut timeouts.ready),
        ("answer-ms", &mut timeouts.answer),
    ] {
        if let Some(milliseconds) = settings.number(key, 1..=u64::from(u32::MAX))? {
            *time = Duration::from_millis(milliseconds);
        }
    }
    let ignores_unknown_options = match settings.take("unknown-options").as_deref() {
        None | Some("error") => false,
        Some("ignore") => true,
        Some(other) => {
            return Err(bad(
                "unknown-options",
                format!("'{other}' is not error or ignore"),
            ));
        }
    };
    Ok(EngineCommand {
        program: PathBuf::from(program),
        arguments: quoted_words(&arguments).map_err(|error| bad("args", error.to_string()))?,
        directory: settings.take("dir").map(PathBuf::from),
        options: settings.options(),
        ignores_unknown_options,
        initial_lines: Vec::new(),
        timeouts,
    })
}

/// The settings that [`command`] reads as this one.
pub(super) fn settings_of(command: &EngineCommand) -> Vec<(String, String)> {
    let mut settings = vec![("cmd".to_owned(), command.program.display().to_string())];
    if !command.arguments.is_empty() {
        let quoted: Vec<String> = command.arguments.iter().map(|word| quoted(word)).collect();
        settings.push(("args".to_owned(), quoted.join(" ")));
    }
    if let Some(directory) = &command.directory {
        settings.push(("dir".to_owned(), directory.display().to_string()));
    }
    for (name, value) in &command.options {
        settings.push((format!("{OPTION}{name}"), value.clone()));
    }
    if command.ignores_unknown_options {
        settings.push(("unknown-options".to_owned(), "ignore".to_owned()));
    }
    let usual = Timeouts::default();
    for (key, time, usual) in [
        ("start-ms", command.timeouts.start, usual.start),
        ("ready-ms", command.timeouts.ready, usual.ready),
        ("answer-ms", command.timeouts.answer, usual.answer),
    ] {
        if time != usual {
            settings.push((key.to_owned(), time.as_millis().to_string()));
        }
    }
    settings
}

/// A word as [`words`] reads it.
fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains([' ', '\'', '"']) {
        format!("\"{}\"", word.replace('"', "\"'\"'\""))
    } else {
        word.to_owned()
    }
}

/// A recipe for an external engine.
pub(super) fn external(protocol: Protocol, command: EngineCommand) -> Recipe {
    Arc::new(move |common: &Common| {
        let command = command.clone();
        let (name, move_limits) = (common.name.clone(), common.move_limits);
        Ok(match protocol {
            Protocol::Uci => Box::new(UciPlayer::start(command, move_limits, name)?) as Box<dyn Player>,
            Protocol::Xboard => Box::new(XboardPlayer::start(command, move_limits, name)?),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::PlayerSpec;
    use super::*;

    fn message(text: &str) -> String {
        text.parse::<PlayerSpec>().expect_err(text).to_string()
    }

    #[test]
    fn specifications_are_written_as_they_are_read() {
        for text in [
            "engine",
            "engine:depth=6",
            "engine:nodes=8000,eval=fitted,hash=16,elo=1800,seed=4",
            "engine:movetime=100,option.MultiPV=2",
            "search:algorithm=mtdf,board=0x88,depth=4,quiescence=on,table=two-level,null-move=r3",
            "search:ordering=table,mvv-lva,killers,depth=2,eval=full,vector=fitted",
            "evolve:genes=6,generations=200,chromosomes=3,seed=1",
            "evolve:preset=improved,strategy=alternating,fitness=leaf,eval=full,nodes=50000",
            "random:seed=1,name=dice",
            "uci:cmd=/usr/games/stockfish,args=--x \"a b\",option.Hash=16,option.Move Overhead=10",
            "xboard:cmd=phalanx,dir=/tmp",
        ] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        let spec: PlayerSpec = "random:name=dice".parse().unwrap();
        assert_eq!(spec.name(), "dice");
        assert_eq!(spec.player().unwrap().name(), "dice");
    }

    #[test]
    fn a_command_is_written_as_it_is_read() {
        let command = EngineCommand {
            directory: Some("/a,b".into()),
            ignores_unknown_options: true,
            ..EngineCommand::new("/x y/z")
                .argument("-a")
                .argument("it's \"b c\"")
                .argument("")
                .option("Some File", "p=q,r=s")
        };
        let spec = PlayerSpec::external(Protocol::Uci, command.clone(), None);
        let text = spec.to_string();
        assert_eq!(text.parse::<PlayerSpec>().unwrap(), spec, "{text}");
        let mut settings = Settings::new("uci", super::super::settings::split(&text[4..]).unwrap());
        assert_eq!(super::command(&mut settings).unwrap(), command);
    }

    #[test]
    fn errors_name_the_token_and_what_was_expected() {
        for (text, expected) in [
            (
                "egnine:depth=6",
                "unknown player 'egnine'; did you mean 'engine'? (known: engine, search, evolve, random, cbr, uci, xboard)",
            ),
            (
                "random:sede=1",
                "random: unknown setting 'sede'; did you mean 'seed'? (known: name, depth, nodes, movetime, seed)",
            ),
            ("engine:depth=0", "depth: '0' is not a number from 1 to 100"),
            ("engine:elo=9", "elo: '9' is not a number from 1000 to 2800"),
            ("engine:depth", "'depth': expected KEY=VALUE"),
            (
                "engine:eval=fited",
                "eval: unknown vector 'fited' (did you mean 'fitted'?)",
            ),
            (
                "engine:option.Hsh=1",
                "option.Hsh: no such option; did you mean 'Hash'?",
            ),
            ("cbr:", "cbr: cases is missing (expected cases=FILE)"),
            ("cbr:k=0,cases=x", "k: '0' is not a number from 1 to 10000"),
            ("evolve:fitness=best", "fitness: 'best' is not one of sum, leaf"),
            ("uci:", "uci: cmd is missing (expected cmd=PATH)"),
            ("uci:cmd=x,args=\"", "args: a quote is not closed in '\\\"'"),
            (
                "search:threads=2",
                "search: 2 threads without a way to share the work (expected parallel ybwc or lazy)",
            ),
        ] {
            assert_eq!(message(text), expected);
        }
        assert!(message("search:algorithm=mtd").contains("known: minimax"));
    }
}
