//! `vidmar tune resume`: go on with a run, perhaps with other intervals.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use vidmar_optim::{Dimension, Space};
use vidmar_text::closest;
use vidmar_tune::config::Budget;
use vidmar_tune::parameters::ParametersError;
use vidmar_tune::run::{Run, RunError, Stop};

use super::drive::{self, Driving};
use super::interrupt;

/// Go on with a run that was interrupted, killed, or is to be changed
///
/// Without changes the end is the same, to the last bit, as if nothing had happened. Changes of parameters hold from the
/// next generation on; a generation that was begun is finished first. With another budget the end is that of a run that
/// was begun with it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar tune resume narrow1
  vidmar tune resume narrow1 --generations 200      # go on with a run that has ended
  vidmar tune resume narrow1 --freeze QueenUnit=13 --widen PawnValueOpening=20..160")]
pub(crate) struct Resume {
    /// The run's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Hold a parameter where the population's mean is, or at a value
    #[arg(long, value_name = "NAME[=VALUE]")]
    freeze: Vec<String>,
    /// Let a frozen parameter move again
    #[arg(long, value_name = "NAME")]
    thaw: Vec<String>,
    /// Give a parameter another interval
    #[arg(long, value_name = "NAME=MIN..MAX")]
    widen: Vec<String>,
    /// Another budget: end after so many generations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    generations: Option<u64>,
    /// Another budget: end after so many games (or values)
    #[arg(long, value_name = "N", conflicts_with = "generations", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    #[command(flatten)]
    driving: Driving,
}

impl Resume {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let mut run = Run::open(&self.directory)?;
        if self.generations.or(self.games).is_some() {
            run.rebudget(Budget {
                generations: self.generations.unwrap_or(0),
                total_games: self.games.unwrap_or(0),
            })?;
        }
        if self.changes_nothing() {
            return drive::drive(run, &self.driving);
        }
        let control = interrupt::control()?;
        let centre = run.optimizer().report().centroid;
        let changed = |space: &Space| self.changed(space, &centre);
        match run.respace(changed, self.driving.threads(), &control)? {
            Stop::Finished => drive::drive_with(run, &self.driving, &control),
            Stop::Interrupted => drive::interrupted(&self.directory, &self.driving),
        }
    }

    fn changes_nothing(&self) -> bool {
        self.freeze.is_empty() && self.thaw.is_empty() && self.widen.is_empty()
    }

    fn changed(&self, space: &Space, centre: &[f64]) -> Result<Space, RunError> {
        let mut dimensions = space.dimensions().to_vec();
        for name in &self.thaw {
            let at = place(&dimensions, name, "--thaw")?;
            dimensions[at].frozen = false;
        }
        for text in &self.widen {
            let expected = || RunError::Setting {
                setting: "--widen",
                value: text.clone(),
                expected: "NAME=MIN..MAX",
            };
            let (name, interval) = text.split_once('=').ok_or_else(expected)?;
            let (min, max) = interval.split_once("..").ok_or_else(expected)?;
            let at = place(&dimensions, name, "--widen")?;
            let dimension = &mut dimensions[at];
            dimension.min = min.trim().parse().map_err(|_| expected())?;
            dimension.max = max.trim().parse().map_err(|_| expected())?;
            if dimension.min <= dimension.max {
                dimension.start = dimension.start.map(|s| s.max(dimension.min).min(dimension.max));
            }
        }
        for text in &self.freeze {
            let (name, value) = text
                .split_once('=')
                .map_or((text.as_str(), None), |(n, v)| (n, Some(v)));
            let at = place(&dimensions, name, "--freeze")?;
            let value = match value.map(str::parse) {
                None => centre[at],
                Some(Ok(value)) => value,
                Some(Err(_)) => {
                    return Err(RunError::Setting {
                        setting: "--freeze",
                        value: text.clone(),
                        expected: "NAME=NUMBER",
                    });
                }
            };
            dimensions[at] = dimensions[at].clone().frozen_at(value);
        }
        Ok(Space::constrained(dimensions, space.constraints().to_vec())?)
    }
}

fn place(dimensions: &[Dimension], name: &str, option: &'static str) -> Result<usize, ParametersError> {
    let found = dimensions.iter().position(|dimension| dimension.name == name);
    found.ok_or_else(|| ParametersError::Unknown {
        place: option,
        name: name.to_owned(),
        nearest: closest(name, dimensions.iter().map(|dimension| dimension.name.as_str())).to_owned(),
    })
}

/// The same path as the user gave it, for a shell.
pub(super) fn command(directory: &std::path::Path, driving: &Driving) -> anyhow::Result<String> {
    let text = directory.to_str().context("the directory's name is not text")?;
    let plain = text
        .chars()
        .all(|c| c.is_alphanumeric() || "/._-+=:@%".contains(c));
    let shown = if plain {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    };
    Ok(format!("vidmar tune resume {shown}{}", driving.arguments()))
}
