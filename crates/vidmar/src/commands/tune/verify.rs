//! `vidmar tune verify`: the validation of a run.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use vidmar_tune::config::{Gauntlet, ReferenceEngine};
use vidmar_tune::run::Run;
use vidmar_tune::verify::verify;

use super::drive::{self, Driving};
use super::{interrupt, show};

/// Prove what a run hands over: matches on openings that tuning never saw
///
/// Matches that are in the store are not played again. The exit code is 1 where no gain is proven.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar tune verify narrow1
  vidmar tune verify narrow1 --gauntlet               # stockfish limited to 1700, 1900, 2100 and 2300, depth 6
  vidmar tune verify narrow1 --gauntlet 50 --finalists 20
  vidmar tune verify narrow1 --gauntlet 20 --reference 1500=uci:cmd=gnuchess,args=--uci,depth=2")]
pub(crate) struct Verify {
    /// The run's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Then play so many games with every opponent of a gauntlet of known strengths, and rate all
    #[arg(long, value_name = "GAMES", num_args = 0..=1, default_missing_value = "50",
        value_parser = clap::value_parser!(u64).range(1..=100_000))]
    gauntlet: Option<u64>,
    /// A reference of the gauntlet, instead of the configuration's
    #[arg(long, value_name = "ELO=PLAYER", value_parser = reference, requires = "gauntlet")]
    reference: Vec<ReferenceEngine>,
    /// The method's best run_gauntlet it too, so many of them (20 were published)
    #[arg(long, value_name = "N", requires = "gauntlet")]
    finalists: Option<usize>,
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
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let control = interrupt::control()?;
        let run = Run::open(&self.directory)?;
        let threads = self.driving.threads();
        let Some(validations) = verify(run, threads, &control, &mut |_, _| {})? else {
            return drive::interrupted(&self.directory, &self.driving);
        };
        if let Some(each) = self.gauntlet {
            let mut run = Run::open(&self.directory)?;
            let mut gauntlet = Gauntlet {
                each,
                ..run.config().gauntlet.clone()
            };
            if !self.reference.is_empty() {
                gauntlet.references.clone_from(&self.reference);
            }
            gauntlet.finalists = self.finalists.unwrap_or(gauntlet.finalists);
            run.set_gauntlet(gauntlet);
            if !drive::run_gauntlet(run, &self.driving, &control)? {
                return Ok(drive::interrupted_before("the same command"));
            }
        }
        drive::finish(&self.directory, self.driving.is_json())?;
        Ok(if show::is_proven(&validations) {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}
