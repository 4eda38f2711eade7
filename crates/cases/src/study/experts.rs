//! The experts of a study: one PGN file each.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use thiserror::Error;

use crate::{BuildError, CaseBase, PlayerName, build, most_frequent_player};

/// One expert.
#[derive(Clone, Debug)]
pub struct Expert {
    /// The player who occurs most often in the file.
    pub name: String,
    /// The mean rating in the file's games.
    pub elo: f64,
    /// The cases.
    pub base: Arc<CaseBase>,
}

/// Why a folder holds no experts.
#[derive(Debug, Error)]
pub enum ExpertsError {
    /// It cannot be read.
    #[error("cannot read the folder {}: {reason}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// Too few, or too many to be ordered.
    #[error("{} has {found} PGN files (expected 2 to {MOST}, one for each expert)", folder.display())]
    Count {
        /// The folder.
        folder: PathBuf,
        /// How many there are.
        found: usize,
    },
    /// A file cannot be read.
    #[error("cannot read {file}: {reason}")]
    Read {
        /// The file.
        file: String,
        /// What the system says.
        reason: std::io::Error,
    },
    /// A file without players.
    #[error("{0} has no player's name")]
    NoName(String),
    /// A name of nothing.
    #[error("{file}: '{name}' is no name")]
    NotAName {
        /// The file.
        file: String,
        /// The name.
        name: String,
    },
    /// A file that gives no cases.
    #[error("{file}: {reason}")]
    Build {
        /// The file.
        file: String,
        /// Why.
        reason: BuildError,
    },
    /// Nobody knows how good the expert is.
    #[error("{file}: no game tells a rating of {name} (tags WhiteElo, BlackElo)")]
    NoRating {
        /// The file.
        file: String,
        /// The expert.
        name: String,
    },
    /// One expert, two files.
    #[error("{0} is the expert of two files")]
    Twice(String),
}

/// The orderings of a study are found exactly, and its correlations go through all orders.
const MOST: usize = 64;

/// Reads every PGN file of a folder, on all threads of the current pool; the highest-rated expert comes first.
pub fn read_experts(folder: &Path, most_games: Option<u32>) -> Result<Vec<Expert>, ExpertsError> {
    let unread = |reason| ExpertsError::Folder {
        folder: folder.to_owned(),
        reason,
    };
    let entries = std::fs::read_dir(folder).map_err(unread)?;
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(unread)?;
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
    });
    files.sort();
    if files.len() < 2 || files.len() > MOST {
        return Err(ExpertsError::Count {
            folder: folder.to_owned(),
            found: files.len(),
        });
    }
    let mut experts = files
        .par_iter()
        .map(|file| expert(file, most_games))
        .collect::<Result<Vec<Expert>, ExpertsError>>()?;
    experts.sort_by(|one, other| {
        other
            .elo
            .total_cmp(&one.elo)
            .then_with(|| one.name.cmp(&other.name))
    });
    if let Some(twice) = experts.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(ExpertsError::Twice(twice[0].name.clone()));
    }
    Ok(experts)
}

fn expert(path: &Path, most_games: Option<u32>) -> Result<Expert, ExpertsError> {
    let file = || path.display().to_string();
    let bytes = std::fs::read(path).map_err(|reason| ExpertsError::Read { file: file(), reason })?;
    let name = most_frequent_player(&bytes).ok_or_else(|| ExpertsError::NoName(file()))?;
    let player = PlayerName::new(&name).ok_or_else(|| ExpertsError::NotAName {
        file: file(),
        name: name.clone(),
    })?;
    let files = [(file(), bytes)];
    let (mut base, _) =
        build(&files, &player).map_err(|reason| ExpertsError::Build { file: file(), reason })?;
    if let Some(games) = most_games {
        base = base.truncated(games as usize);
    }
    let elo = base.mean_elo().ok_or_else(|| ExpertsError::NoRating {
        file: file(),
        name: name.clone(),
    })?;
    Ok(Expert {
        name,
        elo,
        base: Arc::new(base),
    })
}
