//! `vidmar book`: opening books in the PolyGlot format, made and looked into.

mod make;
mod probe;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Make opening books (PolyGlot .bin) from games, or look into them
#[derive(Args)]
pub(crate) struct Book {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Make(make::Make),
    Probe(probe::Probe),
}

impl Book {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.action {
            Action::Make(make) => make.run(),
            Action::Probe(probe) => probe.run(),
        }
    }
}
