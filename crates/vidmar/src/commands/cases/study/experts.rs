//! The experts of a study: one PGN file each.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use rayon::prelude::*;
use vidmar_cases::{CaseBase, PlayerName, build, most_frequent_player};

/// One expert.
pub(super) struct Expert {
    pub(super) name: String,
    pub(super) elo: f64,
    pub(super) base: Arc<CaseBase>,
}

/// The orderings of a study are found exactly, and its correlations go through all orders.
const MOST: usize = 64;

/// Reads every PGN file of a folder; the highest-rated expert comes first.
pub(super) fn read(folder: &Path, most_games: Option<u32>) -> anyhow::Result<Vec<Expert>> {
    let shown = folder.display();
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read the folder {shown}"))?;
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .with_context(|| format!("cannot read the folder {shown}"))?;
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
    });
    files.sort();
    if files.len() < 2 || files.len() > MOST {
        bail!(
            "{shown} has {} PGN files (expected 2 to {MOST}, one for each expert)",
            files.len()
        );
    }
    let mut experts = files
        .par_iter()
        .map(|file| expert(file, most_games))
        .collect::<anyhow::Result<Vec<Expert>>>()?;
    experts.sort_by(|one, other| {
        other
            .elo
            .total_cmp(&one.elo)
            .then_with(|| one.name.cmp(&other.name))
    });
    if let Some(twice) = experts.windows(2).find(|pair| pair[0].name == pair[1].name) {
        bail!("{} is the expert of two files", twice[0].name);
    }
    Ok(experts)
}

fn expert(file: &Path, most_games: Option<u32>) -> anyhow::Result<Expert> {
    let shown = file.display().to_string();
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {shown}"))?;
    let name = most_frequent_player(&bytes).with_context(|| format!("{shown} has no player's name"))?;
    let player = PlayerName::new(&name).with_context(|| format!("{shown}: '{name}' is no name"))?;
    let files = [(shown.clone(), bytes)];
    let (mut base, _) = build(&files, &player).with_context(|| shown.clone())?;
    if let Some(games) = most_games {
        base = base.truncated(games as usize);
    }
    let elo = base
        .mean_elo()
        .with_context(|| format!("{shown}: no game tells a rating of {name} (tags WhiteElo, BlackElo)"))?;
    Ok(Expert {
        name,
        elo,
        base: Arc::new(base),
    })
}
