//! Rivals one after the other, each in a run directory of its own, and a row for every match of their validations.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Rival;
use crate::config::Config;
use crate::pipeline::{Changes, Pipeline, StopReason};
use crate::run::{CONFIG_FILE, Run, RunError, read_config};
use crate::status::View;
use crate::verify::without_games;
use vidmar_rows::ValidationRow;

/// What is compared.
pub struct Comparison {
    /// What all have in common.
    pub base: Config,
    /// The methods.
    pub rivals: Vec<Rival>,
    /// A run of every method for each.
    pub seeds: Vec<u64>,
    /// Games that each run has.
    pub games: u64,
    /// Where the run directories go: `METHOD-SEED`.
    pub out: PathBuf,
}

/// What all methods have the same of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Equal {
    /// Games to tune with.
    Games,
    /// Processor time to tune with.
    Cpu,
}

impl Equal {
    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Equal::Games => "games",
            Equal::Cpu => "cpu",
        }
    }
}

/// A run of a comparison.
pub struct Entry<'a> {
    /// What it has as much of as the others.
    pub equal: Equal,
    /// The method.
    pub rival: &'a Rival,
    /// The seed.
    pub seed: u64,
    directory: PathBuf,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The method.
    pub method: String,
    /// What it had as much of as the others.
    pub equal: Equal,
    /// The seed.
    pub seed: u64,
    /// Games that it tuned with.
    pub tuning_games: u64,
    /// Seconds of the processors, over all stages.
    pub cpu_seconds: f64,
    /// Whether methods are compared by this match: that of the recommended vector against what the run, or its chain, began
    /// with. Every method has one for each seed and limit.
    pub compared: bool,
    /// The match.
    #[serde(flatten)]
    pub validation: ValidationRow,
}

impl Comparison {
    /// Makes or opens every run: what can be wrong is found before the first game.
    pub fn entries(&self) -> Result<Vec<Entry<'_>>, RunError> {
        self.entries_of(Equal::Games, &|_| self.games)
    }

    /// The same methods with as many games as take each as much processor time as the slowest one took with equal games, by
    /// the rows that those runs came to. They are in directories `METHOD-SEED-cpu`.
    pub fn entries_with_equal_cpu(&self, rows: &[Row]) -> Result<Vec<Entry<'_>>, RunError> {
        let mean = |rival: &Rival| {
            let of_it = rows
                .iter()
                .filter(|row| row.equal == Equal::Games && row.method == rival.name());
            let seconds: Vec<f64> = of_it.map(|row| row.cpu_seconds).collect();
            seconds.iter().sum::<f64>() / seconds.len().max(1) as f64
        };
        let slowest = self.rivals.iter().map(mean).fold(0.0, f64::max);
        let games = |rival: &Rival| match mean(rival) {
            seconds if seconds > 0.0 => (self.games as f64 * slowest / seconds).round() as u64,
            _ => self.games,
        };
        self.entries_of(Equal::Cpu, &games)
    }

    /// The run directories that are there already.
    pub fn begun(&self) -> Vec<PathBuf> {
        let of_both = [Equal::Games, Equal::Cpu].into_iter();
        let all = of_both.flat_map(|equal| {
            let pairs = self
                .seeds
                .iter()
                .flat_map(|seed| self.rivals.iter().map(move |rival| (rival, *seed)));
            pairs.map(move |(rival, seed)| self.directory(rival, seed, equal))
        });
        all.filter(|directory| directory.join(CONFIG_FILE).exists())
            .collect()
    }

    fn directory(&self, rival: &Rival, seed: u64, equal: Equal) -> PathBuf {
        let suffix = match equal {
            Equal::Games => "",
            Equal::Cpu => "-cpu",
        };
        self.out.join(format!("{}-{seed}{suffix}", rival.name()))
    }

    fn entries_of(&self, equal: Equal, games: &dyn Fn(&Rival) -> u64) -> Result<Vec<Entry<'_>>, RunError> {
        let mut entries = Vec::new();
        for &seed in &self.seeds {
            for rival in &self.rivals {
                let directory = self.directory(rival, seed, equal);
                check(&directory, &rival.config(&self.base, games(rival), seed))?;
                entries.push(Entry {
                    equal,
                    rival,
                    seed,
                    directory,
                });
            }
        }
        Ok(entries)
    }
}

/// The run in that directory must be the one that is wanted; it is made where there is none.
fn check(directory: &Path, config: &Config) -> Result<(), RunError> {
    if !directory.join(CONFIG_FILE).exists() {
        return Run::create(directory, config).map(drop);
    }
    if read_config(directory)? != *config {
        return Err(RunError::OtherSettings {
            directory: directory.to_owned(),
        });
    }
    Run::open(directory).map(drop)
}

impl Entry<'_> {
    /// Does what is missing of the run; none if it was cancelled.
    pub fn rows(&self, pipeline: &mut Pipeline<'_>) -> Result<Option<Vec<Row>>, RunError> {
        match pipeline.resume(&self.directory, &Changes::default())? {
            StopReason::Finished => self.finished().map(Some),
            StopReason::Cancelled { .. } => Ok(None),
        }
    }

    /// The validation of the last stage; a run that recommends what it began with has nothing to show and says so by rows
    /// without games.
    fn finished(&self) -> Result<Vec<Row>, RunError> {
        let mut directory = self.directory.clone();
        let mut view = View::open(&directory)?;
        let mut status = view.status()?;
        let (mut tuning_games, mut cpu_seconds) = (status.games, status.cpu_seconds);
        while let Some(stage) = view.config.then.first() {
            directory = directory.join(&stage.name);
            view = View::open(&directory)?;
            status = view.status()?;
            tuning_games += status.games;
            cpu_seconds += status.cpu_seconds;
        }
        let mut validations = status.verify;
        let results = view.results()?.ok_or(RunError::NotARun { directory })?;
        if !validations.iter().any(|validation| validation.recommended) {
            let deeper = view.config.verify.deeper.iter();
            validations.extend(deeper.map(|&deeper| without_games(&results, &view.config, deeper)));
        }
        let beginning = results.beginning().name;
        let row = |validation: ValidationRow| Row {
            method: self.rival.name().to_owned(),
            equal: self.equal,
            seed: self.seed,
            tuning_games,
            cpu_seconds,
            compared: validation.recommended && validation.against == beginning,
            validation,
        };
        Ok(validations.into_iter().map(row).collect())
    }
}
