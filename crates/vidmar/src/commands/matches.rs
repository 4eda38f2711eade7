//! `vidmar match`: many games, and what they say.
//!
//! | file | holds |
//! | --- | --- |
//! | `options`, `help` | the table of arguments |
//! | `words`, `groups`, `settings`, `time_control` | words to settings |
//! | `players`, `beginnings` | settings to players, openings |
//! | `session` | a match in its store: begun, resumed |
//! | `live`, `report`, `json` | what is shown while it goes on, and in the end |
//! | `files` | games and last positions written out |
//! | `compliance` | an engine's manners, step by step |

mod beginnings;
mod compliance;
mod files;
mod groups;
mod help;
mod json;
mod live;
mod options;
mod players;
mod report;
mod session;
mod settings;
mod time_control;
mod words;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context as _, anyhow};
use clap::Args;
use vidmar_arena::{Ended, Finished, ThreadExecutor};
use vidmar_engine::Control;

use crate::output;
pub(super) use files::{conventions, date};
use live::Live;
use report::Report;
use session::Session;
use settings::{OutputFormat, Settings};
use words::split;

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

/// What a shell gives a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

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
        let arguments = split(&words)?;
        let settings = Settings::read(&arguments)?;
        if settings.help || words.is_empty() {
            output::print(&help::help())?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(command) = &settings.compliance {
            return compliance::check(command);
        }
        let session = match &settings.resume {
            Some(store) => Session::resumed(store, &arguments)?,
            None => Session::begun(settings, &words)?,
        };
        for note in &session.settings.notes {
            output::warn(note);
        }
        play(session)
    }
}

fn play(session: Session) -> anyhow::Result<ExitCode> {
    let control = Arc::new(Control::new());
    stop_on_interrupt(&control)?;
    let Session {
        settings,
        contest,
        store,
        run,
        config,
    } = session;
    let names: Vec<String> = contest.players.iter().map(|player| player.name.clone()).collect();
    let path = store.path().to_owned();
    let resume = format!("vidmar match -resume {}", quoted(&path.display().to_string()));
    let begun = Instant::now();
    let mut live = Live::new(
        &settings,
        &names,
        contest.schedule.games(),
        store.finished(run)?.len() as u64,
    );
    let executor = ThreadExecutor::new(NonZeroUsize::new(settings.concurrency).unwrap_or(NonZeroUsize::MIN))
        .keeping(names.len())
        .waiting(settings.wait);
    let played = contest.play(store, run, &executor, &control, &mut |event| live.tell(event));
    live.end();
    let finished = match played {
        Ok(finished) => finished,
        Err(error) => {
            output::hint(&format!(
                "the games so far are in {}; go on with: {resume}",
                path.display()
            ));
            return Err(error.into());
        }
    };
    files::write(&settings, &config, &finished, run)?;
    let report = Report::new(&names, &finished.scoreboard, settings.sprt);
    output::print(&if settings.json {
        let circumstances = json::Circumstances {
            ended: finished.ended,
            seconds: begun.elapsed().as_secs_f64(),
            store: path.display().to_string(),
            run,
        };
        json::render(&report, &circumstances)?
    } else {
        last_words(&settings, &report, &finished)
    })?;
    if finished.ended == Ended::Stopped {
        output::hint(&format!("stopped; go on with: {resume}"));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

fn last_words(settings: &Settings, report: &Report<'_>, finished: &Finished) -> String {
    match settings.output_format {
        OutputFormat::Table => report.table(),
        OutputFormat::Fastchess => {
            let decided = match finished.ended {
                Ended::Decided(decision) => format!("SPRT completed - {decision:?} was accepted\n"),
                _ => String::new(),
            };
            report.fastchess() + &decided
        }
        OutputFormat::Cutechess => report.cutechess_score() + &report.cutechess_rating() + "Finished match\n",
    }
}

/// The first Ctrl-C ends the match in order, the second at once.
fn stop_on_interrupt(control: &Arc<Control>) -> anyhow::Result<()> {
    let control = Arc::clone(control);
    let asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        control.stop();
    })
    .context("cannot listen to Ctrl-C")
}

/// A word that a shell reads as one.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:=@,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
