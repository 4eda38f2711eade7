//! `vidmar tune verify`: the proof of a run.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use vidmar_tune::run::Run;
use vidmar_tune::verify::verify;

use super::drive::{self, Driving};
use super::{interrupt, show};

/// Prove what a run hands over: matches on openings that tuning never saw
///
/// Matches that are in the store are not played again. The exit code is 1 where no gain is proven.
#[derive(Args)]
pub(crate) struct Verify {
    /// The run's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    driving: Driving,
}

impl Verify {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let control = interrupt::control()?;
        let run = Run::open(&self.directory)?;
        let Some(proofs) = verify(run, self.driving.threads(), &control, &mut |_, _| {})? else {
            return drive::interrupted(&self.directory, &self.driving);
        };
        drive::finish(&self.directory, self.driving.is_json())?;
        Ok(if show::is_proven(&proofs) {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}
