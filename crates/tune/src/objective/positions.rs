//! What objectives that need no games share: positions from files, and values on several threads.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use thiserror::Error;
use vidmar_engine::Control;
use vidmar_formats::epd::{self, EpdError};
use vidmar_optim::{Answer, Ask, Batch};

use super::unexpected;
use crate::config::Config;
use crate::parallel;
use crate::parameters::Candidate;
use crate::run::{Context, Event, RunError};

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
    /// Positions evaluate the engine's own evaluation.
    #[error("objective.kind evaluates this engine's own parameters; it cannot evaluate those of {command:?}")]
    External {
        /// The external engine, or the laboratory search.
        command: String,
    },
}

/// Positions say nothing of an external engine's options, nor of a laboratory search.
pub(super) fn built_in_only(config: &Config) -> Result<(), PositionsError> {
    match (config.engine.command.as_str(), config.engine.player.as_str()) {
        ("", "") => Ok(()),
        ("", other) | (other, _) => Err(PositionsError::External {
            command: other.to_owned(),
        }),
    }
}

/// The file that an objective without games must have.
pub(super) fn required<'a>(file: Option<&'a PathBuf>, config: &Config) -> Result<&'a Path, PositionsError> {
    built_in_only(config)?;
    file.map(PathBuf::as_path).ok_or(PositionsError::NoFile)
}

/// So many positions at most; 0 means all.
pub(super) fn most(positions: usize) -> usize {
    match positions {
        0 => usize::MAX,
        positions => positions,
    }
}

/// The answers of an objective that is a function of the vector of the space and the candidate it stands for.
pub(super) fn answers_by_value(
    batch: &Batch,
    context: &mut Context<'_>,
    value: impl Fn(&[f64], &Candidate, &Control) -> Option<f64> + Sync,
) -> Result<Option<Vec<Answer>>, RunError> {
    let Ask::Values(players) = &batch.ask else {
        return Err(unexpected(&batch.ask));
    };
    let vectors: Vec<&[f64]> = players.iter().map(|&player| &batch.players[player][..]).collect();
    let candidates: Vec<Candidate> = vectors.iter().map(|v| context.tunables.candidate(v)).collect();
    let control = context.control;
    let value = |index: usize| value(vectors[index], &candidates[index], control);
    let mut done = context.jobs;
    let values = parallel::map(players.len(), context.threads, control, value, || {
        done += 1;
        (context.observe)(&Event::Job { done, faults: 0 });
    });
    Ok(values.map(|values| values.into_iter().map(Answer::Value).collect()))
}

/// Hands the records of an EPD file to `take`, with their lines.
pub(super) fn records(
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
