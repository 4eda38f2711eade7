//! `vidmar net`: a neural evaluation from our own games.

mod games;
mod positions;
mod samples;
mod train;
mod verify;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Make a neural evaluation: play games, train on them, verify the net
#[derive(Args)]
pub(crate) struct Net {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Games(games::Games),
    Samples(samples::Samples),
    Train(train::Train),
    Verify(verify::Verify),
}

impl Net {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.action {
            Action::Games(games) => games.run(),
            Action::Samples(samples) => samples.run(),
            Action::Train(train) => train.run(),
            Action::Verify(verify) => verify.run(),
        }
    }
}
