//! `vidmar match`: many games, and what they say.
//!
//! The match itself, its session in a store and its output formats are the arena's; here are the words of the command
//! line, and what a terminal shows.
//!
//! | file | holds |
//! | --- | --- |
//! | `arguments`, `help`, `listing` | the table of arguments, and what a command line came to |
//! | `players` | words to players |
//! | `live` | what is seen while it goes on |

mod arguments;
mod help;
mod listing;
mod live;
mod players;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use vidmar_arena::{
    Ended, Executor, Finished, MatchError, MatchFiles, MatchPlayer, MatchReport, MatchSettings,
    OpeningFileError, OutputFile, PlayError, Session, SessionError, StoredMatch, ThreadExecutor,
};
use vidmar_players::compliance::{self, StepReport};
use vidmar_players::{Log, PlayerSpec, PlayerType, Scores};
use vidmar_store::StoreError;
use vidmar_text::shell_word;

use crate::consent::{self, Wanted};
use crate::interrupt::{self, INTERRUPTED};
use crate::{elsewhere, home, output};
use arguments::{Argument, CommandLine, FileWords, arguments, kept, read, split};
pub(crate) use help::help as help_text;
pub(crate) use listing::{MatchArgument, match_arguments};
use live::Live;

/// Play a match between engines or built-in players
///
/// The arguments are those of cutechess-cli and fastchess; `vidmar match --help` lists them.
#[derive(Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub(crate) struct Match {
    /// Arguments of cutechess-cli and fastchess, and --json, --store, --faults, --compliance
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    words: Vec<OsString>,
}

impl Match {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let words = self
            .words
            .into_iter()
            .map(|word| {
                word.into_string()
                    .map_err(|word| anyhow!("{} is not text", word.display()))
            })
            .collect::<anyhow::Result<Vec<String>>>()?;
        let arguments = arguments(&words)?;
        let line = read(&arguments)?;
        if line.help || words.is_empty() {
            output::print(&help_text())?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(command) = &line.compliance {
            return check_compliance(command);
        }
        if line.resume.is_none() && (line.allow_programs || line.list_programs) {
            bail!("--allow-programs and --list-programs are for -resume");
        }
        let (line, session, log) = if let Some(store) = &line.resume {
            if line.list_programs {
                return list_programs(store, &arguments);
            }
            let (line, session) = resumed(store, &arguments, &line)?;
            let log = open_log(&line)?;
            (line, session, log)
        } else {
            let settings = match_settings(&line)?;
            for note in without_effect(&settings) {
                output::warn(&note);
            }
            let names = settings.players.iter().map(|player| player.name.as_str());
            let free = || home::free_store(names).context("every name for a store is taken: use --store");
            let store = line.store.clone().map_or_else(free, Ok)?;
            let log = open_log(&line)?;
            let session = Session::start(&settings, match_files(&line), &store, &kept(&arguments));
            let session = session.map_err(in_words)?;
            if let Some(file) = &line.config.out {
                let text = serde_json::to_string_pretty(&kept(&arguments))? + "\n";
                vidmar_files::write(file, text.as_bytes())
                    .with_context(|| format!("-config: cannot write {}", file.display()))?;
            }
            (line, session, log)
        };
        for note in line.notes.iter().chain(&session.notes) {
            output::warn(note);
        }
        play(&line, session, log)
    }
}

/// The match of a store goes on as its command line said; arguments that change no game may be added.
///
/// What needs the user's leave has it only from the user: the store's command line may be anybody's.
fn resumed(
    store: &Path,
    arguments: &[Argument],
    said: &CommandLine,
) -> anyhow::Result<(CommandLine, Session)> {
    let (stored, line) = reopened(store, arguments)?;
    let settings = match_settings(&line)?;
    let out = |words: &Option<FileWords>| words.as_ref().map(|words| words.file.clone());
    let wanted = Wanted::programs(settings.players.iter().map(|player| &player.spec))
        .file(out(&line.pgn).as_deref(), "pgn")
        .file(out(&line.epd).as_deref(), "epd")
        .file(line.log.as_ref().map(|log| log.file.as_path()), "log");
    wanted.ask(&store.display().to_string(), said.allow_programs)?;
    let session = Session::resume(stored, &settings, match_files(&line), said.accept_changed_engines);
    Ok((line, session.map_err(in_words)?))
}

/// What the match of a store would start.
fn list_programs(store: &Path, arguments: &[Argument]) -> anyhow::Result<ExitCode> {
    let (_, line) = reopened(store, arguments)?;
    for player in match_settings(&line)?.players {
        if player.spec.player_type().is_program() {
            output::print(&format!("{}\n", serde_json::to_string(&player.spec)?))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A match as its store has it, and its command line with what was added to it.
fn reopened(store: &Path, arguments: &[Argument]) -> anyhow::Result<(StoredMatch, CommandLine)> {
    if let Some(argument) = arguments.iter().find(|argument| !argument.row.on_resume) {
        bail!(
            "{} cannot be given with -resume: the match goes on as it began",
            argument.row.name
        );
    }
    let stored = StoredMatch::open(store).map_err(in_words)?;
    // Paths of the command line are meant from where it was given.
    let directory = &stored.config.directory;
    std::env::set_current_dir(directory)
        .with_context(|| format!("the match began in {}", directory.display()))?;
    let mut all = split(&stored.config.arguments)?;
    let added = arguments.iter().filter(|argument| argument.row.name != "-resume");
    all.extend(added.cloned());
    Ok((stored, read(&all)?))
}

fn match_settings(line: &CommandLine) -> anyhow::Result<MatchSettings> {
    let players = players::players(line)?;
    if line.processors()?.is_some()
        && let Some(player) = players.iter().find(|player| player.spec.threads() > 1)
    {
        bail!(
            "-use-affinity binds a game to one processor: {} has more threads than one",
            player.name
        );
    }
    Ok(MatchSettings {
        players,
        plan: line.plan(),
        openings: line.openings()?,
        rules: line.rules.clone(),
        faults: line.faults,
        sprt: line.sprt()?,
        paired: line.paired,
        seed: line.seed,
        keeps_pvs: line
            .pgn
            .as_ref()
            .is_some_and(|pgn| pgn.pv || !pgn.details.is_empty()),
    })
}

/// What was asked for and nothing can come of with these players.
fn without_effect(settings: &MatchSettings) -> Vec<String> {
    let players = &settings.players;
    let scored = players
        .iter()
        .filter(|player| player.spec.scores() != Scores::None);
    let (scored, rules) = (scored.count(), &settings.rules);
    let mut notes = Vec::new();
    let mut without_scores = |argument: &str, needed: usize| {
        if scored < needed {
            notes.push(match scored {
                0 => format!("{argument} has no effect: no player gives scores with its moves"),
                _ => {
                    format!("{argument} has no effect: both sides must give scores, and only one player does")
                }
            });
        }
    };
    if let Some(rule) = &rules.resign {
        without_scores("-resign", if rule.two_sided { 2 } else { 1 });
    }
    if rules.draw.is_some() {
        without_scores("-draw", 2);
    }
    let has_idle_margin = |player: &&MatchPlayer| {
        let limits = &player.limits;
        !limits.margin.is_zero() && limits.base.is_none() && limits.move_time.is_none()
    };
    if let Some(player) = players.iter().find(has_idle_margin) {
        notes.push(format!(
            "timemargin has no effect on {}: it has neither tc nor st",
            player.name
        ));
    }
    notes
}

fn match_files(line: &CommandLine) -> MatchFiles {
    let file = |words: &FileWords| OutputFile {
        file: words.file.clone(),
        replace: words.replace,
        nodes: words.nodes,
        nps: words.nps,
        pv: words.pv,
        details: words.details.clone(),
        plain: words.plain,
    };
    MatchFiles {
        pgn: line.pgn.as_ref().map(file),
        epd: line.epd.as_ref().map(file),
        event: line.event.clone(),
        site: line.site.clone(),
    }
}

/// An error of the session, with the argument that it is about.
fn in_words(error: SessionError) -> anyhow::Error {
    match error {
        SessionError::SprtPlayers(players) => anyhow!("-sprt is for two players, not {players}"),
        SessionError::BayesianPairs => {
            anyhow!("-sprt model=bayesian counts games: expected -report penta=false with it")
        }
        SessionError::Tablebases(error) => anyhow!("-tb: {error}"),
        SessionError::OpeningFile(error @ OpeningFileError::Format(_)) => anyhow!("-openings: {error}"),
        SessionError::Store(error @ StoreError::InUse { .. }) => {
            anyhow!("{error}: wait for it, or give this match another file (--store FILE)")
        }
        error @ SessionError::ChangedPlayers(_) => {
            anyhow!("{error}\n-accept-changed-engines goes on with them all the same")
        }
        other => other.into(),
    }
}

/// The log that is asked for; one that cannot be written is better known before the match begins.
fn open_log(line: &CommandLine) -> anyhow::Result<Option<Log>> {
    let opened = line.log.as_ref().map(|words| {
        let log = Log::open(&words.file, words.appends, words.limit << 20);
        log.with_context(|| format!("-log: cannot write {}", words.file.display()))
    });
    opened.transpose()
}

fn play(line: &CommandLine, session: Session, log: Option<Log>) -> anyhow::Result<ExitCode> {
    let control = interrupt::control()?;
    let contest = session.contest();
    let names: Vec<String> = contest.players.iter().map(|player| player.name.clone()).collect();
    let (sprt, run, schedule) = (contest.sprt, session.run(), contest.schedule.clone());
    let path = session.store().path().display().to_string();
    // Whoever began it, or allowed it, named its programs.
    let programs = contest.players.iter().map(|player| player.spec.player_type());
    let leave = if programs.into_iter().any(PlayerType::is_program) {
        format!(" {}", consent::FLAG)
    } else {
        String::new()
    };
    let offer = if line.offer_binaries {
        " -offer-binaries"
    } else {
        ""
    };
    let on = line
        .on
        .as_ref()
        .map_or_else(String::new, |address| format!(" -on {address}{offer}"));
    let resume = format!("vidmar match -resume {}{leave}{on}", shell_word(&path));
    let begun = Instant::now();
    let header = header(line, &contest.players)?;
    let mut live = Live::new(
        line,
        log.clone(),
        contest,
        &header,
        session.store().finished(run)?.len() as u64,
    );
    let coordinator = match &line.on {
        Some(address) => {
            let server = elsewhere::Server {
                address,
                credentials: line.credentials.clone(),
                spot_checks: line.spot_checks,
                offers_binaries: line.offer_binaries,
            };
            let helping = line.concurrency.map_or(0, NonZeroUsize::get);
            Some(server.coordinator(Path::new(&path), &format!("match {run}"), helping, &control)?)
        }
        None => None,
    };
    let engine_log = log.filter(|_| line.log.as_ref().is_some_and(|words| words.has_engines));
    let threads = ThreadExecutor::new(line.concurrency())
        .keeping(names.len())
        .with_players(Arc::new(move |spec: &PlayerSpec| {
            spec.logged_player(engine_log.as_ref())
        }))
        .on(line.processors()?.unwrap_or_default())
        .waiting(line.wait);
    let executor: &dyn Executor = coordinator
        .as_deref()
        .map_or(&threads, |elsewhere| elsewhere as _);
    let played = session.play(executor, &control, &mut |event| live.tell(event));
    live.end();
    let is_over = |finished: &Finished| finished.ended != Ended::Stopped;
    elsewhere::close(coordinator, played.as_ref().is_ok_and(is_over));
    let finished = played.inspect_err(|error| {
        // Where the games are that a lost store held is said by the error itself.
        let is_lost = matches!(
            error,
            PlayError::Match(MatchError::Store(StoreError::Gone { .. }))
        );
        if matches!(error, PlayError::Match(_)) && !is_lost {
            output::hint(&format!("the games so far are in {path}; go on with: {resume}"));
        }
    })?;
    let report = MatchReport::new(&names, &finished.scoreboard, sprt)
        .with_header(&header)
        .with_schedule(&schedule);
    output::print(&if line.json {
        report.json(finished.ended, begun.elapsed().as_secs_f64(), &path, run)?
    } else {
        line.output_format.in_the_end(&report, finished.ended)
    })?;
    if finished.ended == Ended::Stopped {
        output::hint(&format!("stopped; go on with: {resume}"));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    // Whoever named the store knows where it is.
    if line.store.is_none() && !line.json {
        output::hint(&format!("the games are in {path}; `vidmar web` shows them"));
    }
    Ok(ExitCode::SUCCESS)
}

/// What is played, in a few words: the limits, once if they are everybody's, and the openings.
fn header(line: &CommandLine, players: &[MatchPlayer]) -> anyhow::Result<String> {
    // Players whose specification holds their limits, or that need none, have none here.
    let mut limits: Vec<String> = players.iter().map(|player| player.limits.to_string()).collect();
    limits.dedup();
    let limits = limits.join(" - ");
    let openings = line.openings()?.map_or_else(
        || "built-in openings".to_owned(),
        |file| {
            let name = file.file.file_name().unwrap_or(file.file.as_os_str());
            name.to_string_lossy().into_owned()
        },
    );
    Ok(if limits.trim_matches([' ', '-']).is_empty() {
        openings
    } else {
        format!("{limits}, {openings}")
    })
}

/// Checks that an engine keeps to the UCI protocol; the exit code is 1 if a step failed.
fn check_compliance(command: &[String]) -> anyhow::Result<ExitCode> {
    let (program, arguments) = command
        .split_first()
        .context("--compliance: expected the command of an engine")?;
    let (mut failed, mut steps) = (0, 0);
    compliance::check(program, arguments, &mut |step| {
        steps = step.steps;
        let StepReport { number, rule, .. } = step;
        let mut text = match &step.complaint {
            None => format!("{number:2}. pass  {rule}\n"),
            Some(complaint) => format!("{number:2}. FAIL  {rule}: {complaint}\n"),
        };
        failed += usize::from(step.complaint.is_some());
        if step.has_ended {
            let left = steps - number;
            let _ = writeln!(text, "the engine has ended; {left} steps are left");
            failed += 1;
        }
        // A reader that is gone has seen enough.
        let _ = output::print(&text);
    })
    .map_err(|fault| anyhow!(fault.detail))?;
    let verdict = if failed == 0 {
        "all steps passed".to_owned()
    } else {
        format!("{failed} of {steps} failed")
    };
    output::print(&format!("{verdict}\n"))?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}
