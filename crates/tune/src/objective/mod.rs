//! What a vector is worth by itself: three judges that need no games.
//!
//! | judge | a vector's value |
//! | --- | --- |
//! | [`Suite`] | the share of a test suite's positions whose solution it finds |
//! | [`Agreement`] | minus the mean difference between its static judgement and its own search, as chances to win |
//! | [`Texel`] | minus the log-loss of the results that its static judgement predicts |
//!
//! All are functions of the candidate alone, so the optimiser is told that asking again is useless.

mod agreement;
mod choice;
mod own_games;
mod samples;
mod suite;
mod texel;

use std::convert::Infallible;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use thiserror::Error;
use vidmar_engine::Control;
use vidmar_formats::epd::{self, EpdError};

pub use agreement::Agreement;
pub use choice::Tried;
pub(crate) use choice::{STEPS, tried};
pub(crate) use own_games::Gathering;
pub use samples::Samples;
pub use suite::Suite;
pub use texel::{Fit, Texel};

use crate::config::{Config, ObjectiveKind};
use crate::desk::spread;
use crate::parameters::{Candidate, Tunables};

/// Why positions cannot be used.
#[derive(Debug, Error)]
pub enum PositionsError {
    /// None named.
    #[error(
        "objective.kind needs positions, but objective.file is not set (texel can do with objective.self_play)"
    )]
    NoFile,
    /// Two sources.
    #[error(
        "objective.file and games (objective.self_play, games_of) both name positions: expected one of them"
    )]
    TwoSources,
    /// Games without a quiet position.
    #[error("the games of objective.self_play and objective.games_of hold no quiet position to learn from")]
    NoneInGames,
    /// Nothing to learn from in the store of another run.
    #[error("objective.games_of: {}: holds no tuning run", path.display())]
    NoRun {
        /// The store.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A line is wrong.
    #[error("{}: line {line}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// No position at all.
    #[error("{}: holds no position", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Positions judge the built-in evaluation.
    #[error("objective.kind judges this engine's own parameters; it cannot judge those of {command:?}")]
    External {
        /// The external engine.
        command: String,
    },
}

/// One of the judges.
pub enum Judge {
    /// Positions solved.
    Suite(Suite),
    /// Static against search.
    Agreement(Agreement),
    /// Static against results.
    Texel(Texel),
}

impl Judge {
    /// The judge of a configuration; none where games decide, nor where its positions are still to be played.
    pub fn new(config: &Config, tunables: &Tunables) -> Result<Option<Judge>, PositionsError> {
        let kind = config.objective.kind;
        if matches!(kind, ObjectiveKind::SelfPlay | ObjectiveKind::Opponents) {
            return Ok(None);
        }
        if !config.engine.command.is_empty() {
            return Err(PositionsError::External {
                command: config.engine.command.clone(),
            });
        }
        let path = match (&config.objective.file, config.objective.positions_are_of_games()) {
            (Some(path), false) => path,
            (None, true) => return Ok(None),
            (Some(_), true) => return Err(PositionsError::TwoSources),
            (None, false) => return Err(PositionsError::NoFile),
        };
        let most = config.objective.most_positions();
        Ok(Some(match kind {
            ObjectiveKind::Suite => Judge::Suite(Suite::read(path, most, &config.engine)?),
            ObjectiveKind::Agreement => Judge::Agreement(Agreement::read(path, most, &config.engine)?),
            _ => Judge::Texel(Texel::new(
                Samples::read(path, most)?,
                tunables,
                config.objective.prior.first(),
            )),
        }))
    }

    /// The value of a vector of the space and the candidate it stands for, more is better; none if it was stopped.
    pub fn value(&self, at: &[f64], candidate: &Candidate, control: &Control) -> Option<f64> {
        match self {
            Judge::Suite(suite) => suite.value(candidate, control),
            Judge::Agreement(agreement) => agreement.value(candidate, control),
            Judge::Texel(texel) => Some(texel.value(at, candidate)),
        }
    }
}

/// The values of so many vectors, by number and on several threads; none if it was stopped.
pub(crate) fn values(
    count: usize,
    threads: usize,
    control: &Control,
    value: impl Fn(usize) -> Option<f64> + Sync,
    mut observe: impl FnMut(),
) -> Option<Vec<f64>> {
    let mut values: Vec<Option<f64>> = vec![None; count];
    let told = |index: usize, value: f64| {
        values[index] = Some(value);
        observe();
        Ok::<(), Infallible>(())
    };
    spread(count, threads, control, value, told, || Ok(())).unwrap_or_else(|never| match never {});
    values.into_iter().collect()
}

/// Hands the records of an EPD file to `take`, with their lines.
fn records(
    path: &Path,
    most: usize,
    mut take: impl FnMut(epd::Epd) -> Result<bool, String>,
) -> Result<(), PositionsError> {
    let io = |error: std::io::Error| PositionsError::Io {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let at = |line: usize, fault: String| PositionsError::Line {
        path: path.to_owned(),
        line,
        fault,
    };
    let mut taken = 0;
    let source = BufReader::new(File::open(path).map_err(io)?);
    for (index, line) in std::io::BufRead::lines(source).enumerate() {
        let line = line.map_err(io)?;
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') || taken >= most {
            continue;
        }
        let (record, _) =
            epd::parse_line(text).map_err(|fault: EpdError| at(index + 1, fault.to_string()))?;
        taken += usize::from(take(record).map_err(|fault| at(index + 1, fault))?);
    }
    if taken == 0 {
        return Err(PositionsError::Empty {
            path: path.to_owned(),
        });
    }
    Ok(())
}
