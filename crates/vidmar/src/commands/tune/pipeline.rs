//! What the tune commands share: how a pipeline is carried out, what the user sees of it, and what is said at its end.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use vidmar_engine::Control;
use vidmar_fleet::Coordinator;
use vidmar_players::PlayerSpec;
use vidmar_text::shell_word;
use vidmar_tune::Resources;
use vidmar_tune::pipeline::{Options, Pipeline, StopReason, Validate};
use vidmar_tune::run::{ChangedEngines, RunError};

use super::screen::Screen;
use crate::consent::Wanted;
use crate::elsewhere::Elsewhere;
use crate::interrupt;
pub(super) use crate::interrupt::interrupted;
use crate::{arguments, elsewhere};

/// How a run is carried out; nothing here changes its result.
#[derive(Args, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(super) struct Driving {
    /// Games at once [default: one for each processor; with --on none]
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
    /// Do not play the validation match at the end
    #[arg(long)]
    no_verify: bool,
    /// Start the programs that the run's directory or configuration names, without asking
    #[arg(long)]
    pub(super) allow_programs: bool,
    /// Set by the commands that go on with a run.
    #[arg(skip)]
    pub(super) changed_engines: ChangedEngines,
    /// Print a JSON object a line
    #[arg(long)]
    pub(super) json: bool,
    /// Print no progress
    #[arg(long, short)]
    pub(super) quiet: bool,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

/// What commands that go on with a run may be told about its engines.
#[derive(Args)]
pub(super) struct Acceptance {
    /// Go on although an engine, or this program, is not what it was when the run began
    #[arg(long)]
    accept_changed_engines: bool,
}

impl Acceptance {
    pub(super) fn changed_engines(&self) -> ChangedEngines {
        if self.accept_changed_engines {
            ChangedEngines::Accepted
        } else {
            ChangedEngines::Refused
        }
    }
}

impl Driving {
    pub(super) fn threads(&self) -> usize {
        let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or_else(available, usize::from)
    }

    pub(super) fn is_silent(&self) -> bool {
        self.json || self.quiet
    }

    /// Asks before the programs of a file are started, unless the user named them.
    pub(super) fn allow(
        &mut self,
        origin: &Path,
        programs: &[PlayerSpec],
        named: &[String],
    ) -> anyhow::Result<()> {
        let wanted = Wanted::programs(programs).but_named(named);
        wanted.ask(&origin.display().to_string(), self.allow_programs)?;
        // Whoever was asked need not be asked again by the command that goes on.
        self.allow_programs |= !programs.is_empty();
        Ok(())
    }

    /// As they were given.
    fn arguments(&self) -> String {
        let mut text = String::new();
        if let Some(threads) = self.threads {
            let _ = write!(text, " --threads {threads}");
        }
        text += &self.elsewhere.arguments();
        for (is_set, name) in [
            (self.no_verify, "no-verify"),
            (self.allow_programs, "allow-programs"),
            (self.json, "json"),
            (self.quiet, "quiet"),
        ] {
            if is_set {
                let _ = write!(text, " --{name}");
            }
        }
        text
    }

    /// Whether games are played on other machines.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.elsewhere.on.is_some()
    }

    /// Who plays the games of what is kept in a directory: threads of this process, or workers elsewhere.
    pub(super) fn coordinator(
        &self,
        directory: &Path,
        control: &Control,
    ) -> anyhow::Result<Option<Arc<Coordinator>>> {
        let helping = self.threads.map_or(0, usize::from);
        self.elsewhere.coordinator(directory, "tune", helping, control)
    }

    pub(super) fn options(&self, coordinator: Option<&Arc<Coordinator>>) -> Options {
        let mut resources = Resources::threads(self.threads());
        if let Some(coordinator) = coordinator {
            resources.executor = Arc::clone(coordinator) as _;
        }
        Options {
            resources,
            validate: if self.no_verify {
                Validate::Nothing
            } else {
                Validate::EveryStage
            },
            changed_engines: self.changed_engines,
        }
    }

    /// Carries out a run and says how to go on with it where it was cancelled.
    pub(super) fn carry_out(
        &self,
        directory: &Path,
        run: impl FnOnce(&mut Pipeline<'_>) -> Result<StopReason, RunError>,
    ) -> anyhow::Result<ExitCode> {
        match self.watch(directory, run, |reason| *reason == StopReason::Finished)? {
            StopReason::Finished => Ok(ExitCode::SUCCESS),
            StopReason::Cancelled { directory } => {
                let text = directory.to_str().context("the directory's name is not text")?;
                let command = format!("vidmar tune resume {}{}", shell_word(text), self.arguments());
                Ok(interrupted(&command))
            }
        }
    }

    /// Lets the user see what a pipeline does.
    pub(super) fn watch<T>(
        &self,
        directory: &Path,
        run: impl FnOnce(&mut Pipeline<'_>) -> Result<T, RunError>,
        is_over: impl FnOnce(&T) -> bool,
    ) -> anyhow::Result<T> {
        let cancel = interrupt::control()?;
        let coordinator = self.coordinator(directory, &cancel)?;
        let mut screen = Screen::new(self.clone());
        let done = run(&mut Pipeline {
            options: self.options(coordinator.as_ref()),
            cancel: &cancel,
            observer: &mut screen,
        });
        elsewhere::close(coordinator, done.as_ref().is_ok_and(is_over));
        let done = done?;
        screen.end()?;
        Ok(done)
    }
}
