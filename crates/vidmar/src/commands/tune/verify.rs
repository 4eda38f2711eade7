//! `vidmar tune verify`: the validation match of a run, and a gauntlet of reference engines.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use vidmar_tune::config::{Gauntlet, ReferenceEngine};
use vidmar_tune::pipeline::{Pipeline, StopReason};
use vidmar_tune::run::{programs, read_config};
use vidmar_tune::verify::shows_gain;

use super::pipeline::{Acceptance, Driving, interrupted};

/// Validate the result of a run: matches on openings that tuning never saw
///
/// Matches that are in the store are not played again. The exit code is 1 where no gain is shown.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar tune verify narrow1
  vidmar tune verify narrow1 --gauntlet             # stockfish limited to 1700, 1900, 2100 and 2300, depth 6
  vidmar tune verify narrow1 --gauntlet 50 --finalists 20
  vidmar tune verify narrow1 --gauntlet 20 --reference 1500=uci:cmd=gnuchess,args=--uci,depth=2")]
pub(crate) struct Verify {
    /// The run's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Then run a gauntlet: so many games with every reference engine of known strength, and rate all
    #[arg(long, value_name = "GAMES", num_args = 0..=1, default_missing_value = "50",
        value_parser = clap::value_parser!(u64).range(1..=100_000))]
    gauntlet: Option<u64>,
    /// A reference engine of the gauntlet, instead of the configuration's
    #[arg(long, value_name = "ELO=PLAYER", value_parser = reference, requires = "gauntlet")]
    reference: Vec<ReferenceEngine>,
    /// The method's best run it too, so many of them (20 were published)
    #[arg(long, value_name = "N", requires = "gauntlet")]
    finalists: Option<usize>,
    #[command(flatten)]
    acceptance: Acceptance,
    #[command(flatten)]
    driving: Driving,
}

fn reference(text: &str) -> Result<ReferenceEngine, String> {
    let (elo, player) = text.split_once('=').ok_or("expected ELO=PLAYER")?;
    let elo: f64 = elo
        .trim()
        .parse()
        .map_err(|_| format!("'{elo}' is no rating: expected ELO=PLAYER"))?;
    Ok(ReferenceEngine {
        elo,
        player: player.trim().to_owned(),
    })
}

impl Verify {
    pub(crate) fn run(mut self) -> anyhow::Result<ExitCode> {
        let config = read_config(&self.directory)?;
        self.driving
            .allow(&self.directory, &programs(&self.directory)?, &[])?;
        self.driving.changed_engines = self.acceptance.changed_engines();
        let gauntlet = match self.gauntlet {
            Some(each) => Some(self.changed(config.gauntlet, each)),
            None => None,
        };
        let validate = |pipeline: &mut Pipeline<'_>| pipeline.validate(&self.directory, gauntlet);
        let is_over = |(_, reason): &(_, StopReason)| *reason == StopReason::Finished;
        Ok(match self.driving.watch(&self.directory, validate, is_over)? {
            (_, StopReason::Cancelled { .. }) => interrupted("the same command"),
            (validations, StopReason::Finished) if shows_gain(&validations) => ExitCode::SUCCESS,
            (_, StopReason::Finished) => ExitCode::FAILURE,
        })
    }

    /// The configuration's gauntlet as the arguments change it.
    fn changed(&self, gauntlet: Gauntlet, each: u64) -> Gauntlet {
        Gauntlet {
            each,
            finalists: self.finalists.unwrap_or(gauntlet.finalists),
            references: if self.reference.is_empty() {
                gauntlet.references
            } else {
                self.reference.clone()
            },
            ..gauntlet
        }
    }
}
