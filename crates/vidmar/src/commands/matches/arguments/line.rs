//! What a command line came to.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, anyhow, ensure};
use vidmar_arena::archive::Detail;
use vidmar_arena::{
    Clock, DrawRule, FaultPolicy, Intervals, OpeningFile, OpeningPolicy, OutputFormat, Plan, Processors,
    Rules, Sprt, SprtModel, TablebaseRule, TimeControl, Tournament,
};
use vidmar_fleet::{Address, Credentials};
use vidmar_players::MoveLimits;

use super::config::ConfigWords;
use super::log::LogWords;

/// What is said of one player, by `-engine` or `-each`.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct EngineWords {
    pub(in super::super) command: Option<String>,
    pub(in super::super) player: Option<String>,
    pub(in super::super) name: Option<String>,
    pub(in super::super) xboard: Option<bool>,
    pub(in super::super) directory: Option<PathBuf>,
    pub(in super::super) arguments: Vec<String>,
    pub(in super::super) initial: Vec<String>,
    pub(in super::super) options: Vec<(String, String)>,
    pub(in super::super) clock: Option<Clock>,
    pub(in super::super) move_time: Option<Duration>,
    pub(in super::super) nodes: Option<u64>,
    pub(in super::super) depth: Option<u32>,
    pub(in super::super) margin: Option<Duration>,
    pub(in super::super) answer_timeout: Option<Duration>,
    pub(in super::super) restart: Option<bool>,
    /// The limits of a move that are said of this player, not of each.
    pub(in super::super) own_limits: MoveLimits,
}

impl EngineWords {
    /// What it may use for its moves.
    pub(in super::super) fn limits(&self) -> TimeControl {
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
    fn or(mut self, each: &EngineWords) -> EngineWords {
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
        EngineWords {
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
            answer_timeout: self.answer_timeout.or(each.answer_timeout),
            restart: self.restart.or(each.restart),
            own_limits: MoveLimits {
                depth: self.depth,
                nodes: self.nodes,
                move_time: self.move_time,
            },
        }
    }
}

/// `-openings`.
#[derive(Clone, Debug, Default)]
pub(super) struct OpeningWords {
    pub(super) source: OpeningFile,
    pub(super) policy: Option<OpeningPolicy>,
}

/// `-quick`.
#[derive(Clone, Debug, Default)]
pub(super) struct QuickWords {
    pub(super) commands: Vec<String>,
    pub(super) book: Option<PathBuf>,
}

/// `-sprt`.
#[derive(Clone, Debug)]
pub(super) struct SprtWords {
    pub(super) elo0: Option<f64>,
    pub(super) elo1: Option<f64>,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) model: SprtModel,
}

impl Default for SprtWords {
    fn default() -> SprtWords {
        SprtWords {
            elo0: None,
            elo1: None,
            alpha: 0.05,
            beta: 0.05,
            model: SprtModel::default(),
        }
    }
}

impl SprtWords {
    pub(super) fn test(&self) -> anyhow::Result<Sprt> {
        let (Some(elo0), Some(elo1)) = (self.elo0, self.elo1) else {
            return Err(anyhow!("expected elo0=ELO and elo1=ELO"));
        };
        Ok(Sprt::new(elo0, elo1, self.alpha, self.beta, self.model)?)
    }
}

/// `-pgnout` and `-epdout`.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(in super::super) struct FileWords {
    pub(in super::super) file: PathBuf,
    pub(in super::super) replace: bool,
    pub(in super::super) nodes: bool,
    pub(in super::super) nps: bool,
    pub(in super::super) pv: bool,
    pub(in super::super) details: Vec<Detail>,
    pub(in super::super) plain: bool,
    /// cutechess's `fi`.
    pub(super) finished_only: bool,
}

/// Everything that was said.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(in super::super) struct CommandLine {
    /// Each with what `-each` says where it says nothing itself.
    pub(in super::super) engines: Vec<EngineWords>,
    pub(super) each: EngineWords,
    pub(super) quick: Option<QuickWords>,
    pub(super) tournament: Tournament,
    pub(super) seeds: Option<usize>,
    pub(super) rounds: Option<u64>,
    pub(super) games: Option<u32>,
    pub(super) repeat: Option<u32>,
    pub(super) swap: bool,
    pub(super) reverse: bool,
    pub(super) openings: Option<OpeningWords>,
    pub(super) is_chess960: bool,
    pub(in super::super) seed: u64,
    pub(in super::super) concurrency: Option<NonZeroUsize>,
    pub(in super::super) on: Option<Address>,
    pub(in super::super) credentials: Credentials,
    pub(in super::super) spot_checks: Option<f64>,
    pub(in super::super) offer_binaries: bool,
    pub(super) sprt: Option<SprtWords>,
    pub(in super::super) rules: Rules,
    pub(in super::super) wait: Duration,
    pub(in super::super) paired: bool,
    pub(in super::super) start_timeout: Option<Duration>,
    pub(in super::super) ready_timeout: Option<Duration>,
    pub(in super::super) answer_timeout: Option<Duration>,
    pub(in super::super) pgn: Option<FileWords>,
    pub(in super::super) epd: Option<FileWords>,
    pub(in super::super) log: Option<LogWords>,
    pub(in super::super) config: ConfigWords,
    pub(super) affinity: Option<Processors>,
    pub(in super::super) event: String,
    pub(in super::super) site: String,
    pub(in super::super) output_format: OutputFormat,
    pub(in super::super) intervals: Intervals,
    pub(in super::super) resume: Option<PathBuf>,
    pub(in super::super) accept_changed_engines: bool,
    pub(in super::super) allow_programs: bool,
    pub(in super::super) list_programs: bool,
    pub(in super::super) store: Option<PathBuf>,
    pub(in super::super) faults: FaultPolicy,
    pub(in super::super) json: bool,
    pub(in super::super) compliance: Option<Vec<String>>,
    pub(in super::super) help: bool,
    /// What was said and has no effect, and why.
    pub(in super::super) notes: Vec<String>,
}

impl Default for CommandLine {
    fn default() -> CommandLine {
        CommandLine {
            engines: Vec::new(),
            each: EngineWords::default(),
            quick: None,
            tournament: Tournament::RoundRobin,
            seeds: None,
            rounds: None,
            games: None,
            repeat: None,
            swap: true,
            reverse: false,
            openings: None,
            is_chess960: false,
            seed: 0,
            concurrency: None,
            on: None,
            credentials: Credentials::default(),
            spot_checks: None,
            offer_binaries: false,
            sprt: None,
            rules: Rules::default(),
            wait: Duration::ZERO,
            paired: true,
            start_timeout: None,
            ready_timeout: None,
            answer_timeout: None,
            pgn: None,
            epd: None,
            log: None,
            config: ConfigWords::default(),
            affinity: None,
            event: "Vidmar match".to_owned(),
            site: String::new(),
            output_format: OutputFormat::default(),
            intervals: Intervals::default(),
            resume: None,
            accept_changed_engines: false,
            allow_programs: false,
            list_programs: false,
            store: None,
            faults: FaultPolicy::default(),
            json: false,
            compliance: None,
            help: false,
            notes: Vec::new(),
        }
    }
}

impl CommandLine {
    pub(super) fn tablebases(&mut self) -> &mut TablebaseRule {
        self.rules.tablebases.get_or_insert_default()
    }

    /// Brings together what arguments say of each other.
    pub(super) fn finish(&mut self) -> anyhow::Result<()> {
        if let Some(quick) = self.quick.take() {
            self.expand(quick)?;
        }
        let each = std::mem::take(&mut self.each);
        for engine in &mut self.engines {
            *engine = std::mem::take(engine).or(&each);
        }
        ensure!(
            self.rules
                .tablebases
                .as_ref()
                .is_none_or(|rule| !rule.folders.is_empty()),
            "-tbpieces, -tbignore50 and -tbadjudicate need -tb PATHS"
        );
        ensure!(
            self.seeds.is_none() || matches!(self.tournament, Tournament::Gauntlet { .. }),
            "-seeds is for -tournament gauntlet"
        );
        ensure!(
            self.on.is_some()
                || (self.credentials == Credentials::default()
                    && self.spot_checks.is_none()
                    && !self.offer_binaries),
            "-creds, -nkey, -tls-ca, -tls-cert, -tls-key, -spot-checks and -offer-binaries are for -on"
        );
        ensure!(
            self.credentials.tls_cert.is_some() == self.credentials.tls_key.is_some(),
            "-tls-cert and -tls-key belong together"
        );
        ensure!(
            self.on.is_none() || self.wait.is_zero(),
            "-wait is for games of this machine: not with -on"
        );
        ensure!(
            self.on.is_none() || self.affinity.is_none(),
            "-use-affinity is for games of this machine: not with -on"
        );
        ensure!(
            self.on.is_none() || !self.log.as_ref().is_some_and(|log| log.has_engines),
            "-log engine=true is for games of this machine: not with -on"
        );
        ensure!(
            self.sprt.is_none() || self.tournament != Tournament::Knockout,
            "-sprt is for two players who play on until it decides: not with -tournament knockout"
        );
        for (name, out) in [("-pgnout", &self.pgn), ("-epdout", &self.epd)] {
            if out.as_ref().is_some_and(|out| out.finished_only) {
                self.notes.push(format!(
                    "{name} fi has no effect: games without a result are written too"
                ));
            }
        }
        Ok(())
    }

    /// fastchess's shortcut: what is said elsewhere counts more.
    fn expand(&mut self, quick: QuickWords) -> anyhow::Result<()> {
        let engine = |command| EngineWords {
            command: Some(command),
            ..EngineWords::default()
        };
        self.engines.splice(0..0, quick.commands.into_iter().map(engine));
        if let (Some(file), None) = (quick.book, &self.openings) {
            let source = OpeningFile {
                file,
                random: true,
                ..OpeningFile::default()
            };
            self.openings = Some(OpeningWords { source, policy: None });
        }
        if self.each.clock.is_none() {
            self.each.clock = Some("10+0.1".parse()?);
        }
        self.rounds.get_or_insert(25_000);
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let fewer = NonZeroUsize::new(processors.saturating_sub(2)).unwrap_or(NonZeroUsize::MIN);
        self.concurrency.get_or_insert(fewer);
        self.rules.draw.get_or_insert(DrawRule {
            from_move: 30,
            moves: 8,
            score: 8,
        });
        Ok(())
    }

    /// Games at a time.
    pub(in super::super) fn concurrency(&self) -> NonZeroUsize {
        self.concurrency.unwrap_or(NonZeroUsize::MIN)
    }

    /// The processors that games are bound to, if they are.
    pub(in super::super) fn processors(&self) -> anyhow::Result<Option<Processors>> {
        let games = self.concurrency().get();
        let checked = self.affinity.clone().map(|wanted| wanted.checked(games));
        checked.transpose().context("-use-affinity")
    }

    /// The test that may end the match.
    pub(in super::super) fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        self.sprt.as_ref().map(SprtWords::test).transpose()
    }

    /// Where games begin: a file, or the built-in openings.
    pub(in super::super) fn openings(&self) -> anyhow::Result<Option<OpeningFile>> {
        ensure!(
            !self.is_chess960 || self.openings.is_some(),
            "-variant fischerandom needs -openings: the built-in ones are of standard chess"
        );
        Ok(self.openings.as_ref().map(|openings| openings.source.clone()))
    }

    /// Who meets whom, how often.
    pub(in super::super) fn plan(&self) -> Plan {
        let usual = Plan::default();
        let policy = self.openings.as_ref().and_then(|openings| openings.policy);
        Plan {
            tournament: match (self.tournament, self.seeds) {
                (Tournament::Gauntlet { .. }, Some(seeds)) => Tournament::Gauntlet { seeds },
                (other, _) => other,
            },
            rounds: self.rounds.unwrap_or(usual.rounds),
            // -repeat alone asks for pairs; -games says how many games there are in all.
            games: self.games.or(self.repeat).unwrap_or(usual.games),
            swap: self.swap,
            reverse: self.reverse,
            openings: policy
                .or(self.repeat.map(OpeningPolicy::Games))
                .unwrap_or(usual.openings),
        }
    }
}
