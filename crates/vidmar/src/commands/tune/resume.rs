//! `vidmar tune resume`: go on with a run, perhaps with other intervals.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use vidmar_tune::config::Budget;
use vidmar_tune::pipeline::{Changes, SpaceChange};
use vidmar_tune::run::programs;

use super::pipeline::{Acceptance, Driving};

/// Go on with a run that was interrupted, killed, or is to be changed
///
/// Without changes the end is the same, to the last bit, as if nothing had happened. Changes of parameters hold from the
/// next generation on; a generation that was begun is finished first. With another budget the end is that of a run that
/// was begun with it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar tune resume runs/narrow1
  vidmar tune resume runs/narrow1 --generations 200      # go on with a run that has ended
  vidmar tune resume runs/narrow1 --freeze QueenUnit=13 --widen PawnValueOpening=20..160")]
pub(crate) struct Resume {
    /// The run's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Hold a parameter where the population's mean is, or at a value
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = freeze)]
    freeze: Vec<SpaceChange>,
    /// Let a frozen parameter move again
    #[arg(long, value_name = "NAME")]
    thaw: Vec<String>,
    /// Give a parameter another interval
    #[arg(long, value_name = "NAME=MIN..MAX", value_parser = widen)]
    widen: Vec<SpaceChange>,
    /// Another budget: end after so many generations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    generations: Option<u64>,
    /// Another budget: end after so many games (or values)
    #[arg(long, value_name = "N", conflicts_with = "generations", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    #[command(flatten)]
    acceptance: Acceptance,
    #[command(flatten)]
    driving: Driving,
}

fn freeze(text: &str) -> Result<SpaceChange, &'static str> {
    SpaceChange::freeze(text).ok_or("expected NAME or NAME=NUMBER")
}

fn widen(text: &str) -> Result<SpaceChange, &'static str> {
    SpaceChange::widen(text).ok_or("expected NAME=MIN..MAX")
}

impl Resume {
    pub(crate) fn run(mut self) -> anyhow::Result<ExitCode> {
        self.driving
            .allow(&self.directory, &programs(&self.directory)?, &[])?;
        self.driving.changed_engines = self.acceptance.changed_engines();
        let budget = self.generations.or(self.games).map(|_| Budget {
            generations: self.generations.unwrap_or(0),
            total_games: self.games.unwrap_or(0),
        });
        let thaw = self.thaw.into_iter().map(|name| SpaceChange::Thaw { name });
        let changes = Changes {
            budget,
            space: thaw.chain(self.widen).chain(self.freeze).collect(),
        };
        let directory = self.directory;
        self.driving
            .carry_out(&directory, |pipeline| pipeline.resume(&directory, &changes))
    }
}
