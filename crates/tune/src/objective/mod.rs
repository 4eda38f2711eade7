//! What a vector is worth by itself: three judges that need no games.
//!
//! | judge | a vector's value |
//! | --- | --- |
//! | [`Suite`] | the share of a test suite's positions whose solution it finds |
//! | [`Agreement`] | minus the mean difference between its static judgement and its own search, as chances to win |
//! | [`Texel`] | minus the log-loss of the results that its static judgement foretells |
//!
//! All are functions of the candidate alone, so the optimiser is told that asking again is useless.

mod agreement;
mod suite;
mod texel;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use thiserror::Error;
use vidmar_engine::Control;
use vidmar_formats::epd::{self, EpdError};

pub use agreement::Agreement;
pub use suite::Suite;
pub use texel::Texel;

use crate::config::{Config, ObjectiveKind};
use crate::parameters::Candidate;

/// Why positions cannot be used.
#[derive(Debug, Error)]
pub enum PositionsError {
    /// None named.
    #[error("objective.kind needs positions, but objective.file is not set")]
    NoFile,
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
    /// The judge of a configuration; none where games decide. `start` is the candidate that tuning starts from.
    pub fn new(config: &Config, start: &Candidate) -> Result<Option<Judge>, PositionsError> {
        let kind = config.objective.kind;
        if matches!(kind, ObjectiveKind::SelfPlay | ObjectiveKind::Opponents) {
            return Ok(None);
        }
        if !config.engine.command.is_empty() {
            return Err(PositionsError::External {
                command: config.engine.command.clone(),
            });
        }
        let path = config.objective.file.as_deref().ok_or(PositionsError::NoFile)?;
        let most = match config.objective.positions {
            0 => usize::MAX,
            positions => positions,
        };
        Ok(Some(match kind {
            ObjectiveKind::Suite => Judge::Suite(Suite::read(path, most, &config.engine)?),
            ObjectiveKind::Agreement => Judge::Agreement(Agreement::read(path, most, &config.engine)?),
            _ => Judge::Texel(Texel::read(path, most, start)?),
        }))
    }

    /// The candidate's value, more is better; none if it was stopped.
    pub fn value(&self, candidate: &Candidate, control: &Control) -> Option<f64> {
        match self {
            Judge::Suite(suite) => suite.value(candidate, control),
            Judge::Agreement(agreement) => agreement.value(candidate, control),
            Judge::Texel(texel) => Some(texel.value(candidate)),
        }
    }
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
