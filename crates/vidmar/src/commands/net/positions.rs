//! Which positions of packed games are learnt from: what `net train` and `net samples` share.

use std::path::PathBuf;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use vidmar_train::{Counts, Dataset, Filter, Teacher, TrainSettings};

use crate::{arguments, output};

/// Which positions of packed games are learnt from.
#[derive(Args)]
pub(crate) struct Positions {
    /// The directory with packed games (`vidmar net games`)
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The percentage of games that are set apart for validation
    #[arg(long, default_value_t = 2.0, value_name = "PERCENT")]
    validation: f64,
    /// Learn also from positions that are usually left out
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHICH")]
    keep: Vec<Keep>,
    /// Plies from the start of a game, its opening included, that are left out
    #[arg(long, default_value_t = Filter::default().early_plies, value_name = "N")]
    early_plies: u32,
    /// Another seed, another order, another choice of games for validation and other random numbers of all kinds
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,
}

/// Positions that are usually left out.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
enum Keep {
    /// The side to move is in check
    InCheck,
    /// The best move takes something or promotes
    Captures,
    /// A mate is in sight
    Mates,
    /// The position was seen before
    Repeated,
}

impl Positions {
    pub(crate) fn filter(&self) -> Filter {
        let keeps = |which| self.keep.contains(&which);
        Filter {
            in_check: keeps(Keep::InCheck),
            captures: keeps(Keep::Captures),
            mates: keeps(Keep::Mates),
            repeated: keeps(Keep::Repeated),
            early_plies: self.early_plies,
        }
    }

    /// The share of games that are set apart for validation.
    pub(crate) fn validation(&self) -> f64 {
        self.validation / 100.0
    }

    /// Reads the games once and says how many positions there are.
    pub(crate) fn open(&self) -> anyhow::Result<Dataset> {
        let settings = TrainSettings {
            validation: self.validation(),
            ..TrainSettings::default()
        };
        settings.check()?;
        let dataset = Dataset::open(&self.directory, self.filter(), self.validation(), self.seed)?;
        let Counts {
            games,
            positions,
            training,
            validation,
            repeated,
        } = dataset.counts();
        output::hint(&format!(
            "{games} games: {training} positions to learn from, {validation} to validate with ({} left out, {repeated} of them seen before)",
            positions - training - validation,
        ));
        Ok(dataset)
    }
}

/// Who says what positions near those of the games are worth, of which there are so many by an option.
pub(crate) fn teacher(name: Option<&str>, option: &str, count: u64) -> anyhow::Result<Teacher> {
    let Some(name) = name else {
        return Ok(Teacher::hand_crafted());
    };
    ensure!(
        count > 0,
        "--teacher {name} has no effect: expected {option} above 0"
    );
    Ok((&arguments::evaluation("--teacher", Some(name))?).into())
}
