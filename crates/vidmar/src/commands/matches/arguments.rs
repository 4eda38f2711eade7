//! From words to settings. Every word is either understood or an error that names it.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail, ensure};
use vidmar_arena::{
    DrawRule, FaultPolicy, OpeningPolicy, Plan, ResignRule, Sprt, SprtModel, TimeControl, Tournament,
};

use super::options::{Key, ROWS, Row, Takes, find, nearest};
use super::time_control::{Clock, seconds};

/// One argument with what stands behind it.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) row: &'static Row,
    pub(super) words: Vec<String>,
}

/// Which lines results are printed in.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Manner {
    #[default]
    Table,
    Fastchess,
    Cutechess,
}

/// What is said of one player, by `-engine` or `-each`.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineSettings {
    pub(super) command: Option<String>,
    pub(super) player: Option<String>,
    pub(super) name: Option<String>,
    pub(super) xboard: Option<bool>,
    pub(super) directory: Option<PathBuf>,
    pub(super) arguments: Vec<String>,
    pub(super) initial: Vec<String>,
    pub(super) options: Vec<(String, String)>,
    pub(super) clock: Option<Clock>,
    pub(super) move_time: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    pub(super) margin: Option<Duration>,
    pub(super) restart: Option<bool>,
}

impl EngineSettings {
    /// What it may use for its moves.
    pub(super) fn control(&self) -> TimeControl {
        let clock = self.clock.unwrap_or_default();
        TimeControl {
            base: clock.base,
            increment: clock.increment,
            moves: clock.moves,
            move_time: self.move_time,
            depth: self.depth,
            nodes: self.nodes,
            margin: self.margin.unwrap_or_default(),
        }
    }

    /// The same, with `each` where nothing is said.
    fn or(mut self, each: &EngineSettings) -> EngineSettings {
        let each = each.clone();
        let arguments = if self.arguments.is_empty() {
            each.arguments
        } else {
            self.arguments
        };
        let mut options = each.options;
        for (name, value) in self.options {
            options.retain(|(other, _)| *other != name);
            options.push((name, value));
        }
        self.initial.splice(0..0, each.initial);
        EngineSettings {
            command: if self.player.is_some() {
                None
            } else {
                self.command.or(each.command)
            },
            player: self.player.or(each.player),
            name: self.name.or(each.name),
            xboard: self.xboard.or(each.xboard),
            directory: self.directory.or(each.directory),
            arguments,
            initial: self.initial,
            options,
            clock: self.clock.or(each.clock),
            move_time: self.move_time.or(each.move_time),
            nodes: self.nodes.or(each.nodes),
            depth: self.depth.or(each.depth),
            margin: self.margin.or(each.margin),
            restart: self.restart.or(each.restart),
        }
    }
}

/// `-openings`.
#[derive(Clone, Debug, Default)]
pub(super) struct OpeningSettings {
    pub(super) file: Option<PathBuf>,
    pub(super) format: Option<String>,
    pub(super) random: bool,
    pub(super) plies: Option<usize>,
    pub(super) start: u64,
    pub(super) policy: Option<String>,
}

/// `-pgnout` and `-epdout`.
#[derive(Clone, Debug, Default)]
pub(super) struct FileOut {
    pub(super) file: PathBuf,
    pub(super) replace: bool,
    pub(super) nodes: bool,
    pub(super) plain: bool,
}

/// Everything that was said.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(super) struct Settings {
    pub(super) engines: Vec<EngineSettings>,
    pub(super) plan: Plan,
    pub(super) openings: Option<OpeningSettings>,
    pub(super) chess960: bool,
    pub(super) seed: u64,
    pub(super) concurrency: usize,
    pub(super) sprt: Option<Sprt>,
    pub(super) resign: Option<ResignRule>,
    pub(super) draw: Option<DrawRule>,
    pub(super) max_moves: Option<u32>,
    pub(super) bases: Option<String>,
    pub(super) base_pieces: Option<u32>,
    pub(super) wait: Duration,
    pub(super) paired: bool,
    pub(super) start_patience: Option<Duration>,
    pub(super) ready_patience: Option<Duration>,
    pub(super) pgn: Option<FileOut>,
    pub(super) epd: Option<FileOut>,
    pub(super) event: String,
    pub(super) site: String,
    pub(super) manner: Manner,
    pub(super) rating_interval: u64,
    pub(super) score_interval: u64,
    pub(super) resume: Option<PathBuf>,
    pub(super) store: Option<PathBuf>,
    pub(super) faults: FaultPolicy,
    pub(super) json: bool,
    pub(super) compliance: Option<Vec<String>>,
    pub(super) help: bool,
    /// What was said and has no effect, and why.
    pub(super) notes: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            engines: Vec::new(),
            plan: Plan::default(),
            openings: None,
            chess960: false,
            seed: 0,
            concurrency: 1,
            sprt: None,
            resign: None,
            draw: None,
            max_moves: None,
            bases: None,
            base_pieces: None,
            wait: Duration::ZERO,
            paired: true,
            start_patience: None,
            ready_patience: None,
            pgn: None,
            epd: None,
            event: "Vidmar match".to_owned(),
            site: String::new(),
            manner: Manner::default(),
            rating_interval: 10,
            score_interval: 1,
            resume: None,
            store: None,
            faults: FaultPolicy::default(),
            json: false,
            compliance: None,
            help: false,
            notes: Vec::new(),
        }
    }
}

/// Splits a command line into arguments.
pub(super) fn split(words: &[String]) -> anyhow::Result<Vec<Argument>> {
    let mut arguments: Vec<Argument> = Vec::new();
    for word in words {
        // Whatever follows --compliance belongs to the engine.
        if let Some(last) = arguments
            .last_mut()
            .filter(|last| last.row.name == "--compliance")
        {
            last.words.push(word.clone());
        } else if is_name(word) {
            let row = find(word).ok_or_else(|| unknown("argument", word, ROWS.iter().map(|row| row.name)))?;
            arguments.push(Argument {
                row,
                words: Vec::new(),
            });
        } else if let Some(last) = arguments.last_mut() {
            last.words.push(word.clone());
        } else {
            bail!("'{word}': expected an argument such as -engine ('vidmar match --help' lists them)");
        }
    }
    for argument in &arguments {
        check_count(argument)?;
    }
    Ok(arguments)
}

/// `-5` is a number, `-each` is a name.
fn is_name(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-'))
}

fn unknown<'a>(what: &str, word: &str, known: impl Iterator<Item = &'a str>) -> anyhow::Error {
    match nearest(word, known) {
        Some(near) => anyhow!("unknown {what} '{word}'; did you mean '{near}'?"),
        None => anyhow!("unknown {what} '{word}' ('vidmar match --help' lists them)"),
    }
}

fn check_count(Argument { row, words }: &Argument) -> anyhow::Result<()> {
    let name = row.name;
    match row.takes {
        Takes::Nothing => match words.first() {
            Some(word) => bail!("{name}: unexpected '{word}'"),
            None => Ok(()),
        },
        Takes::Word(value) => match words.as_slice() {
            [_] => Ok(()),
            [] => bail!("{name}: expected {value}"),
            [_, more, ..] => bail!("{name}: unexpected '{more}'"),
        },
        Takes::MaybeWord(_) => match words.get(1) {
            Some(more) => bail!("{name}: unexpected '{more}'"),
            None => Ok(()),
        },
        Takes::Words(_) => Ok(()),
        Takes::Keys(_) if words.is_empty() => bail!("{name}: expected KEY=VALUE"),
        Takes::Keys(_) => Ok(()),
    }
}

/// The keys and values behind an argument, each key known.
fn pairs<'a>(
    argument: &'a Argument,
    notes: &mut Vec<String>,
) -> anyhow::Result<Vec<(&'static Key, &'a str, &'a str)>> {
    let Takes::Keys(keys) = argument.row.takes else {
        return Ok(Vec::new());
    };
    let name = argument.row.name;
    let mut found = Vec::new();
    for word in &argument.words {
        // cutechess has keys without a value (trust, whitepov).
        let (key, value) = match word.split_once('=') {
            Some(parts) => parts,
            None if keys.iter().any(|key| key.name == word && key.value.is_empty()) => (word.as_str(), ""),
            None => bail!("{name}: '{word}': expected KEY=VALUE"),
        };
        let known = if key.starts_with("option.") {
            "option.NAME"
        } else {
            key
        };
        let row = keys
            .iter()
            .find(|row| row.name == known)
            .ok_or_else(|| unknown(&format!("key of {name}"), key, keys.iter().map(|row| row.name)))?;
        if let Some(why) = row.idle {
            notes.push(format!("{name} {key} has no effect: {why}"));
        }
        found.push((row, key, value));
    }
    Ok(found)
}

fn number<T: FromStr>(name: &str, text: &str, expected: &str) -> anyhow::Result<T> {
    text.parse()
        .map_err(|_| anyhow!("{name}: '{text}': expected {expected}"))
}

fn at_least<T: FromStr + PartialOrd + std::fmt::Display>(
    name: &str,
    text: &str,
    least: T,
) -> anyhow::Result<T> {
    let found: T = number(name, text, &format!("a whole number, {least} or more"))?;
    ensure!(
        found >= least,
        "{name}: '{text}': expected a whole number, {least} or more"
    );
    Ok(found)
}

fn truth(name: &str, text: &str) -> anyhow::Result<bool> {
    match text {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => bail!("{name}: '{text}': expected true or false"),
    }
}

fn one_of<T: Copy>(name: &str, text: &str, choices: &[(&str, T)]) -> anyhow::Result<T> {
    choices
        .iter()
        .find(|(word, _)| *word == text)
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            match nearest(text, words.iter().copied()) {
                Some(near) => anyhow!(
                    "{name}: '{text}': did you mean '{near}'? (expected {})",
                    words.join(", ")
                ),
                None => anyhow!("{name}: '{text}': expected {}", words.join(", ")),
            }
        })
}

fn milliseconds(name: &str, text: &str) -> anyhow::Result<Duration> {
    let number: u32 = number(name, text, "a number of milliseconds")?;
    Ok(Duration::from_millis(u64::from(number)))
}

impl Settings {
    /// Reads a command line.
    pub(super) fn read(arguments: &[Argument]) -> anyhow::Result<Settings> {
        let mut settings = Settings::default();
        let mut each = EngineSettings::default();
        let mut seeds = None;
        let mut gauntlet = false;
        let mut repeat = None;
        for argument in arguments {
            let name = argument.row.name;
            if let Some(why) = argument.row.idle {
                settings.notes.push(format!("{name} has no effect: {why}"));
                continue;
            }
            let word = argument.words.first().map_or("", String::as_str);
            match name {
                "-engine" => {
                    let mut engine = EngineSettings::default();
                    read_engine(argument, &mut engine, &mut settings.notes)?;
                    settings.engines.push(engine);
                }
                "-each" => read_engine(argument, &mut each, &mut settings.notes)?,
                "-quick" => settings.read_quick(argument, &mut each)?,
                "-tournament" => {
                    gauntlet = one_of(
                        name,
                        word,
                        &[("roundrobin", false), ("round-robin", false), ("gauntlet", true)],
                    )?;
                }
                "-seeds" => seeds = Some(at_least(name, word, 1)?),
                "-rounds" => settings.plan.rounds = at_least(name, word, 1)?,
                "-games" => settings.plan.games = at_least(name, word, 1)?,
                "-repeat" => {
                    repeat = Some(if word.is_empty() {
                        2
                    } else {
                        at_least(name, word, 1)?
                    })
                }
                "-noswap" => settings.plan.swap = false,
                "-reverse" => settings.plan.reverse = true,
                "-openings" => settings.openings = Some(read_openings(argument, &mut settings.notes)?),
                "-variant" => {
                    settings.chess960 = one_of(name, word, &[("standard", false), ("fischerandom", true)])?
                }
                "-seed" | "-srand" => settings.seed = number(name, word, "a whole number")?,
                "-concurrency" => settings.concurrency = at_least(name, word, 1)?,
                "-sprt" => settings.sprt = Some(read_sprt(argument, &mut settings.notes)?),
                "-resign" => settings.resign = Some(read_resign(argument, &mut settings.notes)?),
                "-draw" => settings.draw = Some(read_draw(argument, &mut settings.notes)?),
                "-maxmoves" => settings.max_moves = Some(at_least(name, word, 1)?),
                "-tb" => settings.bases = Some(word.to_owned()),
                "-tbpieces" => settings.base_pieces = Some(at_least(name, word, 3)?),
                "-wait" => settings.wait = milliseconds(name, word)?,
                "-report" => {
                    for (key, _, value) in pairs(argument, &mut settings.notes)? {
                        settings.paired = truth(key.name, value)?;
                    }
                }
                "-startup-ms" => settings.start_patience = Some(milliseconds(name, word)?),
                "-ping-ms" | "-ucinewgame-ms" => settings.ready_patience = Some(milliseconds(name, word)?),
                "-pgnout" | "-epdout" => {
                    let out = read_file_out(argument, &mut settings.notes)?;
                    *(if name == "-pgnout" {
                        &mut settings.pgn
                    } else {
                        &mut settings.epd
                    }) = Some(out);
                }
                "-event" => word.clone_into(&mut settings.event),
                "-site" => word.clone_into(&mut settings.site),
                "-output" => {
                    for (_, _, value) in pairs(argument, &mut settings.notes)? {
                        settings.manner = one_of(
                            "-output format",
                            value,
                            &[
                                ("vidmar", Manner::Table),
                                ("fastchess", Manner::Fastchess),
                                ("cutechess", Manner::Cutechess),
                            ],
                        )?;
                    }
                }
                "-ratinginterval" => settings.rating_interval = number(name, word, "a whole number")?,
                "-scoreinterval" => settings.score_interval = number(name, word, "a whole number")?,
                "-resume" => settings.resume = Some(PathBuf::from(word)),
                "--store" => settings.store = Some(PathBuf::from(word)),
                "--faults" => {
                    settings.faults = one_of(
                        name,
                        word,
                        &[
                            ("replay", FaultPolicy::Replay),
                            ("loss", FaultPolicy::Loss),
                            ("drop", FaultPolicy::Drop),
                        ],
                    )?;
                }
                "--json" => settings.json = true,
                "--compliance" => {
                    ensure!(
                        !argument.words.is_empty(),
                        "--compliance: expected the command of an engine"
                    );
                    settings.compliance = Some(argument.words.clone());
                }
                "--help" => settings.help = true,
                other => unreachable!("{other} is a row without a reader"),
            }
        }
        settings.engines = settings
            .engines
            .into_iter()
            .map(|engine| engine.or(&each))
            .collect();
        ensure!(seeds.is_none() || gauntlet, "-seeds is for -tournament gauntlet");
        if gauntlet {
            settings.plan.tournament = Tournament::Gauntlet {
                seeds: seeds.unwrap_or(1),
            };
        }
        if let Some(repeat) = repeat {
            // -repeat alone asks for pairs; -games says how many games there are in all.
            let games_given = arguments.iter().any(|argument| argument.row.name == "-games");
            if !games_given {
                settings.plan.games = repeat;
            }
            settings.plan.openings = OpeningPolicy::Games(repeat);
        }
        settings.plan.openings = match settings
            .openings
            .as_ref()
            .and_then(|openings| openings.policy.as_deref())
        {
            Some("encounter") => OpeningPolicy::Encounter,
            Some("round") => OpeningPolicy::Round,
            _ => settings.plan.openings,
        };
        Ok(settings)
    }

    /// fastchess's shortcut.
    fn read_quick(&mut self, argument: &Argument, each: &mut EngineSettings) -> anyhow::Result<()> {
        for (key, _, value) in pairs(argument, &mut self.notes)? {
            if key.name == "cmd" {
                self.engines.push(EngineSettings {
                    command: Some(value.to_owned()),
                    ..EngineSettings::default()
                });
            } else {
                self.openings = Some(OpeningSettings {
                    file: Some(PathBuf::from(value)),
                    random: true,
                    ..OpeningSettings::default()
                });
            }
        }
        each.clock = Some("10+0.1".parse().map_err(|error: String| anyhow!(error))?);
        self.plan.rounds = 25_000;
        self.concurrency =
            std::thread::available_parallelism().map_or(1, |n| n.get().saturating_sub(2).max(1));
        self.draw = Some(DrawRule {
            from_move: 30,
            moves: 8,
            score: 8,
        });
        Ok(())
    }
}

fn read_engine(
    argument: &Argument,
    engine: &mut EngineSettings,
    notes: &mut Vec<String>,
) -> anyhow::Result<()> {
    let name = argument.row.name;
    for (row, key, value) in pairs(argument, notes)? {
        let full = format!("{name} {key}");
        match row.name {
            "cmd" => engine.command = Some(value.to_owned()),
            "player" => engine.player = Some(value.to_owned()),
            "name" => engine.name = Some(value.to_owned()),
            "proto" => engine.xboard = Some(one_of(&full, value, &[("uci", false), ("xboard", true)])?),
            "dir" => engine.directory = Some(PathBuf::from(value)),
            "args" => engine
                .arguments
                .extend(quoted_words(value).with_context(|| full.clone())?),
            "arg" => engine.arguments.push(value.to_owned()),
            "initstr" => engine.initial.extend(value.split("\\n").map(str::to_owned)),
            "option.NAME" => {
                let option = key.strip_prefix("option.").unwrap_or_default();
                ensure!(!option.is_empty(), "{full}: expected option.NAME=VALUE");
                engine.options.push((option.to_owned(), value.to_owned()));
            }
            "tc" => {
                engine.clock = Some(
                    value
                        .parse()
                        .map_err(|error: String| anyhow!("{full}: {error}"))?,
                )
            }
            "st" => {
                let time = seconds(value).filter(|time| !time.is_zero());
                engine.move_time =
                    Some(time.ok_or_else(|| anyhow!("{full}: '{value}': expected a number of seconds"))?);
            }
            "nodes" => engine.nodes = Some(at_least(&full, value, 1)?),
            "depth" | "plies" => engine.depth = Some(at_least(&full, value, 1)?),
            "timemargin" => engine.margin = Some(milliseconds(&full, value)?),
            "restart" => {
                engine.restart = Some(one_of(
                    &full,
                    value,
                    &[("on", true), ("off", false), ("auto", false)],
                )?)
            }
            "ponder" => ensure!(
                !truth(&full, value)?,
                "{full}: thinking on the opponent's time is not supported: expected off"
            ),
            _ => {}
        }
    }
    Ok(())
}

/// Words between spaces; quotes of either kind hold one together.
fn quoted_words(text: &str) -> anyhow::Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    ensure!(quote.is_none(), "a quote is not closed in '{text}'");
    words.extend(word);
    Ok(words)
}

fn read_openings(argument: &Argument, notes: &mut Vec<String>) -> anyhow::Result<OpeningSettings> {
    let mut openings = OpeningSettings::default();
    for (key, _, value) in pairs(argument, notes)? {
        let full = format!("-openings {}", key.name);
        match key.name {
            "file" => openings.file = Some(PathBuf::from(value)),
            "format" => {
                openings.format =
                    Some(one_of(&full, value, &[("epd", "epd"), ("pgn", "pgn"), ("bin", "bin")])?.to_owned());
            }
            "order" => openings.random = one_of(&full, value, &[("random", true), ("sequential", false)])?,
            "plies" => openings.plies = Some(number(&full, value, "a whole number")?),
            "start" => openings.start = at_least::<u64>(&full, value, 1)? - 1,
            "policy" => {
                let choices = [
                    ("default", "default"),
                    ("encounter", "encounter"),
                    ("round", "round"),
                ];
                openings.policy = Some(one_of(&full, value, &choices)?.to_owned());
            }
            _ => {}
        }
    }
    ensure!(
        openings.file.is_some(),
        "-openings: file is missing (expected file=FILE)"
    );
    Ok(openings)
}

fn read_sprt(argument: &Argument, notes: &mut Vec<String>) -> anyhow::Result<Sprt> {
    let (mut elo0, mut elo1) = (None, None);
    let (mut alpha, mut beta) = (0.05, 0.05);
    let mut model = SprtModel::default();
    for (key, _, value) in pairs(argument, notes)? {
        let full = format!("-sprt {}", key.name);
        match key.name {
            "elo0" => elo0 = Some(number(&full, value, "a number of Elo")?),
            "elo1" => elo1 = Some(number(&full, value, "a number of Elo")?),
            "alpha" => alpha = number(&full, value, "a probability")?,
            "beta" => beta = number(&full, value, "a probability")?,
            "model" => model = one_of(&full, value, &SprtModel::ALL.map(|model| (model.name(), model)))?,
            _ => {}
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        bail!("-sprt: expected elo0=ELO and elo1=ELO");
    };
    Sprt::new(elo0, elo1, alpha, beta, model).context("-sprt")
}

fn read_resign(argument: &Argument, notes: &mut Vec<String>) -> anyhow::Result<ResignRule> {
    let mut rule = ResignRule {
        score: 0,
        moves: 1,
        two_sided: false,
    };
    let mut told = false;
    for (key, _, value) in pairs(argument, notes)? {
        let full = format!("-resign {}", key.name);
        match key.name {
            "movecount" => rule.moves = at_least(&full, value, 1)?,
            "score" => {
                rule.score = at_least(&full, value, 1)?;
                told = true;
            }
            "twosided" => rule.two_sided = truth(&full, value)?,
            _ => {}
        }
    }
    ensure!(told, "-resign: score is missing (expected score=CENTIPAWNS)");
    Ok(rule)
}

fn read_draw(argument: &Argument, notes: &mut Vec<String>) -> anyhow::Result<DrawRule> {
    let mut rule = DrawRule {
        from_move: 0,
        moves: 1,
        score: 0,
    };
    for (key, _, value) in pairs(argument, notes)? {
        let full = format!("-draw {}", key.name);
        match key.name {
            "movenumber" => rule.from_move = number(&full, value, "a whole number")?,
            "movecount" => rule.moves = at_least(&full, value, 1)?,
            "score" => rule.score = at_least(&full, value, 0)?,
            _ => {}
        }
    }
    Ok(rule)
}

/// fastchess writes `-pgnout file=FILE min=true`, cutechess `-pgnout FILE min`.
fn read_file_out(argument: &Argument, notes: &mut Vec<String>) -> anyhow::Result<FileOut> {
    let name = argument.row.name;
    let mut out = FileOut::default();
    if let [file, rest @ ..] = argument.words.as_slice()
        && !file.contains('=')
    {
        out.file = PathBuf::from(file);
        for word in rest {
            match word.as_str() {
                "min" if name == "-pgnout" => out.plain = true,
                "fi" => notes.push(format!(
                    "{name} fi has no effect: games without a result are written too"
                )),
                other => bail!("{name}: unexpected '{other}'"),
            }
        }
        return Ok(out);
    }
    for (key, _, value) in pairs(argument, notes)? {
        let full = format!("{name} {}", key.name);
        match key.name {
            "file" => out.file = PathBuf::from(value),
            "append" => out.replace = !truth(&full, value)?,
            "nodes" => out.nodes = truth(&full, value)?,
            "min" => out.plain = truth(&full, value)?,
            "notation" => one_of(&full, value, &[("san", ())])?,
            _ => {}
        }
    }
    ensure!(
        !out.file.as_os_str().is_empty(),
        "{name}: file is missing (expected file=FILE)"
    );
    Ok(out)
}

#[cfg(test)]
mod tests;
