//! From words to settings.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{anyhow, ensure};
use vidmar_arena::{
    DrawRule, FaultPolicy, OpeningPolicy, Plan, ResignRule, Sprt, TablebaseRule, TimeControl, Tournament,
};

use super::groups::{read_draw, read_engine, read_file_out, read_openings, read_resign, read_sprt};
use super::time_control::Clock;
use super::words::{Argument, at_least, milliseconds, number, one_of, pairs, truth};

/// Which lines results are printed in.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum OutputFormat {
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
    pub(super) bases: Option<TablebaseRule>,
    pub(super) wait: Duration,
    pub(super) paired: bool,
    pub(super) start_patience: Option<Duration>,
    pub(super) ready_patience: Option<Duration>,
    pub(super) pgn: Option<FileOut>,
    pub(super) epd: Option<FileOut>,
    pub(super) event: String,
    pub(super) site: String,
    pub(super) output_format: OutputFormat,
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
            wait: Duration::ZERO,
            paired: true,
            start_patience: None,
            ready_patience: None,
            pgn: None,
            epd: None,
            event: "Vidmar match".to_owned(),
            site: String::new(),
            output_format: OutputFormat::default(),
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

impl Settings {
    /// Reads a command line.
    pub(super) fn read(arguments: &[Argument]) -> anyhow::Result<Settings> {
        let mut settings = Settings::default();
        let mut each = EngineSettings::default();
        let mut seeds = None;
        let mut gauntlet = false;
        let mut repeat = None;
        let mut bases: Option<TablebaseRule> = None;
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
                    });
                }
                "-noswap" => settings.plan.swap = false,
                "-reverse" => settings.plan.reverse = true,
                "-openings" => settings.openings = Some(read_openings(argument, &mut settings.notes)?),
                "-variant" => {
                    settings.chess960 = one_of(name, word, &[("standard", false), ("fischerandom", true)])?;
                }
                "-seed" | "-srand" => settings.seed = number(name, word, "a whole number")?,
                "-concurrency" => settings.concurrency = at_least(name, word, 1)?,
                "-sprt" => settings.sprt = Some(read_sprt(argument, &mut settings.notes)?),
                "-resign" => settings.resign = Some(read_resign(argument, &mut settings.notes)?),
                "-draw" => settings.draw = Some(read_draw(argument, &mut settings.notes)?),
                "-maxmoves" => settings.max_moves = Some(at_least(name, word, 1)?),
                "-tb" => word.clone_into(&mut bases.get_or_insert_default().folders),
                "-tbpieces" => bases.get_or_insert_default().pieces = Some(at_least(name, word, 3)?),
                "-tbignore50" => bases.get_or_insert_default().ignores_fifty_moves = true,
                "-tbadjudicate" => {
                    let choices = [
                        ("BOTH", (true, true)),
                        ("WIN_LOSS", (true, false)),
                        ("DRAW", (false, true)),
                    ];
                    let bases = bases.get_or_insert_default();
                    (bases.wins, bases.draws) = one_of(name, word, &choices)?;
                }
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
                        settings.output_format = one_of(
                            "-output format",
                            value,
                            &[
                                ("vidmar", OutputFormat::Table),
                                ("fastchess", OutputFormat::Fastchess),
                                ("cutechess", OutputFormat::Cutechess),
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
        if let Some(bases) = &bases {
            ensure!(
                !bases.folders.is_empty(),
                "-tbpieces, -tbignore50 and -tbadjudicate need -tb PATHS"
            );
        }
        settings.bases = bases;
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

#[cfg(test)]
mod tests;
