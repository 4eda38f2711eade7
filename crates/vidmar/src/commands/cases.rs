//! `vidmar cases`: case bases, what is in them, and the study of seven experts.

mod build;
mod query;
mod study;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Build and query case bases of experts' games; repeat the study of seven experts
#[derive(Args)]
pub(crate) struct Cases {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Build(build::Build),
    Query(query::Query),
    Study(study::Study),
}

impl Cases {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.action {
            Action::Build(build) => build.run(),
            Action::Query(query) => query.run(),
            Action::Study(study) => study.run(),
        }
    }
}

/// Settings of a case-based player as `KEY=VALUE`, the words of a player's specification.
fn setting(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    vidmar_cases::CaseSettings::default()
        .set(key, value)
        .map_err(|error| error.to_string())?;
    Ok((key.to_owned(), value.to_owned()))
}

/// The settings that these pairs make.
fn settings(pairs: &[(String, String)]) -> anyhow::Result<vidmar_cases::CaseSettings> {
    let mut settings = vidmar_cases::CaseSettings::default();
    for (key, value) in pairs {
        settings.set(key, value)?;
    }
    Ok(settings)
}
